/** The operations of LevelDB's batches, as its logs have them: a record is a batch. */

import { Cursor, Damage } from './leveldb-format.js';

export interface LogOperation {
  readonly key: string;
  /** Undefined: the row is deleted. */
  readonly value: Buffer | undefined;
}

/** The sequence number of the first operation, and the number of operations. */
const HEADER_BYTES = 12;
const [DELETION, VALUE] = [0, 1];

/** @throws Damage if it is no batch */
export function* operationsOf(record: Buffer): Iterable<LogOperation> {
  const cursor = new Cursor(record);
  cursor.skip(HEADER_BYTES);
  while (!cursor.atEnd) {
    const kind = cursor.number();
    if (kind !== DELETION && kind !== VALUE) throw new Damage(`has an operation of unknown kind ${kind}`);
    const key = cursor.slice(cursor.number()).toString('utf8');
    yield { key, value: kind === VALUE ? cursor.slice(cursor.number()) : undefined };
  }
}
