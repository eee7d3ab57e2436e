/** What holds for every program: failures leave no trace, Energy stays within its limit, everything ends. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ContractResult } from '../../../src/tvm/errors.js';
import { runCall } from '../../../src/tvm/run.js';
import { WorkBudget } from '../../../src/tvm/work.js';
import { AA, bytes, contextWith, hostOf, OWNER, type Scene } from './fixture.js';
import { MAINNET_FLAGS } from './mainnet-flags.js';

const push = (value: bigint): string => `7f${value.toString(16).padStart(64, '0')}`;
const small = fc.bigInt({ min: 0n, max: 100n });
const amount = fc.constantFrom(0n, 1n, 7n, 1_000_000n, 2_000_000n, 1n << 63n);
const account = fc.constantFrom(0xaan, 0xbbn, 0xccn, 1n, 4n, 0x100000bn);
const resource = fc.constantFrom(0n, 1n, 2n, 3n);
const token = fc.constantFrom(0n, 1_000_001n, 1_000_002n);
const energy = fc.constantFrom(0n, 5_000n, 50_000n, 10_000_000n);

const op = (opcode: string, ...operands: fc.Arbitrary<bigint>[]): fc.Arbitrary<string> =>
  fc.tuple(...operands).map((values) => [...values].reverse().map(push).join('') + opcode);

/** Everything that changes state, with operands that often succeed. */
const effect = fc.oneof(
  op('55', small, small),
  op('5d', small, small),
  op('a1', small, small, small),
  op('52', small, amount),
  op('f0', amount, small, small),
  op('f5', amount, small, small, small),
  op('f1', energy, account, amount, small, small, small, small),
  op('f2', energy, account, amount, small, small, small, small),
  op('f4', energy, account, small, small, small, small),
  op('fa', energy, account, small, small, small, small),
  op('d0', energy, account, amount, token, small, small, small, small),
  op('d1', token, account),
  op('da', resource, amount),
  op('db', resource, amount),
  op('dc'),
  op('dd'),
  op('de', resource, amount, account),
  op('df', resource, amount, account),
  op('d9'),
  op('ff', account),
);

const program = fc.array(effect, { maxLength: 8 }).map((parts) => parts.join(''));
const limit = fc.integer({ min: 0, max: 400_000 });

function scene(code: string, callee: string): Scene {
  return {
    code,
    callee,
    balance: 20_000_000n,
    calleeBalance: 5_000_000n,
    prepare: (host) => {
      host.addTokens(AA, '1000001', 100n);
      host.freezeBalanceV2(AA, 4_000_000n, 0);
      host.unfreezeBalanceV2(AA, 1_000_000n, 0);
    },
  };
}

function execute(code: string, callee: string, energyLimit: number, workLimit?: number) {
  const host = hostOf(scene(code, callee));
  const before = host.snapshot();
  const coins = totalCoins(host);
  const result = runCall(
    host,
    { ...contextWith(), flags: MAINNET_FLAGS, work: workLimit === undefined ? undefined : new WorkBudget(workLimit) },
    {
      owner: OWNER,
      contract: AA,
      data: bytes('01020304'),
      callValueSun: 5n,
      tokenId: 0n,
      tokenValue: 0n,
      energyLimit,
    },
  );
  return { host, before, coins, result };
}

/** Coins in balances, stakes and pending unfreezes together. */
function totalCoins(host: ReturnType<typeof hostOf>): bigint {
  let sum = 0n;
  for (const { balance, frozen, delegatedOut, unfreezes } of host.accounts.values()) {
    sum += balance + frozen[0] + frozen[1] + frozen[2] + delegatedOut[0] + delegatedOut[1];
    for (const unfreeze of unfreezes) sum += unfreeze.amount;
  }
  return sum;
}

const RUNS = { numRuns: 1_000, seed: 7 };

test('whatever fails leaves host, logs and deletions as they were, and rejects what it recorded', () => {
  const ending = fc.constantFrom('fe', '5f5ffd', '6001600160aa30f1', '01');
  fc.assert(
    fc.property(program, program, ending, (code, callee, end) => {
      const { host, before, result } = execute(code + end, callee, 50_000_000);
      fc.pre(result.runtimeError !== undefined);
      expect(host.snapshot()).toBe(before);
      expect(result.logs).toEqual([]);
      expect(result.deletedContracts).toEqual([]);
      expect(result.internalTransactions.every(({ rejected }) => rejected)).toBe(true);
    }),
    RUNS,
  );
});

test('Energy stays between 0 and the limit, and only what java-tron says costs all of it', () => {
  fc.assert(
    fc.property(program, program, limit, (code, callee, energyLimit) => {
      const { result } = execute(code, callee, energyLimit);
      expect(result.energyUsed).toBeGreaterThanOrEqual(0);
      expect(result.energyUsed).toBeLessThanOrEqual(energyLimit);
      expect(result.energyPenalty).toBe(0);
      const partial: ContractResult[] = [ContractResult.SUCCESS, ContractResult.REVERT, ContractResult.TRANSFER_FAILED];
      if (!partial.includes(result.contractResult)) expect(result.energyUsed).toBe(energyLimit);
    }),
    RUNS,
  );
});

test('coins neither appear nor vanish, except with a contract that is deleted', () => {
  fc.assert(
    fc.property(program, program, (code, callee) => {
      const { host, coins, result } = execute(code, callee, 50_000_000);
      if (result.deletedContracts.length === 0) expect(totalCoins(host)).toBe(coins);
      else expect(totalCoins(host)).toBeLessThanOrEqual(coins);
    }),
    RUNS,
  );
});

test('every program ends within its step budget, loops and endless recursion included', () => {
  const loop = fc.constantFrom('5b5f56', '5f5f5f5f5f305af1', '5f5f5f5f5f60bb5af1', '365f5f375f365f5ff5');
  fc.assert(
    fc.property(program, loop, fc.integer({ min: 1, max: 5_000 }), (code, end, workLimit) => {
      const { result } = execute(code + end, `${end}${code}`, 1_000_000_000, workLimit);
      expect(result.contractResult).toBeDefined();
      if (result.contractResult === ContractResult.OUT_OF_TIME) expect(result.energyUsed).toBe(1_000_000_000);
    }),
    { ...RUNS, numRuns: 300 },
  );
});

test('CREATE2 nests as deep as Energy allows, without any stack of ours', () => {
  // Init code that creates with itself as init code, for ever.
  const recursion = '385f5f39' + '5f385f5f' + 'f5';
  const { result } = execute(recursion, '', 90_000_000);
  expect(result.internalTransactions.length).toBeGreaterThan(1_000);
  expect(result.contractResult).toBe(ContractResult.SUCCESS);
});
