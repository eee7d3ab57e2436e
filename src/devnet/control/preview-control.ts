/** What a transaction would cost: the part of `DevnetControl` that changes nothing. */

import type { PreviewInWords } from '../../prose/preview.js';
import type { AnyAddress, WholeNumber } from './state-control.js';

/** A call in Ethereum's words; without `to`, `data` is deployed. Amounts in sun. */
export interface PreviewCall {
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

/** The id of a transaction of the chain; a transaction as TronWeb has it, or its hex; a call. It need not be signed. */
export type PreviewSubject = string | { readonly raw_data: object } | PreviewCall;

/** Of `devnet.preview`. */
export interface PreviewOptions {
  /**
   * Values in the place of those of the state, by name, applied in their order: chain parameters, `preset`, `feeLimit`,
   * and stakes, balances and factors (docs/reference/preview.md). Amounts of coin are bigint in sun, or text with a unit.
   */
  readonly changes?: Readonly<Record<string, string | number | bigint>>;
  /** On the state after that block; without it, of now. Not for a transaction of the chain, which has its place. */
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
   * What a transaction would do and cost: outcome, charges, fees by cause, the receipt, the feeLimit that is enough, and
   * the stake with which nothing is burned. One that is not sent runs as the first of the next block, without its
   * signature being asked for; one of the chain runs again in its place. Nothing of it stays.
   *
   * @throws OperationError what it would be refused with; for an id that is not on the chain; for changes that are none
   * @example
   * const { fees, limits } = await devnet.preview({ from: alice, to: token, data: '0xa9059cbb…' });
   * await devnet.preview(txid, { changes: { getEnergyFee: 210, 'accounts.sender.stake.energy': '10_000 TRX' } });
   */
  preview(subject: PreviewSubject, options?: PreviewOptions): Promise<PreviewInWords>;
}
