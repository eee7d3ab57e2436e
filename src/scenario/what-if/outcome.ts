/** The result of a variant, as threads and shards exchange it: plain data. */

import type { Sun } from '../../primitives/ids.js';
import type { HistoryTotals } from '../results/history.js';
import type { PayerTotals, SourceTotals } from '../results/totals.js';
import type { CostsByTime } from './recurring-cost.js';
import type { StakeUse } from './stake-use.js';
import type { GivenValue, Variation } from './variations.js';

export interface VariantOutcome extends CostsByTime {
  /** 0: the unchanged file. */
  readonly index: number;
  /** A value for each variation; null: the file's own. */
  readonly values: readonly GivenValue[];
  readonly transactions: number;
  /** In a block, but the contract failed. */
  readonly failed: number;
  /** No block contains it. */
  readonly refused: number;
  readonly feeSun: Sun;
  readonly bandwidth: bigint;
  readonly energy: bigint;
  readonly energyPenalty: bigint;
  readonly payers: readonly PayerTotals[];
  readonly sources: readonly SourceTotals[];
  /** Of the unchanged file: how like it is to what really happened. Absent: its steps have no `was`. */
  readonly history?: HistoryTotals;
  /** From the first step to the end. */
  readonly spanMs: number;
  /** Initial own stakes of the accounts for Energy and Bandwidth; a group counts with all its members. */
  readonly stakedSun: Sun;
  /** Capacity and use of these stakes; in a recording only of stakes that the variation sets. */
  readonly stakeUses: readonly StakeUse[];
  /** Transactions given as bytes, which no key of the file can sign again; 0 for the unchanged file. */
  readonly cameSigned: number;
  /** Those of them that got another reference block and an unchecked signature. */
  readonly replayed: number;
  readonly digest: string;
}

/** The saving of a larger stake. */
export interface StakeStep {
  /** The variation, and the values of the others. */
  readonly name: string;
  readonly others: readonly string[];
  readonly from: GivenValue;
  readonly to: GivenValue;
  readonly addedSun: Sun;
  /** Over the whole scenario, warmup included; negative if it costs more. */
  readonly savedSun: Sun;
  /** A year of the time after the warmup. */
  readonly yearlySun: Sun;
  /** `yearlySun` as a percentage of the added stake: the return of this step alone. */
  readonly yearlyPercent: number;
  /**
   * The step pays if the same TRX yield less than this elsewhere. It differs from `yearlyPercent` if a step pays
   * only together with the one before it. Null: this stake is never the best choice.
   */
  readonly worthBelowPercent: number | null;
}

/** Least and most over all settings of the other variations. */
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
  /** The largest stake whose step pays, with the number of settings; the most frequent first. */
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
  /** Null: in some settings, this stake is never the best choice. */
  readonly worthBelowPercent: Range<number | null>;
  /** Daily capacity of the stake `to`, and the daily use that it pays for. */
  readonly givesADay: Range<bigint>;
  readonly carriesADay: Range<bigint>;
}

/** Variations of other values: prices, factors, numbers of steps. */
export interface ChoiceDecision {
  readonly kind: 'choice';
  readonly name: string;
  /** The cheapest and the most expensive value per day, over all settings of the others. */
  readonly least: ChoiceValue;
  readonly most: ChoiceValue;
}

export interface ChoiceValue {
  readonly value: GivenValue;
  /** TRX in 24 hours after the warmup, in sun. */
  readonly daySun: Range<bigint>;
}

/** A sweep or a part of it, as `--json` writes it and `sunup merge` reads it. */
export interface Sweep {
  readonly whatIf: 2;
  readonly file: string;
  /** What the scenario is about, in its own words. */
  readonly about?: string;
  /** Hash of the file's text: parts of different files cannot be merged. */
  readonly fileDigest: string;
  readonly variations: readonly Variation[];
  /** Number of all settings, the unchanged file included. */
  readonly variants: number;
  readonly shard?: { readonly part: number; readonly of: number };
  /** The run was stopped: outcomes are missing. */
  readonly stopped?: boolean;
  readonly outcomes: readonly VariantOutcome[];
  /** Of a whole sweep: index of the cheapest setting, the decisions, and the saving of each larger stake. */
  readonly findings?: {
    readonly cheapest: number;
    readonly decisions: readonly Decision[];
    readonly stakeSteps: readonly StakeStep[];
  };
}
