/**
 * Signature check: permissions, weights, and the order of refusals
 * (protocol/pipeline.md#signature-and-permission-check). Mirrors TransactionCapsule.validatePubSignature and
 * checkWeight.
 */

import type { ErrorCode } from '../../errors/error-codes.js';
import { JavaException } from '../../errors/java-exception.js';
import { validateSignatureException } from '../../errors/refusals.js';
import { byteLength, type Hex } from '../../primitives/hex.js';
import type { Address, TxId } from '../../primitives/ids.js';
import { addExact } from '../../primitives/java-math.js';
import { toBase58 } from '../../protocol/address.js';
import {
  Transaction_Contract_ContractType as ContractType,
  type Permission,
  Permission_PermissionType,
} from '../../protocol/generated/tron.js';
import { recoverAddress } from '../../protocol/signature.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { defaultActivePermission, defaultOwnerPermission } from '../accounts/accounts.js';
import { checkEthereumSender } from '../accounts/ethereum.js';
import { needsNoSignature } from '../accounts/impersonation.js';
import { allowsContractType, OPERATIONS_BYTES, permissionById } from '../accounts/permissions.js';
import type { Ledger } from '../ledger.js';
import { hasRule } from '../release-rules.js';

/**
 * Sums the weights of the signers. Throws the same as java-tron: PermissionException, SignatureFormatException, or the
 * error of the key recovery. Callers convert these to their own answers.
 */
export function signersWeight(
  ledger: Ledger,
  permission: Permission,
  txId: TxId,
  signatures: readonly Hex[],
): { readonly weight: bigint; readonly signers: readonly Address[] } {
  if (signatures.length > permission.keys.length) {
    throw permissionException(
      `Signature count is ${signatures.length} more than key counts of permission : ${permission.keys.length}`,
    );
  }
  const signers: Address[] = [];
  let weight = 0n;
  for (const signature of signatures) {
    const signer = recoverAddress(txId, signature);
    const key = permission.keys.find(({ address }) => address === signer);
    if (key === undefined || key.weight === 0n) {
      const signed = hasRule(ledger, 'foreignSignatureByHash') ? txId : signature;
      throw permissionException(`${signed} is signed by ${toBase58(signer)} but it is not contained of permission.`);
    }
    if (signers.includes(signer)) throw permissionException(`${toBase58(signer)} has signed twice!`);
    signers.push(signer);
    weight = addExact(weight, key.weight);
  }
  return { weight, signers };
}

export function permissionException(message: string): JavaException {
  return new JavaException('PERMISSION', message);
}

/** The permission that a transaction names, or a refusal. A missing account has the default permissions. */
function claimedPermission(ledger: Ledger, transaction: SignedTransaction): Permission {
  const { contractType, permissionId } = transaction;
  const owner = transaction.owner;
  const account = owner === undefined ? undefined : ledger.state.tables.accounts.get(owner);
  let permission: Permission | undefined;
  if (account !== undefined) permission = permissionById(account, permissionId);
  else if (permissionId === 0) permission = defaultOwnerPermission(owner ?? ('' as Address));
  else if (permissionId === 2) permission = defaultActivePermission(ledger, owner ?? ('' as Address));
  if (permission === undefined) throw permissionException("permission isn't exit");
  checkPermissionScope(permission, permissionId, contractType);
  return permission;
}

function checkPermissionScope(permission: Permission, permissionId: number, contractType: number): void {
  if (permissionId === 0) return;
  if (permission.type !== Permission_PermissionType.Active) throw permissionException('Permission type is error');
  if (byteLength(permission.operations) !== OPERATIONS_BYTES) {
    throw permissionException(`operations size must 32, actual: ${byteLength(permission.operations)}`);
  }
  // java-tron uses Java's division and reads that byte of the map, even if it does not exist.
  const at = Math.trunc(contractType / 8);
  if (at < 0 || at >= OPERATIONS_BYTES) {
    throw new JavaException(
      'java.lang.ArrayIndexOutOfBoundsException',
      `Index ${at} out of bounds for length ${OPERATIONS_BYTES}`,
    );
  }
  if (!allowsContractType(permission.operations, contractType)) throw permissionException('Permission denied');
}

/** Exceptions that java-tron wraps in a ValidateSignatureException; others pass unchanged. */
const SIGNATURE_ERRORS: ReadonlySet<ErrorCode | undefined> = new Set(['PERMISSION', 'SIGNATURE', 'SIGNATURE_FORMAT']);

/** Refuses a transaction without the signatures that its permission requires. */
export function checkSignatures(ledger: Ledger, transaction: SignedTransaction): void {
  if (needsNoSignature(ledger, transaction)) return;
  const { signatures, contractType, owner, ethereum } = transaction;
  if (ethereum !== undefined) {
    checkEthereumSender(transaction, ethereum);
    return;
  }
  if (contractType === ContractType.ShieldedTransferContract && owner === undefined) {
    if (signatures.length === 0) return;
    throw validateSignatureException(
      'there should be no signatures signed by transparent address when transfer from shielded address',
    );
  }
  if (signatures.length === 0 || transaction.raw.contract.length === 0) {
    throw validateSignatureException('miss sig or contract');
  }
  if (BigInt(signatures.length) > ledger.long('TOTAL_SIGN_NUM'))
    throw validateSignatureException('too many signatures');
  try {
    const permission = claimedPermission(ledger, transaction);
    const { weight } = signersWeight(ledger, permission, transaction.txId, signatures);
    if (weight < permission.threshold) throw validateSignatureException('sig error');
  } catch (error) {
    if (error instanceof JavaException && SIGNATURE_ERRORS.has(error.code)) {
      throw validateSignatureException(String(error.javaMessage));
    }
    throw error;
  }
}
