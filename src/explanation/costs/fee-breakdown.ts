/** An explanation by its fees: who paid for what, in the fixed form that scripts compare (`tron_explainFee`). */

import { type Amount, amountOf } from '../model/amount.js';
import type { ChargeReport, EnergyCost, Explanation, StakeLimit } from '../model/explanation.js';

export interface BandwidthFee {
  readonly bytes: Amount;
  /** Staked bandwidth, the sender's own or lent to it: they are one counter. */
  readonly paidBy: 'free' | 'staked' | 'issuer' | 'burn' | 'accountCreation';
  /** Of the bytes, what was not bought. */
  readonly consumed: Amount;
  /** Sun for a byte. */
  readonly price: Amount;
  readonly fee: Amount;
}

export interface EnergyFee {
  readonly total: Amount;
  readonly base: Amount;
  readonly penalty: Amount;
  readonly contracts: readonly {
    readonly address: string;
    readonly calls: number;
    readonly base: Amount;
    /** In 1/10,000 of the price, on top of it. */
    readonly factor: number;
    readonly penalty: Amount;
  }[];
  /** What the deployer takes over. */
  readonly ownerShare: { readonly percent: number; readonly limit: Amount; readonly used: Amount };
  /** Energy of the caller's stake, and Energy that it bought. */
  readonly fromStake: Amount;
  readonly burned: Amount;
  /** Sun for a unit. */
  readonly price: Amount;
  readonly fee: Amount;
  readonly feeLimit: Amount;
  /** Energy that the limit allows the caller, and what of it was left. */
  readonly feeLimitEnergy: Amount;
  readonly headroom: Amount;
}

/** Fees are in sun. */
export interface FeeBreakdown {
  readonly txid: string;
  readonly blockNumber: number;
  readonly contractType: string;
  readonly result: string;
  readonly bandwidth?: BandwidthFee;
  readonly energy?: EnergyFee;
  readonly other: {
    readonly accountCreation: Amount;
    readonly multiSign: Amount;
    readonly memo: Amount;
    /** Of the type of the contract: becoming a witness, issuing a token, … */
    readonly contractSpecific: Amount;
  };
  readonly totalFee: Amount;
  readonly totalBurned: Amount;
  /** TRX to stake besides, at the totals of that moment, so that nothing of it is bought; null: no stake suffices. */
  readonly ifStaked: { readonly energyTrx: Amount | null; readonly bandwidthTrx: Amount | null };
}

const SPECIFIC: ReadonlySet<string> = new Set([
  'witness-creation',
  'asset-issue',
  'permission-update',
  'exchange-creation',
  'market-order',
]);

export function feeBreakdown(explanation: Explanation): FeeBreakdown {
  const { txid, block, type, outcome, charges, feeSun, bandwidth, energy } = explanation;
  const coin = (counts: (charge: ChargeReport) => boolean) =>
    amountOf(sum(charges.filter((charge) => charge.resource === 'coin' && counts(charge))));
  const bytes = bandwidthFee(explanation);
  const boughtBytes = bytes?.paidBy === 'burn' || bytes?.paidBy === 'accountCreation' ? BigInt(bytes.bytes) : 0n;
  return {
    txid,
    blockNumber: block.number,
    contractType: type,
    result: outcome.result,
    ...(bytes !== undefined && { bandwidth: bytes }),
    ...(energy !== undefined && { energy: energyFee(energy) }),
    other: {
      accountCreation: coin(({ reason }) => reason === 'account-activation'),
      multiSign: coin(({ reason }) => reason === 'multi-signature'),
      memo: coin(({ reason }) => reason === 'memo'),
      contractSpecific: coin(({ reason }) => SPECIFIC.has(reason)),
    },
    totalFee: feeSun,
    totalBurned: coin(({ source }) => source === 'burned'),
    ifStaked: {
      energyTrx: coinsFor(BigInt(energy?.caller.bought ?? 0), energy?.caller.stake),
      bandwidthTrx: coinsFor(boughtBytes, bandwidth?.staked),
    },
  };
}

function sum(charges: readonly ChargeReport[]): bigint {
  return charges.reduce((total, { amount }) => total + BigInt(amount), 0n);
}

function bandwidthFee({ bandwidth, charges }: Explanation): BandwidthFee | undefined {
  const charge = charges.find(({ reason }) => reason === 'bandwidth' || reason === 'account-creation-bandwidth');
  if (bandwidth === undefined || charge === undefined) return undefined;
  const isBought = charge.resource === 'coin';
  const bought = charge.reason === 'bandwidth' ? 'burn' : 'accountCreation';
  return {
    bytes: bandwidth.bytes,
    paidBy: isBought ? bought : (charge.source as 'free' | 'staked' | 'issuer'),
    consumed: isBought ? 0 : charge.amount,
    price: bandwidth.bytePriceSun,
    fee: isBought ? charge.amount : 0,
  };
}

function energyFee(energy: EnergyCost): EnergyFee {
  const { total, penalty, contracts, caller, origin, feeLimit, priceSun } = energy;
  return {
    total,
    base: amountOf(BigInt(total) - BigInt(penalty)),
    penalty,
    contracts: contracts.map((contract) => ({
      address: contract.address,
      calls: contract.frames,
      base: contract.base,
      factor: Math.round(contract.factor * 10_000),
      penalty: contract.penalty,
    })),
    ownerShare: {
      percent: origin?.percent ?? 0,
      limit: origin?.originEnergyLimit ?? 0,
      used: origin?.paid ?? 0,
    },
    fromStake: caller.staked,
    burned: caller.bought,
    price: priceSun,
    fee: caller.feeSun,
    feeLimit: feeLimit.feeLimitSun,
    feeLimitEnergy: feeLimit.energy,
    headroom: amountOf(BigInt(feeLimit.energy) - BigInt(caller.owed)),
  };
}

/** The stake whose share of the limit is `units`; the new stake counts in the total that it is a share of. */
function coinsFor(units: bigint, stake: StakeLimit | undefined): Amount | null {
  if (units === 0n || stake === undefined) return 0;
  const left = BigInt(stake.networkLimit) - units;
  if (left <= 0n) return null;
  const total = BigInt(stake.networkStakeCoins);
  return amountOf(total === 0n ? 1n : (units * total + left - 1n) / left);
}
