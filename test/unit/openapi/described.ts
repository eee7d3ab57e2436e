/** The description of a node, and what judges values by its schemas. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { historyEndpoints } from '../../../src/history/endpoints.js';
import { httpEndpoints } from '../../../src/http/endpoints.js';
import { httpFormsOf } from '../../../src/http/release-forms.js';
import { type OpenApiDocument, openApiDocument } from '../../../src/openapi/document.js';
import type { Facts } from '../../../src/openapi/examples.js';
import type { Schema } from '../../../src/openapi/schema.js';

export const SERVICES = ['wallet', 'walletsolidity', 'walletpbft', 'net', 'monitor', 'sunup'] as const;

const FACTS: Facts = {
  owner: 'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6',
  other: 'TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C',
  witness: 'TWK41PHzKGh7uwo42gc9nL8jDyAmPXJGAB',
  contract: 'TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C',
  block: { number: 0, id: '0'.repeat(64) },
  txid: '0'.repeat(64),
  transaction: {},
  transactionHex: '',
};

export function describedNode(): OpenApiDocument {
  return openApiDocument({
    version: '0.0.0',
    endpoints: httpEndpoints,
    forms: httpFormsOf('4.8.2'),
    services: SERVICES,
    history: historyEndpoints(),
    devMethods: true,
    metrics: true,
    refusedWith: 429,
    facts: FACTS,
  });
}

/** An answer as a client has it. */
export interface Answered {
  readonly status: number;
  /** The header `content-type`. */
  readonly type: string;
  readonly text: string;
}

/** Finds what is wrong with answers, by path and method; undefined: nothing. */
export class Judge {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });

  constructor(readonly document: OpenApiDocument) {
    this.#ajv.addSchema(document, 'doc');
  }

  /** Status, content type and body. */
  whole(path: string, method: string, { status, type, text }: Answered): string | undefined {
    const responses = this.document.paths[path]?.[method.toLowerCase() as 'get']?.responses;
    const declared = responses?.[String(status)];
    if (declared === undefined) return `status ${status} is not declared`;
    const { content } = declared;
    // Declared without content: what stands there is said elsewhere, as of a path that is not there.
    if (content === undefined) return undefined;
    const [media = ''] = type.split(';', 1);
    if (content[media] === undefined) return `${media} is not declared, but ${Object.keys(content)}`;
    // A notification of JSON-RPC is not answered.
    if (media === 'application/json-rpc' && text === '') return undefined;
    if (/^application\/json/.test(media)) {
      const answer = parsed(text);
      return answer === undefined ? 'is no JSON' : this.answer(path, method, status, answer, media);
    }
    const value = media === 'text/event-stream' ? eventsOf(text) : text;
    return this.answer(path, method, status, value, media);
  }

  answer(path: string, method: string, status: number, answer: unknown, media = 'application/json') {
    const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', media, 'schema'];
    const ref = `doc#/${pointer
      .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent)
      .join('/')}`;
    const validate = this.#ajv.getSchema(ref);
    if (validate === undefined) return `${method} ${path} has no answer with status ${status}`;
    return validate(answer) === true ? undefined : this.#ajv.errorsText(validate.errors);
  }

  /** Whether a value is what a schema of the document allows. */
  allows(schema: Schema, value: unknown): string | undefined {
    const validate = this.#ajv.compile({ ...schema, components: this.document.components });
    return validate(value) === true ? undefined : this.#ajv.errorsText(validate.errors);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Events of a stream, each with its fields; lines that begin with a colon are comments. */
export function eventsOf(text: string): Readonly<Record<string, string>>[] {
  return text
    .split('\n\n')
    .map((block) => block.split('\n').filter((line) => line !== '' && !/^(:|retry:)/.test(line)))
    .filter((lines) => lines.length > 0)
    .map((lines) =>
      Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]),
      ),
    );
}
