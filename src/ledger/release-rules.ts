/**
 * Rules that came with a release of java-tron and hang on no chain parameter, with the release
 * (protocol/releases.md#ledger).
 */

import { isSince, type Release } from '../primitives/release.js';
import type { Ledger } from './ledger.js';

const SINCE = {
  /** Trades on exchanges are refused, unless ALLOW_HARDEN_EXCHANGE_CALCULATION opens them again. */
  exchangeTradesRefused: '4.8.0.1',
  /** Shielded transfers are refused before anything is looked at, and never ignored. */
  shieldedTransfersRefused: '4.8.1',
  /** A broadcast wants signatures of 65 to 68 bytes; in blocks more may follow the 65. */
  signatureLengthsChecked: '4.8.2',
  /** Whose signature a permission does not know is told with the transaction's hash, not with the signature. */
  foreignSignatureByHash: '4.8.2',
  /** Who asks what signatures are worth, or who has signed, is told so only of a number and of signers that may be. */
  signatureQueriesBounded: '4.8.2',
} as const satisfies Readonly<Record<string, Release>>;

/** Whether the chain's release has a rule. */
export function hasRule(ledger: Ledger, rule: keyof typeof SINCE): boolean {
  return isSince(SINCE[rule], ledger.config.release);
}
