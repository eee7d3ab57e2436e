/** Rows in order, as a database has them, without what it has of batches that it refused. */

type Row = readonly [key: string, value: Uint8Array];

/** An iterator's range of keys. */
export interface KeyRange {
  readonly gte?: string;
  readonly gt?: string;
  readonly lt?: string;
  readonly lte?: string;
  readonly reverse?: boolean;
  readonly limit?: number;
}

/**
 * @param refused the keys of refused batches with the values of before; undefined: the row is not there
 * @param iterate reads the database
 */
export async function* acceptedRows(
  refused: ReadonlyMap<string, Uint8Array | undefined>,
  range: KeyRange & { readonly gte: string },
  iterate: (range: KeyRange) => AsyncIterable<Row>,
): AsyncIterable<Row> {
  const { limit = Number.POSITIVE_INFINITY, ...unlimited } = range;
  let count = 0;
  for await (const [key, value] of merged(refused, unlimited, iterate)) {
    if (value === undefined) continue;
    if (count++ === limit) return;
    yield [key, value];
  }
}

async function* merged(
  refused: ReadonlyMap<string, Uint8Array | undefined>,
  range: KeyRange & { readonly gte: string },
  iterate: (range: KeyRange) => AsyncIterable<Row>,
): AsyncIterable<readonly [string, Uint8Array | undefined]> {
  const { gte, lt, lte, reverse = false } = range;
  const comesBefore = (one: string, other: string) => (reverse ? one > other : one < other);
  const before = [...refused]
    .filter(([key]) => key >= gte && (lt === undefined || key < lt) && (lte === undefined || key <= lte))
    .sort(([one], [other]) => (comesBefore(one, other) ? -1 : 1));
  let next = 0;
  const nextKey = () => before[next]?.[0];
  for await (const row of iterate(range)) {
    for (let key = nextKey(); key !== undefined && comesBefore(key, row[0]); key = nextKey())
      yield before[next++] as (typeof before)[number];
    if (nextKey() === row[0]) yield before[next++] as (typeof before)[number];
    else yield row;
  }
  yield* before.slice(next);
}
