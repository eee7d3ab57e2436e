/**
 * The machine against `@ethereumjs/evm` on what both virtual machines have in common: random programs must leave the same
 * stack, memory, storage, logs and return data, succeed or fail together, and, where the prices agree, cost the same.
 *
 * The other machine runs Istanbul with the TVM's prices (protocol/virtual-machine.md#the-nearest-ethereum-hard-fork).
 * Out of the programs' reach is what differs by rule: SSTORE's price, the 63/64 rule (so callees never halt
 * exceptionally), values, blocks, creations.
 */

import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM, paramsEVM } from '@ethereumjs/evm';
import { createAccount, createAddressFromString } from '@ethereumjs/util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ExecutionResult, runCall } from '../../../src/tvm/run.js';
import type { Tracer } from '../../../src/tvm/trace.js';
import { AA, BB, bytes, contextWith, hex, OWNER } from './fixture.js';
import { MemoryHost } from './memory-host.js';

const TVM_PRICES = {
  sloadGas: 50,
  callGas: 40,
  delegatecallGas: 40,
  staticcallGas: 40,
  callcodeGas: 40,
  expByteGas: 10,
  mloadGas: 1,
  mstoreGas: 1,
  mstore8Gas: 1,
  calldatacopyGas: 0,
  codecopyGas: 0,
  returndatacopyGas: 0,
  stackLimit: 64,
};

async function ethereum(): Promise<EVM> {
  const params = { ...paramsEVM, istanbul: TVM_PRICES };
  const common = createCustomCommon(
    {
      chainId: 1,
      hardforks: ['chainstart', 'homestead', 'byzantium', 'constantinople', 'petersburg', 'istanbul'].map((name) => ({
        name,
        block: 0,
      })),
      customHardforks: { istanbul: { eips: [1679, 1153, 3198, 3855, 5656] } },
    } as Parameters<typeof createCustomCommon>[0],
    Mainnet,
    { hardfork: 'istanbul', params } as Parameters<typeof createCustomCommon>[2],
  );
  return createEVM({ common, params });
}

const ENERGY = 10_000_000;
const byte = (value: number): string => value.toString(16).padStart(2, '0');
const push32 = (word: bigint): string => `7f${word.toString(16).padStart(64, '0')}`;

const edgeWord = fc.constantFrom(
  0n,
  1n,
  2n,
  31n,
  32n,
  33n,
  255n,
  256n,
  257n,
  (1n << 63n) - 1n,
  1n << 64n,
  (1n << 128n) + 5n,
  (1n << 255n) - 1n,
  1n << 255n,
  (1n << 256n) - 2n,
  (1n << 256n) - 1n,
);
const word = fc.oneof(edgeWord, fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), fc.bigInt({ min: 0n, max: 300n }));
const place = fc.bigInt({ min: 0n, max: 700n });
const length = fc.bigInt({ min: 0n, max: 200n });
const key = fc.bigInt({ min: 0n, max: 3n });

/** Operands (first on top), then the opcode. */
const instruction = (opcode: number, operands: readonly fc.Arbitrary<bigint>[]): fc.Arbitrary<string> =>
  fc.tuple(...operands).map((values) => [...values].reverse().map(push32).join('') + byte(opcode));

const pure = fc.oneof(
  ...[0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18].map((op) =>
    instruction(op, [word, word]),
  ),
  ...[0x1a, 0x1b, 0x1c, 0x1d].map((op) => instruction(op, [fc.oneof(word, fc.bigInt({ min: 0n, max: 300n })), word])),
  ...[0x08, 0x09].map((op) => instruction(op, [word, word, word])),
  ...[0x15, 0x19].map((op) => instruction(op, [word])),
  ...[0x36, 0x38, 0x3d, 0x58, 0x59, 0x34, 0x5f].map((op) => instruction(op, [])),
  instruction(0x35, [fc.oneof(place, word)]),
  instruction(0x20, [place, length]),
  instruction(0x51, [place]),
  ...[0x52, 0x53].map((op) => instruction(op, [place, word])),
  ...[0x37, 0x39].map((op) => instruction(op, [place, fc.oneof(place, word), length])),
  instruction(0x5e, [place, place, length]),
  instruction(0x5c, [key]),
  instruction(0x5d, [key, word]),
  instruction(0x54, [key]),
  ...[0, 1, 2, 3, 4].map((topics) => instruction(0xa0 + topics, [place, length, ...Array(topics).fill(word)])),
  // Onto a stack that holds enough: DUP, SWAP, POP of what was just pushed.
  fc.integer({ min: 1, max: 16 }).map((n) => `${push32(BigInt(n)).repeat(n)}${byte(0x7f + n)}`),
  fc.integer({ min: 1, max: 16 }).map((n) => {
    const words = Array.from({ length: n + 1 }, (_, i) => push32(BigInt(i * 7)));
    return `${words.join('')}${byte(0x8f + n)}`;
  }),
  word.map((value) => `${push32(value)}50`),
);

const store = instruction(0x55, [key, word]);
const callTo = (target: bigint) =>
  fc.oneof(
    instruction(0xf1, [fc.constant(2_000_000n), fc.constant(target), fc.constant(0n), place, length, place, length]),
    ...[0xf4, 0xfa].map((op) =>
      instruction(op, [fc.constant(2_000_000n), fc.constant(target), place, length, place, length]),
    ),
  );
const ending = fc.oneof(
  fc.constant('00'),
  fc.constant(''),
  instruction(0xf3, [place, length]),
  instruction(0xfd, [place, length]),
);

const program = (...parts: fc.Arbitrary<string>[]) =>
  fc.tuple(fc.array(fc.oneof(...parts), { maxLength: 25 }), ending).map(([body, end]) => body.join('') + end);

interface Outcome {
  success: boolean;
  stack: string[];
  memory: string;
  output: string;
  storage: string[];
  logs: string;
  energy: number;
}

function ours(code: string, callee: string, input: string): Outcome {
  const host = new MemoryHost();
  host.addAccount(OWNER, 1n);
  host.addContract(AA, bytes(code), 0n);
  host.addContract(BB, bytes(callee), 0n);
  let stack: string[] = [];
  let memory = '';
  const tracer: Tracer = {
    exit(frame) {
      stack = frame.stackWords().map(String);
      memory = hex(frame.memory.read(0, frame.memory.size));
    },
  };
  const result: ExecutionResult = runCall(host, contextWith({}, { tracer }), {
    owner: OWNER,
    contract: AA,
    data: bytes(input),
    callValueSun: 0n,
    tokenId: 0n,
    tokenValue: 0n,
    energyLimit: ENERGY,
  });
  const success = result.runtimeError === undefined;
  return {
    success,
    stack,
    memory,
    output: hex(result.output),
    storage: [...host.rows].map(([row, value]) => `${row.slice(32)}=${value}`).sort(),
    logs: success ? JSON.stringify(result.logs.map((log) => [log.address, log.topics, log.data])) : '',
    energy: result.energyUsed,
  };
}

async function theirs(code: string, callee: string, input: string): Promise<Outcome> {
  const evm = await ethereum();
  const at = (chain: string) => createAddressFromString(`0x${chain.slice(2)}`);
  for (const [chain, hexCode] of [
    [AA, code],
    [BB, callee],
  ] as const) {
    await evm.stateManager.putAccount(at(chain), createAccount({ nonce: 1n }));
    await evm.stateManager.putCode(at(chain), bytes(hexCode));
  }
  const written = new Map<string, string>();
  const { execResult } = await evm.runCall({
    caller: at(OWNER),
    to: at(AA),
    data: bytes(input),
    gasLimit: BigInt(ENERGY),
    skipBalance: true,
  });
  const success = execResult.exceptionError === undefined;
  for (const [chain, prefix] of [
    [AA, 'a'],
    [BB, 'b'],
  ] as const) {
    for (let slot = 0; slot < 4; slot++) {
      const value = await evm.stateManager.getStorage(at(chain), bytes(slot.toString(16).padStart(64, '0')));
      const number = BigInt(`0x0${hex(value)}`);
      if (number !== 0n) written.set(`${prefix}${slot}`, `${slot.toString(16).padStart(32, '0')}=${number}`);
    }
  }
  const { runState } = execResult;
  const memory =
    runState === undefined ? '' : hex(runState.memory._store.subarray(0, Number(runState.memoryWordCount) * 32));
  return {
    success,
    stack: runState?.stack.getStack().map(String) ?? [],
    memory,
    output: hex(execResult.returnValue),
    storage: [...written.values()].sort(),
    logs: success
      ? JSON.stringify((execResult.logs ?? []).map(([who, topics, data]) => [hex(who), topics.map(hex), hex(data)]))
      : '',
    energy: Number(execResult.executionGasUsed),
  };
}

const RUNS = { numRuns: 300, seed: 20_250_101 };
const inputs = fc.uint8Array({ maxLength: 200 }).map(hex);

test('arithmetic, memory, hashing, transient storage and logs: same outcome, same price', async () => {
  await fc.assert(
    fc.asyncProperty(program(pure), inputs, async (code, input) => {
      expect(ours(code, '', input)).toEqual(await theirs(code, '', input));
    }),
    RUNS,
  );
});

test('storage and calls between two contracts: same outcome', async () => {
  const caller = program(pure, store, callTo(0xbbn), instruction(0x3d, []));
  const callee = program(pure, store);
  await fc.assert(
    fc.asyncProperty(caller, callee, inputs, async (code, calleeCode, input) => {
      const { energy: _ours, ...mine } = ours(code, calleeCode, input);
      const { energy: _theirs, ...other } = await theirs(code, calleeCode, input);
      expect(mine).toEqual(other);
    }),
    RUNS,
  );
});

test('byte soup: both fail or both succeed, and a failure costs the whole limit', async () => {
  const common = [...Array(0x0b).keys(), 0x10, 0x14, 0x15, 0x16, 0x19, 0x1b, 0x35, 0x50, 0x51, 0x52, 0x56, 0x57, 0x58];
  const soup = fc.array(
    fc.oneof(
      fc.constantFrom(...common, 0x59, 0x5b, 0x5f, 0x80, 0x81, 0x90, 0xf3, 0xfd).map(byte),
      fc.integer({ min: 0, max: 60 }).map((value) => `60${byte(value)}`),
      fc.constant('61ffff'),
    ),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(soup, async (parts) => {
      const code = parts.join('');
      const { stack: _mineStack, memory: _mineMemory, ...mine } = ours(code, '', '');
      const { stack: _otherStack, memory: _otherMemory, ...other } = await theirs(code, '', '');
      expect(mine).toEqual(other);
    }),
    { ...RUNS, numRuns: 300 },
  );
});
