/** Chain events for the devnet: in order, synchronous, after the change. */

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
  /** Empty blocks that were made together, by first and last number. */
  emptyBlocksApplied?(first: number, last: number): void;
  transactionPending?(applied: AppliedTransaction): void;
  transactionsDropped?(dropped: readonly DroppedTransaction[]): void;
  /** An operation changed the chain after its head. */
  operated?(operation: Operation): void;
  /** A constant call printed something with `console.log`. */
  consoleLogged?(lines: readonly string[]): void;
  /** A constant call failed. @param txId root of the addresses that it created */
  callFailed?(call: Sent<TriggerSmartContract>, txId: TxId, run: ExecutionResult): void;
  /** On a fork: rows of its network were fetched. Earlier events may already depend on them. */
  rowsFetched?(rows: readonly FetchedRow[]): void;
  /** The disk is full. Unaccepted changes have not happened; nothing can be done until `retry` succeeds. */
  storeRefused?(refusal: Error): void;
  /**
   * The chain is about to roll back committed blocks, which can still be read.
   *
   * @param height the new head
   * @param solidHeight the newest block of the solidity view then
   */
  rollingBack?(height: number, solidHeight: number): void;
  /** The chain was rolled back to `head`. */
  reverted?(head: number): void;
  /** The solidity view may be lower now; blocks above it are still on the chain. */
  solidityLagChanged?(): void;
}

/** Combines observers, in this order. */
export function combineObservers(...observers: readonly ChainObserver[]): Required<ChainObserver> {
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
    rollingBack: (height, solidHeight) => {
      for (const observer of observers) observer.rollingBack?.(height, solidHeight);
    },
    reverted: (head) => {
      for (const observer of observers) observer.reverted?.(head);
    },
    solidityLagChanged: () => {
      for (const observer of observers) observer.solidityLagChanged?.();
    },
  };
}
