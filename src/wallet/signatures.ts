/**
 * The weight of a transaction's signatures, before its broadcast (protocol/accounts.md#signature-weight-getsignweight,
 * #signers-getapprovedlist). Mirrors TransactionUtil.getTransactionSignWeight and Wallet.getTransactionApprovedList.
 * Refusals are those of the broadcast with partly different texts; they are answers here, not errors.
 */

import type { ErrorCode } from '../errors/error-codes.js';
import { JavaException } from '../errors/java-exception.js';
import { allowsContractType, OPERATIONS_BYTES, permissionById } from '../ledger/accounts/permissions.js';
import { permissionException, signersWeight } from '../ledger/admission/signatures.js';
import type { Ledger } from '../ledger/ledger.js';
import { hasRule } from '../ledger/release-rules.js';
import { byteLength } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
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
const TOO_MANY = 'too many signatures';
/** r, s and v, in hex digits. */
const SIGNATURE_DIGITS = 130;

/** Whether there are more signatures than any permission has keys, for releases that check this first. */
function hasTooMany(ledger: Ledger, { signatures }: SignedTransaction): boolean {
  return hasRule(ledger, 'signatureQueriesBounded') && BigInt(signatures.length) > ledger.long('TOTAL_SIGN_NUM');
}

/** Later releases read and return 65 bytes of each signature. */
function cut(ledger: Ledger, signed: SignedTransaction): SignedTransaction {
  const { signatures } = signed;
  if (!hasRule(ledger, 'signatureQueriesBounded')) return signed;
  return signatures.every(({ length }) => length <= SIGNATURE_DIGITS)
    ? signed
    : signed.withSignatures(signatures.map((signature) => signature.slice(0, SIGNATURE_DIGITS)));
}

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

/** The weight of the present signatures for the transaction's permission. */
export function getTransactionSignWeight({ ledger }: WalletContext, sent: SignedTransaction): TransactionSignWeight {
  if (hasTooMany(ledger, sent)) {
    return TransactionSignWeight.create({ result: { code: WeightCode.OTHER_ERROR, message: TOO_MANY } });
  }
  const signed = cut(ledger, sent);
  const transaction = enclosed(signed);
  const answer = (code: number, text: string, found: Partial<TransactionSignWeight> = {}) =>
    TransactionSignWeight.create({ ...found, transaction, result: { code, message: text } });
  if (signed.raw.contract.length === 0) return answer(WeightCode.OTHER_ERROR, NO_CONTRACT);
  let permission: Permission | undefined;
  try {
    permission = claimedPermission(ledger, signed);
    const { weight, signers } = signersWeight(ledger, permission, signed.txId, signed.signatures);
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

/** All signers: up to 4.8.1 also those without a permission. */
export function getTransactionApprovedList(
  { ledger }: WalletContext,
  sent: SignedTransaction,
): TransactionApprovedList {
  if (hasTooMany(ledger, sent)) {
    return TransactionApprovedList.create({ result: { code: ApprovedCode.OTHER_ERROR, message: TOO_MANY } });
  }
  const signed = cut(ledger, sent);
  const transaction = enclosed(signed);
  const answer = (code: number, text: string, approved_list: readonly string[] = []) =>
    TransactionApprovedList.create({ approved_list, transaction, result: { code, message: text } });
  if (signed.raw.contract.length === 0) return answer(ApprovedCode.OTHER_ERROR, NO_CONTRACT);
  try {
    return answer(ApprovedCode.SUCCESS, '', signersOf(ledger, signed));
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
    const code = APPROVED_CODES.get(error.code);
    return code === undefined
      ? answer(ApprovedCode.OTHER_ERROR, error.wireText)
      : answer(code, String(error.javaMessage));
  }
}

function signersOf(ledger: Ledger, signed: SignedTransaction): readonly Address[] {
  const { signatures, txId } = signed;
  if (hasRule(ledger, 'signatureQueriesBounded')) {
    return signersWeight(ledger, claimedPermission(ledger, signed), txId, signatures).signers;
  }
  ownerAccount(ledger, signed);
  return signatures.map((signature) => recoverAddress(txId, signature));
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
