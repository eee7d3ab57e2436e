/**
 * How an account comes into being and what permissions it has (protocol/contract-types.md#rules-for-all-types,
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

/** A new account as system contracts make it: created now, with default permissions where multi-sign is on. */
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

/** The account that bytes name, which may be no address at all: as a client sent them. */
export function accountAt(ledger: Ledger, address: Hex): Account | undefined {
  return isAddress(address) ? ledger.state.tables.accounts.get(address) : undefined;
}

/** The account with what a new witness gets: a witness permission, and the defaults it did not have yet. */
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

/** An account at an address where a contract comes to be: what it has acquired is forgotten. */
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
