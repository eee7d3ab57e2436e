/**
 * Logs of contracts by block range, address and topics (protocol/json-rpc.md#eth_getlogs). Mirrors java-tron's
 * LogBlockQuery and LogMatch.
 */

import { ethereumHashOf } from '../ledger/accounts/ethereum.js';
import { emptyBlockIds, emptyRunEnd } from '../ledger/blocks/empty-blocks.js';
import { blockFinder, type LogCriteria, meeting, transactionsWithLogs } from '../ledger/history/log-index.js';
import type { BlockId, TxId } from '../primitives/ids.js';
import { TransactionInfo } from '../protocol/generated/tron.js';
import type { EarlierLog } from '../state/fork/earlier-blocks.js';
import type { StoredBlock } from '../state/stored-block.js';
import { numberKey } from '../state/tables.js';
import type { BlockOutline } from './blocks.js';
import type { WalletContext } from './context.js';
import { earlierLogs, knownBlockTimeMs, knownTransaction } from './known-blocks.js';

/** A log and its position: on the chain, or on the forked network. */
export type FoundLog = EarlierLog;

/** java-tron's limits of searched blocks, and of logs in an answer. */
const MAX_LOG_RESULTS = 10_000;

/** More blocks or logs than the limit. */
export class TooManyLogsError extends Error {
  override readonly name = 'TooManyLogsError';
}

/** The logs of one block, or of a run of empty ones. */
export interface BlockLogs {
  readonly logs: readonly FoundLog[];
  /** Work of the step: 1 for a skipped block, otherwise 1 more for each receipt that was read. */
  readonly work: number;
}

const PASSED_OVER: BlockLogs = { logs: [], work: 1 };

/**
 * Logs of blocks `from` … `to` that match the criteria, block by block, blocks without logs included, so that the
 * caller can give others a turn. Bounds outside the chain are cut.
 *
 * @param view returns the present view; a block that was rolled back has no logs
 * @throws TooManyLogsError
 */
export function* findLogs(
  view: () => WalletContext,
  criteria: LogCriteria,
  from: bigint,
  to: bigint,
): Generator<BlockLogs> {
  const { ledger } = view();
  const head = ledger.headNumber;
  const first = from < 0n ? 0 : from > BigInt(head) ? head + 1 : Number(from);
  const last = to < BigInt(head) ? Number(to) : head;
  const unconditional = criteria.addresses.length === 0 && criteria.topics.length === 0;
  if (unconditional && last - first + 1 >= MAX_LOG_RESULTS) throw new TooManyLogsError();
  const meets = meeting(criteria);
  const mayHave = blockFinder(criteria);
  let candidates = 0;
  let found = 0;
  const earlier = earlierLogs(view(), { ...criteria, from: first, to: last });
  if (earlier.logs.length > MAX_LOG_RESULTS) throw new TooManyLogsError();
  if (earlier.logs.length > 0) yield { logs: earlier.logs, work: earlier.logs.length };
  found += earlier.logs.length;
  for (let number = Math.max(first, earlier.from); number <= last; number++) {
    const context = view();
    const { ledger } = context;
    const block = ledger.state.tables.blocks.get(numberKey(number));
    if (block === undefined) {
      number = emptyRunEnd(ledger, number);
      yield PASSED_OVER;
      continue;
    }
    if (!mayHave(block.logIndex)) {
      yield PASSED_OVER;
      continue;
    }
    if (++candidates >= MAX_LOG_RESULTS) throw new TooManyLogsError();
    const logs: FoundLog[] = [];
    const places = placesOfLogs(block);
    for (const log of storedLogs(context, number, block, places)) {
      if (meets(log)) logs.push(log);
    }
    found += logs.length;
    if (found > MAX_LOG_RESULTS) throw new TooManyLogsError();
    yield { logs, work: 1 + places.length };
  }
}

/** The logs of a block of the chain, in their order. */
export function logsOfBlock(context: WalletContext, { number, id, transactionIds }: BlockOutline): FoundLog[] {
  const stored = context.ledger.state.tables.blocks.get(numberKey(number));
  const places = stored?.id === id ? placesOfLogs(stored) : [...transactionIds.keys()];
  return [...storedLogs(context, number, { id, transactionIds }, places)];
}

/** Indexes of the transactions that may have logs. */
function placesOfLogs({ logIndex, transactionIds }: StoredBlock): readonly number[] {
  return transactionsWithLogs(logIndex) ?? [...transactionIds.keys()];
}

/** A predicate for the criteria, for callers that iterate logs themselves. */
export function logMatcher(criteria: LogCriteria): (log: FoundLog) => boolean {
  return meeting(criteria);
}

function* storedLogs(
  context: WalletContext,
  blockNumber: number,
  { id: blockId, transactionIds }: Pick<StoredBlock, 'id' | 'transactionIds'>,
  places: readonly number[],
): Generator<FoundLog> {
  let logIndex = 0;
  for (const transactionIndex of places) {
    const txId = transactionIds[transactionIndex] as TxId;
    const info = knownTransaction(context, txId)?.info;
    if (info === undefined || info.length === 0) continue;
    const { log: logs } = TransactionInfo.decode(info);
    if (logs.length === 0) continue;
    const place = {
      blockNumber,
      blockId,
      blockTimestampMs: BigInt(knownBlockTimeMs(context, blockNumber) ?? 0),
      txId,
      ethereumHash: ethereumHashOf(context.ledger, txId),
      transactionIndex,
    };
    for (const log of logs) yield { ...log, ...place, logIndex: logIndex++ };
  }
}

/** Ids of the blocks above `after`, up to the head. @throws TooManyLogsError */
export function blockIdsAfter({ ledger }: WalletContext, after: number): BlockId[] {
  const ids: BlockId[] = [];
  if (ledger.headNumber - after > MAX_LOG_RESULTS) throw new TooManyLogsError();
  for (let number = after + 1; number <= ledger.headNumber; number++) {
    const stored = ledger.state.tables.blocks.get(numberKey(number));
    if (stored !== undefined) ids.push(stored.id);
    else {
      ids.push(...emptyBlockIds(ledger, number, ledger.headNumber));
      number = emptyRunEnd(ledger, number);
    }
  }
  return ids;
}
