/**
 * java-tron's store form of an account's record (protocol/accounts.md#account-fields,
 * protocol/http-endpoints.md#getaccount): with ALLOW_ASSET_OPTIMIZATION, token balances move to a separate store when
 * a record is merged into the store. The record then has `asset_optimized`; balances of zero, and balances by name,
 * are dropped. Merging lags behind the head by the network's rule of open layers, and a record that is written again
 * before its merge keeps everything. This affects only answers, so it is not part of the state: it is derived here
 * from the blocks that wrote the account.
 */

import { blockOutline, blockTimeMs } from '../ledger/blocks/blocks.js';
import type { ChainConfig } from '../ledger/config.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Address, Sun } from '../primitives/ids.js';
import type { TransferContract } from '../protocol/generated/balance-contract.js';
import { Account, Proposal_State } from '../protocol/generated/tron.js';
import type { Sent } from '../protocol/message-type.js';
import { SignedTransaction } from '../protocol/transaction.js';
import { type ChangePlace, changePlace, endOfHeight, heightOfPlace, stepOfPlace } from '../state/row-changes.js';
import { numberKey, TABLES } from '../state/tables.js';
import type { WalletContext } from './context.js';

const ASSET_OPTIMIZATION_ID = 66n;
/** An account that is written in every block is never merged in between; at most so many of its writes are read. */
const MAX_WRITES = 256;
const SOLIDIFIED = 'LATEST_SOLIDIFIED_BLOCK_NUM';

/** The account as java-tron's stores have it at present. */
export function asStored(context: WalletContext, account: Account): Account {
  if (!context.ledger.on('ALLOW_ASSET_OPTIMIZATION')) return account;
  const merged = lastMerged(context, account);
  if (merged === undefined || !writtenByBlock(context.ledger, merged.record)) return account;
  const { zeros } = merged;
  const assetV2 =
    zeros.length === 0 ? account.assetV2 : new Map([...account.assetV2].filter(([id]) => !zeros.includes(id)));
  return { ...account, asset_optimized: true, asset: new Map(), assetV2 };
}

interface Merged {
  readonly record: Account;
  /** Tokens with a balance of zero since that record. */
  readonly zeros: readonly string[];
}

function zeroTokens({ assetV2 }: Account): readonly string[] {
  const ids: string[] = [];
  for (const [id, amount] of assetV2) if (amount === 0n) ids.push(id);
  return ids;
}

/**
 * Searches the blocks that wrote the account for the newest record that was merged before a further write or read.
 * Undefined if there is none: the account is new, or was written in every block.
 */
function lastMerged(context: WalletContext, account: Account): Merged | undefined {
  const { ledger, node, solid } = context;
  const { commits } = node.chain;
  const row = TABLES.accounts.prefix + account.address;
  const startMs = optimizationStartMs(ledger);
  let record = account;
  let zeros = zeroTokens(account);
  // The merged height when the record was overwritten; for the newest record, now.
  let mergedThen = solid ? ledger.headNumber : node.chain.mergedHeight;
  const restore = (before: Account | undefined, mergedHeight: number): boolean => {
    if (before === undefined) return false;
    record = before;
    zeros = zeros.filter((id) => before.assetV2.get(id) === 0n);
    mergedThen = mergedHeight;
    return true;
  };
  const sealed = solid ? account : ledger.state.readSealed<Account>('accounts', account.address);
  if (sealed !== account) {
    const solidified = ledger.state.readSealed<bigint>('longs', SOLIDIFIED) ?? 0n;
    if (!restore(sealed, Number(solidified))) return undefined;
  }

  let writes = 0;
  for (const place of commits.changes.downFrom(row, endOfHeight(ledger.headNumber))) {
    const number = heightOfPlace(place);
    if (number <= mergedThen) return timeOfBlockMs(ledger, number + 1) >= startMs ? { record, zeros } : undefined;
    if (place <= changePlace(commits.stateFrom) || ++writes > MAX_WRITES) return undefined;
    const before = commits.rowBefore(place, TABLES.accounts, account.address);
    if (!restore(before, mergedHeightBefore(context, place))) return undefined;
  }
  // Never written: by the genesis, or before a fork, long ago.
  const isKnown = solid || (commits.keepsPast && !commits.changes.isCut(row));
  return isKnown ? { record, zeros } : undefined;
}

/** The merged height before a commit. */
function mergedHeightBefore({ ledger, node }: WalletContext, place: ChangePlace): number {
  const solidified = node.chain.commits.rowAfter(place - 1, TABLES.longs, SOLIDIFIED);
  const isBlock = stepOfPlace(place) === 0;
  const withTransactions = isBlock && blockOutline(ledger, heightOfPlace(place))?.transactionIds.length !== 0;
  // Each pending transaction opens its own layer, which merges one more.
  return Number(solidified ?? 0n) - (withTransactions ? 0 : 1);
}

/** When a proposal switched the optimization on; 0 if since the genesis. */
function optimizationStartMs(ledger: Ledger): bigint {
  const times = ledger.state.tables.proposals
    .entries()
    .filter(([, { state, parameters }]) => state === Proposal_State.APPROVED && parameters.has(ASSET_OPTIMIZATION_ID))
    .map(([, { expiration_time }]) => expiration_time);
  return times.length === 0 ? 0n : times.reduce((first, time) => (time < first ? time : first));
}

function timeOfBlockMs(ledger: Ledger, number: number): bigint {
  return number > ledger.headNumber ? ledger.headTimeMs : BigInt(blockTimeMs(ledger, number) ?? 0);
}

/** Fields that the genesis can set. */
const GENESIS_FIELDS = {
  address: '',
  account_name: '',
  type: 0,
  balance: 0n,
  create_time: 0n,
  is_witness: false,
  owner_permission: undefined,
  active_permission: [],
} as const satisfies Partial<Sent<Account>>;

/** Whether a block has written the account: the genesis writes into the store directly. */
function writtenByBlock(ledger: Ledger, account: Account): boolean {
  const gift = genesisGifts(ledger).get(account.address);
  if (gift === undefined && !ledger.config.genesisWitnesses.has(account.address)) return true;
  return account.balance !== (gift ?? 0n) || Account.encode({ ...account, ...GENESIS_FIELDS }).length > 0;
}

const gifts = new WeakMap<ChainConfig, ReadonlyMap<Address, Sun>>();

/** Genesis balances, read from the transactions of block 0. */
function genesisGifts({ config, state }: Ledger): ReadonlyMap<Address, Sun> {
  let balances = gifts.get(config);
  if (balances === undefined) {
    const ids = state.tables.blocks.get(numberKey(0))?.transactionIds ?? [];
    const transfers = ids.map((id) => {
      const stored = state.tables.transactions.get(id);
      if (stored === undefined) throw new Error(`transaction ${id} of the genesis is missing`);
      return SignedTransaction.decode(stored.transaction).contract as TransferContract;
    });
    balances = new Map(transfers.map(({ to_address, amount }) => [to_address, amount]));
    gifts.set(config, balances);
  }
  return balances;
}
