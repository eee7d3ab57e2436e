/**
 * The chain's parameters, prices and the node itself (protocol/http.md#chain-governance-node,
 * protocol/http-endpoints.md#rewards-prices-fees, #witnesses-nodes-node-info).
 */

import { EmptyMessage, NodeList, NumberMessage, PricesResponseMessage } from '../../protocol/generated/api.js';
import { ChainParameters, NodeInfo } from '../../protocol/generated/tron.js';
import { printLong } from '../../protocol/json/message-printer.js';
import { getChainParameters, getNextMaintenanceTime } from '../../wallet/chain.js';
import type { WalletContext } from '../../wallet/context.js';
import { getNodeInfo, listNodes } from '../../wallet/node-info.js';
import { getBandwidthPrices, getBurnTrx, getEnergyPrices, getMemoFee } from '../../wallet/prices.js';
import { printNodeInfo } from '../node-info.js';
import { CONFIRMED, type HttpEndpoint, queryEndpoint } from '../table.js';

/** These endpoints ignore the body; `visible` comes only from the query string. */
const NO_PARAMETERS = { body: 'ignored', request: EmptyMessage, query: {} } as const;

export const chainEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  queryEndpoint({
    ...NO_PARAMETERS,
    name: 'getchainparameters',
    operation: getChainParameters,
    response: ChainParameters,
  }),
  queryEndpoint({
    ...NO_PARAMETERS,
    name: 'getnextmaintenancetime',
    operation: getNextMaintenanceTime,
    response: NumberMessage,
  }),
  queryEndpoint({
    ...NO_PARAMETERS,
    name: 'getenergyprices',
    services: CONFIRMED,
    operation: getEnergyPrices,
    response: PricesResponseMessage,
  }),
  queryEndpoint({
    ...NO_PARAMETERS,
    name: 'getbandwidthprices',
    services: CONFIRMED,
    operation: getBandwidthPrices,
    response: PricesResponseMessage,
  }),
  queryEndpoint({ ...NO_PARAMETERS, name: 'getmemofee', operation: getMemoFee, response: PricesResponseMessage }),
  queryEndpoint({
    ...NO_PARAMETERS,
    name: 'getburntrx',
    services: CONFIRMED,
    operation: getBurnTrx,
    response: NumberMessage,
    print: (burnt, _visible, { longs }) => `{"burnTrxAmount": ${printLong(burnt.num, longs)}}`,
  }),
  queryEndpoint({
    ...NO_PARAMETERS,
    name: 'getnodeinfo',
    services: [...CONFIRMED, 'monitor', 'solidityPort'],
    operation: getNodeInfo,
    response: NodeInfo,
    print: printNodeInfo,
  }),
  {
    name: 'getstatsinfo',
    services: ['monitor'],
    get: 'answers',
    post: 'refused',
    callers: 'anyone',
    servlet: 'MetricsServlet',
    // A node without metrics returns an empty object.
    answer: () => '{}\n',
  },
  queryEndpoint({
    ...NO_PARAMETERS,
    name: 'listnodes',
    services: ['wallet', 'net'],
    operation: listNodes,
    response: NodeList,
  }),
];
