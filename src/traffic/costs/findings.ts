/** Conclusions from what an account paid: stakes, rented Energy, failures, energy factors. As data. */

import { typeName } from '../../explanation/summary/summary.js';
import { penalised } from '../../fees/contract.js';
import type { FeeNetwork } from '../../fees/network.js';
import { stakeToPayNothing } from '../../fees/stake.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import { DAY_MS } from './cost-folder.js';
import type { CostTotals, HourSum } from './cost-sums.js';
import { type HourUse, leastCapacity, replayUse } from './stake-replay.js';

const YEAR_MS = 365 * DAY_MS;
const DEPLOYMENT = typeName(ContractType.CreateSmartContract);

/** What an account has as of now. */
export interface AccountToday {
  /** base58check */
  readonly account: string;
  /** Energy a day of its stake and of delegations to it. */
  readonly energyLimit: bigint;
  /** The part of it that is unused now. */
  readonly energyLeft: bigint;
  readonly bandwidthLimit: bigint;
  readonly bandwidthLeft: bigint;
}

export interface StakeFinding {
  /** base58check */
  readonly account: string;
  readonly resource: 'energy' | 'bandwidth';
  /** Days on which everything is paid, of the days with use. */
  readonly freeDays: number;
  readonly days: number;
  /** Energy or bytes a day, of all stake together. */
  readonly capacity: bigint;
  /** The part of `capacity` that the account does not have as of now. */
  readonly added: bigint;
  /** Stake for `added`, as of now; absent: no stake suffices. */
  readonly addedStakeSun?: bigint;
  /** TRX that the account burned in the range and would not have burned; negative: it would have burned more. */
  readonly savedSun: bigint;
  /** What the added stake earns elsewhere in the same time, with `--yield`. */
  readonly yieldSun?: bigint;
  /** The yield a year at which both are equal, in percent. */
  readonly evenYieldPercent?: number;
  /** The highest price of `added` a day, rented or delegated, at which it saves TRX. */
  readonly mostRentSunADay: bigint;
}

export interface FactorFinding {
  /** Energy that factors added, and the TRX of its bought part. */
  readonly penalty: bigint;
  readonly penaltySun: bigint;
  /** Of all Energy, in percent. */
  readonly percent: number;
  /** The largest factor that the network permits now, 0 for none. */
  readonly cap: number;
  /** Energy that the same calls would use in addition if all contracts were at the cap. */
  readonly addedAtCap: bigint;
  /** What `addedAtCap` costs if all of it is bought at today's price. */
  readonly addedAtCapSun: bigint;
}

export interface CostFindings {
  readonly stakes: readonly StakeFinding[];
  readonly failed: { readonly transactions: number; readonly feeSun: bigint; readonly percent: number };
  readonly factors?: FactorFinding;
}

export interface AccountUse {
  readonly today: AccountToday;
  readonly hours: readonly HourSum[];
  /** Energy that it paid as a deployer, by the start of the hour. */
  readonly forOthers?: ReadonlyMap<number, bigint> | undefined;
}

export interface FindingTerms {
  readonly network: FeeNetwork;
  readonly spanMs: number;
  /** Percent a year. */
  readonly yieldPercent?: number | undefined;
}

export function findingsOf(totals: CostTotals, accounts: readonly AccountUse[], terms: FindingTerms): CostFindings {
  const factors = factorFinding(totals, terms.network);
  return {
    stakes: accounts.flatMap((account) => [
      ...stakesFor('energy', account, terms),
      ...stakesFor('bandwidth', account, terms),
    ]),
    failed: {
      transactions: totals.failed,
      feeSun: totals.failedFeeSun,
      percent: percentOf(totals.failedFeeSun, totals.feeSun),
    },
    ...(factors !== undefined && { factors }),
  };
}

/**
 * The stakes with which half, nine tenths, and all of the days are free; none if nothing was bought. Free bandwidth is not
 * subtracted, so less bandwidth may do.
 */
function stakesFor(
  resource: StakeFinding['resource'],
  { today, hours, forOthers }: AccountUse,
  { network, spanMs, yieldPercent }: FindingTerms,
): readonly StakeFinding[] {
  const own = hours.map((hour) => useOf(resource, hour));
  const uses = resource === 'energy' && forOthers !== undefined ? withOthers(own, forOthers) : own;
  const burnedSun = uses.reduce((sum, { sun }) => sum + sun, 0n);
  if (burnedSun === 0n) return [];
  const priceSun = resource === 'energy' ? network.energyPriceSun : network.bytePriceSun;
  const { days } = replayUse(0n, uses, network.rules, priceSun);
  const has = resource === 'energy' ? today.energyLimit : today.bandwidthLimit;
  const targets = resource === 'energy' ? [...new Set([Math.ceil(days / 2), Math.ceil(days * 0.9), days])] : [days];
  const capacities = [...new Set(targets.map((freeDays) => leastCapacity(freeDays, uses, network.rules)))];
  return capacities.map((capacity) => {
    const { freeDays, boughtSun } = replayUse(capacity, uses, network.rules, priceSun);
    const added = capacity > has ? capacity - has : 0n;
    const addedStakeSun = stakeSun(resource, added, network);
    const savedSun = burnedSun - boughtSun;
    return {
      account: today.account,
      resource,
      freeDays,
      days,
      capacity,
      added,
      savedSun,
      mostRentSunADay: savedSun > 0n ? (savedSun * BigInt(DAY_MS)) / BigInt(Math.max(spanMs, 1)) : 0n,
      ...(addedStakeSun !== undefined && {
        addedStakeSun,
        ...(yieldPercent !== undefined && { yieldSun: yieldOf(addedStakeSun, yieldPercent, spanMs) }),
        ...(addedStakeSun > 0n && { evenYieldPercent: evenYield(savedSun, addedStakeSun, spanMs) }),
      }),
    };
  });
}

function withOthers(own: readonly HourUse[], forOthers: ReadonlyMap<number, bigint>): readonly HourUse[] {
  const byHour = new Map(own.map((use) => [use.startMs, use]));
  for (const [startMs, energy] of forOthers) {
    const use = byHour.get(startMs) ?? { startMs, units: 0n, bought: 0n, sun: 0n };
    byHour.set(startMs, { ...use, forOthers: energy });
  }
  return [...byHour.values()].sort((a, b) => a.startMs - b.startMs);
}

function useOf(resource: StakeFinding['resource'], hour: HourSum): HourUse {
  const { startMs } = hour;
  return resource === 'energy'
    ? { startMs, units: hour.stakedEnergy + hour.boughtEnergy, bought: hour.boughtEnergy, sun: hour.energySun }
    : {
        startMs,
        units: hour.bandwidth + hour.boughtBandwidth,
        bought: hour.boughtBandwidth,
        // The flat fee of a new account is not by bytes.
        sun: hour.boughtBandwidth > 0n ? hour.bandwidthSun : 0n,
      };
}

function stakeSun(resource: StakeFinding['resource'], units: bigint, network: FeeNetwork): bigint | undefined {
  const none = { countedSun: 0n, weightedSun: 0n, used: 0 };
  const stakes = { energy: none, bandwidth: none };
  const { energySun, bandwidthSun } = stakeToPayNothing(
    resource === 'energy' ? { energy: units } : { bytes: units },
    { stakes },
    network,
  );
  return resource === 'energy' ? energySun : bandwidthSun;
}

/** Percent are exact to 1/10,000. */
function yieldOf(stakeSun: bigint, percent: number, spanMs: number): bigint {
  return (stakeSun * BigInt(Math.round(percent * 10_000)) * BigInt(spanMs)) / (1_000_000n * BigInt(YEAR_MS));
}

function evenYield(savedSun: bigint, stake: bigint, spanMs: number): number {
  const share = (Number(savedSun) / Number(stake)) * (YEAR_MS / Math.max(spanMs, 1));
  return Math.round(share * 10_000) / 100;
}

function factorFinding(
  { energy, penalty, penaltySun, methods }: CostTotals,
  { dynamicEnergy, energyPriceSun }: FeeNetwork,
): FactorFinding | undefined {
  if (energy === 0n || (dynamicEnergy === undefined && penalty === 0n)) return undefined;
  const maxFactor = Number(dynamicEnergy?.maxFactor ?? 0n);
  // A new contract has no factor.
  const deployments = methods.reduce((sum, { type, energy: used }) => (type === DEPLOYMENT ? sum + used : sum), 0n);
  const calls = energy - deployments;
  const atCap = BigInt(penalised(calls - penalty, maxFactor));
  const added = atCap > calls ? atCap - calls : 0n;
  return {
    penalty,
    penaltySun,
    percent: percentOf(penalty, energy),
    cap: maxFactor / 10_000,
    addedAtCap: added,
    addedAtCapSun: added * energyPriceSun,
  };
}

/** To a tenth. */
function percentOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 1_000n) / whole) / 10;
}
