/** The live network that a scenario begins above, in the place of a network of its own. */

import * as v from 'valibot';
import { checkObject, type ValuesOf } from './check-object.js';
import type { ScenarioDocument } from './document.js';
import { text, truth } from './fields.js';
import type { Problem } from './problems.js';

const URL_WORDS = "URL of the HTTP interface of one of the network's nodes";

export const FORK_FIELDS = {
  url: v.pipe(text, v.description(URL_WORDS)),
  grpc: v.optional(v.pipe(text, v.description('its gRPC, asked instead of HTTP: host:port'))),
  jsonrpc: v.optional(v.pipe(text, v.description('URL of its JSON-RPC, where it is not /jsonrpc below the other'))),
  cache: v.optional(
    v.pipe(
      text,
      v.description('folder, seen from the file, that keeps what was read: it then runs without the network'),
    ),
  ),
  brokerages: v.optional(
    v.pipe(truth, v.description('reads what the paid witnesses keep of their pay, a question for each; else 20 %')),
  ),
  offline: v.optional(v.pipe(truth, v.description('asks nobody: rows that the cache does not have are an error'))),
} as const;

export type ForkPart = ValuesOf<typeof FORK_FIELDS>;

/** What a network of one's own has, and a fork has from its network. */
const OF_THE_NETWORK = ['preset', 'stake', 'start', 'witnesses'];

/** `fork: https://…` is `fork: { url: https://… }`. */
export function checkFork(given: unknown, network: unknown, problems: Problem[]): ForkPart | undefined {
  if (given === undefined) return undefined;
  for (const name of Object.keys((network ?? {}) as object)) {
    const isNoFork = name === 'recorded' && Object(Object(network).recorded).fork === undefined;
    if (!OF_THE_NETWORK.includes(name) && !isNoFork) continue;
    const message = `${name}: a fork has that of its network; leave it out, or leave out fork`;
    problems.push({ path: ['network', name], ofName: true, message });
  }
  return checkObject(FORK_FIELDS, typeof given === 'string' ? { url: given } : given, ['fork'], problems);
}

/** The file with another `fork` than its own, or with one. @param fork undefined: its own */
export function withFork(document: ScenarioDocument, fork: unknown): ScenarioDocument {
  const { value } = document;
  if (fork === undefined || typeof value !== 'object' || value === null) return document;
  return { ...document, value: { ...value, fork } };
}
