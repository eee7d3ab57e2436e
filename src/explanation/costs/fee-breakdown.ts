/** The fees of a transaction by cause and payer, in the stable format that scripts compare (`fees` of a preview). */

import type { ChargeReport, EnergyCost, Explanation, StakeLimit } from '../model/explanation.js';

export interface BandwidthFee {
  readonly bytes: bigint;
  /** Staked bandwidth, own or delegated: one counter. */
  readonly paidBy: 'free' | 'staked' | 'issuer' | 'burn' | 'accountCreation';
  /** The bytes that were not burned for. */
  readonly consumed: bigint;
  /** Sun per byte. */
  readonly price: bigint;
  readonly fee: bigint;
}

export interface EnergyFee {
  readonly total: bigint;
  readonly base: bigint;
  readonly penalty: bigint;
  readonly contracts: readonly {
    readonly address: string;
    readonly calls: number;
    readonly base: bigint;
    /** In 1/10,000 of the base price, in addition to it. */
    readonly factor: number;
    readonly penalty: bigint;
  }[];
  /** The deployer's part. */
  readonly ownerShare: { readonly percent: number; readonly limit: bigint; readonly used: bigint };
  /** Energy from the caller's stake, and burned Energy. */
  readonly fromStake: bigint;
  readonly burned: bigint;
  /** Sun per unit. */
  readonly price: bigint;
  readonly fee: bigint;
  readonly feeLimit: bigint;
  /** The Energy that the feeLimit allows the caller, and the unused part. */
  readonly feeLimitEnergy: bigint;
  readonly headroom: bigint;
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
    readonly accountCreation: bigint;
    readonly multiSign: bigint;
    readonly memo: bigint;
    /** The fee of the contract type, for example of becoming a witness or issuing a token. */
    readonly contractSpecific: bigint;
  };
  readonly totalFee: bigint;
  readonly totalBurned: bigint;
  /** Additional TRX to stake, at the totals of that moment, so that nothing is burned; null: no stake suffices. */
  readonly ifStaked: { readonly energyTrx: bigint | null; readonly bandwidthTrx: bigint | null };
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
    sum(charges.filter((charge) => charge.resource === 'coin' && counts(charge)));
  const bytes = bandwidthFee(explanation);
  const boughtBytes = bytes?.paidBy === 'burn' || bytes?.paidBy === 'accountCreation' ? bytes.bytes : 0n;
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
      energyTrx: coinsFor(energy?.caller.bought ?? 0n, energy?.caller.stake),
      bandwidthTrx: coinsFor(boughtBytes, bandwidth?.staked),
    },
  };
}

function sum(charges: readonly ChargeReport[]): bigint {
  return charges.reduce((total, { amount }) => total + amount, 0n);
}

function bandwidthFee({ bandwidth, charges }: Explanation): BandwidthFee | undefined {
  const charge = charges.find(({ reason }) => reason === 'bandwidth' || reason === 'account-creation-bandwidth');
  if (bandwidth === undefined || charge === undefined) return undefined;
  const isBought = charge.resource === 'coin';
  const bought = charge.reason === 'bandwidth' ? 'burn' : 'accountCreation';
  return {
    bytes: bandwidth.bytes,
    paidBy: isBought ? bought : (charge.source as 'free' | 'staked' | 'issuer'),
    consumed: isBought ? 0n : charge.amount,
    price: bandwidth.bytePriceSun,
    fee: isBought ? charge.amount : 0n,
  };
}

function energyFee(energy: EnergyCost): EnergyFee {
  const { total, penalty, contracts, caller, origin, feeLimit, priceSun } = energy;
  return {
    total,
    base: total - penalty,
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
      limit: origin?.originEnergyLimit ?? 0n,
      used: origin?.paid ?? 0n,
    },
    fromStake: caller.staked,
    burned: caller.bought,
    price: priceSun,
    fee: caller.feeSun,
    feeLimit: feeLimit.feeLimitSun,
    feeLimitEnergy: feeLimit.energy,
    headroom: feeLimit.energy - caller.owed,
  };
}

/** The stake that yields `units`. The new stake increases the total stake, too. */
function coinsFor(units: bigint, stake: StakeLimit | undefined): bigint | null {
  if (units === 0n || stake === undefined) return 0n;
  const left = stake.networkLimit - units;
  if (left <= 0n) return null;
  const total = stake.networkStakeCoins;
  return total === 0n ? 1n : (units * total + left - 1n) / left;
}
