/** A saved chain: its steps, and the node's values besides them. */

import { OperationError } from '../../errors/operation-error.js';
import { type Beginning, encodeBeginning } from '../../ledger/genesis/genesis-text.js';
import type { BlockId } from '../../primitives/ids.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { FetchedRow } from '../../state/remote-rows.js';
import type { Chain } from '../chain/chain.js';
import type { QueuedTransaction } from '../chain/nonce-queue.js';
import type { DumpedClock } from '../clock/clock.js';
import type { SolidityLayers } from '../views/solidity-view.js';
import type { Step, Steps } from './steps.js';

export interface SavedChain {
  readonly genesis: BlockId;
  readonly beginning: Beginning;
  /** For a fork: the fetched rows of its network. */
  readonly fetched: AsyncIterable<FetchedRow> | Iterable<FetchedRow>;
  readonly steps: SavedSteps;
  /** The node's own values; undefined for a recording, whose clock is at its head. */
  readonly end: SavedEnd | undefined;
  readonly pending: readonly SignedTransaction[];
  /** Ethereum transactions whose nonce is not due. */
  readonly queued: readonly QueuedTransaction[];
}

/** In order; each step is read when it is needed. */
export type SavedSteps = Steps | (AsyncIterable<Step> & Pick<Steps, 'length'>);

export interface SavedEnd {
  /** The merge state of `/walletsolidity`. */
  readonly solidity: SolidityLayers;
  readonly clock: DumpedClock;
}

export function notLoadable(why: string, cause?: unknown): OperationError {
  return new OperationError(`the chain cannot be loaded: ${why}`, { cause });
}

/** Whether a saved chain has the same initial settings. */
export function isOfChain({ beginning }: SavedChain, chain: Chain): boolean {
  return encodeBeginning(beginning) === chain.ledger.state.tables.meta.get('begun');
}
