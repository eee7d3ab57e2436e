/** Reading fixtures of java-tron's properties table: hex rows, decoded by the kind that our declarations give them. */

import {
  BYTES_PROPERTIES,
  type BytesProperty,
  LONG_PROPERTIES,
  type LongProperty,
  type PropertyReader,
  type PropertyWrite,
  TEXT_PROPERTIES,
  type TextProperty,
} from '../../../src/parameters/properties.js';

/** The key in java-tron's own table, which begins with a space in one case. */
export function storedKey(property: string): string {
  return property === 'ALLOW_SAME_TOKEN_NAME' ? ' ALLOW_SAME_TOKEN_NAME' : property;
}

const kinds = new Map<string, 'long' | 'int' | 'text' | 'bytes'>([
  ...LONG_PROPERTIES.map(({ name, kind }) => [storedKey(name), kind] as const),
  ...Object.keys(TEXT_PROPERTIES).map((name) => [name, 'text'] as const),
  ...Object.keys(BYTES_PROPERTIES).map((name) => [name, 'bytes'] as const),
]);

/** The declared value of a row; throws on a key that is not declared or has another width. */
export function decodeRow(key: string, hex: string): bigint | string {
  const kind = kinds.get(key);
  const bytes = Buffer.from(hex, 'hex');
  if (kind === 'bytes') return hex;
  if (kind === 'text') return bytes.toString('utf8');
  if (kind === 'long' && bytes.length === 8) return bytes.readBigInt64BE();
  if (kind === 'int' && bytes.length === 4) return BigInt(bytes.readInt32BE());
  throw new Error(`property ${JSON.stringify(key)} = ${hex} is not declared so`);
}

/** A mutable set of properties, by the keys of java-tron's table. */
export class RecordedProperties implements PropertyReader {
  readonly values = new Map<string, bigint | string>();

  set(rows: Readonly<Record<string, string>>): void {
    for (const [key, hex] of Object.entries(rows)) this.values.set(key, decodeRow(key, hex));
  }

  apply(writes: readonly PropertyWrite[]): void {
    for (const { property, value } of writes) this.values.set(storedKey(property), value);
  }

  long(name: LongProperty): bigint {
    return this.values.get(storedKey(name)) as bigint;
  }

  text(name: TextProperty | BytesProperty): string {
    return this.values.get(storedKey(name)) as string;
  }
}
