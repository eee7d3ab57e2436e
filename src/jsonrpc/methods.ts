/** All methods of JSON-RPC by the names that Ethereum gives them. What is not here is `method not found` (json-rpc.md A.6.3). */

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

/** The same methods by every name that they answer to. */
export function byEveryName(table: ReadonlyMap<string, Method>): ReadonlyMap<string, Method> {
  const named = new Map<string, Method>();
  for (const method of table.values()) if (method.javaName !== undefined) named.set(method.javaName, method);
  for (const [name, method] of table) named.set(name, method);
  return named;
}
