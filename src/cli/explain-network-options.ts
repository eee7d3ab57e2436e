/** The options of a network that is asked about its past; no fork is started. */

import type { DevnetOptions } from '../options/declarations.js';

export const EXPLAIN_NETWORK_OPTIONS = [
  'fork',
  'forkJsonrpc',
  'forkGrpc',
  'forkApiKey',
  'forkHeader',
  'forkRate',
  'forkTimeout',
  'forkCache',
  'forkOffline',
] as const satisfies readonly (keyof DevnetOptions)[];

export type ExplainNetworkOptions = Pick<DevnetOptions, (typeof EXPLAIN_NETWORK_OPTIONS)[number]>;
