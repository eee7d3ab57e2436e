/**
 * Differences of later java-tron releases in JSON-RPC, each with its release (protocol/json-rpc.md#later-releases). The
 * endpoint determines those of its node once.
 */

import { isSince, type Release } from '../primitives/release.js';

const SINCE = {
  /** `data` of a revert contains the returned bytes. */
  revertData: '4.8.1',
  /** `data` of an undeclared exception is its class, without the message. */
  bareExceptionClass: '4.8.1',
  /** Objects for calls and transactions have `input`, which wins over `data`. */
  input: '4.8.2',
  /** Logs contain the time of their block. */
  logTimes: '4.8.2',
  /** `safe` is a tag, which is refused. */
  safeTag: '4.8.2',
  /** eth_getBlockReceipts also accepts a hash, and has no result for the genesis block. */
  receiptsByHash: '4.8.2',
  /** eth_getFilterLogs searches no more blocks than eth_getLogs. */
  filterRange: '4.8.2',
  /** Unreadable requests get the id `null`, empty batches an error, and notifications in a batch no answer. */
  strictEnvelope: '4.8.2',
  /** Invalid hashes, storage keys, indexes, heights, amounts and ABIs have errors of their own. */
  strictValues: '4.8.2',
  /** A batch has at most 100 requests. */
  shortBatches: '4.8.2',
  /** The server refuses an oversized body, with a page. */
  longBodiesRefused: '4.8.2',
} as const satisfies Readonly<Record<string, Release>>;

export type Form = keyof typeof SINCE;
export type Forms = Readonly<Record<Form, boolean>>;

export function formsOf(release: Release): Forms {
  return Object.fromEntries(Object.entries(SINCE).map(([form, since]) => [form, isSince(since, release)])) as Forms;
}

/** Default limit of requests in a batch: before java-tron's own limit, viem's batch size. */
export function batchRequestsOf(release: Release): number {
  return isSince(SINCE.shortBatches, release) ? 100 : 1_000;
}
