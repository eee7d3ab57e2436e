/** The description of a node, and what judges values by its schemas. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { historyRows } from '../../../src/history/rows.js';
import { httpFormsOf } from '../../../src/http/release-forms.js';
import { httpRows } from '../../../src/http/rows.js';
import { type OpenApiDocument, openApiDocument } from '../../../src/openapi/document.js';
import type { Facts } from '../../../src/openapi/examples.js';

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
    rows: httpRows,
    forms: httpFormsOf('4.8.2'),
    services: SERVICES,
    history: historyRows(async () => {}),
    devMethods: true,
    metrics: true,
    refusedWith: 429,
    facts: FACTS,
  });
}

/** Finds what is wrong with answers, by path, method and status; undefined: nothing. */
export class Judge {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });

  constructor(readonly document: OpenApiDocument) {
    this.#ajv.addSchema(document, 'doc');
  }

  answer(path: string, method: string, status: number, answer: unknown): string | undefined {
    const pointer = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      'application/json',
      'schema',
    ];
    const ref = `doc#/${pointer
      .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent)
      .join('/')}`;
    const validate = this.#ajv.getSchema(ref);
    if (validate === undefined) return `${method} ${path} has no answer with status ${status}`;
    return validate(answer) === true ? undefined : this.#ajv.errorsText(validate.errors);
  }
}
