/** `/sunup/contracts`: the contracts of the chain by page. Sunup's own; addresses are base58check. */

import { writeJson } from '../../primitives/amount-json.js';
import type { WalletContext } from '../../wallet/context.js';
import { parameterReader, wholeNumber, wrongParameter } from '../own-request.js';
import type { HttpEndpoint } from '../table.js';
import type { WireRequest } from '../wire-request.js';

const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;
/** Longer texts match nothing: names have at most 32 bytes. */
const MAX_SEARCH = 200;

async function contracts(context: WalletContext, request: WireRequest): Promise<string> {
  const { CONTRACT_ORDERS, contractList } = await import('../../wallet/contract-list.js');
  const parameter = parameterReader(request);
  const given = parameter('order');
  const order = CONTRACT_ORDERS.find((known) => known === given);
  if (given !== undefined && order === undefined) throw wrongParameter('order', CONTRACT_ORDERS.join(', '), given);
  const list = await contractList(context, {
    order,
    search: parameter('search')?.slice(0, MAX_SEARCH),
    offset: wholeNumber(parameter, 'offset', { least: 0, most: Number.MAX_SAFE_INTEGER, otherwise: 0 }),
    limit: wholeNumber(parameter, 'limit', { least: 1, most: MAX_PAGE, otherwise: DEFAULT_PAGE }),
  });
  return `${writeJson(list)}\n`;
}

export const contractListEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  {
    name: 'contracts',
    services: ['sunup'],
    get: 'answers',
    post: 'answers',
    callers: 'trusted',
    parameters: ['order', 'search', 'offset', 'limit'],
    answer: contracts,
  },
];
