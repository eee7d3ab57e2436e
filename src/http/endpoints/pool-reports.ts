/** `/sunup/pools`: who shares the pools of Energy and Bandwidth. Sunup's own; addresses are base58check. */

import { writeJson } from '../../primitives/amount-json.js';
import type { WalletContext } from '../../wallet/context.js';
import { parameterReader, wholeNumber } from '../own-request.js';
import type { HttpEndpoint } from '../table.js';

const MAX_SHARES = 1_000;
const DEFAULT_SHARES = 10;

export const poolReportEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  {
    ...{ name: 'pools', services: ['sunup'], get: 'answers', post: 'answers', callers: 'trusted' },
    parameters: ['limit'],
    answer: async (context, request) => {
      const { poolShares } = await import('../../wallet/pool-shares.js');
      const bounds = { least: 1, most: MAX_SHARES, otherwise: DEFAULT_SHARES };
      return `${writeJson(await poolShares(context, wholeNumber(parameterReader(request), 'limit', bounds)))}\n`;
    },
  },
];
