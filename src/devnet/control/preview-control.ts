/** Previews of transactions: the part of `DevnetControl` that changes nothing. */

import type { WholeNumber } from '../../primitives/whole-number.js';
import type { PreviewInWords } from '../../prose/preview.js';
import type { AnyAddress } from './state-control.js';

/** A call in Ethereum's form; without `to`, `data` is deployed. Amounts in sun. */
export interface PreviewCall {
  readonly from: AnyAddress;
  readonly to?: AnyAddress;
  readonly value?: WholeNumber;
  readonly data?: string;
  /** By default the most that the chain allows. */
  readonly feeLimit?: WholeNumber;
  /** TRC-10 tokens that are sent with the call. */
  readonly tokenId?: WholeNumber;
  readonly tokenValue?: WholeNumber;
}

/** The id of a transaction of the chain; a transaction as TronWeb has it, or its hex; a call. It need not be signed. */
export type PreviewSubject = string | { readonly raw_data: object } | PreviewCall;

/** Of `devnet.preview`. */
export interface PreviewOptions {
  /**
   * Other values, by name, applied in their order: chain parameters, `preset`, `feeLimit`, and stakes, balances and
   * factors (docs/reference/preview.md). Amounts of coin are bigint in sun, or text with a unit.
   */
  readonly changes?: Readonly<Record<string, string | number | bigint>>;
  /** The height after which it runs; default: the head. Not for a transaction of the chain, which has its place. */
  readonly at?: WholeNumber;
  /** Other balances, code and storage, as of `eth_call`. */
  readonly overrides?: Readonly<Record<AnyAddress, object>>;
  /** With `limits.atHigherFactors`. */
  readonly higherFactors?: boolean;
  /** With the call tree; `lines` and `profile` as of `devnet.trace`. */
  readonly trace?: boolean;
  readonly lines?: boolean;
  readonly profile?: 'function' | 'line';
}

export interface PreviewControl {
  /**
   * Outcome and cost of a transaction: charges, fees by cause, the receipt, the sufficient feeLimit, and the stake with
   * which nothing is burned. A transaction that is not sent runs as the first of the next block and needs no signature; a
   * transaction of the chain runs again in its place. The chain does not change.
   *
   * @throws OperationError for the refusal of the transaction or of a change; for an id that is not on the chain
   * @example
   * const { fees, limits } = await devnet.preview({ from: alice, to: token, data: '0xa9059cbb…' });
   * await devnet.preview(txid, { changes: { getEnergyFee: 210, 'accounts.sender.stake.energy': '10_000 TRX' } });
   */
  preview(subject: PreviewSubject, options?: PreviewOptions): Promise<PreviewInWords>;
}
