/**
 * The engine against the interpreter: a run with an observer is the interpreter's alone, one without is the engine's
 * where it can be. Both must leave the same result, chain, Energy, penalty and work, whatever the program, and wherever
 * Energy or work end. `SUNUP_ENGINE=100000` sets the number of programs.
 */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { file as engineFile, text as engineText } from '../../../scripts/generate-engine.js';
import { keccak256OfHex } from '../../../src/protocol/hashes.js';
import type { InternalTransaction } from '../../../src/tvm/internal-transactions.js';
import { runCall } from '../../../src/tvm/run.js';
import { WorkBudget } from '../../../src/tvm/work.js';
import { AA, BB, bytes, contextWith, hostOf, OWNER, run, type Scene } from './fixture.js';

const RUNS = Number(process.env.SUNUP_ENGINE ?? 400);
const MAX = (1n << 256n) - 1n;

const byte = (value: number): string => value.toString(16).padStart(2, '0');
const push32 = (word: bigint): string => `7f${word.toString(16).padStart(64, '0')}`;

/** Words with long runs of equal bits: they meet the carries and the corrections of a division. */
const runsOfBits = fc
  .array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 96 })), { minLength: 1, maxLength: 7 })
  .map((runs) => {
    let word = 0n;
    for (const [bit, length] of runs) word = (word << BigInt(length)) | (bit ? (1n << BigInt(length)) - 1n : 0n);
    return word & MAX;
  });
const word = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, 31n, 32n, 255n, 256n, (1n << 64n) - 1n, 1n << 64n, 1n << 255n, MAX - 1n, MAX),
  runsOfBits,
  fc.bigInt({ min: 0n, max: MAX }),
  fc.bigInt({ min: 0n, max: 1n << 64n }),
  fc.bigInt({ min: 0n, max: 300n }),
);
const place = fc.oneof(
  fc.bigInt({ min: 0n, max: 700n }),
  fc.constantFrom(3n * 1024n * 1024n - 32n, 3n * 1024n * 1024n - 31n, 1n << 32n, MAX, (1n << 64n) + 5n),
);
const near = fc.bigInt({ min: 0n, max: 400n });
const length = fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.constantFrom(0n, 1n << 32n, MAX));
const key = fc.bigInt({ min: 0n, max: 3n });

const instruction = (opcode: number, operands: readonly fc.Arbitrary<bigint>[]): fc.Arbitrary<string> =>
  fc.tuple(...operands).map((values) => [...values].reverse().map(push32).join('') + byte(opcode));
const pushed = fc.tuple(fc.integer({ min: 1, max: 32 }), word).map(
  ([count, value]) =>
    byte(0x5f + count) +
    value
      .toString(16)
      .padStart(64, '0')
      .slice(-2 * count),
);

const arithmetic = fc.oneof(
  ...[0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b].map((op) => instruction(op, [word, word])),
  ...[0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18].map((op) => instruction(op, [word, word])),
  ...[0x1a, 0x1b, 0x1c, 0x1d].map((op) => instruction(op, [fc.oneof(word, near), word])),
  ...[0x08, 0x09].map((op) => instruction(op, [word, word, word])),
  ...[0x15, 0x19, 0x1e].map((op) => instruction(op, [word])),
);
const rest = fc.oneof(
  ...[0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x46, 0x47, 0x58, 0x59, 0x5a, 0x5b, 0x5f].map(
    (op) => fc.constant(byte(op)),
  ),
  pushed,
  instruction(0x35, [fc.oneof(near, word)]),
  instruction(0x20, [place, length]),
  instruction(0x51, [place]),
  ...[0x52, 0x53].map((op) => instruction(op, [place, word])),
  ...[0x37, 0x39].map((op) => instruction(op, [place, fc.oneof(near, word), length])),
  instruction(0x3e, [near, near, near]),
  instruction(0x5e, [place, place, length]),
  instruction(0x5c, [key]),
  instruction(0x5d, [key, word]),
  instruction(0x54, [key]),
  instruction(0x55, [key, word]),
  ...[0, 2].map((topics) => instruction(0xa0 + topics, [near, near, ...Array(topics).fill(word)])),
  fc.integer({ min: 0x80, max: 0x9f }).map((op) => byte(op)),
  fc.integer({ min: 0x80, max: 0x9f }).map((op) => pushedFor(op) + byte(op)),
  fc.constant('50'),
  instruction(0xf1, [fc.bigInt({ min: 0n, max: 60_000n }), target(), fc.constantFrom(0n, 1n), near, near, near, near]),
  ...[0xf4, 0xfa].map((op) =>
    instruction(op, [fc.bigInt({ min: 0n, max: 60_000n }), target(), near, near, near, near]),
  ),
  instruction(0xf0, [fc.constantFrom(0n, 1n), near, near]),
  instruction(0xf5, [fc.constantFrom(0n, 1n), near, near, key]),
  fc.integer({ min: 0, max: 255 }).map(byte),
);

function target(): fc.Arbitrary<bigint> {
  return fc.constantFrom(0xbbn, 0xaan, 0xccn, 2n, 4n, 1n << 100n);
}

function pushedFor(op: number): string {
  return Array.from({ length: (op & 15) + 2 }, (_, i) => push32(BigInt(i) << 60n)).join('');
}

/** Runs its body some times: a counter below everything that the body leaves would move, so it is in storage or memory. */
const loop = (body: string, rounds: number): string => {
  const head = '5b';
  const count = `${push32(900n)}51600101${push32(900n)}52`;
  const test = `${push32(BigInt(rounds))}${push32(900n)}5110`;
  return `${head}${body}${count}${test}600057`;
};

/** Jumps anywhere, over data that looks like a destination, or into it. */
const jump = fc.oneof(
  fc.integer({ min: 0, max: 400 }).map((to) => `61${to.toString(16).padStart(4, '0')}56`),
  fc
    .tuple(word, fc.integer({ min: 0, max: 400 }))
    .map(([on, to]) => `${push32(on)}61${to.toString(16).padStart(4, '0')}57`),
  word.map((to) => `${push32(to)}56`),
  fc.constant('605b5b'),
);
const ending = fc.oneof(
  fc.constant('00'),
  fc.constant(''),
  instruction(0xf3, [place, length]),
  instruction(0xfd, [near, near]),
  fc.constant('7f'),
);
const body = fc.array(fc.oneof({ weight: 5, arbitrary: arithmetic }, { weight: 6, arbitrary: rest }, jump), {
  maxLength: 30,
});
const program = fc
  .tuple(body, ending, fc.option(fc.integer({ min: 2, max: 40 }), { nil: undefined }))
  .map(([parts, end, rounds]) => (rounds === undefined ? parts.join('') : loop(parts.join(''), rounds)) + end);

interface Setting {
  readonly energyLimit: number;
  readonly workLimit: number | undefined;
  readonly factor: number;
  readonly scene: Scene;
}

/** Without its parent, whose hash is in its own: a chain of parents is compared anew for each call, for minutes. */
function seen({ hash, nonce, note, callerAddress, transferToAddress, ...rest }: InternalTransaction) {
  const { rejected, extra, callValueSun, tokens, data } = rest;
  return { hash, nonce, note, callerAddress, transferToAddress, rejected, extra, callValueSun, tokens, data };
}

/** Everything that the ledger or a client could see. */
function outcome({ scene, energyLimit, workLimit, factor }: Setting, isInterpreted: boolean) {
  const host = hostOf(scene);
  host.energy.set(AA, { factor, usage: 0 });
  host.energy.set(BB, { factor: factor === 0 ? 0 : 1_234, usage: 0 });
  const work = workLimit === undefined ? undefined : new WorkBudget(workLimit);
  const context = contextWith(scene.flags, { work, ...(isInterpreted && { tracer: {} }) });
  const result = runCall(host, context, {
    owner: OWNER,
    contract: AA,
    data: bytes(scene.input ?? ''),
    callValueSun: 1n,
    tokenId: 0n,
    tokenValue: 0n,
    energyLimit,
  });
  return {
    result: {
      ...result,
      internalTransactions: result.internalTransactions.map(seen),
    },
    work: work?.done,
    chain: keccak256OfHex(Buffer.from(host.snapshot()).toString('hex')),
  };
}

function expectSame(setting: Setting): void {
  expect(outcome(setting, false)).toEqual(outcome(setting, true));
}

const setting = fc
  .record({
    code: program,
    callee: program,
    input: fc.uint8Array({ maxLength: 100 }).map((data) => Buffer.from(data).toString('hex')),
    energyLimit: fc.oneof(fc.constantFrom(10_000_000, 100_000), fc.integer({ min: 0, max: 6_000 })),
    workLimit: fc.oneof(fc.constant(undefined), fc.integer({ min: 0, max: 100_000 })),
    factor: fc.constantFrom(0, 0, 1, 3_333, 34_000),
    version: fc.constantFrom(0, 1),
    flags: fc.record({
      higherCpuLimit: fc.boolean(),
      multiSign: fc.boolean(),
      constantinople: fc.boolean(),
      osaka: fc.boolean(),
      cancun: fc.boolean(),
      dynamicEnergy: fc.boolean(),
    }),
  })
  .map(({ energyLimit, workLimit, factor, ...scene }) => ({ energyLimit, workLimit, factor, scene }));

describe('engine', () => {
  it('does what the interpreter does', () => {
    fc.assert(fc.property(setting, expectSame), { numRuns: RUNS });
  });

  it('computes as the interpreter does', () => {
    const sums = fc.array(arithmetic, { minLength: 1, maxLength: 40 }).map((parts) => {
      const folded = parts.map((part) => `${part}18`).join('');
      return `5f${folded}5f5260205ff3`;
    });
    fc.assert(
      fc.property(sums, (code) =>
        expectSame({ energyLimit: 10_000_000, workLimit: undefined, factor: 0, scene: { code } }),
      ),
      { numRuns: 2 * RUNS },
    );
  });

  /** A loop with memory that grows, hashes, storage, a call and a copy. */
  const mixed = loop(`${push32(64n)}5f20${push32(900n)}5155505f5f6020604060bb61ffff5af15060206040603e37`, 4);

  it('ends where Energy ends, at every step', () => {
    for (let energyLimit = 0; energyLimit < 2_000; energyLimit++) {
      expectSame({
        energyLimit,
        workLimit: undefined,
        factor: 5_000,
        scene: { code: mixed, callee: '60015f5260205ff3' },
      });
    }
  });

  it('ends where work ends, at every step', () => {
    for (let workLimit = 0; workLimit < 60_000; workLimit += 37) {
      expectSame({ energyLimit: 1e7, workLimit, factor: 0, scene: { code: mixed, callee: '60015f5260205ff3' } });
    }
  });

  it('keeps the stack within 1,024 words, and the words of callers apart', () => {
    for (const height of [1_023, 1_024, 1_025]) {
      for (const last of ['5f', '80', '90', '01', '30', '5a']) {
        expectSame({
          energyLimit: 1e7,
          workLimit: undefined,
          factor: 0,
          scene: { code: '36'.repeat(height - 1) + last },
        });
      }
    }
    const nested = `${'36'.repeat(1_000)}5f5f5f5f5f60aa5af150${'01'.repeat(990)}5f5260205ff3`;
    expectSame({ energyLimit: 3e6, workLimit: undefined, factor: 0, scene: { code: nested, input: '01' } });
  });

  it('runs programs of any size, however many', () => {
    const large = `${'5b'.repeat(1_200_000)}5a5f5260205ff3`;
    expect(run({ code: large, energyLimit: 2_000_000 }).energyUsed).toBeGreaterThan(1_200_000);
    for (let i = 0; i < 40; i++) {
      const code = `${'605b'.repeat(40_000)}${`6000${byte(i)}`}`.slice(0, 100_000 + 2 * i);
      expectSame({ energyLimit: 5_000, workLimit: undefined, factor: 0, scene: { code, callee: `5f5f5f5f60aa5af1` } });
    }
  });

  it('finds zeros in memory after any other frame', () => {
    const dirty = `${push32(MAX)}5f52${push32(MAX)}${push32(4_000n)}52`;
    expect(run({ code: dirty }).runtimeError).toBeUndefined();
    const { output } = run({ code: `${push32(4_000n)}51${push32(32n)}51175f5260405ff3` });
    expect(Buffer.from(output).toString('hex')).toBe('00'.repeat(64));
    const far = `60205f60206101f45f60045af150${push32(3_000_000n)}60205f5f60045af15060bb5f5f5f5f5f`;
    expectSame({ energyLimit: 1e7, workLimit: undefined, factor: 0, scene: { code: far, callee: dirty } });
  });

  it('is the compiled form of its source', async () => {
    expect(readFileSync(engineFile, 'utf8') === (await engineText())).toBe(true);
  }, 60_000);
});
