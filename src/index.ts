/**
 * The library: `import { createDevnet } from 'sunup'`. A devnet is a chain with its producer and its interfaces, all in
 * this process; any number of them can live side by side and share nothing.
 */

export type { BlockReport, Devnet, DevnetEvents, Endpoint, TransactionReport } from './devnet.js';
export type { DevnetOptions } from './options/declarations.js';
export type { DevAccount } from './options/dev-accounts.js';
export { OptionError } from './options/option-error.js';
