/** What happens to a chain, as it is told to whoever put the chain together: in order, synchronously, after it happened. */

import type { AppliedBlock, DroppedTransaction } from '../../ledger/apply-block.js';
import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import type { Operation } from '../../ledger/operations/registry.js';
import type { TxId } from '../../primitives/ids.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import type { Sent } from '../../protocol/message-type.js';
import type { FetchedRow } from '../../state/remote-rows.js';
import type { ExecutionResult } from '../../tvm/run.js';

export interface ChainObserver {
  blockApplied?(block: AppliedBlock): void;
  /** Blocks without transactions that were made many at once, by the first and the last number. */
  emptyBlocksApplied?(first: number, last: number): void;
  transactionPending?(applied: AppliedTransaction): void;
  transactionsDropped?(dropped: readonly DroppedTransaction[]): void;
  /** The chain was changed from outside, after its head. */
  operated?(operation: Operation): void;
  /** A contract that was called without a transaction said something to `console.log`. */
  consoleLogged?(lines: readonly string[]): void;
  /** A call without a transaction failed. @param txId under which it has created contracts */
  callFailed?(call: Sent<TriggerSmartContract>, txId: TxId, run: ExecutionResult): void;
  /** Of a fork: rows of its network were read. All that the chain has done with them may have been told already. */
  rowsFetched?(rows: readonly FetchedRow[]): void;
  /** The store has no room. What it did not accept has not happened; nothing can be done until `retry` succeeds. */
  storeRefused?(refusal: Error): void;
  /**
   * The chain is about to go back over committed blocks, which can be read still.
   *
   * @param height the head that it goes back to
   * @param solidHeight what is the newest block of the solidity view then
   */
  takingBack?(height: number, solidHeight: number): void;
  /** The chain went back to `head`. */
  reverted?(head: number): void;
}

/** An observer that tells several, in this order. */
export function tellingAll(...observers: readonly ChainObserver[]): Required<ChainObserver> {
  return {
    blockApplied: (block) => {
      for (const observer of observers) observer.blockApplied?.(block);
    },
    emptyBlocksApplied: (first, last) => {
      for (const observer of observers) observer.emptyBlocksApplied?.(first, last);
    },
    transactionPending: (applied) => {
      for (const observer of observers) observer.transactionPending?.(applied);
    },
    transactionsDropped: (dropped) => {
      for (const observer of observers) observer.transactionsDropped?.(dropped);
    },
    operated: (operation) => {
      for (const observer of observers) observer.operated?.(operation);
    },
    consoleLogged: (lines) => {
      for (const observer of observers) observer.consoleLogged?.(lines);
    },
    callFailed: (...failed) => {
      for (const observer of observers) observer.callFailed?.(...failed);
    },
    rowsFetched: (rows) => {
      for (const observer of observers) observer.rowsFetched?.(rows);
    },
    storeRefused: (refusal) => {
      for (const observer of observers) observer.storeRefused?.(refusal);
    },
    takingBack: (height, solidHeight) => {
      for (const observer of observers) observer.takingBack?.(height, solidHeight);
    },
    reverted: (head) => {
      for (const observer of observers) observer.reverted?.(head);
    },
  };
}
