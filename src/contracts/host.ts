/** What contract handles need of their devnet. */

import type { Fetch, Post } from '../platform/fetch.js';
import type { ExplanationInWords } from '../prose/explanation.js';
import type { PreviewInWords } from '../prose/preview.js';
import type { KnownAbi } from './deployed-contract.js';

/** The reference block (TAPOS) in TronWeb's form. */
export interface BlockReference {
  readonly ref_block_bytes: string;
  readonly ref_block_hash: string;
  /** Milliseconds since 1970. */
  readonly expiration: number;
  readonly timestamp: number;
}

export interface ContractHost {
  readonly fetch: Fetch;
  readonly post: Post;
  readonly accounts: readonly { readonly address: string; readonly addressHex: string; readonly privateKey: string }[];
  explain(txid: string): Promise<ExplanationInWords>;
  /** A call as the next block would run it. Addresses and data are hex, the value is in sun. */
  preview(call: {
    readonly from: string;
    readonly to: string;
    readonly data: string;
    readonly value: bigint | number;
  }): Promise<PreviewInWords>;
  /** The ABI of a contract without one on the chain, found by its code (`--artifacts`). */
  knownByCode(addressHex: string): KnownAbi | undefined;
  /** Whether the account is impersonated: its transactions need no signature. */
  isImpersonated(addressHex: string): boolean;
  /** Number of the head block and its timestamp. */
  blockReference(): BlockReference;
  /**
   * Resolves at the next event of the chain, a block or a revert.
   *
   * @throws Error with the reason if the transaction was dropped or the devnet is closed
   */
  somethingHappened(txid: string): Promise<void>;
}
