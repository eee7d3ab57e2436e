/** The options of a forked network and of requests to it, for commands and functions that start their own fork. */

import type { DevnetOptions } from './declarations.js';

export const NETWORK_OPTIONS = [
  'fork',
  'forkJsonrpc',
  'forkGrpc',
  'forkApiKey',
  'forkHeader',
  'forkRate',
  'forkCache',
  'forkOffline',
  'forkBrokerages',
] as const satisfies readonly (keyof DevnetOptions)[];

export type NetworkOptions = Pick<DevnetOptions, (typeof NETWORK_OPTIONS)[number]>;
