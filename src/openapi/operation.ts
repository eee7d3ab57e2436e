/** Types of an OpenAPI 3.1 operation. */

import { allMembers, component, type Schema, text } from './schema.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  /** Absent for text with its own form, which `content` names. */
  readonly schema?: Schema;
  readonly content?: Readonly<Record<string, Media>>;
  readonly example?: unknown;
}

export interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
}

export type PathItem = { readonly [Method in 'get' | 'post' | 'delete']?: Operation };
export type Paths = Readonly<Record<string, PathItem>>;

export const JSON_MEDIA = 'application/json';
export const JSON_RPC_MEDIA = 'application/json-rpc';
export const EVENT_STREAM_MEDIA = 'text/event-stream';

/** Refusals of managed nodes, and of this one if limits are set: docs/reference/limits.md. */
const COUNTED = new Set(['wallet', 'walletsolidity', 'walletpbft', 'net', 'monitor', 'history', 'json-rpc']);

export function withRefusals(paths: Paths, status: 403 | 429): Paths {
  const refused = (operation: Operation): Operation => {
    const form = component(operation.tags.includes('history') ? 'HistoryError' : 'Error');
    const content = { [JSON_MEDIA]: { schema: form } };
    const before = operation.responses[status];
    const tooMuch = 'More requests than --rate-limit allows; Retry-After has the time to wait';
    const responses = {
      ...operation.responses,
      401: { description: 'An API key that is not in --api-key', content },
      [status]: { description: before === undefined ? tooMuch : `${before.description}. ${tooMuch}`, content },
    };
    return operation.tags.some((tag) => COUNTED.has(tag)) ? { ...operation, responses } : operation;
  };
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, refused(operation)])),
    ]),
  );
}

/**
 * `{"Error":"class … : …"}`: java-tron's errors, with status 200. Sunup's own paths return only the sentence, with an
 * error status.
 */
export const ERROR_COMPONENTS: Readonly<Record<string, Schema>> = {
  Error: allMembers({ Error: text("The reason. java-tron's interfaces put its exception before it: class … : …") }),
};

export function answers(schema: Schema, description = 'The answer', media: string = JSON_MEDIA): Answer {
  return { description, content: { [media]: { schema } } };
}

export const orError = (schema: Schema): Schema => ({ anyOf: [schema, component('Error')] });

export const NOT_LET_IN: Answer = {
  description: 'A web page of another origin, or an unknown host name (--allow-origin, --allow-host)',
  content: { [JSON_MEDIA]: { schema: component('Error') } },
};

export const WRONG_METHOD: Answer = {
  description: 'Another method: an error page of Jetty',
  content: { 'text/html': { schema: { type: 'string' } } },
};
