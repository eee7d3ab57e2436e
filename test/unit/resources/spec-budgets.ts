/** protocol/energy.md#the-budget-of-a-call: what a call may burn, in Energy, with 100 sun for each. */

import { COIN } from './accounts.js';

export interface CallerBudget {
  readonly name: string;
  readonly leftEnergy: bigint;
  readonly balanceSun: bigint;
  readonly callValueSun: bigint;
  readonly feeLimitSun: bigint;
  readonly energy: bigint;
}

export const CALLER_BUDGETS: readonly CallerBudget[] = (
  [
    ['C1', 0n, 10n * COIN, 0n, 5n * COIN, 50_000n],
    ['C2', 0n, 10n * COIN, 8n * COIN, 5n * COIN, 20_000n],
    ['C3', 30_000n, COIN, 0n, 100n * COIN, 40_000n],
    ['C4', 1_000_000n, 0n, 0n, 10n * COIN, 100_000n],
    ['C5', 1_000_000n, 10n * COIN, 0n, 0n, 0n],
    ['C6', 0n, 10n * COIN, 0n, 1_000_000_050n, 100_000n],
    ['C7', 0n, 100_000n * COIN, 0n, 1_000_000_050n, 10_000_000n],
  ] as const
).map(([name, leftEnergy, balanceSun, callValueSun, feeLimitSun, energy]) => ({
  name,
  leftEnergy,
  balanceSun,
  callValueSun,
  feeLimitSun,
  energy,
}));

export interface SharedBudget {
  readonly name: string;
  readonly callerEnergy: bigint;
  readonly callerPercent: bigint;
  /** Of the deployer. */
  readonly leftEnergy: bigint;
  readonly energyLimit: bigint;
  readonly deployersShare: bigint;
}

export const SHARED_BUDGETS: readonly SharedBudget[] = (
  [
    ['C9', 40_000n, 30n, 500_000n, 10_000_000n, 93_333n],
    ['C10', 40_000n, 0n, 500_000n, 10_000_000n, 500_000n],
    ['C11', 40_000n, 0n, 500_000n, 300_000n, 300_000n],
    ['C12', 40_000n, 100n, 500_000n, 10_000_000n, 0n],
    ['C13', 40_000n, 1n, 1_000_000_000n, 10_000_000n, 3_960_000n],
    ['C14', 10n, 30n, 500_000n, 10_000_000n, 23n],
    ['C15', 40_000n, 99n, 500_000n, 10_000_000n, 404n],
    ['C16', 100n, 33n, 500_000n, 10_000_000n, 203n],
    ['C17', 40_000n, 30n, 50_000n, 10_000_000n, 50_000n],
  ] as const
).map(([name, callerEnergy, callerPercent, leftEnergy, energyLimit, deployersShare]) => ({
  name,
  callerEnergy,
  callerPercent,
  leftEnergy,
  energyLimit,
  deployersShare,
}));
