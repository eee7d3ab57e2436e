/** Converts a line of a chain file into a step that can be applied (`node/steps/steps.ts`). */

import { decodeOperation } from '../ledger/operations/operation.js';
import type { QueuedTransaction } from '../node/chain/nonce-queue.js';
import type { BlockProduction, Step, StepWork } from '../node/steps/steps.js';
import { type Hex, hexToBytes } from '../primitives/hex.js';
import { type Address, type BlockId, isAddress } from '../primitives/ids.js';
import { decodeEthereumTransaction, EthereumFormatError, ethereumHash } from '../protocol/ethereum-transaction.js';
import { SignedTransaction } from '../protocol/transaction.js';
import type { BlockMembers, ChainFileLine, QueuedMembers } from './lines.js';
import { DamagedLine } from './shapes.js';

/** Lines that change the chain. `goBack` is not among them: `RemainingSteps` has already removed what it reverts. */
export type StepLine = Extract<
  ChainFileLine,
  { import: unknown } | { produce: unknown } | { produceEmpty: unknown } | { operation: unknown }
>;

/** @param to the number of the head after the step */
export function stepOf(line: StepLine, to: number): Step {
  if ('operation' in line) {
    const work = { operation: decodeOperation(JSON.stringify(line.operation)) };
    return { to, id: undefined, relaxes: false, work };
  }
  const [{ id, relaxes = false }, work] = blocksOf(line);
  return { to, id, relaxes, work };
}

function blocksOf(
  line: Exclude<StepLine, { operation: unknown }>,
): [{ readonly id?: BlockId; readonly relaxes?: true }, StepWork] {
  if ('produceEmpty' in line) return [line.produceEmpty, { emptyBlocks: line.produceEmpty.blocks }];
  if ('import' in line) {
    const { import: block } = line;
    return [block, { block: productionOf(block), transactions: block.transactions.map(transactionIn) }];
  }
  const { produce } = line;
  return [produce, { made: productionOf(produce), candidates: produce.transactions?.map(transactionIn) }];
}

function productionOf({ time, witness, signature }: BlockMembers): BlockProduction {
  const sign = signature === undefined ? undefined : () => signature;
  return { timestampMs: BigInt(time), producer: witness as Address, sign };
}

/** @throws DamagedLine */
export function queuedIn({ sender, transaction }: QueuedMembers): QueuedTransaction {
  if (!isAddress(sender)) throw new DamagedLine('the sender of a queued transaction is no address');
  try {
    const ethereum = decodeEthereumTransaction(hexToBytes(transaction));
    return { sender, hash: ethereumHash(ethereum), ethereum };
  } catch (error) {
    if (error instanceof EthereumFormatError) throw new DamagedLine(`a queued transaction: ${error.message}`);
    throw error;
  }
}

export function transactionIn(hex: Hex): SignedTransaction {
  return SignedTransaction.decode(hexToBytes(hex));
}
