/** Every row of the history interface. */

import { TokenInfos } from '../wallet/history/token-calls.js';
import { TokenHolders } from '../wallet/history/token-holders.js';
import { accountRows } from './rows/accounts.js';
import { assetRows } from './rows/assets.js';
import { chainRows } from './rows/chain.js';
import { contractRows } from './rows/contracts.js';
import { eventServerRows } from './rows/event-server.js';
import type { HistoryRow } from './table.js';

export function historyRows(): readonly HistoryRow[] {
  const tokens = new TokenInfos();
  return [
    ...accountRows(tokens),
    ...contractRows(new TokenHolders()),
    ...chainRows(tokens),
    ...assetRows,
    ...eventServerRows,
  ];
}
