/** Rules that changed with a java-tron release without a chain parameter (protocol/releases.md#ledger). */

import { isSince, type Release } from '../primitives/release.js';
import type { Ledger } from './ledger.js';

const SINCE = {
  /** Exchange trades are refused, unless ALLOW_HARDEN_EXCHANGE_CALCULATION opens them again. */
  exchangeTradesRefused: '4.8.0.1',
  /** Shielded transfers are refused first, and never ignored. */
  shieldedTransfersRefused: '4.8.1',
  /** A broadcast needs signatures of 65 to 68 bytes; in blocks more bytes may follow the 65. */
  signatureLengthsChecked: '4.8.2',
  /** For an unknown signer, the error names the transaction's hash instead of the signature. */
  foreignSignatureByHash: '4.8.2',
  /** Sign weight and approved list are only answered for a limited number of signatures, and for possible signers. */
  signatureQueriesBounded: '4.8.2',
} as const satisfies Readonly<Record<string, Release>>;

/** Whether the chain's release has a rule. */
export function hasRule(ledger: Ledger, rule: keyof typeof SINCE): boolean {
  return isSince(SINCE[rule], ledger.config.release);
}
