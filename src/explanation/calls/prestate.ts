/**
 * Accounts before and after an execution: geth's `prestateTracer`. Amounts are in sun. Fields that Ethereum does not
 * have are under `tron`; there is no nonce.
 */

import type { Ledger } from '../../ledger/ledger.js';
import { slotValue } from '../../ledger/smart-contracts/storage-slots.js';
import { bytesToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { ethereumAddress } from '../../tracing/call-tracer.js';
import type { TouchedRows } from '../../tracing/touched-rows.js';
import { wordToHex } from '../../tvm/words.js';

export interface PrestateConfig {
  /** Both states, but only the differences. */
  readonly diffMode: boolean;
  readonly disableCode: boolean;
  readonly disableStorage: boolean;
}

interface AccountState {
  readonly balance: string;
  readonly code?: string;
  /** By slot, 32 bytes each. */
  readonly storage?: Readonly<Record<string, string>>;
  readonly tron?: TronState;
}

interface TronState {
  /** Used resources at the account's last operation. */
  readonly netUsage?: number;
  readonly freeNetUsage?: number;
  readonly energyUsage?: number;
  /** TRC-10 by id. */
  readonly tokens?: Readonly<Record<string, string>>;
}

type AccountStates = ReadonlyMap<Address, AccountState | undefined>;

/** The current values of the touched rows; undefined for an account that does not exist. */
export function statesOf(ledger: Ledger, touched: TouchedRows, config: PrestateConfig): AccountStates {
  return new Map([...touched.accounts].map(([address, slots]) => [address, stateOf(ledger, address, slots, config)]));
}

function stateOf(
  ledger: Ledger,
  address: Address,
  slots: ReadonlySet<bigint>,
  { disableCode, disableStorage }: PrestateConfig,
): AccountState | undefined {
  const { accounts, contracts, codes } = ledger.state.tables;
  const account = accounts.get(address);
  if (account === undefined) return undefined;
  const code = disableCode ? undefined : codes.get(address);
  const contract = contracts.get(address);
  const { net_usage, free_net_usage, account_resource, assetV2 } = account;
  const tron: TronState = {
    ...(net_usage > 0n && { netUsage: Number(net_usage) }),
    ...(free_net_usage > 0n && { freeNetUsage: Number(free_net_usage) }),
    ...(account_resource !== undefined &&
      account_resource.energy_usage > 0n && { energyUsage: Number(account_resource.energy_usage) }),
    ...(assetV2.size > 0 && {
      tokens: Object.fromEntries([...assetV2].map(([id, amount]) => [id, `0x${amount.toString(16)}`])),
    }),
  };
  const storage = [...slots].map((slot) => {
    const value = contract === undefined ? 0n : slotValue(ledger, address, slot, contract);
    return [`0x${wordToHex(slot)}`, `0x${wordToHex(value)}`] as const;
  });
  return {
    balance: `0x${account.balance.toString(16)}`,
    ...(code !== undefined && code.length > 0 && { code: `0x${bytesToHex(code)}` }),
    ...(!disableStorage && storage.length > 0 && { storage: Object.fromEntries(storage) }),
    ...(Object.keys(tron).length > 0 && { tron }),
  };
}

/**
 * The answer of the tracer, by Ethereum address.
 *
 * @param created new contracts: they have no state before
 */
export function prestate(
  before: AccountStates,
  after: AccountStates,
  created: ReadonlySet<Address>,
  { diffMode }: PrestateConfig,
): object {
  if (!diffMode) {
    const found = [...before].filter(([address, state]) => state !== undefined || !created.has(address));
    return Object.fromEntries(found.map(([address, state]) => [ethereumAddress(address), state ?? ABSENT]));
  }
  const pre: Record<string, object> = {};
  const post: Record<string, object> = {};
  for (const [address, was] of before) {
    const is = after.get(address);
    const changed = is === undefined ? {} : changes(was, is);
    if (is !== undefined && Object.keys(changed).length === 0 && !hasCleared(was, is)) continue;
    const key = ethereumAddress(address);
    // A new account has no state before, a removed one no state after.
    if (was !== undefined) pre[key] = withChangedSlots(was, is);
    if (is !== undefined) post[key] = changed;
  }
  return { pre, post };
}

const ABSENT: AccountState = { balance: '0x0' };
const ZERO = `0x${'0'.repeat(64)}`;

function changes(was: AccountState | undefined, is: AccountState): Partial<AccountState> {
  const slots = Object.entries(is.storage ?? {}).filter(
    ([slot, value]) => value !== (was?.storage?.[slot] ?? ZERO) && value !== ZERO,
  );
  // A contract begins empty: all that it has then is a change.
  const balanceBefore = was === undefined && is.code !== undefined ? ABSENT.balance : was?.balance;
  return {
    ...(is.balance !== balanceBefore && { balance: is.balance }),
    ...(is.code !== undefined && is.code !== was?.code && { code: is.code }),
    ...(slots.length > 0 && { storage: Object.fromEntries(slots) }),
    ...(JSON.stringify(is.tron) !== JSON.stringify(was?.tron) && { tron: is.tron ?? {} }),
  };
}

/** A slot that became zero is in the state before, but not in the state after. */
function hasCleared(was: AccountState | undefined, is: AccountState): boolean {
  return Object.entries(was?.storage ?? {}).some(([slot, value]) => value !== (is.storage?.[slot] ?? ZERO));
}

/** The account before, only with slots that changed. */
function withChangedSlots(was: AccountState, is: AccountState | undefined): AccountState {
  const { storage, ...rest } = was;
  const slots = Object.entries(storage ?? {}).filter(
    ([slot, value]) => value !== ZERO && value !== (is?.storage?.[slot] ?? ZERO),
  );
  return slots.length === 0 ? rest : { ...rest, storage: Object.fromEntries(slots) };
}
