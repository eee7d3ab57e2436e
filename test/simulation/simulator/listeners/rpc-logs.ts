/** Logs as JSON-RPC shows them, and as they should be shown. */

import type { Ledger } from '../../../../src/ledger/ledger.js';
import { ethereumHash } from '../../../../src/protocol/ethereum-transaction.js';
import type { SignedTransaction } from '../../../../src/protocol/transaction.js';
import { logsIn } from '../invariants/scan.js';
import type { Dialect } from '../users/asker.js';
import type { ToldLog } from './followed-chain.js';

export interface Log {
  readonly address: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly data: string;
  readonly logIndex: string;
  readonly removed: boolean;
  readonly topics: readonly string[];
  readonly transactionHash: string;
  readonly transactionIndex: string;
}

/** As clients of a dialect know a transaction: Ethereum's know one that they have sent by its own hash. */
export function hashIn(dialect: Dialect, { txId, ethereum }: SignedTransaction): string {
  return dialect === '/eth' && ethereum !== undefined ? ethereumHash(ethereum) : txId;
}

export function textOf({ blockHash, logIndex, address, topics, data, ...of }: Log): string {
  const bare = (hex: string) => hex.slice(2);
  const place = [bare(blockHash), Number(of.transactionIndex), bare(of.transactionHash), Number(logIndex)];
  return [...place, bare(address), topics.map(bare).join(), bare(data)].join(' ');
}

/** All logs above a block, at most up to another. */
export function expectedLogs(ledger: Ledger, dialect: Dialect, from: number, to?: number): readonly ToldLog[] {
  return Array.from(logsIn(ledger, from + 1, to), ({ address, topics, data, logIndex, of }) => ({
    block: of.block,
    text: [of.blockId, of.index, hashIn(dialect, of.transaction), logIndex, address, topics.join(), data].join(' '),
  }));
}
