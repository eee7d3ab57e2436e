/**
 * Permissions of an account: lookup by id, allowed operations, and validity of new ones
 * (protocol/contract-types.md#accountpermissionupdatecontract-46). Mirrors AccountCapsule.getPermissionById,
 * TransactionCapsule.checkPermissionOperations and AccountPermissionUpdateActuator.checkPermission. Default
 * permissions are in `accounts.ts`; signers are in `admission/signatures.ts`.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { byteLength, type Hex } from '../../primitives/hex.js';
import { type Address, isAddress } from '../../primitives/ids.js';
import { addExact } from '../../primitives/java-math.js';
import { type Account, type Permission, Permission_PermissionType } from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import type { Ledger } from '../ledger.js';
import { defaultOwnerPermission } from './accounts.js';

export const OPERATIONS_BYTES = 32;
const MAX_NAME_CHARACTERS = 32;

const NAME_OF_TYPE: ReadonlyMap<number, string> = new Map(
  Object.entries(Permission_PermissionType).map(([name, type]) => [type, name]),
);

/** The permission with an id; contract and genesis accounts have a virtual owner permission. */
export function permissionById(account: Account, id: number): Permission | undefined {
  if (id === 0) return account.owner_permission ?? defaultOwnerPermission(account.address);
  if (id === 1) return account.witness_permission;
  return account.active_permission.find((permission) => permission.id === id);
}

/** The key that signs a witness's blocks: that of its witness permission, else its own. */
export function witnessSigner(account: Account): Address {
  return account.witness_permission?.keys[0]?.address ?? account.address;
}

/** Whether an active permission's 256-bit map allows a contract type: bit n is in byte n / 8, lowest first. */
export function allowsContractType(operations: Hex, type: number): boolean {
  const at = (type >> 3) * 2;
  return (Number.parseInt(operations.slice(at, at + 2), 16) & (1 << (type & 7))) !== 0;
}

/**
 * Validates a new permission. @throws JavaException ContractValidateException with java-tron's text;
 * ArithmeticOverflow if the weights overflow
 */
export function validatePermission(ledger: Ledger, permission: Sent<Permission>): void {
  const { keys, type, threshold, operations } = permission;
  const typeName = NAME_OF_TYPE.get(type) ?? 'UNRECOGNIZED';
  const maxKeys = ledger.long('TOTAL_SIGN_NUM');
  if (BigInt(keys.length) > maxKeys) {
    throw contractValidateException(`number of keys in permission should not be greater than ${maxKeys}`);
  }
  if (keys.length === 0) throw contractValidateException("key's count should be greater than 0");
  if (type === Permission_PermissionType.Witness && keys.length !== 1) {
    throw contractValidateException("Witness permission's key count should be 1");
  }
  if (threshold <= 0n) throw contractValidateException("permission's threshold should be greater than 0");
  if (permission.permission_name.length > MAX_NAME_CHARACTERS) {
    throw contractValidateException("permission's name is too long");
  }
  if (permission.parent_id !== 0) throw contractValidateException("permission's parent should be owner");
  if (new Set(keys.map(({ address }) => address)).size !== keys.length) {
    throw contractValidateException(`address should be distinct in permission ${typeName}`);
  }
  let weight = 0n;
  for (const key of keys) {
    if (!isAddress(key.address)) throw contractValidateException('key is not a validate address');
    if (key.weight <= 0n) throw contractValidateException("key's weight should be greater than 0");
    weight = addExact(weight, key.weight);
  }
  if (weight < threshold) {
    throw contractValidateException(
      `sum of all key's weight should not be less than threshold in permission ${typeName}`,
    );
  }
  if (type === Permission_PermissionType.Active) validateOperations(ledger, operations);
  else if (operations.length > 0) throw contractValidateException(`${typeName} permission needn't operations`);
}

/** Only types that exist on this chain can be allowed. */
function validateOperations(ledger: Ledger, operations: Hex): void {
  if (byteLength(operations) !== OPERATIONS_BYTES) throw contractValidateException('operations size must 32');
  const available = ledger.text('AVAILABLE_CONTRACT_TYPE');
  for (let type = 0; type < OPERATIONS_BYTES * 8; type++) {
    if (allowsContractType(operations, type) && !allowsContractType(available, type)) {
      throw contractValidateException(`${type} isn't a validate ContractType`);
    }
  }
}
