/** The options that say which network is forked, and how it is asked: for whatever makes a fork of its own. */

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
