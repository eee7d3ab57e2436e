/**
 * Shielded transactions: answers of a network whose committee has not enabled them (protocol/grpc.md#protocolwallet,
 * Shielded).
 */

import { contractValidateException } from '../../errors/java-exception.js';
import type { Wallet_service } from '../../protocol/generated/services.js';
import { extentionFailure, internal, type MethodsOf, query, unknown } from '../table.js';

const COIN_CLOSED = 'Not support Shielded Transaction, need to be opened by the committee';
const TOKEN_CLOSED = 'Not support Shielded TRC20 Transaction, need to be opened by the committee';

function closed(text: string): () => never {
  return () => {
    throw contractValidateException(text);
  };
}

/** Methods without an answer accept any messages. */
const coin = query<unknown, never>(closed(COIN_CLOSED), internal);
const token = query<unknown, never>(closed(TOKEN_CLOSED), internal);
const coinBuilder = query(closed(COIN_CLOSED), extentionFailure);

export const shieldedMethods = {
  CreateShieldedTransaction: coinBuilder,
  CreateShieldedTransactionWithoutSpendAuthSig: coinBuilder,
  GetMerkleTreeVoucherInfo: coin,
  ScanNoteByIvk: coin,
  ScanAndMarkNoteByIvk: coin,
  ScanNoteByOvk: coin,
  IsSpend: coin,
  GetShieldTransactionHash: coin,
  CreateShieldNullifier: coin,
  GetSpendingKey: token,
  GetExpandedSpendingKey: token,
  GetAkFromAsk: token,
  GetNkFromNsk: token,
  GetIncomingViewingKey: token,
  GetDiversifier: token,
  GetNewShieldedAddress: token,
  GetZenPaymentAddress: token,
  GetRcm: token,
  CreateSpendAuthSig: token,
  CreateShieldedContractParameters: token,
  CreateShieldedContractParametersWithoutAsk: token,
  ScanShieldedTRC20NotesByIvk: token,
  ScanShieldedTRC20NotesByOvk: token,
  IsShieldedTRC20ContractNoteSpent: token,
  GetTriggerInputForShieldedTRC20Contract: query<unknown, never>(closed(TOKEN_CLOSED), unknown),
} satisfies MethodsOf<typeof Wallet_service>;
