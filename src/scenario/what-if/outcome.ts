/** What a variant comes to, in the form that goes between threads and shards: plain data. */

import type { Amount } from '../../explanation/amount.js';
import type { PayerTotals, SourceTotals } from '../totals.js';
import type { GivenValue, Variation } from './variations.js';

export interface VariantOutcome {
  /** 0: the file as it is. */
  readonly index: number;
  /** A value for each variation; null of the file's own. */
  readonly values: readonly GivenValue[];
  readonly transactions: number;
  /** In a block, but the contract failed. */
  readonly failed: number;
  /** In no block. */
  readonly refused: number;
  readonly feeSun: Amount;
  readonly bandwidth: Amount;
  readonly energy: Amount;
  readonly energyPenalty: Amount;
  readonly payers: readonly PayerTotals[];
  readonly sources: readonly SourceTotals[];
  /** From the first step to the end. */
  readonly spanMs: number;
  /** Own stakes for Energy and bandwidth that the accounts begin with, groups counted with all their members. */
  readonly stakedSun: Amount;
  /** Transactions that came as bytes, which no key of the file can sign anew; not counted in the file as it is. */
  readonly cameSigned: number;
  /** Of them those that got another reference, and count without their signatures being checked. */
  readonly replayed: number;
  readonly digest: string;
}

/** What more stake saved. */
export interface StakeStep {
  /** The variation, and the values of the others. */
  readonly name: string;
  readonly others: readonly string[];
  readonly from: GivenValue;
  readonly to: GivenValue;
  readonly addedSun: Amount;
  /** In the time of the scenario; negative where it cost more. */
  readonly savedSun: Amount;
  /** What is saved in a year for each TRX staked in addition, percent: below that, coin that can earn more elsewhere is better burned. */
  readonly yearlyPercent: number;
}

/** A sweep, or a part of it, as `--json` writes it and `sunup merge` reads it. */
export interface Sweep {
  readonly whatIf: 1;
  readonly file: string;
  /** Of the file's text: parts of different files do not belong together. */
  readonly fileDigest: string;
  readonly variations: readonly Variation[];
  /** How many there are in all, the file as it is among them. */
  readonly variants: number;
  readonly shard?: { readonly part: number; readonly of: number };
  /** Somebody stopped it: not all are there. */
  readonly stopped?: boolean;
  readonly outcomes: readonly VariantOutcome[];
  /** Of a whole sweep: index of the cheapest setting, and what each larger stake saved. */
  readonly findings?: { readonly cheapest: number; readonly stakeSteps: readonly StakeStep[] };
}
