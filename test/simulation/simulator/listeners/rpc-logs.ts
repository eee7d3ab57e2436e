/** Logs as JSON-RPC shows them, and as they should be shown. */

import type { Ledger } from '../../../../src/ledger/ledger.js';
import { logsIn } from '../invariants/scan.js';
import type { ToldLog } from './followed-chain.js';

export interface Log {
  readonly address: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly data: string;
  readonly logIndex: string;
  readonly removed: boolean;
  readonly topics: readonly string[];
}

export function textOf({ blockHash, logIndex, address, topics, data }: Log): string {
  const bare = (hex: string) => hex.slice(2);
  return [bare(blockHash), Number(logIndex), bare(address), topics.map(bare).join(), bare(data)].join(' ');
}

/** All logs above a block. */
export function expectedLogs(ledger: Ledger, from: number): readonly ToldLog[] {
  return Array.from(logsIn(ledger, from + 1), ({ address, topics, data, logIndex, of }) => ({
    block: of.block,
    text: [of.blockId, logIndex, address, topics.join(), data].join(' '),
  }));
}
