/** All methods of JSON-RPC by name. What is not here is `method not found` (json-rpc.md A.6.3). */

import { blockMethods } from './methods/blocks.js';
import { buildMethods } from './methods/build-transaction.js';
import { chainMethods } from './methods/chain.js';
import { logMethods } from './methods/logs.js';
import { refusedMethods } from './methods/refused.js';
import { stateMethods } from './methods/state.js';
import type { Method } from './table.js';

export const methods: ReadonlyMap<string, Method> = new Map(
  [...chainMethods, ...stateMethods, ...blockMethods, ...logMethods, ...buildMethods, ...refusedMethods].map(
    (method) => [method.name, method] as const,
  ),
);
