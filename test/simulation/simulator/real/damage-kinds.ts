/** Kinds of damage to the files of a database: each does something to one of them, and says what. */

import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { WRITTEN_KEYS_PREFIX } from '../../../../src/node/storage/written-keys.js';
import { openLevelDb } from '../../../../src/platform/leveldb.js';
import { withChecksum, withoutChecksum } from '../../../../src/state/row-checksum.js';
import type { Choices } from '../../wild-messages.js';

export interface Damage {
  readonly what: string;
  /** It looks like the end that a kill leaves: of a chain that was not closed in order, the last writes may be gone. */
  readonly isLikeAKill: boolean;
  /**
   * The checksums of LevelDB's files fit, so a row under another key is missing at its own: no read can tell. `sunup
   * check` finds it, and rows that a start reads are refused.
   */
  readonly isForged?: boolean;
}

interface Place {
  /** The folder of LevelDB's files. */
  readonly folder: string;
  readonly choices: Choices;
}

type Kind = (place: Place) => Promise<Damage | undefined> | Damage | undefined;

/** Files with a content, of which any may be damaged. */
export function filesOf({ folder }: Place, pattern = /^(CURRENT|MANIFEST-\d+|\d+\.(ldb|log))$/): readonly string[] {
  return readdirSync(folder).filter((name) => pattern.test(name) && statSync(path.join(folder, name)).size > 0);
}

/** The end of the chain is in the log, and most of it in tables; of both there may be one or many files. */
const SORTS: readonly RegExp[] = [/\.log$/, /\.log$/, /\.ldb$/, /\.ldb$/, /^(CURRENT|MANIFEST-)/];

function anyFileOf(place: Place): string | undefined {
  const files = filesOf(place);
  const sort = place.choices.of(SORTS);
  const ofSort = files.filter((name) => sort.test(name));
  return files.length === 0 ? undefined : place.choices.of(ofSort.length === 0 ? files : ofSort);
}

/** Overwrites a part of a file in its place, so that a node that has it open sees it. */
export function overwrite(file: string, at: number, bytes: Uint8Array): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
}

function isLog(name: string): boolean {
  return name.endsWith('.log');
}

/** Where the records of a log begin; they are in blocks of 32 kB. */
function recordsOf(log: Buffer): readonly number[] {
  const [blockBytes, headerBytes] = [32_768, 7];
  const all: number[] = [];
  for (let at = 0; at + headerBytes <= log.length; ) {
    const left = blockBytes - (at % blockBytes);
    if (left < headerBytes) at += left;
    else {
      all.push(at);
      at += headerBytes + log.readUInt16LE(at + 4);
    }
  }
  return all;
}

/** Somewhere in a file, often near one of its ends, where its structure is. */
export function position(choices: Choices, size: number): number {
  const near = choices.below(Math.min(size, 200));
  return choices.of([choices.below(size), near, size - 1 - near]);
}

const flipBits: Kind = (place) => {
  const { folder, choices } = place;
  const flips: string[] = [];
  let isLikeAKill = false;
  for (let count = 1 + choices.below(3); count > 0; count--) {
    const name = anyFileOf(place);
    if (name === undefined) return undefined;
    const bytes = readFileSync(path.join(folder, name));
    const [at, bit] = [position(choices, bytes.length), choices.below(8)];
    overwrite(path.join(folder, name), at, Uint8Array.of((bytes[at] as number) ^ (1 << bit)));
    flips.push(`${name} byte ${at} bit ${bit}`);
    // The length of the last record may grow beyond the file: then it looks torn.
    isLikeAKill ||= isLog(name) && at >= (recordsOf(bytes).at(-1) ?? 0);
  }
  return { what: `flipped: ${flips.join(', ')}`, isLikeAKill };
};

/** A hole of zeros, or other bytes, in the middle of a file. */
function overwritePart(what: string, make: (choices: Choices, length: number) => Uint8Array): Kind {
  return (place) => {
    const { folder, choices } = place;
    const name = anyFileOf(place);
    if (name === undefined) return undefined;
    const { size } = statSync(path.join(folder, name));
    const at = position(choices, size);
    const length = Math.min(size - at, 1 + choices.below(choices.of([16, 512, 4_096, 40_000])));
    overwrite(path.join(folder, name), at, make(choices, length));
    return {
      what: `${what}: ${name} from ${at}, ${length} of ${size} bytes`,
      isLikeAKill: isLog(name) && at + length >= size,
    };
  };
}

const truncate: Kind = (place) => {
  const { folder, choices } = place;
  const name = anyFileOf(place);
  if (name === undefined) return undefined;
  const { size } = statSync(path.join(folder, name));
  const left = position(choices, size);
  truncateSync(path.join(folder, name), left);
  return { what: `truncated: ${name} to ${left} of ${size} bytes`, isLikeAKill: isLog(name) };
};

/** The log ends earlier, with a whole record: nothing in it says that there was more. */
const cutRecords: Kind = (place) => {
  const { folder, choices } = place;
  const [name] = filesOf(place, /\.log$/);
  if (name === undefined) return undefined;
  const records = recordsOf(readFileSync(path.join(folder, name)));
  const lost = 1 + choices.below(Math.min(8, records.length));
  truncateSync(path.join(folder, name), records.at(-lost));
  return { what: `cut: the last ${lost} of ${records.length} records of ${name}`, isLikeAKill: true };
};

/** A bit of a record in the log that is followed by others: it cannot be the end that a kill leaves. */
const spoilRecord: Kind = (place) => {
  const { folder, choices } = place;
  const [name] = filesOf(place, /\.log$/);
  if (name === undefined) return undefined;
  const file = path.join(folder, name);
  const bytes = readFileSync(file);
  const records = recordsOf(bytes);
  if (records.length < 2) return undefined;
  const which = choices.below(records.length - 1);
  const [from, to] = [records[which] as number, records[which + 1] as number];
  const at = from + choices.below(to - from);
  overwrite(file, at, flipped(bytes.subarray(at, at + 1), choices));
  return { what: `spoilt: record ${which} of ${records.length} of ${name}, byte ${at - from}`, isLikeAKill: false };
};

const remove: Kind = (place) => {
  const name = anyFileOf(place);
  if (name === undefined) return undefined;
  rmSync(path.join(place.folder, name));
  return { what: `removed: ${name}`, isLikeAKill: false };
};

/** A misdirected write: a table has the bytes of another. */
const exchange: Kind = (place) => {
  const tables = filesOf(place, /\.ldb$/);
  if (tables.length < 2) return undefined;
  const one = place.choices.below(tables.length);
  const other = (one + 1) % tables.length;
  const [from, to] = [tables[one] as string, tables[other] as string];
  writeFileSync(path.join(place.folder, to), readFileSync(path.join(place.folder, from)));
  return { what: `exchanged: ${to} has the bytes of ${from}`, isLikeAKill: false };
};

interface Row {
  readonly key: string;
  readonly stored: Uint8Array;
}

/** Rows of small tables are chosen as often as those of large ones. */
function anyKeyOf(keys: readonly string[], choices: Choices): string {
  // Filters of keys are rows of the store, and not of the chain.
  const ofTables = keys.filter((key) => !key.startsWith(WRITTEN_KEYS_PREFIX));
  const prefixes = [...new Set(ofTables.map((key) => key.slice(0, key.indexOf(':') + 1)))];
  const prefix = choices.of(prefixes);
  return choices.of(ofTables.filter((key) => key.startsWith(prefix)));
}

/** A row is changed through LevelDB, or taken away, so that its files are whole. */
function changeRow(what: string, change: (row: Row, choices: Choices) => Row | undefined): Kind {
  return async ({ folder, choices }) => {
    const level = await openLevelDb(path.dirname(folder));
    try {
      const key = anyKeyOf(await level.keys().all(), choices);
      const changed = change({ key, stored: Buffer.from(level.getSync(key) as Uint8Array) }, choices);
      const batch = level.batch().del(key);
      if (changed !== undefined) batch.put(changed.key, changed.stored);
      await batch.write();
      return { what: `${what}: row ${key}`, isLikeAKill: false, isForged: changed?.key !== key };
    } finally {
      await level.close();
    }
  };
}

export function flipped(bytes: Uint8Array, choices: Choices): Buffer {
  const copy = Buffer.from(bytes);
  const bit = choices.below(copy.length * 8);
  copy[bit >>> 3]! ^= 1 << (bit & 7);
  return copy;
}

function otherKey(key: string, choices: Choices): string {
  const at = key.indexOf(':') + 1 + choices.below(Math.max(1, key.length - key.indexOf(':') - 1));
  const digit = choices.of(['0', '1', '7', 'f'].filter((one) => one !== key[at]));
  return key.slice(0, at) + digit + key.slice(at + 1);
}

export const KINDS: readonly Kind[] = [
  flipBits,
  flipBits,
  overwritePart('zeroed', (_, length) => new Uint8Array(length)),
  overwritePart('overwritten', (choices, length) => Uint8Array.from({ length }, () => choices.below(256))),
  truncate,
  truncate,
  cutRecords,
  spoilRecord,
  remove,
  exchange,
  changeRow('flipped a bit', ({ key, stored }, choices) => ({ key, stored: flipped(stored, choices) })),
  changeRow('took away', () => undefined),
  changeRow('changed the key', ({ key, stored }, choices) => ({ key: otherKey(key, choices), stored })),
  changeRow('changed the key and its checksum', ({ key, stored }, choices) => {
    const other = otherKey(key, choices);
    return { key: other, stored: withChecksum(other, withoutChecksum(key, stored) ?? stored) };
  }),
];
