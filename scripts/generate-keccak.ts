/**
 * Generates `src/protocol/keccak-module.ts`: the keccak-f[1600] permutation as a WebAssembly module of two kilobytes.
 *
 * The permutation works on 64-bit lanes, which JavaScript does not have: a hash of 64 bytes takes 0.5 µs with them and
 * 5.3 µs without (@noble/hashes, Node 20). The module is assembled here from the algorithm's definition (FIPS 202,
 * sections 3.2 and 3.4), so that nothing in it has to be taken on trust.
 *
 * Memory: 0 the state, 256 the round constants, 512 a block of 136 bytes that `absorb` adds to the state before it
 * permutes it.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const OUTPUT = join(resolve(dirname(fileURLToPath(import.meta.url)), '..'), 'src', 'protocol', 'keccak-module.ts');
const ROUNDS = 24;
const RATE_LANES = 17;
const CONSTANTS = 256;
const BLOCK = 512;

// Locals: the state, the columns' parities, their differences, the state after ρ and π, and the round's constant.
const A = 0;
const C = 25;
const D = 30;
const B = 35;
const ROUND = 60;

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  return (rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40) ? [low] : [low | 0x80, ...signed(rest)];
}

const get = (local: number) => [0x20, ...unsigned(local)];
const set = (local: number) => [0x21, ...unsigned(local)];
const xor = 0x85;
const and = 0x83;
const i32 = (value: number) => [0x41, ...signed(value)];
const i64 = (value: number) => [0x42, ...signed(value)];
const load = (offset: number) => [0x29, 3, ...unsigned(offset)];
const store = (offset: number) => [0x37, 3, ...unsigned(offset)];
const rotateLeft = (bits: number) => (bits === 0 ? [] : [...i64(bits), 0x89]);

/** ρ: how far each lane turns, by its index x + 5y. */
function rotations(): number[] {
  const bits = new Array<number>(25).fill(0);
  let [x, y] = [1, 0];
  for (let t = 0; t < 24; t++) {
    bits[x + 5 * y] = (((t + 1) * (t + 2)) / 2) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return bits;
}

/** ι: the constants of the rounds, little-endian, from the linear feedback register of the definition. */
function roundConstants(): number[] {
  const bytes: number[] = [];
  let register = 1;
  for (let round = 0; round < ROUNDS; round++) {
    let constant = 0n;
    for (let j = 0; j < 7; j++) {
      if (register & 1) constant |= 1n << ((1n << BigInt(j)) - 1n);
      register = ((register << 1) ^ ((register >> 7) * 0x171)) & 0xff;
    }
    for (let i = 0n; i < 64n; i += 8n) bytes.push(Number((constant >> i) & 0xffn));
  }
  return bytes;
}

function round(): number[] {
  const code: number[] = [];
  for (let x = 0; x < 5; x++) {
    code.push(...get(A + x));
    for (let y = 1; y < 5; y++) code.push(...get(A + x + 5 * y), xor);
    code.push(...set(C + x));
  }
  for (let x = 0; x < 5; x++) {
    code.push(...get(C + ((x + 4) % 5)), ...get(C + ((x + 1) % 5)), ...rotateLeft(1), xor, ...set(D + x));
  }
  const bits = rotations();
  for (let x = 0; x < 5; x++) {
    for (let y = 0; y < 5; y++) {
      const target = y + 5 * ((2 * x + 3 * y) % 5);
      code.push(...get(A + x + 5 * y), ...get(D + x), xor, ...rotateLeft(bits[x + 5 * y]!), ...set(B + target));
    }
  }
  for (let y = 0; y < 25; y += 5) {
    for (let x = 0; x < 5; x++) {
      const next = get(B + y + ((x + 1) % 5));
      code.push(...get(B + y + x), ...next, ...i64(-1), xor, ...get(B + y + ((x + 2) % 5)), and, xor);
      code.push(...set(A + y + x));
    }
  }
  return [...code, ...get(A), ...get(ROUND), ...load(CONSTANTS), xor, ...set(A)];
}

function absorb(): number[] {
  const code: number[] = [];
  for (let i = 0; i < 25; i++) {
    code.push(...i32(0), ...load(8 * i));
    if (i < RATE_LANES) code.push(...i32(0), ...load(BLOCK + 8 * i), xor);
    code.push(...set(A + i));
  }
  const loop = [0x03, 0x40];
  const again = [...get(ROUND), ...i32(8), 0x6a, 0x22, ROUND, ...i32(8 * ROUNDS), 0x49, 0x0d, 0, 0x0b];
  code.push(...loop, ...round(), ...again);
  for (let i = 0; i < 25; i++) code.push(...i32(0), ...get(A + i), ...store(8 * i));
  const locals = [2, 60, 0x7e, 1, 0x7f];
  return [...locals, ...code, 0x0b];
}

function keccakModule(): Uint8Array {
  const section = (id: number, content: number[]) => [id, ...unsigned(content.length), ...content];
  const name = (text: string) => [text.length, ...Buffer.from(text)];
  const body = absorb();
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 0, 0]),
    ...section(2, [1, ...name('env'), ...name('memory'), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('absorb'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
    ...section(11, [1, 0, ...i32(CONSTANTS), 0x0b, ...unsigned(8 * ROUNDS), ...roundConstants()]),
  ]);
}

/** The text of the generated file. */
export function generateKeccak(): string {
  const base64 = Buffer.from(keccakModule()).toString('base64');
  const lines = base64.match(/.{1,100}/g) ?? [];
  return (
    '// Generated by scripts/generate-keccak.ts. Not edited by hand: npx tsx scripts/generate-keccak.ts\n\n' +
    '/** A WebAssembly module in base64. Of the memory that it imports: 0 the state, 512 a block; `absorb` adds the block and permutes. */\n' +
    `export const KECCAK_MODULE =\n${lines.map((line) => `  '${line}'`).join(' +\n')};\n`
  );
}

/** Whether `src/protocol/keccak-module.ts` is what this script would write. */
export function isKeccakUpToDate(): boolean {
  return readFileSync(OUTPUT, 'utf8') === generateKeccak();
}

function main(): void {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    process.stdout.write(
      'Usage: tsx scripts/generate-keccak.ts [--check]\n\n' +
        'Writes src/protocol/keccak-module.ts.\n\n' +
        '  --check  write nothing; exit 1 if the file is not what would be written\n',
    );
  } else if (values.check) {
    if (!isKeccakUpToDate()) process.exitCode = 1;
  } else {
    writeFileSync(OUTPUT, generateKeccak());
    process.stdout.write(`${relative(process.cwd(), OUTPUT)}\n`);
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) main();
