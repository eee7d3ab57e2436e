/**
 * Creation of accounts and their default permissions (protocol/contract-types.md#rules-for-all-types,
 * protocol/accounts.md#default-permissions). Mirrors AccountCapsule.
 */

import { type Hex, utf8ToHex } from '../../primitives/hex.js';
import { type Address, isAddress } from '../../primitives/ids.js';
import { Account, AccountType, Permission, Permission_PermissionType } from '../../protocol/generated/tron.js';
import type { Ledger } from '../ledger.js';

const ownKey = (address: Address) => [{ address, weight: 1n }];

export function defaultOwnerPermission(address: Address): Permission {
  return Permission.create({
    type: Permission_PermissionType.Owner,
    permission_name: 'owner',
    threshold: 1n,
    keys: ownKey(address),
  });
}

export function defaultActivePermission(ledger: Ledger, address: Address): Permission {
  return Permission.create({
    type: Permission_PermissionType.Active,
    id: 2,
    permission_name: 'active',
    threshold: 1n,
    operations: ledger.text('ACTIVE_DEFAULT_OPERATIONS'),
    keys: ownKey(address),
  });
}

function defaultWitnessPermission(address: Address): Permission {
  return Permission.create({
    type: Permission_PermissionType.Witness,
    id: 1,
    permission_name: 'witness',
    threshold: 1n,
    keys: ownKey(address),
  });
}

/**
 * A new account as system contracts create it: with the present time, and with default permissions if multi-sign is
 * on.
 */
export function newAccount(ledger: Ledger, address: Address, type: AccountType = 0): Account {
  const withPermissions = ledger.on('ALLOW_MULTI_SIGN');
  return Account.create({
    address,
    type,
    create_time: ledger.headTimeMs,
    ...(withPermissions && {
      owner_permission: defaultOwnerPermission(address),
      active_permission: [defaultActivePermission(ledger, address)],
    }),
  });
}

/** The account at an address given as bytes, which may be invalid: it comes from a client. */
export function accountAt(ledger: Ledger, address: Hex): Account | undefined {
  return isAddress(address) ? ledger.state.tables.accounts.get(address) : undefined;
}

/** The account with a witness permission, and with missing default permissions added. */
export function withWitnessPermission(ledger: Ledger, account: Account): Account {
  const address = account.address;
  return {
    ...account,
    owner_permission: account.owner_permission ?? defaultOwnerPermission(address),
    witness_permission: defaultWitnessPermission(address),
    active_permission:
      account.active_permission.length > 0 ? account.active_permission : [defaultActivePermission(ledger, address)],
  };
}

/** Key of the index of account ids: java-tron lower-cases the text (`Locale.ROOT`), which only touches A-Z here. */
export function accountIdKey(accountIdHex: string): string {
  return utf8ToHex(Buffer.from(accountIdHex, 'hex').toString('latin1').toLowerCase());
}

/** An account at the address of a new contract: its acquired resources are cleared. */
export function asContract(account: Account): Account {
  return {
    ...account,
    type: AccountType.Contract,
    acquired_delegated_frozen_balance_for_bandwidth: 0n,
    acquired_delegated_frozenV2_balance_for_bandwidth: 0n,
    ...(account.account_resource && {
      account_resource: {
        ...account.account_resource,
        acquired_delegated_frozen_balance_for_energy: 0n,
        acquired_delegated_frozenV2_balance_for_energy: 0n,
      },
    }),
  };
}
