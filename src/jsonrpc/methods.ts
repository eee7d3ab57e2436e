/** All methods of JSON-RPC by the names that Ethereum gives them. What is not here is `method not found` (json-rpc.md A.6.3). */

import { blockMethods } from './methods/blocks.js';
import { buildMethods } from './methods/build-transaction.js';
import { chainMethods } from './methods/chain.js';
import { logMethods } from './methods/logs.js';
import { refusedMethods } from './methods/refused.js';
import { stateMethods } from './methods/state.js';
import type { Method, SpokenMethod } from './table.js';
import type { Voice } from './voice.js';

export const methods: ReadonlyMap<string, Method> = new Map(
  [...chainMethods, ...stateMethods, ...blockMethods, ...logMethods, ...buildMethods, ...refusedMethods].map(
    (method) => [method.name, method] as const,
  ),
);

/** The methods that a voice has, by every name that they answer to. */
export function spokenBy(voice: Voice, table: ReadonlyMap<string, Method>): ReadonlyMap<string, SpokenMethod> {
  const spoken = [...table.values()]
    .filter(({ onlyFriendly }) => voice.lenient || onlyFriendly === undefined)
    .map((method) => spokenAs(voice, method));
  const named = new Map<string, SpokenMethod>();
  for (const method of spoken) if (method.javaName !== undefined) named.set(method.javaName, method);
  for (const method of spoken) named.set(method.name, method);
  return named;
}

function spokenAs({ lenient }: Voice, method: Method): SpokenMethod {
  const { parameters, answer, friendly } = method;
  if (!lenient || friendly === undefined) return { ...method, required: parameters.length };
  return {
    ...method,
    parameters: [...parameters, ...(friendly.further ?? [])],
    required: friendly.required ?? parameters.length,
    answer: friendly.answer ?? answer,
  };
}
