/** Trial runs and fees: the part of `DevnetControl` that changes nothing. */

import type { BandwidthFee, FeeBreakdown } from '../../explanation/costs/fee-breakdown.js';
import type { CallTreeInWords } from '../../prose/call-tree.js';
import type { EstimateInWords } from '../../prose/estimate.js';
import type { ExplanationInWords } from '../../prose/explanation.js';
import type { AnyAddress, WholeNumber } from './state-control.js';

/** A call in Ethereum's words; without `to`, `data` is deployed. Amounts in sun. */
export interface TrialCall {
  readonly from: AnyAddress;
  readonly to?: AnyAddress;
  readonly value?: WholeNumber;
  readonly data?: string;
  /** By default the most that the chain allows. */
  readonly feeLimit?: WholeNumber;
  /** TRC-10 that goes along. */
  readonly tokenId?: WholeNumber;
  readonly tokenValue?: WholeNumber;
}

/** A transaction as TronWeb has it, the hex of one, or a call. It need not be signed. */
export type Trial = string | { readonly raw_data: object } | TrialCall;

/** Fees in sun; amounts are numbers, and digits in a string beyond 2^53. */
export type Fees = Omit<FeeBreakdown, 'bandwidth'> & {
  readonly bandwidth?: BandwidthFee & { readonly why: string };
};

export interface TrialResult {
  /** As `gettransactioninfobyid`, in the block that would be next. */
  readonly receipt: Readonly<Record<string, unknown>>;
  readonly explanation: ExplanationInWords;
  readonly fees: Fees;
  readonly trace?: CallTreeInWords;
}

export interface CostControl {
  /**
   * Runs a transaction as the next block would, without asking for its signature, and takes it back.
   *
   * @param options `at`: on the state after that block; `overrides`: on another state, as of `eth_call`; `trace`: with the
   *   call tree, with `lines` and `profile` as of `devnet.trace`
   * @throws OperationError what it would be refused with
   * @example const { fees } = await devnet.simulate({ from: alice, to: token, data: '0xa9059cbb…' })
   */
  simulate(
    transaction: Trial,
    options?: {
      readonly at?: WholeNumber;
      readonly overrides?: Readonly<Record<AnyAddress, object>>;
      readonly trace?: boolean;
      readonly lines?: boolean;
      readonly profile?: 'function' | 'line';
    },
  ): Promise<TrialResult>;

  /**
   * The fees of a transaction by what they were for: of one of the chain by its id, or of one that is not sent.
   *
   * @param options `preset`: with the chain parameters of that network, and what others have staked there
   * @throws OperationError for an id that is not on the chain; what the transaction would be refused with
   * @example const { totalFee } = await devnet.explainFee(txid, { preset: 'mainnet' })
   */
  explainFee(transaction: Trial, options?: { readonly preset?: string }): Promise<Fees>;

  /**
   * The Energy of a call or deployment that is not sent: now, after one, two and three epochs in which the contracts that
   * it runs use more than the network's threshold, and at the highest factor; for each who would pay it, what it costs to
   * burn, the stake with which it costs nothing, and the fee limit that is enough.
   *
   * @throws OperationError what it would be refused with; for what runs no contract
   * @example const { cases: [now] } = await devnet.estimateCall({ from: alice, to: token, data: '0xa9059cbb…' })
   */
  estimateCall(transaction: Trial): Promise<EstimateInWords>;
}
