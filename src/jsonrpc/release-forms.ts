/**
 * What java-tron's JSON-RPC of later releases does otherwise, each with its release
 * (protocol/json-rpc.md#later-releases). The endpoint works out once which of these its node has; whoever
 * reads an argument or shows a value asks for one by its name.
 */

import { isSince, type Release } from '../primitives/release.js';

const SINCE = {
  /** `data` of a revert is what the contract returned. */
  revertData: '4.8.1',
  /** `data` of an exception that no method declares is its class, without the message. */
  bareExceptionClass: '4.8.1',
  /** Objects that describe a call or a transaction have `input`, which wins over `data`. */
  input: '4.8.2',
  /** Logs tell the time of their block. */
  logTimes: '4.8.2',
  /** `safe` is known as a tag, and refused as one. */
  safeTag: '4.8.2',
  /** eth_getBlockReceipts takes a hash, too, and has nothing of the genesis block. */
  receiptsByHash: '4.8.2',
  /** eth_getFilterLogs looks through no more blocks than eth_getLogs. */
  filterRange: '4.8.2',
  /** What cannot be read is answered with the id `null`, empty batches with an error, notifications in one with nothing. */
  strictEnvelope: '4.8.2',
  /** Hashes, storage keys, indexes, heights, amounts and ABIs that are none are told in words of their own. */
  strictValues: '4.8.2',
  /** A batch has 100 requests at most. */
  shortBatches: '4.8.2',
  /** A body that is too long is the server's to refuse, with a page. */
  longBodiesRefused: '4.8.2',
} as const satisfies Readonly<Record<string, Release>>;

export type Form = keyof typeof SINCE;
export type Forms = Readonly<Record<Form, boolean>>;

export function formsOf(release: Release): Forms {
  return Object.fromEntries(Object.entries(SINCE).map(([form, since]) => [form, isSince(since, release)])) as Forms;
}

/** Of requests in a batch, where nothing was said: before the limit of java-tron, what viem puts into one. */
export function batchRequestsOf(release: Release): number {
  return isSince(SINCE.shortBatches, release) ? 100 : 1_000;
}
