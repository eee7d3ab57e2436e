/** What contracts need of the devnet that they are on. */

import type { Fetch, Post } from '../platform/fetch.js';
import type { ExplanationInWords } from '../prose/explanation.js';
import type { KnownAbi } from './deployed-contract.js';

/** The block that a transaction refers to (TAPOS), as TronWeb takes it. */
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
  /** Of a contract that the chain has no ABI of, by its code (`--artifacts`). */
  knownByCode(addressHex: string): KnownAbi | undefined;
  /** Whether its transactions need no signature. */
  isImpersonated(addressHex: string): boolean;
  /** The head; its timestamp is another one each time. */
  blockReference(): BlockReference;
  /**
   * Resolves with whatever happens to the chain next, a block or a revert.
   *
   * @throws Error that says why, when the transaction was dropped or the devnet is closed
   */
  somethingHappened(txid: string): Promise<void>;
}
