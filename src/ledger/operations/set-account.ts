/** Sets fields of an account: each is validated, and dependent indexes are updated. */

import { JavaException } from '../../errors/java-exception.js';
import { OperationError } from '../../errors/operation-error.js';
import { byteLength, type Hex } from '../../primitives/hex.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { ArithmeticOverflow, MAX_LONG } from '../../primitives/java-math.js';
import { toBase58 } from '../../protocol/address.js';
import {
  type Account,
  type Account_UnFreezeV2,
  AccountType,
  type Key,
  Permission,
  Permission_PermissionType as PermissionType,
  type Vote,
} from '../../protocol/generated/tron.js';
import { MAX_PENDING_UNFREEZES } from '../../resources/staking.js';
import { accountIdKey, newAccount } from '../accounts/accounts.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import { validatePermission } from '../accounts/permissions.js';
import { FIRST_ACTIVE_ID, MAX_ACTIVES } from '../contracts/AccountPermissionUpdateContract.js';
import { MAX_NAME_BYTES } from '../contracts/AccountUpdateContract.js';
import { isAccountId } from '../contracts/SetAccountIdContract.js';
import { voteWitnessContract } from '../contracts/VoteWitnessContract.js';
import type { Ledger } from '../ledger.js';
import { withOldTronPower } from '../stake/staking.js';
import { settleReward } from '../voting/voter-rewards.js';
import { changeVotes } from '../voting/votes.js';
import { addToOwnNumber } from './own-numbers.js';
import { setBalance } from './set-balance.js';
import { withTokenBalance } from './set-token-balance.js';

export interface PermissionPatch {
  readonly permission_name?: string;
  readonly threshold: bigint;
  readonly keys: readonly Key[];
  /** 32 bytes; only for active permissions. */
  readonly operations?: Hex;
}

export interface TokensPatch {
  /** By id; null removes the entry. */
  readonly amounts: Readonly<Record<string, bigint | null>>;
  /** Whether to remove all other holdings. */
  readonly isAll: boolean;
}

/** Fields of `protocol.Account`. Missing fields stay; null and an empty list remove values. */
export interface AccountPatch {
  readonly balance?: Sun;
  readonly account_name?: Hex | null;
  readonly account_id?: Hex | null;
  readonly type?: AccountType;
  readonly create_time?: bigint;
  readonly latest_opration_time?: bigint;
  readonly latest_withdraw_time?: bigint;
  readonly allowance?: Sun;
  readonly votes?: readonly Vote[] | null;
  readonly owner_permission?: PermissionPatch | null;
  readonly witness_permission?: PermissionPatch | null;
  readonly active_permission?: readonly PermissionPatch[] | null;
  readonly assetV2?: TokensPatch;
  readonly unfrozenV2?: readonly Account_UnFreezeV2[] | null;
}

/**
 * Changes fields of an account; creates it if it does not exist.
 *
 * @throws OperationError where a transaction that sets the field would be refused
 * @example setAccount(ledger, { address, patch: { allowance: 5_000_000n } })
 */
export function setAccount(
  ledger: Ledger,
  { address, patch }: { readonly address: Address; readonly patch: AccountPatch },
): void {
  const { accounts } = ledger.state.tables;
  if (!accounts.has(address)) putAccount(ledger, newAccount(ledger, address));
  if (patch.balance !== undefined) setBalance(ledger, { address, balanceSun: patch.balance });
  // Before the allowance, because it adds the votes' rewards to it.
  if (patch.votes !== undefined) setVotes(ledger, address, patch.votes ?? []);
  let account = existingAccount(ledger, address);
  account = withPlainFields(account, patch);
  account = withNames(ledger, account, patch);
  account = withType(ledger, account, patch);
  account = withPermissions(ledger, account, patch);
  account = withCoinBeside(ledger, account, patch);
  account = withTokens(ledger, account, patch);
  putAccount(ledger, account);
}

function withPlainFields(account: Account, patch: AccountPatch): Account {
  let changed = account;
  for (const name of ['create_time', 'latest_opration_time', 'latest_withdraw_time'] as const) {
    const timeMs = patch[name];
    if (timeMs === undefined) continue;
    checkLong(name, timeMs);
    changed = { ...changed, [name]: timeMs };
  }
  return changed;
}

function checkLong(name: string, value: bigint): void {
  if (value < 0n || value > MAX_LONG) throw new OperationError(`${name} must be 0 to ${MAX_LONG}, got ${value}`);
}

/** Names and ids have an index each. An id belongs to one account, and so does a name if names are unique. */
function withNames(ledger: Ledger, account: Account, { account_name, account_id }: AccountPatch): Account {
  const { accountNames, accountIds } = ledger.state.tables;
  const { address } = account;
  let changed = account;
  if (account_name !== undefined) {
    const name = account_name ?? '';
    if (byteLength(name) > MAX_NAME_BYTES) {
      throw new OperationError(`account_name must be at most ${MAX_NAME_BYTES} bytes long`);
    }
    const holder = name === '' ? undefined : accountNames.get(name);
    if (holder !== undefined && holder !== address && !ledger.on('ALLOW_UPDATE_ACCOUNT_NAME')) {
      throw new OperationError(
        `account_name already belongs to ${toBase58(holder)} (getAllowUpdateAccountName is off)`,
      );
    }
    if (accountNames.get(account.account_name) === address) accountNames.delete(account.account_name);
    if (name !== '') accountNames.set(name, address);
    changed = { ...changed, account_name: name };
  }
  if (account_id !== undefined) {
    const id = account_id ?? '';
    if (id !== '' && !isAccountId(id)) {
      throw new OperationError('account_id must be 8 to 32 characters of ASCII without spaces');
    }
    const holder = id === '' ? undefined : accountIds.get(accountIdKey(id));
    if (holder !== undefined && holder !== address) {
      throw new OperationError(`account_id already belongs to ${toBase58(holder)}`);
    }
    if (account.account_id !== '') accountIds.delete(accountIdKey(account.account_id));
    if (id !== '') accountIds.set(accountIdKey(id), address);
    changed = { ...changed, account_id: id };
  }
  return changed;
}

function withType(ledger: Ledger, account: Account, { type }: AccountPatch): Account {
  if (type === undefined) return account;
  const isContract = ledger.state.tables.contracts.has(account.address);
  if (isContract !== (type === AccountType.Contract)) {
    throw new OperationError(
      isContract
        ? `type must be Contract: ${toBase58(account.address)} is a contract (tron_setCode with 0x removes it)`
        : `type must be Normal or AssetIssue: ${toBase58(account.address)} is not a contract (tron_setCode makes it one)`,
    );
  }
  return { ...account, type };
}

function withPermissions(ledger: Ledger, account: Account, patch: AccountPatch): Account {
  const { owner_permission: owner, witness_permission: witness, active_permission: actives } = patch;
  if (owner === undefined && witness === undefined && actives === undefined) return account;
  if (!ledger.on('ALLOW_MULTI_SIGN')) {
    throw new OperationError('this chain has no permissions (getAllowMultiSign is off)');
  }
  if (witness && !account.is_witness) {
    throw new OperationError(`${toBase58(account.address)} is not a witness and cannot have a witness_permission`);
  }
  if ((actives?.length ?? 0) > MAX_ACTIVES) {
    throw new OperationError(`active_permission must have at most ${MAX_ACTIVES} entries`);
  }
  const made = (name: string, type: PermissionType, id: number, given: PermissionPatch) =>
    permissionOf(ledger, name, { type, id, ...given });
  return {
    ...account,
    ...(owner !== undefined && {
      owner_permission: owner === null ? undefined : made('owner', PermissionType.Owner, 0, owner),
    }),
    ...(witness !== undefined && {
      witness_permission: witness === null ? undefined : made('witness', PermissionType.Witness, 1, witness),
    }),
    ...(actives !== undefined && {
      active_permission: (actives ?? []).map((active, i) =>
        made('active', PermissionType.Active, FIRST_ACTIVE_ID + i, active),
      ),
    }),
  };
}

function permissionOf(ledger: Ledger, name: string, given: Partial<Permission>): Permission {
  const permission = Permission.create({ permission_name: name, ...given });
  inWords(`${name}_permission`, () => validatePermission(ledger, permission));
  return permission;
}

const BY_NOBODY = { builder: false };

/** A transaction's refusal as a sentence about the field. */
function inWords(field: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof JavaException || error instanceof ArithmeticOverflow)) throw error;
    throw new OperationError(`${field} is not valid: ${error.message}`);
  }
}

/** As much as all TRX of the network: rewards are added to it without overflow. */
const MAX_ALLOWANCE = 100_000_000_000_000_000n;

/** TRX that are neither balance nor stake. */
function withCoinBeside(ledger: Ledger, account: Account, { allowance, unfrozenV2 }: AccountPatch): Account {
  let changed = account;
  if (allowance !== undefined) {
    if (allowance < 0n || allowance > MAX_ALLOWANCE) {
      throw new OperationError(`allowance must be 0 to ${MAX_ALLOWANCE}, got ${allowance}`);
    }
    addToOwnNumber(ledger, 'grantedSun', allowance - account.allowance);
    changed = { ...changed, allowance };
  }
  if (unfrozenV2 !== undefined) {
    const entries = unfrozenV2 ?? [];
    if (entries.length > MAX_PENDING_UNFREEZES) {
      throw new OperationError(`unfrozenV2 must have at most ${MAX_PENDING_UNFREEZES} entries`);
    }
    for (const { unfreeze_amount, unfreeze_expire_time } of entries) {
      checkLong('unfreeze_amount', unfreeze_amount);
      checkLong('unfreeze_expire_time', unfreeze_expire_time);
    }
    const onItsWay = (of: readonly Account_UnFreezeV2[]) => of.reduce((sum, entry) => sum + entry.unfreeze_amount, 0n);
    addToOwnNumber(ledger, 'grantedSun', onItsWay(entries) - onItsWay(account.unfrozenV2));
    changed = { ...changed, unfrozenV2: entries };
  }
  return changed;
}

function withTokens(ledger: Ledger, account: Account, { assetV2 }: AccountPatch): Account {
  if (assetV2 === undefined) return account;
  const others = assetV2.isAll ? [...account.assetV2.keys()].map((tokenId) => [tokenId, null] as const) : [];
  const amounts = new Map<string, bigint | null>([...others, ...Object.entries(assetV2.amounts)]);
  let changed = account;
  for (const [tokenId, amount] of amounts) {
    changed = withTokenBalance(ledger, changed, { tokenId, amount: amount ?? 0n, force: amount === null });
    if (amount !== null || !ledger.on('ALLOW_SAME_TOKEN_NAME')) continue;
    const left = new Map(changed.assetV2);
    left.delete(tokenId);
    changed = { ...changed, assetV2: left };
  }
  return changed;
}

function setVotes(ledger: Ledger, owner_address: Address, votes: readonly Vote[]): void {
  if (votes.length > 0) {
    inWords('votes', () => voteWitnessContract.validate(ledger, { owner_address, votes, support: false }, BY_NOBODY));
  }
  settleReward(ledger, owner_address);
  const account = withOldTronPower(ledger, existingAccount(ledger, owner_address));
  if (votes.length + account.votes.length > 0) putAccount(ledger, changeVotes(ledger, account, votes));
}
