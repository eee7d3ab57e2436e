/**
 * All methods of JSON-RPC by their names. All other names are `method not found` (protocol/json-rpc.md#not-registered).
 */

import { isSince, type Release } from '../primitives/release.js';
import type { Dialect } from './dialect.js';
import { notAvailable } from './errors.js';
import { blockMethods } from './methods/blocks.js';
import { buildMethods } from './methods/build-transaction.js';
import { chainMethods } from './methods/chain.js';
import { debugMethods } from './methods/debug.js';
import { ethereumMethods } from './methods/ethereum.js';
import { logMethods } from './methods/logs.js';
import { poolMethods } from './methods/pool.js';
import { refusedMethods } from './methods/refused.js';
import { sendMethods } from './methods/send.js';
import { stateMethods } from './methods/state.js';
import { subscriptionMethods } from './methods/subscriptions.js';
import type { DialectMethod, Method, RpcView } from './table.js';

export const methods: ReadonlyMap<string, Method> = new Map(
  [
    ...chainMethods,
    ...stateMethods,
    ...blockMethods,
    ...logMethods,
    ...subscriptionMethods,
    ...buildMethods,
    ...debugMethods,
    ...sendMethods,
    ...poolMethods,
    ...ethereumMethods,
    ...refusedMethods,
  ].map((method) => [method.name, method] as const),
);

/**
 * The methods of a dialect, by all their names.
 *
 * @param have whether developer methods and WebSocket methods are included, and the endpoint's view
 */
export function methodsOfDialect(
  dialect: Dialect,
  table: ReadonlyMap<string, Method>,
  have: {
    readonly developers: boolean;
    readonly sockets: boolean;
    readonly view: RpcView;
    readonly release: Release;
  },
): ReadonlyMap<string, DialectMethod> {
  const ofDialect = [...table.values()]
    .filter(({ onlyFriendly }) => dialect.lenient || onlyFriendly === undefined)
    .filter(({ onlyEthereum }) => dialect.ethereum || onlyEthereum === undefined)
    .filter(({ since }) => dialect.lenient || isSince(since, have.release))
    .filter(({ forDevelopers }) => have.developers || forDevelopers === undefined)
    .filter(({ onlySocket }) => have.sockets || onlySocket === undefined)
    .map((method) => inDialect(dialect, method))
    .map((method) => shownIn(have.view, method));
  const named = new Map<string, DialectMethod>();
  for (const method of ofDialect) if (method.javaName !== undefined) named.set(method.javaName, method);
  for (const method of ofDialect) named.set(method.name, method);
  return named;
}

function inDialect({ lenient, ethereum }: Dialect, method: Method): DialectMethod {
  const { parameters, answer } = method;
  const friendly = (ethereum ? method.ethereum : undefined) ?? method.friendly;
  const required = method.required ?? parameters.length;
  if (!lenient || friendly === undefined) return { ...method, required };
  return {
    ...method,
    parameters: [...(friendly.parameters ?? parameters), ...(friendly.further ?? [])],
    required: friendly.required ?? required,
    callers: friendly.callers ?? method.callers,
    answer: friendly.answer ?? answer,
    ...(friendly.notIn && { notIn: friendly.notIn }),
  };
}

const VIEW_NAMES: Readonly<Record<RpcView, string>> = { full: 'FULLNODE', solid: 'SOLIDITY', pbft: 'PBFT' };

function shownIn(view: RpcView, method: DialectMethod): DialectMethod {
  if (!method.notIn?.includes(view)) return method;
  const answer = () => {
    throw notAvailable(method.name, ` in ${VIEW_NAMES[view]}`);
  };
  return { ...method, answer };
}
