/**
 * Who pays for a call: the examples of protocol/energy.md#the-budget-of-a-call, #the-split, #one-step-or-two-steps and
 * protocol/energy-factor.md#catching-up-with-missed-cycles, #metering-inside-a-frame over a ledger, with real code.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JavaException } from '../../../../src/errors/java-exception.js';
import type { Account, Account_AccountResource } from '../../../../src/protocol/generated/tron.js';
import {
  Account_AccountResource as AccountResource,
  Transaction_Result_contractResult as Result,
} from '../../../../src/protocol/generated/tron.js';
import { ENERGY } from '../../../../src/resources/metered-account.js';
import { CALLER_BUDGETS, SHARED_BUDGETS } from '../../resources/spec-budgets.js';
import { ContractChain, ENDLESS, grind, initCodeOf, stakeFor, TEN_PER_COIN } from '../contract-chain.js';
import { addressOf, advance, COIN } from '../small-ledger.js';

const CALLER = 0;
const ORIGIN = 1;

function contractChain(longs: Readonly<Record<string, bigint>> = TEN_PER_COIN): ContractChain {
  const chain = new ContractChain();
  for (const [name, value] of Object.entries(longs)) chain.ledger.setLong(name as 'TOTAL_ENERGY_WEIGHT', value);
  return chain;
}

const energyOf = (account: Account): Account_AccountResource => account.account_resource ?? AccountResource.empty;

function withEnergy(change: Partial<Account_AccountResource>): Partial<Account> {
  return { account_resource: { ...AccountResource.empty, ...change } };
}

function refusalOf(work: () => unknown): string | null {
  try {
    work();
  } catch (error) {
    if (error instanceof JavaException) return error.javaMessage;
    throw error;
  }
  throw new Error('not refused');
}

describe('budget of a call', () => {
  it.each(CALLER_BUDGETS)('$name', ({ leftEnergy: left, balanceSun, callValueSun, feeLimitSun, energy: expected }) => {
    const chain = contractChain();
    chain.edit(CALLER, { balance: balanceSun, ...stakeFor(left) });
    const contract = chain.place(ENDLESS, { origin: addressOf(CALLER) });
    const { energyUsageTotal, contractResult, receipt } = chain.call(contract, { callValueSun, feeLimitSun });
    expect(contractResult).toBe(Result.OUT_OF_ENERGY);
    expect(energyUsageTotal).toBe(expected);
    expect(receipt.energy_usage).toBe(left < expected ? left : expected);
  });

  it('C8: a fee limit above the parameter', () => {
    const chain = contractChain();
    const contract = chain.place(ENDLESS, { origin: addressOf(CALLER) });
    expect(refusalOf(() => chain.call(contract, { feeLimitSun: 15_000_000_001n }))).toBe(
      'feeLimit must be >= 0 and <= 15000000000',
    );
  });

  it.each(SHARED_BUDGETS)(
    '$name',
    ({ callerEnergy, callerPercent: percent, leftEnergy, energyLimit, deployersShare }) => {
      const chain = contractChain();
      chain.edit(CALLER, { balance: callerEnergy * 100n });
      chain.edit(ORIGIN, stakeFor(leftEnergy));
      const contract = chain.place(ENDLESS, { origin: addressOf(ORIGIN), percent, energyLimit });
      expect(chain.call(contract).energyUsageTotal).toBe(callerEnergy + deployersShare);
    },
  );

  it('C18: whoever calls its own contract pays alone', () => {
    const chain = contractChain();
    chain.edit(CALLER, { balance: 4n * COIN, ...stakeFor(500_000n) });
    const contract = chain.place(ENDLESS, { origin: addressOf(CALLER), percent: 0n });
    const { receipt, energyUsageTotal } = chain.call(contract);
    expect(energyUsageTotal).toBe(540_000n);
    expect(receipt.origin_energy_usage).toBe(0n);
  });

  it('a stored limit of 0 is 10,000,000, a negative one refuses', () => {
    const chain = contractChain();
    chain.edit(CALLER, { balance: 0n });
    chain.edit(ORIGIN, stakeFor(20_000_000n));
    const open = chain.place(ENDLESS, { origin: addressOf(ORIGIN), percent: 0n, energyLimit: 0n });
    expect(chain.call(open).energyUsageTotal).toBe(10_000_000n);
    const negative = chain.place(ENDLESS, { origin: addressOf(ORIGIN), percent: 0n, energyLimit: -1n });
    expect(refusalOf(() => chain.call(negative))).toBe("originEnergyLimit can't be < 0");
  });
});

describe('payment', () => {
  /** total, percentage, deployer's left, its limit, caller's left → deployer's usage, caller's usage, fee. */
  const cases: [string, number, bigint, bigint, bigint, bigint, [bigint, bigint, bigint]][] = [
    ['P1', 100_000, 30n, 500_000n, 10_000_000n, 10_000n, [70_000n, 10_000n, 2_000_000n]],
    ['P2', 100_000, 30n, 20_000n, 10_000_000n, 10_000n, [20_000n, 10_000n, 7_000_000n]],
    ['P3', 33, 30n, 500_000n, 10_000_000n, 0n, [23n, 0n, 1_000n]],
    ['P4', 101, 50n, 500_000n, 10_000_000n, 0n, [50n, 0n, 5_100n]],
    ['P5', 100_000, 0n, 500_000n, 10_000_000n, 10_000n, [100_000n, 0n, 0n]],
    ['P6', 600_000, 0n, 500_000n, 10_000_000n, 0n, [500_000n, 0n, 10_000_000n]],
    ['P8', 100_000, 30n, 500_000n, 50_000n, 0n, [50_000n, 0n, 5_000_000n]],
    ['P9', 64_285, 100n, 0n, 0n, 0n, [0n, 0n, 6_428_500n]],
    ['P10', 64_285, 100n, 0n, 0n, 100_000n, [0n, 64_285n, 0n]],
  ];
  it.each(cases)('%s', (_, total, percent, originLeft, energyLimit, callerLeft, expected) => {
    const chain = contractChain();
    chain.edit(CALLER, stakeFor(callerLeft));
    chain.edit(ORIGIN, stakeFor(originLeft));
    const contract = chain.place(grind(total), { origin: addressOf(ORIGIN), percent, energyLimit });
    const { receipt, contractResult } = chain.call(contract);
    expect(contractResult).toBe(Result.SUCCESS);
    expect([receipt.origin_energy_usage, receipt.energy_usage, receipt.energy_fee]).toEqual(expected);
    expect(energyOf(chain.account(CALLER)).energy_usage).toBe(receipt.energy_usage);
    expect(energyOf(chain.account(ORIGIN)).energy_usage).toBe(receipt.origin_energy_usage);
  });

  it('P7: the whole budget of C9 after an out-of-energy', () => {
    const chain = contractChain();
    chain.edit(CALLER, { balance: 3n * COIN, ...stakeFor(10_000n) });
    chain.edit(ORIGIN, stakeFor(500_000n));
    const { receipt } = chain.call(chain.place(ENDLESS, { origin: addressOf(ORIGIN), percent: 30n }));
    expect(receipt).toMatchObject({
      energy_usage_total: 133_333n,
      origin_energy_usage: 93_333n,
      energy_usage: 10_000n,
      energy_fee: 3_000_000n,
    });
  });

  it('P11, P12: staked Energy recovers between two calls', () => {
    const chain = contractChain({ ...TEN_PER_COIN, TOTAL_ENERGY_WEIGHT: 10_000_000n });
    chain.edit(CALLER, { balance: 5n * COIN, frozenV2: [{ type: ENERGY, amount: COIN }] });
    const contract = chain.place(grind(64_285), { origin: addressOf(ORIGIN) });
    const first = chain.call(contract, { feeLimitSun: 10n * COIN });
    expect(first.receipt).toMatchObject({ energy_usage: 18_000n, energy_fee: 4_628_500n });

    advance(chain.ledger, 7_200n * 3_000n);
    chain.edit(CALLER, { balance: 10n * COIN });
    const second = chain.call(contract, { feeLimitSun: 10n * COIN });
    expect(second.receipt).toMatchObject({ energy_usage: 4_500n, energy_fee: 5_978_500n });
    expect(energyOf(chain.account(CALLER))).toMatchObject({ energy_usage: 18_000n, energy_window_size: 23_400_000n });
  });

  it('P13: an invalid opcode takes the whole budget', () => {
    const chain = contractChain();
    const contract = chain.place('fe', { origin: addressOf(ORIGIN) });
    const called = chain.call(contract, { feeLimitSun: 5n * COIN });
    expect(called).toMatchObject({
      contractResult: Result.ILLEGAL_OPERATION,
      energyUsageTotal: 50_000n,
      failure: 'Invalid operation code: opCode[fe];',
    });
    expect(called.receipt.energy_fee).toBe(5_000_000n);
  });

  it('P14: a REVERT takes what was used', () => {
    const chain = contractChain();
    const called = chain.call(chain.place(`${grind(1_230)}5f5ffd`, { origin: addressOf(ORIGIN) }));
    expect(called).toMatchObject({ contractResult: Result.REVERT, failure: 'REVERT opcode executed' });
    expect(called.receipt.energy_fee).toBe(123_400n);
  });

  it.each([
    [210_000n, Result.SUCCESS],
    [209_999n, Result.OUT_OF_ENERGY],
  ])('P15: a deposit of 1,000 bytes within %d', (budget, result) => {
    const chain = contractChain();
    // JUMPDESTs, then PUSH2 1000, PUSH0, RETURN with the price of 32 words of memory.
    const init = `${grind(10_000 - 3 - 2 - 98)}6103e85ff3`;
    const called = chain.deploy(init, {}, { feeLimitSun: budget * 100n });
    expect(called.contractResult).toBe(result);
    expect(called.energyUsageTotal).toBe(budget);
  });

  it('coin goes to the pool while there is one', () => {
    const chain = contractChain({ ...TEN_PER_COIN, ALLOW_TRANSACTION_FEE_POOL: 1n });
    const { charges } = chain.call(chain.place(grind(10), { origin: addressOf(ORIGIN) }));
    expect(charges.map(({ source, amount }) => [source, amount])).toEqual([['fee-pool', 1_000n]]);
    expect(chain.ledger.long('TRANSACTION_FEE_POOL')).toBe(1_000n);
  });
});

describe('usage windows', () => {
  /** W10: left 683,431 after 473,385 at slot 0; the fee limit buys 553,925; the bill is 90,446. */
  function w10(): ContractChain {
    const chain = contractChain({ TOTAL_ENERGY_CURRENT_LIMIT: 894_437n, TOTAL_ENERGY_WEIGHT: 1n });
    chain.edit(CALLER, {
      frozenV2: [{ type: ENERGY, amount: COIN }],
      ...withEnergy({ energy_usage: 473_385n, energy_window_size: 9_943_717n, energy_window_optimized: true }),
    });
    advance(chain.ledger, 5_511n * 3_000n);
    return chain;
  }

  it('W10: a success rounds twice, a REVERT once', () => {
    const success = w10();
    const origin = addressOf(ORIGIN);
    success.call(success.place(grind(90_446), { origin }), { feeLimitSun: 55_392_500n });
    expect(energyOf(success.account(CALLER))).toMatchObject({
      energy_usage: 301_452n,
      energy_window_size: 11_743_743n,
    });
    const reverted = w10();
    reverted.call(reverted.place(`${grind(90_442)}5f5ffd`, { origin }), { feeLimitSun: 55_392_500n });
    expect(energyOf(reverted.account(CALLER))).toMatchObject({
      energy_usage: 301_453n,
      energy_window_size: 11_743_704n,
    });
  });

  it('a call for nothing leaves the charge in advance', () => {
    const chain = contractChain();
    chain.edit(CALLER, { ...stakeFor(1_000_000n), ...withEnergy({ energy_usage: 226_105n }) });
    const { charges, receipt } = chain.call(chain.place('00', { origin: addressOf(ORIGIN) }), { feeLimitSun: COIN });
    expect(charges).toEqual([]);
    expect(receipt.energy_usage).toBe(0n);
    expect(energyOf(chain.account(CALLER)).energy_usage).toBe(236_105n);
  });

  it('a caller that pays everything refreshes the deployer all the same', () => {
    const chain = contractChain();
    chain.edit(
      ORIGIN,
      withEnergy({ energy_usage: 50_000n, energy_window_size: 28_800_000n, energy_window_optimized: true }),
    );
    advance(chain.ledger, 14_400n * 3_000n);
    chain.call(chain.place(grind(10), { origin: addressOf(ORIGIN), percent: 100n }));
    const { energy_usage, energy_window_size, latest_consume_time_for_energy } = energyOf(chain.account(ORIGIN));
    expect([energy_usage, energy_window_size, latest_consume_time_for_energy]).toEqual([25_000n, 14_400_000n, 14_400n]);
    expect(chain.account(ORIGIN).latest_opration_time).toBe(chain.ledger.headTimeMs);
  });
});

describe('dynamic energy', () => {
  const factor = (chain: ContractChain, of: string, energy_factor: bigint) => {
    chain.ledger.setLong('CURRENT_CYCLE_NUMBER', 5n);
    chain.ledger.state.tables.contractStates.set(of, { energy_usage: 0n, energy_factor, update_cycle: 5n });
  };
  const usage = (chain: ContractChain, of: string) => chain.ledger.state.tables.contractStates.get(of)?.energy_usage;

  it('D7, D11: the penalty of an SSTORE is paid also when it is reverted, and then not counted', () => {
    const chain = contractChain();
    const store = chain.place('60015f5500', { origin: addressOf(ORIGIN) });
    factor(chain, store, 4_400n);
    const called = chain.call(store);
    // PUSH1 3 + 1 penalty, PUSH0 2, SSTORE 20,000 + 8,800.
    expect(called).toMatchObject({ energyUsageTotal: 28_806n, energyPenaltyTotal: 8_801n });
    expect(usage(chain, store)).toBe(20_005n);

    const reverting = chain.place('60015f555f5ffd', { origin: addressOf(ORIGIN) });
    factor(chain, reverting, 4_400n);
    expect(chain.call(reverting)).toMatchObject({ energyUsageTotal: 28_810n, energyPenaltyTotal: 8_801n });
    expect(usage(chain, reverting)).toBe(0n);
  });

  it('D13: a library works at the price of the contract that called it', () => {
    const chain = contractChain();
    const library = chain.place('60015f5500', { origin: addressOf(ORIGIN) });
    const proxy = chain.place(`5f5f5f5f73${library.slice(2)}5af400`, { origin: addressOf(ORIGIN) });
    factor(chain, library, 0n);
    factor(chain, proxy, 4_400n);
    // PUSH20 and GAS carry 1 + 0, DELEGATECALL 17, the library's PUSH1 and SSTORE 1 + 8,800.
    expect(chain.call(proxy).energyPenaltyTotal).toBe(1n + 17n + 8_801n);
    expect(usage(chain, library)).toBe(0n);
    expect(usage(chain, proxy)).toBe(8n + 3n + 2n + 40n + 20_005n);
  });

  it('D5: a contract is brought up to date when it is called', () => {
    const chain = contractChain();
    const contract = chain.place(grind(100), { origin: addressOf(ORIGIN) });
    chain.ledger.setLong('CURRENT_CYCLE_NUMBER', 14n);
    chain.ledger.state.tables.contractStates.set(contract, {
      energy_usage: 5_000_000_001n,
      energy_factor: 2_000n,
      update_cycle: 10n,
    });
    chain.call(contract);
    expect(chain.ledger.state.tables.contractStates.get(contract)).toEqual({
      energy_usage: 100n,
      energy_factor: 2_346n,
      update_cycle: 14n,
    });
  });
});

describe('conservation', () => {
  const code = fc.constantFrom(ENDLESS, 'fe', '00', `${grind(700)}5f5ffd`, grind(3_000), `60015f55${grind(50)}`);
  const scene = fc.record({
    code,
    percent: fc.bigInt(0n, 100n),
    energyLimit: fc.bigInt(0n, 200_000n),
    callerLeft: fc.bigInt(0n, 50_000n),
    originLeft: fc.bigInt(0n, 200_000n),
    balance: fc.bigInt(0n, 20n * COIN),
    feeLimitSun: fc.bigInt(0n, 30n * COIN),
    valueShare: fc.bigInt(0n, 3n),
    own: fc.boolean(),
    pool: fc.boolean(),
  });

  it('what a call uses is charged, and no coin is lost', () => {
    fc.assert(
      fc.property(
        scene,
        ({ code, callerLeft, originLeft, balance, feeLimitSun, valueShare, own, pool, ...placement }) => {
          const chain = contractChain({ ...TEN_PER_COIN, ALLOW_TRANSACTION_FEE_POOL: pool ? 1n : 0n });
          chain.edit(CALLER, { balance, ...stakeFor(callerLeft) });
          chain.edit(ORIGIN, stakeFor(originLeft));
          const contract = chain.place(code, { origin: addressOf(own ? CALLER : ORIGIN), ...placement });
          const callValueSun = valueShare === 0n ? 0n : balance / valueShare;
          for (let call = 0; call < 3; call++) {
            if (callValueSun > chain.account(CALLER).balance) return;
            // `call` itself compares charges, usage and all coins of the ledger.
            chain.call(contract, { callValueSun, feeLimitSun });
            advance(chain.ledger, 900_000n);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

it('init code of the helper deploys what it says', () => {
  const chain = contractChain();
  const { contractAddress, contractResult } = chain.deploy(initCodeOf('600160005500'), { name: 'Named' });
  expect(contractResult).toBe(Result.SUCCESS);
  const { codes, contracts, accounts } = chain.ledger.state.tables;
  expect(Buffer.from(codes.get(contractAddress) ?? []).toString('hex')).toBe('600160005500');
  expect(contracts.get(contractAddress)).toMatchObject({
    name: 'Named',
    version: 0,
    contract_address: contractAddress,
  });
  expect(accounts.get(contractAddress as never)).toMatchObject({
    type: 2,
    create_time: 0n,
    owner_permission: undefined,
  });
});
