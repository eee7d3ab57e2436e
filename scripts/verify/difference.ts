/** The first difference between two decoded messages, as a path and two values. */

export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [String(key), item]));
  return value;
}

export function differences(expected: unknown, actual: unknown, path = ''): Difference[] {
  const a = plain(expected);
  const b = plain(actual);
  if (a === b) return [];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return [{ path, expected: a, actual: b }];
  }
  const found: Difference[] = [];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const at = path === '' ? key : `${path}.${key}`;
    found.push(...differences((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], at));
  }
  return found;
}

export function show(value: unknown): string {
  if (value === undefined) return '(absent)';
  return JSON.stringify(plain(value), (_, item) => {
    const simple = plain(item);
    return typeof simple === 'bigint' ? simple.toString() : simple;
  });
}
