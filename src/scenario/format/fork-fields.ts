/** The live network that a scenario forks, instead of its own network. */

import * as v from 'valibot';
import { checkObject, type ValuesOf } from './check-object.js';
import type { ScenarioDocument } from './document.js';
import { text, truth } from './fields.js';
import type { Problem } from './problems.js';

const URL_WORDS = "URL of the HTTP interface of one of the network's nodes";

export const FORK_FIELDS = {
  url: v.pipe(text, v.description(URL_WORDS)),
  grpc: v.optional(v.pipe(text, v.description('its gRPC, used instead of HTTP: host:port'))),
  jsonrpc: v.optional(v.pipe(text, v.description('URL of its JSON-RPC; default: /jsonrpc below url'))),
  cache: v.optional(
    v.pipe(
      text,
      v.description('folder, relative to the file, that stores the rows that were read; later runs need no network'),
    ),
  ),
  brokerages: v.optional(
    v.pipe(truth, v.description('reads the brokerage of each paid witness, one request each; default: 20 % for all')),
  ),
  offline: v.optional(
    v.pipe(truth, v.description('sends no requests: a row that the cache does not have is an error')),
  ),
} as const;

export type ForkPart = ValuesOf<typeof FORK_FIELDS>;

/** Settings of an own network; a fork takes them from its network. */
const OF_THE_NETWORK = ['preset', 'stake', 'start', 'witnesses'];

/** `fork: https://…` is `fork: { url: https://… }`. */
export function checkFork(given: unknown, network: unknown, problems: Problem[]): ForkPart | undefined {
  if (given === undefined) return undefined;
  for (const name of Object.keys((network ?? {}) as object)) {
    const isNoFork = name === 'recorded' && Object(Object(network).recorded).fork === undefined;
    if (!OF_THE_NETWORK.includes(name) && !isNoFork) continue;
    const message = `${name}: a fork takes this from its network; remove ${name} or fork`;
    problems.push({ path: ['network', name], ofName: true, message });
  }
  return checkObject(FORK_FIELDS, typeof given === 'string' ? { url: given } : given, ['fork'], problems);
}

/** The document with another `fork`. @param fork undefined: the file's own */
export function withFork(document: ScenarioDocument, fork: unknown): ScenarioDocument {
  const { value } = document;
  if (fork === undefined || typeof value !== 'object' || value === null) return document;
  return { ...document, value: { ...value, fork } };
}
