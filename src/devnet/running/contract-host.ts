/** The functions of a devnet that contract handles use. */

import type { KnownAbi } from '../../contracts/deployed-contract.js';
import type { BlockReference, ContractHost } from '../../contracts/host.js';
import type { Node } from '../../node/node.js';
import type { DevAccount } from '../../options/dev-accounts.js';
import type { Fetch, Post } from '../../platform/fetch.js';
import type { Address, TxId } from '../../primitives/ids.js';
import { refBlockBytesOf, refBlockHashOf } from '../../protocol/block.js';
import type { Events } from '../events/events.js';

/** The expiration of sent transactions, as for transactions that a node builds. */
const LIFETIME_MS = 60_000;

export interface HostParts {
  readonly fetch: Fetch;
  readonly post: Post;
  readonly accounts: readonly DevAccount[];
  readonly explain: ContractHost['explain'];
  readonly preview: ContractHost['preview'];
  readonly node: Node;
  readonly events: Events;
}

/** Closing rejects all waits for blocks. */
export interface ClosableHost extends ContractHost {
  close(): void;
}

export function contractHost({ fetch, post, accounts, explain, preview, node, events }: HostParts): ClosableHost {
  const waiting = new Set<(reason: Error) => void>();
  let isClosed = false;
  const closedError = () => new Error('the devnet was closed while a transaction was pending');
  /** Pending, or in a block. */
  const isKnown = (txid: string) => node.chain.ledger.state.tables.transactions.has(txid as TxId);
  return {
    fetch,
    post,
    accounts,
    explain,
    preview,
    knownByCode: (addressHex) => knownByCode(node, addressHex as Address),
    isImpersonated: (addressHex) => node.operations.impersonates(addressHex as Address),
    blockReference: () => blockReference(node),
    somethingHappened: (txid) =>
      new Promise((resolve, reject) => {
        const done = () => {
          events.off('block', happened);
          events.off('reverted', snapshotReverted);
          events.off('branched', snapshotReverted);
          events.off('dropped', dropped);
          waiting.delete(closed);
        };
        const happened = () => {
          done();
          resolve();
        };
        const snapshotReverted = () => {
          if (isKnown(txid)) return happened();
          done();
          reject(new Error(`transaction ${txid} was removed by a revert before it was in a block`));
        };
        const dropped: Parameters<typeof events.on<'dropped'>>[1] = (one) => {
          if (one.txid !== txid) return;
          done();
          reject(new Error(`transaction ${txid} was accepted and then dropped: ${one.reason}`));
        };
        const closed = (reason: Error) => {
          done();
          reject(reason);
        };
        if (isClosed) return reject(closedError());
        if (!isKnown(txid)) return reject(new Error(`transaction ${txid} is no longer pending: it was removed`));
        events.on('block', happened);
        events.on('reverted', snapshotReverted);
        events.on('branched', snapshotReverted);
        events.on('dropped', dropped);
        waiting.add(closed);
      }),
    close: () => {
      isClosed = true;
      for (const closed of waiting) closed(closedError());
    },
  };
}

function blockReference(node: Node): BlockReference {
  const { headId, headTimeMs } = node.chain;
  return {
    ref_block_bytes: refBlockBytesOf(headId),
    ref_block_hash: refBlockHashOf(headId),
    expiration: Number(headTimeMs) + LIFETIME_MS,
    timestamp: Number(node.buildTimeMs()),
  };
}

function knownByCode({ chain: { ledger } }: Node, address: Address): KnownAbi | undefined {
  const { knownContracts } = ledger.config;
  const code = ledger.state.tables.codes.get(address);
  const known = code === undefined || code.length === 0 ? undefined : knownContracts?.byCode(code);
  return known && { ...known, abi: known.abi.map(({ type = 'function', ...entry }) => ({ type, ...entry })) };
}
