/** Questions about a chain that its own node and one that has just started must answer alike (`fresh-node.ts`). */

import { holdersPath } from './holders.js';
import { programCall } from './programs.js';
import type { Host } from './user.js';

/** A path of HTTP, with a body for POST. */
export type Question = readonly [path: string, body?: object];

/** How far below the head blocks are asked about, and replaced. */
export const DEEPEST = 4;
/** In all orders. */
export const CONTRACT_LISTS = ['newest', 'oldest', 'name', 'energy', 'factor'].map(
  (order): Question => [`/sunup/contracts?order=${order}&limit=100`],
);

/**
 * What can be asked without naming a block that may be gone, but for accounts as records: a start merges layers, and the
 * form of a record tells it (wallet/asset-store.ts).
 */
export function questions({ world: { choices, headNumber }, people }: Host): readonly Question[] {
  const address = choices.of(people.addresses);
  const account = people.text(choices.below(6));
  const contracts = [...people.programs.slice(-3), ...(people.bazaar?.coins ?? [])];
  const contract = contracts.length === 0 ? address : choices.of(contracts);
  const sent = people.sent.slice(-6).map(({ txId }) => txId);
  const txId = sent.length === 0 ? '00'.repeat(32) : choices.of(sent);
  const height = Math.max(0, headNumber - choices.below(DEEPEST));
  const rpc = (method: string, ...params: readonly unknown[]): Question => [
    '/eth',
    { jsonrpc: '2.0', id: 1, method, params },
  ];
  const tag = `0x${height.toString(16)}`;
  const hex = (one: string) => `0x${one.slice(2)}`;
  return [
    ['/sunup/pools?limit=20'],
    [`/sunup/explain?txid=${txId}`],
    ['/v1/assets?limit=50'],
    [`/v1/accounts/${account}/transactions?limit=20`],
    [`/v1/accounts/${account}/transactions/trc20?limit=20`],
    [`/v1/accounts/${account}/trc20/balance`],
    [`/v1/accounts/${account}/internal-transactions`],
    [`/v1/accounts/${account}/resources`],
    [`/v1/contracts/${contract}/events?limit=50`],
    [`/v1/contracts/${contract}/transactions?limit=20`],
    [`/v1/blocks/${height}/events`],
    [`/v1/blocks/${height}/stats`],
    [`/v1/transactions/${txId}/events`],
    ['/wallet/getnowblock', {}],
    ['/wallet/getblockbynum', { num: height }],
    ['/wallet/gettransactioninfobyblocknum', { num: height }],
    ['/wallet/gettransactioninfobyid', { value: txId }],
    ['/wallet/getaccountnet', { address }],
    ['/wallet/getaccountresource', { address }],
    ['/wallet/getcontractinfo', { value: contract }],
    ['/wallet/getburntrx', {}],
    ['/wallet/getchainparameters', {}],
    ['/wallet/getenergyprices', {}],
    ['/wallet/listexchanges', {}],
    rpc('eth_getBalance', hex(address), tag),
    rpc('eth_getStorageAt', hex(contract), '0x0', tag),
    rpc('eth_call', { from: hex(address), to: hex(contract), data: `0x${programCall(choices)}` }, tag),
    rpc('eth_estimateGas', { from: hex(address), to: hex(contract), data: `0x${programCall(choices)}` }),
    rpc('eth_getLogs', { fromBlock: tag, toBlock: 'latest' }),
    rpc('eth_feeHistory', '0x4', 'latest', [50]),
    rpc('eth_getBlockByNumber', tag, true),
    rpc('eth_getBlockReceipts', tag),
    rpc('eth_getTransactionByHash', `0x${txId}`),
    rpc('debug_traceTransaction', `0x${txId}`, { tracer: 'callTracer' }),
    rpc('debug_traceBlockByNumber', tag, { tracer: 'callTracer' }),
  ];
}

/** Where less of the past is kept, a node that has known the age of a contract may still tell it. */
export function contractLists({ world: { shape } }: Host): readonly Question[] {
  return shape.options.stateHistory === 'all' ? CONTRACT_LISTS : [];
}

export function tokenLists({ people: { bazaar } }: Host): readonly Question[] {
  return bazaar === undefined ? [] : [[holdersPath(bazaar.coins[0])]];
}
