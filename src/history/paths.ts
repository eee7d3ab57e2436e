/**
 * Paths of the history interface, with `:name` for variable parts. Separate from their endpoints, because the router
 * needs them at the start, and the endpoints load the event decoder.
 */

export const HISTORY_PATHS = [
  '/v1/accounts/:address',
  '/v1/accounts/:address/transactions',
  '/v1/accounts/:address/transactions/trc20',
  '/v1/accounts/:address/internal-transactions',
  '/v1/accounts/:address/trc20/balance',
  '/v1/accounts/:address/resources',
  '/v1/contracts/:address/transactions',
  '/v1/contracts/:address/internal-transactions',
  '/v1/contracts/:address/events',
  '/v1/contracts/:address/tokens',
  '/v1/transactions/:txid/events',
  '/v1/transactions/:txid/internal-transactions',
  '/v1/blocks/latest/events',
  '/v1/blocks/:number/events',
  '/v1/blocks/:number/stats',
  '/v1/trc20/info',
  '/v1/assets',
  '/v1/assets/:identifier',
  '/v1/assets/:name/list',
  '/event/contract/latestSolidifiedBlockNum',
  '/event/contract/:address',
  '/event/contract/:address/:event',
  '/event/contract/:address/:event/:block',
  '/event/transaction/:txid',
] as const;

export type HistoryPath = (typeof HISTORY_PATHS)[number];
