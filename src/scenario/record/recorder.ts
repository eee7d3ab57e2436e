/**
 * Records a running chain as the lines of a chain file. The existing history comes first. Each step is written at once
 * and in one piece: the recording of a killed process ends with a complete step.
 */

import { type ChainFileLine, lineText, operationLine, rowLine, transactionHex } from '../../chain-file/lines.js';
import { ArrangedRefusal } from '../../errors/arranged-refusal.js';
import type { JavaException } from '../../errors/java-exception.js';
import { dropped, refusal } from '../../explanation/outcome/refusal.js';
import type { AppliedBlock, DroppedTransaction } from '../../ledger/apply-block.js';
import { blockIdAt } from '../../ledger/blocks/block-ids.js';
import { operationsAfter } from '../../ledger/operations/operation.js';
import type { Chain } from '../../node/chain/chain.js';
import type { ChainObserver } from '../../node/chain/observer.js';
import type { ControlObserver } from '../../node/control.js';
import type { BlockId, TxId } from '../../primitives/ids.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { RunDigest } from '../results/digest.js';
import { RECORDING_ENDED } from './recording-ended.js';
import { digestText, recordStored } from './stored-chain.js';

export class Recorder {
  #chain: Chain | undefined;
  /** Accepted since the last block, in broadcast order: the candidates of the next block, as far as they are known. */
  readonly #announced = new Set<TxId>();
  #digest: RunDigest | undefined;
  #ofBlock: readonly DroppedTransaction[] = [];
  #isStrict = true;
  #isGoingBack = false;

  /** @param write appends to the recording */
  constructor(private readonly write: (lines: string) => void) {}

  /** Records everything from here on. @param about a description of the recording */
  async begin(chain: Chain, about: string): Promise<void> {
    this.#digest = await recordStored(chain, about, this.write);
    this.#isStrict = chain.strict;
    this.#chain = chain;
  }

  /**
   * Writes the last lines: pending transactions as dropped, and the digest that a replay must reach.
   *
   * @returns the number of pending transactions
   */
  end(): number {
    const waiting = [...this.#announced].flatMap((txId) => this.#chain?.pool.get(txId)?.transaction ?? []);
    for (const transaction of waiting)
      this.#step({ dropped: { transaction: transactionHex(transaction), ...RECORDING_ENDED } });
    if (this.#digest !== undefined) this.write(digestText(this.#digest));
    this.#chain = this.#digest = undefined;
    this.#announced.clear();
    return waiting.length;
  }

  readonly observer: ChainObserver = {
    transactionPending: ({ transaction }) => {
      if (this.#chain === undefined) return;
      this.#announced.add(transaction.txId);
      this.#step({ broadcast: transactionHex(transaction) });
    },
    blockApplied: (block) => {
      this.#ofBlock = block.dropped;
      if (this.#chain === undefined) return;
      this.#digest?.observer.blockApplied?.(block);
      this.#block(block, this.#chain);
    },
    emptyBlocksApplied: (first, last) => {
      if (this.#chain === undefined) return;
      this.#digest?.observer.emptyBlocksApplied?.(first, last);
      // A rollback into a run of empty blocks applies the first ones again: they are recorded already.
      if (this.#isGoingBack) return;
      this.#announced.clear();
      this.#step({ produceEmpty: { blocks: last - first + 1, ...this.#relaxation(), id: this.#chain.headId } });
    },
    transactionsDropped: (all) => {
      if (this.#chain === undefined) return;
      this.#digest?.observer.transactionsDropped?.(all);
      if (all === this.#ofBlock) return;
      for (const { transaction, reason } of all) {
        if (!this.#announced.delete(transaction.txId)) continue;
        this.#step({ dropped: { transaction: transactionHex(transaction), ...dropped(reason) } });
      }
    },
    operated: (operation) => {
      if (this.#chain === undefined) return;
      this.#digest?.observer.operated?.(operation);
      this.#isStrict = this.#chain.strict;
      this.#step(operationLine(operation));
    },
    rowsFetched: (rows) => {
      if (this.#chain !== undefined) this.write(rows.map((row) => lineText(rowLine(row))).join(''));
    },
    rollingBack: () => {
      this.#isGoingBack = true;
    },
    reverted: (head) => {
      this.#isGoingBack = false;
      if (this.#chain === undefined) return;
      this.#digest?.observer.reverted?.(head);
      this.#snapshotReverted(head, this.#chain);
    },
  };

  readonly controls: ControlObserver = {
    refused: (transaction, reason) => {
      if (this.#chain === undefined) return;
      const byNode = isOfNode(reason) && { byNode: true as const };
      this.#step({ refused: { transaction: transactionHex(transaction), ...refusal(reason), ...byNode } });
    },
  };

  #block(block: AppliedBlock, { ledger }: Chain): void {
    const candidates = candidatesOf(block);
    const announced = [...this.#announced];
    const isKnown =
      announced.length === candidates.length && candidates.every(({ txId }, at) => txId === announced[at]);
    this.#announced.clear();
    this.#step({
      produce: {
        time: Number(block.timestampMs),
        witness: block.producer,
        signature: block.header.witness_signature,
        ...(!isKnown && { transactions: candidates.map(transactionHex) }),
        ...this.#relaxation(),
        id: blockIdAt(ledger, block.number) as BlockId,
      },
    });
  }

  #snapshotReverted(block: number, { ledger, strict }: Chain): void {
    this.#announced.clear();
    this.#isStrict = strict;
    const id = blockIdAt(ledger, block) as BlockId;
    this.#step({ goBack: { block, operations: operationsAfter(ledger, block), id } });
  }

  /** Whether this block is the first that deviates from the strict rules. */
  #relaxation(): { readonly relaxes?: true } {
    const strict = this.#chain?.strict ?? true;
    const relaxes = this.#isStrict && !strict;
    this.#isStrict = strict;
    return relaxes ? { relaxes } : {};
  }

  #step(step: ChainFileLine): void {
    this.write(lineText(step));
  }
}

/** The candidates of a block in their order: included and dropped ones. */
function candidatesOf({ transactions, dropped: left }: AppliedBlock): readonly SignedTransaction[] {
  const candidates: SignedTransaction[] = [];
  let next = 0;
  for (const [at, { transaction }] of transactions.entries()) {
    for (; left[next] !== undefined && (left[next]?.after ?? 0) <= at; next++)
      candidates.push((left[next] as DroppedTransaction).transaction);
    candidates.push(transaction);
  }
  for (const { transaction } of left.slice(next)) candidates.push(transaction);
  return candidates;
}

/**
 * The node was busy or out of space, or a test had arranged the refusal: no rule of the protocol would refuse it in a
 * replay.
 */
function isOfNode(reason: JavaException): boolean {
  return reason instanceof ArrangedRefusal || reason.code === 'SERVER_BUSY';
}
