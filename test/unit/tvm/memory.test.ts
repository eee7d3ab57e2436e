/** The memory of a frame: what opcodes do with it, and what precompiled contracts do to it where nobody has paid. */

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { TvmException } from '../../../src/tvm/errors.js';
import { MEMORY_LIMIT, Memory } from '../../../src/tvm/memory.js';
import { hex, RETURN_TOP, run } from './fixture.js';

const push = (value: number | bigint): string => {
  const digits = value.toString(16);
  const even = digits.padStart(digits.length + (digits.length % 2), '0');
  return `${(0x5f + even.length / 2).toString(16)}${even}`;
};

/** Calls a precompiled contract with the first bytes of memory and lets it answer to `outputAt`. */
const ask = (target: number, outputAt: number | bigint, inputLength = 0): string =>
  `5f${push(outputAt)}${push(inputLength)}5f5f${push(target)}620186a0f1`;

const SHA256 = 2;
const DOUBLE_SHA256 = 3;
const IDENTITY = 4;
const BATCH = 9;
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const MIB = 1024 * 1024;

describe('output where nobody has paid for memory', () => {
  test.each([4 * MIB, 65 * MIB, 256 * MIB, 0x7fff_ffbf, 0x1_0000_0040, (1n << 255n) + 0x40n])(
    'at %s: memory grows for nothing',
    (at) => {
      const { output, runtimeError, energyUsed } = run({ code: `${ask(SHA256, at)}5059${RETURN_TOP}` });
      expect(runtimeError).toBeUndefined();
      const end = Number(BigInt.asIntN(32, BigInt(at))) + 32;
      expect(BigInt(`0x${hex(output)}`)).toBe(BigInt(Math.ceil(end / 32) * 32));
      expect(energyUsed).toBeLessThan(300);
    },
  );

  test.each([
    [0x8000_1388, '60075f52', 'java.lang.IndexOutOfBoundsException', 'Index: -2097147, Size: 1'],
    [0x8000_1000, '', 'java.lang.IndexOutOfBoundsException', 'Index: -2097148, Size: 0'],
    [
      0xffff_ffe0,
      '60075f52',
      'java.lang.ArrayIndexOutOfBoundsException',
      'arraycopy: destination index -32 out of bounds for byte[1024]',
    ],
    // Memory that ends at 0 has no chunk to find; one byte more, and it has.
    [0xffff_ffe0, '', 'java.lang.IndexOutOfBoundsException', 'Index: 0, Size: 0'],
    [
      0xffff_ffe1,
      '',
      'java.lang.ArrayIndexOutOfBoundsException',
      'arraycopy: destination index -31 out of bounds for byte[1024]',
    ],
    [
      0xffff_fc01,
      '60075f52',
      'java.lang.ArrayIndexOutOfBoundsException',
      'arraycopy: destination index -1023 out of bounds for byte[1024]',
    ],
    [0xffff_fc00, '60075f52', 'java.lang.IndexOutOfBoundsException', 'Index: -1, Size: 1'],
    [0x7fff_ffe0, '60075f52', 'java.lang.ArithmeticException', 'integer overflow'],
    // The end is an int, but not when it is rounded up to words.
    [0x7fff_ffdf, '', 'java.lang.ArithmeticException', 'integer overflow'],
    [0x7fff_ffff, '', 'java.lang.ArithmeticException', 'integer overflow'],
  ])('at %i: the frame fails as in Java', (at, before, javaClass, message) => {
    for (const target of [SHA256, DOUBLE_SHA256]) {
      const { exception, energyUsed } = run({ code: before + ask(target, at) });
      expect(exception).toMatchObject({ contractResult: 13, javaClass, message, endsTransaction: false });
      expect(energyUsed).toBe(1_000_000);
    }
  });

  it('fails the inner frame only', () => {
    const code = `60205f5f5f5f60bb620493e0f1${RETURN_TOP}`;
    const { output, runtimeError } = run({ code, callee: ask(SHA256, 0x8000_1000) });
    expect([runtimeError, Number(`0x${hex(output)}`)]).toEqual([undefined, 0]);
  });

  it('does nothing where there is no output', () => {
    for (const target of [1, 5, 6 + 0xff_ff00]) {
      const { output, runtimeError } = run({ code: `${ask(target, 0x8000_1000)}5059${RETURN_TOP}` });
      expect([runtimeError, Number(`0x${hex(output)}`)]).toEqual([undefined, 0]);
    }
  });

  it('fails with a zero word as with any other', () => {
    expect(run({ code: ask(BATCH, 0x8000_1000) }).runtimeError).toBe('Index: -2097148, Size: 0');
  });

  it('is limited by what is paid for, as always, when opcodes reach there', () => {
    const grown = `${ask(SHA256, 65 * MIB)}50`;
    expect(run({ code: `${grown}${push(4 * MIB)}51` }).runtimeError).toBe(
      "Out of Memory when 'MLOAD' operation executing",
    );
    expect(run({ code: `${grown}60205f${push(4 * MIB)}5e` }).runtimeError).toBe(
      "Out of Memory when 'MCOPY' operation executing",
    );
    // What lies below the limit is free now.
    const { energyUsed } = run({ code: `${grown}${push(MIB)}5150` });
    expect(energyUsed).toBe(run({ code: grown }).energyUsed + 3 + 1 + 2);
  });

  it('leaves the return data', () => {
    const { output } = run({ code: `${ask(SHA256, 65 * MIB)}503d5f5f3e60205ff3` });
    expect(hex(output)).toBe(EMPTY_SHA256);
  });

  it('takes no room for what is not written', () => {
    const before = process.memoryUsage().arrayBuffers;
    const frames = Array.from({ length: 64 }, () => new Memory());
    for (const memory of frames) memory.writeAnywhere(1024 * MIB, new Uint8Array(32).fill(1));
    expect(frames.every(({ size }) => size === 1024 * MIB + 32)).toBe(true);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * MIB);
  });

  it('is there for VOTEWITNESS, which before the adjustment of Energy looks for empty arrays anywhere', () => {
    const flags = { energyAdjustment: false };
    const vote = (at: number) => `${push(at)}5f${push(at)}5fd8${RETURN_TOP}`;
    expect(run({ code: vote(65 * MIB), flags }).runtimeError).toBeUndefined();
    const written = `60075f52${ask(IDENTITY, 65 * MIB, 32)}50`;
    expect(run({ code: written + vote(65 * MIB), flags }).runtimeError).toBe(
      'TVM VoteWitness: memory array length do not match length parameter!',
    );
    expect(run({ code: vote(0x7fff_ffff), flags }).runtimeError).toBe('integer overflow');
  });
});

/** A memory that keeps every byte that was written, and counts its end. */
class Model {
  size = 0;
  readonly #bytes = new Map<number, number>();

  grow(end: number): void {
    this.size = Math.max(this.size, Math.ceil(end / 32) * 32);
  }

  read(at: number, length: number): number[] {
    if (length > 0) this.grow(at + length);
    return Array.from({ length }, (_, i) => this.#bytes.get(at + i) ?? 0);
  }

  write(at: number, bytes: readonly number[]): void {
    if (bytes.length > 0) this.grow(at + bytes.length);
    for (const [i, byte] of bytes.entries()) this.#bytes.set(at + i, byte);
  }
}

describe('memory', () => {
  const near = fc.oneof(fc.nat(200), fc.nat(20_000), fc.integer({ min: MEMORY_LIMIT - 400, max: MEMORY_LIMIT - 200 }));
  const anywhere = fc.oneof(
    near,
    fc.integer({ min: MEMORY_LIMIT - 100, max: MEMORY_LIMIT + 100 }),
    fc.integer({ min: 64 * MIB - 50, max: 64 * MIB + 50 }),
    fc.integer({ min: 0x7fff_fe00, max: 0x7fff_ff00 }),
  );
  const data = fc.uint8Array({ maxLength: 120 });
  const action = fc.oneof(
    fc.record({ kind: fc.constant('write' as const), at: near, data, from: fc.nat(150), length: fc.nat(150) }),
    fc.record({ kind: fc.constant('output' as const), at: anywhere, data }),
    fc.record({ kind: fc.constant('copy' as const), to: near, from: near, length: fc.nat(150) }),
    fc.record({ kind: fc.constant('word' as const), at: near, word: fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }) }),
    fc.record({ kind: fc.constant('byte' as const), at: near, byte: fc.nat(255) }),
    fc.record({ kind: fc.constant('read' as const), at: anywhere, length: fc.nat(200) }),
    fc.record({ kind: fc.constant('load' as const), at: anywhere }),
    fc.record({ kind: fc.constant('view' as const), at: near, length: fc.nat(190) }),
    fc.record({ kind: fc.constant('extend' as const), at: anywhere }),
  );

  it('reads what was written, wherever', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const memory = new Memory();
        const model = new Model();
        for (const each of actions) {
          switch (each.kind) {
            case 'write': {
              memory.write(each.at, each.data, each.from, each.length);
              model.write(
                each.at,
                Array.from({ length: each.length }, (_, i) => each.data[each.from + i] ?? 0),
              );
              break;
            }
            case 'output':
              memory.writeAnywhere(each.at, each.data);
              model.write(each.at, [...each.data]);
              break;
            case 'copy': {
              memory.copy(each.to, each.from, each.length);
              const moved = model.read(each.from, each.length);
              model.write(each.to, moved);
              break;
            }
            case 'word':
              memory.storeWord(each.at, each.word);
              model.write(each.at, [...Buffer.from(each.word.toString(16).padStart(64, '0'), 'hex')]);
              break;
            case 'byte':
              memory.storeByte(each.at, each.byte);
              model.write(each.at, [each.byte]);
              break;
            case 'read':
              expect([...memory.read(each.at, each.length)]).toEqual(model.read(each.at, each.length));
              break;
            case 'load':
              expect(memory.loadWord(each.at)).toBe(BigInt(`0x${hex(Uint8Array.from(model.read(each.at, 32)))}`));
              break;
            case 'view':
              expect([...memory.view(each.at, each.length)]).toEqual(model.read(each.at, each.length));
              break;
            case 'extend':
              memory.extend(each.at);
              model.grow(each.at);
              break;
          }
          expect(memory.size).toBe(model.size);
        }
        expect(new Memory().read(0, 20_000).every((byte) => byte === 0)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('refuses what an int cannot hold before it changes', () => {
    const memory = new Memory();
    memory.storeByte(0, 1);
    for (const at of [0x7fff_fff0, 0x7fff_ffff, -2_000, -1]) {
      expect(() => memory.writeAnywhere(at, new Uint8Array(32))).toThrow(expect.any(TvmException) as never);
    }
    expect(memory.loadWord(0)).toBe(1n << 248n);
  });
});
