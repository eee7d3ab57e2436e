/** What a variant comes to, in the form that goes between threads and shards: plain data. */

import type { Sun } from '../../primitives/ids.js';
import type { PayerTotals, SourceTotals } from '../results/totals.js';
import type { CostsByTime } from './recurring-cost.js';
import type { StakeUse } from './stake-use.js';
import type { GivenValue, Variation } from './variations.js';

export interface VariantOutcome extends CostsByTime {
  /** 0: the file as it is. */
  readonly index: number;
  /** A value for each variation; null of the file's own. */
  readonly values: readonly GivenValue[];
  readonly transactions: number;
  /** In a block, but the contract failed. */
  readonly failed: number;
  /** In no block. */
  readonly refused: number;
  readonly feeSun: Sun;
  readonly bandwidth: bigint;
  readonly energy: bigint;
  readonly energyPenalty: bigint;
  readonly payers: readonly PayerTotals[];
  readonly sources: readonly SourceTotals[];
  /** From the first step to the end. */
  readonly spanMs: number;
  /** Own stakes for Energy and bandwidth that the accounts begin with, groups counted with all their members. */
  readonly stakedSun: Sun;
  /** What those stakes give and carry; of a recording only those that were supposed. */
  readonly stakeUses: readonly StakeUse[];
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
  readonly addedSun: Sun;
  /** In the time of the scenario, its warmup included; negative where it cost more. */
  readonly savedSun: Sun;
  /** In a year of what comes after the warmup. */
  readonly yearlySun: Sun;
  /** `yearlySun` for each TRX staked in addition, percent: what this step by itself returns. */
  readonly yearlyPercent: number;
  /**
   * The step is worth it for coin that earns less than this elsewhere. It differs from `yearlyPercent` where a step pays
   * only together with the one before it, and is null where no yield makes it worth it to stop here.
   */
  readonly worthBelowPercent: number | null;
}

/** The least and the most of all settings of the other variations. */
export interface Range<Value> {
  readonly least: Value;
  readonly most: Value;
}

export type Decision = StakeDecision | ChoiceDecision;

/** How much to stake. */
export interface StakeDecision {
  readonly kind: 'stake';
  readonly name: string;
  readonly resource: 'energy' | 'bandwidth';
  /** After which stake more hardly pays, and in how many settings of the others; in most of them comes first. */
  readonly knees: readonly Knee[];
  readonly smallest: GivenValue;
  readonly steps: readonly StakeDecisionStep[];
}

export interface Knee {
  readonly value: GivenValue;
  readonly settings: number;
}

/** From one stake to the next larger one. */
export interface StakeDecisionStep extends Pick<StakeStep, 'from' | 'to' | 'addedSun'> {
  readonly yearlySun: Range<bigint>;
  readonly yearlyPercent: Range<number>;
  /** Null: in some settings no yield elsewhere makes it worth it to stop here. */
  readonly worthBelowPercent: Range<number | null>;
  /** What the stake `to` gives a day, and what it carries. */
  readonly givesADay: Range<bigint>;
  readonly carriesADay: Range<bigint>;
}

/** Everything else: prices, factors, numbers of steps. */
export interface ChoiceDecision {
  readonly kind: 'choice';
  readonly name: string;
  /** Which costs least a day over all settings of the others, and which most. */
  readonly least: ChoiceValue;
  readonly most: ChoiceValue;
}

export interface ChoiceValue {
  readonly value: GivenValue;
  /** Coin in 24 hours after the warmup. */
  readonly daySun: Range<bigint>;
}

/** A sweep, or a part of it, as `--json` writes it and `sunup merge` reads it. */
export interface Sweep {
  readonly whatIf: 2;
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
  /** Of a whole sweep: index of the cheapest setting, what is to be decided, and what each larger stake saved. */
  readonly findings?: {
    readonly cheapest: number;
    readonly decisions: readonly Decision[];
    readonly stakeSteps: readonly StakeStep[];
  };
}
