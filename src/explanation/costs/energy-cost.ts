/** The payers of a contract's Energy and the reasons: limits, shares, and what bounded each share. */

import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import type { Charge } from '../../ledger/charging/charges.js';
import type { EnergyBudget } from '../../ledger/charging/energy.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Address } from '../../primitives/ids.js';
import { MAX_LONG } from '../../primitives/java-math.js';
import { toBase58 } from '../../protocol/address.js';
import { accountEnergyLimit, originShare as originShareOf } from '../../resources/budget.js';
import { ENERGY } from '../../resources/metered-account.js';
import type { EnergyCost, OriginBound, StakeLimit } from '../model/explanation.js';
import { stakeLimitOf } from './stake-limit.js';

/**
 * @param before the state before the transaction
 * @param applied the result of the transaction on that state
 */
export function energyCostOf(
  before: Ledger,
  { charges, info }: AppliedTransaction,
  budget: EnergyBudget,
  { contracts, frames }: Pick<EnergyCost, 'contracts' | 'frames'>,
): EnergyCost {
  const { terms, caller, total: limit, originShare } = budget;
  const receipt = info.receipt;
  const total = receipt?.energy_usage_total ?? 0n;
  const paid = energyPaid(charges);
  const owed = total - paid.origin;
  const { feeLimitSun, priceSun, balanceSun, callValueSun } = terms;
  const callerLimit = limit - originShare;
  const usedSun = owed * priceSun;
  const origin = originOf(before, budget, total, paid.origin);
  const penalty = receipt?.energy_penalty_total ?? 0n;
  // Not 0 after errors that end all frames (protocol/contract-runs.md#errors-that-end-all-frames).
  const unreported = contracts.reduce((sum, contract) => sum + contract.penalty, -penalty);
  return {
    total,
    penalty,
    ...(unreported !== 0n && { unreportedPenalty: unreported }),
    priceSun,
    contracts,
    frames,
    limit,
    caller: {
      address: toBase58(caller),
      owed,
      staked: paid.staked,
      bought: paid.bought,
      feeSun: paid.feeSun,
      limit: callerLimit,
      limitParts: {
        staked: terms.leftEnergy,
        balance: accountEnergyLimit({ ...terms, leftEnergy: 0n, feeLimitSun: MAX_LONG }),
        feeLimit: feeLimitSun / priceSun,
      },
      boundBy: callerLimit === feeLimitSun / priceSun ? 'feeLimit' : 'stake-and-balance',
      balanceSun: balanceSun > callValueSun ? balanceSun - callValueSun : 0n,
      stake: stakeOf(before, caller),
    },
    ...(origin !== undefined && { origin }),
    feeLimit: {
      feeLimitSun,
      energy: feeLimitSun / priceSun,
      usedSun,
      headroomSun: feeLimitSun - usedSun,
    },
  };
}

function energyPaid(charges: readonly Charge[]) {
  const paid = { origin: 0n, staked: 0n, bought: 0n, feeSun: 0n };
  for (const { reason, resource, source, amount, units = 0n } of charges) {
    if (reason !== 'energy') continue;
    if (resource === 'coin') {
      paid.bought += units;
      paid.feeSun += amount;
    } else if (source === 'origin') paid.origin += amount;
    else paid.staked += amount;
  }
  return paid;
}

function originOf(before: Ledger, budget: EnergyBudget, total: bigint, paid: bigint): EnergyCost['origin'] {
  const { origin, originShare } = budget;
  if (origin === undefined || !before.state.tables.accounts.has(origin.address)) return undefined;
  const percent = 100n - origin.callerPercent;
  const agreed = (total * percent) / 100n;
  return {
    address: toBase58(origin.address),
    percent: Number(percent),
    originEnergyLimit: origin.energyLimit,
    paid,
    agreed,
    boundBy: boundOf(paid, agreed, origin.energyLimit),
    limit: originShare,
    limitParts: {
      ...(origin.callerPercent > 0n &&
        origin.callerPercent < 100n && {
          proportion: originShareOf(budget.total - originShare, { ...origin, ...BOUNDLESS }),
        }),
      staked: origin.leftEnergy,
      originEnergyLimit: origin.energyLimit,
    },
    stake: stakeOf(before, origin.address),
  };
}

const BOUNDLESS = { leftEnergy: MAX_LONG, energyLimit: MAX_LONG };

function boundOf(paid: bigint, agreed: bigint, energyLimit: bigint): OriginBound {
  if (paid >= agreed) return 'percent';
  return paid === energyLimit ? 'origin_energy_limit' : 'stake';
}

function stakeOf(before: Ledger, address: Address): StakeLimit {
  const account = before.state.tables.accounts.get(address);
  if (account === undefined) throw new Error(`account ${address} paid for Energy and is not on the chain`);
  return stakeLimitOf(before, account, ENERGY);
}
