/**
 * The order of an account's pairs in java-tron's scan of its delegation index: merged pairs by key, then layer by
 * layer the pairs of later blocks, each layer in the order of its hash map (protocol/storage-forms.md#stores,
 * protocol/http.md#walletsolidity-and-walletpbft). It is visible only if pairs of one block share a bucket of the
 * answer's map. Delegations by opcodes are not counted in layers.
 */

import { blockOutline, blockTimeMs } from '../ledger/blocks/blocks.js';
import type { Ledger } from '../ledger/ledger.js';
import { type PartnerSide, partnersKey, partnersOf, type StakeVersion } from '../ledger/stake/delegation-index.js';
import { hexToBytes } from '../primitives/hex.js';
import type { TxId } from '../primitives/ids.js';
import type { DelegateResourceContract } from '../protocol/generated/balance-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../protocol/generated/tron.js';
import { javaBytesHash, javaConcurrentMapOrder } from '../protocol/json/java-map-order.js';
import { SignedTransaction } from '../protocol/transaction.js';
import type { WalletContext } from './context.js';

interface Pair {
  /** java-tron's key of the pair: prefix, account, partner. */
  readonly key: string;
  /** The head's time at the write, that of the previous block. */
  readonly timestampMs: bigint;
}

/** A chain that does not solidify leaves every block open; at most this many are searched. */
const MAX_LAYERS = 256;

export function pairKeyHash(key: string): number {
  return javaBytesHash(hexToBytes(key));
}

/** `pairs` of one account and side in scan order. */
export function inScanOrder<P extends Pair>(context: WalletContext, pairs: readonly P[]): readonly P[] {
  const byKey = [...pairs].sort((a, b) => (a.key < b.key ? -1 : 1));
  const newest = context.solid ? [] : unmergedLayers(context, pairs);
  const places = new Map<string, number>();
  for (const keys of newest) for (const key of keys) places.set(key, places.size);
  return byKey.sort((a, b) => (places.get(a.key) ?? -1) - (places.get(b.key) ?? -1));
}

/**
 * Keys in the layers with at least two of the pairs, oldest layer first. While nothing is pending, the head's layer
 * counts as open, although a refused broadcast has merged it: recorded answers show it open.
 */
function unmergedLayers({ ledger, node }: WalletContext, pairs: readonly Pair[]): readonly (readonly string[])[] {
  if (new Set(pairs.map(({ timestampMs }) => timestampMs)).size === pairs.length) return [];
  const { mergedHeight, pool } = node.chain;
  const merged = pool.size > 0 ? mergedHeight : Math.min(mergedHeight, ledger.headNumber - 1);
  const layers: (readonly string[])[] = [];
  for (let number = Math.max(merged, ledger.headNumber - MAX_LAYERS) + 1; number <= ledger.headNumber + 1; number++) {
    const writtenAtMs = blockTimeMs(ledger, number - 1);
    if (pairs.filter(({ timestampMs }) => Number(timestampMs) === writtenAtMs).length < 2) continue;
    const pending = number > ledger.headNumber;
    const transactions = pending
      ? pool.members().map(({ transaction }) => transaction)
      : (blockOutline(ledger, number)?.transactionIds ?? []).map((txId) => transactionAt(ledger, txId));
    const keys = [...new Set(transactions.flatMap((transaction) => keysWrittenBy(ledger, transaction)))];
    layers.push(javaConcurrentMapOrder(keys.map(pairKeyHash)).map((at) => keys[at] as string));
  }
  return layers;
}

function transactionAt(ledger: Ledger, txId: TxId): SignedTransaction {
  const stored = ledger.state.tables.transactions.get(txId);
  if (stored === undefined) throw new Error(`transaction ${txId} of a block is not in the store`);
  return SignedTransaction.decode(stored.transaction);
}

type Parties = Pick<DelegateResourceContract, 'owner_address' | 'receiver_address'>;

/** The two keys of the pair that a delegation writes, and that a full undelegation deletes, which is also a write. */
function keysWrittenBy(ledger: Ledger, { contractType, contract }: SignedTransaction): readonly string[] {
  const parties = contract as unknown as Parties;
  switch (contractType) {
    case ContractType.DelegateResourceContract:
      return pairKeys(2, parties);
    case ContractType.UnDelegateResourceContract:
      return stillPaired(ledger, 2, parties) ? [] : pairKeys(2, parties);
    case ContractType.FreezeBalanceContract:
      return pairKeys(1, parties);
    case ContractType.UnfreezeBalanceContract:
      return stillPaired(ledger, 1, parties) ? [] : pairKeys(1, parties);
    default:
      return [];
  }
}

function pairKeys(version: StakeVersion, { owner_address, receiver_address }: Parties): readonly string[] {
  if (receiver_address === '') return [];
  const key = (side: PartnerSide, account: string, partner: string) => partnersKey(version, side, account) + partner;
  return [key('to', owner_address, receiver_address), key('from', receiver_address, owner_address)];
}

function stillPaired(ledger: Ledger, version: StakeVersion, { owner_address, receiver_address }: Parties): boolean {
  const receivers = partnersOf(ledger, version, 'to', owner_address);
  return receivers.some(({ address }) => address === receiver_address);
}
