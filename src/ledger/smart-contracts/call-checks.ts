/**
 * Checks of value, tokens and fee limit before the machine runs
 * (protocol/contract-runs.md#checks-before-the-code-runs).
 */

import { contractValidateException } from '../../errors/refusals.js';
import type { Address } from '../../primitives/ids.js';
import type { CreateSmartContract, TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import type { Sent } from '../../protocol/message-type.js';
import { MIN_TOKEN_ID, tokenTransferRefusal, transferRefusal } from '../../tvm/transfers.js';
import type { Ledger } from '../ledger.js';
import type { LedgerHost } from './host.js';

/** Tokens of a call; ignored before calls could carry them. */
export function tokenOf(
  ledger: Ledger,
  { token_id, call_token_value }: Sent<CreateSmartContract | TriggerSmartContract>,
) {
  const carried = ledger.on('ALLOW_TVM_TRANSFER_TRC10');
  return { tokenId: carried ? token_id : 0n, tokenValue: carried ? call_token_value : 0n };
}

export function checkFeeLimit(ledger: Ledger, feeLimitSun: bigint): void {
  const max = ledger.long('MAX_FEE_LIMIT');
  if (feeLimitSun < 0n || feeLimitSun > max) {
    throw contractValidateException(`feeLimit must be >= 0 and <= ${max}`);
  }
}

export function checkValues(callValueSun: bigint, tokenValue: bigint): void {
  if (callValueSun < 0n) throw contractValidateException('callValue must be >= 0');
  if (tokenValue < 0n) throw contractValidateException('tokenValue must be >= 0');
}

/** Token ids start above a million; only 0 means none (protocol/contract-runs.md#checks-before-the-code-runs). */
export function checkToken(ledger: Ledger, tokenId: bigint, tokenValue: bigint): void {
  if (!ledger.on('ALLOW_TVM_TRANSFER_TRC10') || !ledger.on('ALLOW_MULTI_SIGN')) return;
  if (tokenId <= MIN_TOKEN_ID && tokenId !== 0n) throw contractValidateException('tokenId must be > 1000000');
  if (tokenValue > 0n && tokenId === 0n) {
    throw contractValidateException(`invalid arguments with tokenValue = ${tokenValue}, tokenId = ${tokenId}`);
  }
}

/** The transfer of call value and tokens is the last check; the machine then makes it. */
export function checkTransfers(
  host: LedgerHost,
  from: Address,
  to: Address,
  callValueSun: bigint,
  tokenId: bigint,
  tokenValue: bigint,
): void {
  if (callValueSun > 0n) {
    const refusal = transferRefusal(host, from, to, callValueSun);
    if (refusal !== undefined) throw contractValidateException(refusal);
  }
  if (tokenValue > 0n && host.tokensInCalls) {
    const refusal = tokenTransferRefusal(host, from, to, tokenId, tokenValue);
    if (refusal !== undefined) throw contractValidateException(refusal);
  }
}
