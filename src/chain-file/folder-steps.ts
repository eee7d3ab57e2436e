/** The history of a chain that was recorded from a java-tron node, as lines of a chain file. */

import { type Hex, hexToBytes } from '../primitives/hex.js';
import type { TxId } from '../primitives/ids.js';
import { decodeBlock } from '../protocol/block.js';
import { type ChainFileLine, headText, lineText, transactionHex } from './lines.js';
import { type FolderLine, genesisOf, type RecordedNetwork, settingsOf } from './recorded-folder.js';
import { ChainFileError } from './shapes.js';

/** Whether blocks are imported as recorded, or produced again from the broadcast transactions. */
export type BlocksAs = 'import' | 'produce';

export interface FolderStep {
  /** The step's expectations are compared after its lines. */
  readonly of: FolderLine;
  readonly lines: readonly ChainFileLine[];
}

/** The text of the chain file of a recorded folder, in pieces. */
export function* folderText(network: RecordedNetwork, folder: readonly FolderLine[]): Iterable<string> {
  yield headText({ genesis: genesisOf(network), settings: settingsOf(network) }, { about: network.name });
  for (const { lines } of folderSteps(folder, 'produce')) for (const line of lines) yield lineText(line);
}

/** @param from the first line of the folder to include; earlier broadcasts do not count as pending */
export function* folderSteps(folder: readonly FolderLine[], blocksAs: BlocksAs, from = 0): Iterable<FolderStep> {
  const known = transactionsOf(folder);
  const announced = new Set<TxId>();
  for (const of of folder.slice(from)) yield { of, lines: [...linesOf(of, blocksAs, known, announced)] };
}

/** The bytes of all transactions, from their broadcasts or their blocks. */
function transactionsOf(folder: readonly FolderLine[]): ReadonlyMap<TxId, Hex> {
  const known = new Map<TxId, Hex>();
  for (const line of folder) {
    if (line.kind === 'block')
      for (const one of decodeBlock(hexToBytes(line.block)).transactions) known.set(one.txId, transactionHex(one));
    else if (line.kind === 'broadcast' && line.transaction !== undefined) known.set(line.txid, line.transaction);
  }
  return known;
}

function* linesOf(
  line: FolderLine,
  blocksAs: BlocksAs,
  known: ReadonlyMap<TxId, Hex>,
  announced: Set<TxId>,
): Iterable<ChainFileLine> {
  switch (line.kind) {
    case 'genesis':
      break;
    case 'broadcast':
      announced.add(line.txid);
      yield { broadcast: line.transaction ?? transactionOf(line.txid, known) };
      break;
    case 'refused': {
      const { transaction, code, message } = line;
      yield { refused: { transaction, code, message } };
      break;
    }
    case 'block':
      yield* blockLines(line, blocksAs, known, announced);
      announced.clear();
      break;
    default:
      throw new ChainFileError(`a line of the unknown kind ${JSON.stringify((line as { kind: unknown }).kind)}`);
  }
}

function* blockLines(
  { id, block, timestamp: time, dropped = [] }: FolderLine & { kind: 'block' },
  blocksAs: BlocksAs,
  known: ReadonlyMap<TxId, Hex>,
  announced: ReadonlySet<TxId>,
): Iterable<ChainFileLine> {
  const { header, transactions } = decodeBlock(hexToBytes(block));
  const production = {
    time,
    witness: header.raw_data?.witness_address ?? '',
    signature: header.witness_signature,
  };
  if (blocksAs === 'import') {
    yield { import: { ...production, transactions: transactions.map(transactionHex), id } };
    // Transactions that the producer dropped are in no block, and would stay pending.
    for (const { txid, reason } of dropped)
      yield { dropped: { transaction: transactionOf(txid, known), code: 'DROPPED', message: reason } };
  } else {
    for (const one of transactions) if (!announced.has(one.txId)) yield { broadcast: transactionHex(one) };
    yield { produce: { ...production, id } };
  }
}

function transactionOf(txid: TxId, known: ReadonlyMap<TxId, Hex>): Hex {
  const transaction = known.get(txid);
  if (transaction === undefined) throw new ChainFileError(`transaction ${txid} of a broadcast is in no block`);
  return transaction;
}
