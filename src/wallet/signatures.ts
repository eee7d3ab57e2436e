/**
 * What the signatures on a transaction are worth, before anybody broadcasts it (ledger.md 4.5, 4.6). Mirrors
 * TransactionUtil.getTransactionSignWeight and Wallet.getTransactionApprovedList.
 *
 * The refusals are those of the broadcast with other words in places; they are answers here, not errors.
 */

import type { ErrorCode } from '../errors/error-codes.js';
import { JavaException } from '../errors/java-exception.js';
import { allowsContractType, OPERATIONS_BYTES, permissionById } from '../ledger/accounts/permissions.js';
import { permissionException, signersWeight } from '../ledger/admission/signatures.js';
import type { Ledger } from '../ledger/ledger.js';
import { byteLength } from '../primitives/hex.js';
import {
  TransactionApprovedList_Result_response_code as ApprovedCode,
  Return,
  TransactionApprovedList,
  TransactionExtention,
  TransactionSignWeight,
  TransactionSignWeight_Result_response_code as WeightCode,
} from '../protocol/generated/api.js';
import { type Account, type Permission, Permission_PermissionType } from '../protocol/generated/tron.js';
import { recoverAddress } from '../protocol/signature.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import type { WalletContext } from './context.js';

const NO_CONTRACT = 'Invalid transaction: no valid contract';

function enclosed({ message, txId }: SignedTransaction): TransactionExtention {
  return TransactionExtention.create({ transaction: message, txid: txId, result: Return.create({ result: true }) });
}

function ownerAccount(ledger: Ledger, { owner }: SignedTransaction): Account {
  const account = owner === undefined ? undefined : ledger.state.tables.accounts.get(owner);
  if (account === undefined) throw permissionException('Account does not exist!');
  return account;
}

function claimedPermission(ledger: Ledger, transaction: SignedTransaction): Permission {
  const { permissionId, contractType } = transaction;
  const permission = permissionById(ownerAccount(ledger, transaction), permissionId);
  if (permission === undefined) throw permissionException('Permission for this, does not exist!');
  if (permissionId === 0) return permission;
  if (permission.type !== Permission_PermissionType.Active) throw permissionException('Permission type is wrong!');
  if (byteLength(permission.operations) !== OPERATIONS_BYTES) throw permissionException('operations size must be 32');
  if (!allowsContractType(permission.operations, contractType)) throw permissionException('Permission denied!');
  return permission;
}

/** The weight of the signatures so far against the permission that the transaction claims. */
export function getTransactionSignWeight({ ledger }: WalletContext, signed: SignedTransaction): TransactionSignWeight {
  const transaction = enclosed(signed);
  const answer = (code: number, text: string, found: Partial<TransactionSignWeight> = {}) =>
    TransactionSignWeight.create({ ...found, transaction, result: { code, message: text } });
  if (signed.raw.contract.length === 0) return answer(WeightCode.OTHER_ERROR, NO_CONTRACT);
  let permission: Permission | undefined;
  try {
    permission = claimedPermission(ledger, signed);
    const { weight, signers } = signersWeight(permission, signed.txId, signed.signatures);
    const code = weight >= permission.threshold ? WeightCode.ENOUGH_PERMISSION : WeightCode.NOT_ENOUGH_PERMISSION;
    return answer(code, '', { permission, approved_list: signers, current_weight: weight });
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
    const code = WEIGHT_CODES.get(error.code);
    return code === undefined
      ? answer(WeightCode.OTHER_ERROR, error.wireText, { permission })
      : answer(code, String(error.javaMessage), { permission });
  }
}

/** Who has signed, whether or not they may. */
export function getTransactionApprovedList(
  { ledger }: WalletContext,
  signed: SignedTransaction,
): TransactionApprovedList {
  const transaction = enclosed(signed);
  const answer = (code: number, text: string, approved_list: readonly string[] = []) =>
    TransactionApprovedList.create({ approved_list, transaction, result: { code, message: text } });
  if (signed.raw.contract.length === 0) return answer(ApprovedCode.OTHER_ERROR, NO_CONTRACT);
  try {
    ownerAccount(ledger, signed);
    const signers = signed.signatures.map((signature) => recoverAddress(signed.txId, signature));
    return answer(ApprovedCode.SUCCESS, '', signers);
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
    const code = APPROVED_CODES.get(error.code);
    return code === undefined
      ? answer(ApprovedCode.OTHER_ERROR, error.wireText)
      : answer(code, String(error.javaMessage));
  }
}

const WEIGHT_CODES: ReadonlyMap<ErrorCode | undefined, number> = new Map([
  ['SIGNATURE_FORMAT', WeightCode.SIGNATURE_FORMAT_ERROR],
  ['SIGNATURE', WeightCode.COMPUTE_ADDRESS_ERROR],
  ['PERMISSION', WeightCode.PERMISSION_ERROR],
]);

const APPROVED_CODES: ReadonlyMap<ErrorCode | undefined, number> = new Map([
  ['SIGNATURE_FORMAT', ApprovedCode.SIGNATURE_FORMAT_ERROR],
  ['SIGNATURE', ApprovedCode.COMPUTE_ADDRESS_ERROR],
]);
