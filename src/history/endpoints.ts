/** Every endpoint of the history interface. */

import { TokenInfos } from '../wallet/history/token-calls.js';
import { TokenHolders } from '../wallet/history/token-holders.js';
import { accountEndpoints } from './endpoints/accounts.js';
import { assetEndpoints } from './endpoints/assets.js';
import { chainEndpoints } from './endpoints/chain.js';
import { contractEndpoints } from './endpoints/contracts.js';
import { eventServerEndpoints } from './endpoints/event-server.js';
import type { HistoryEndpoint } from './table.js';

export function historyEndpoints(): readonly HistoryEndpoint[] {
  const tokens = new TokenInfos();
  return [
    ...accountEndpoints(tokens),
    ...contractEndpoints(new TokenHolders()),
    ...chainEndpoints(tokens),
    ...assetEndpoints,
    ...eventServerEndpoints,
  ];
}
