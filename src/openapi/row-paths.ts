/** The rows of the HTTP API as paths: `/wallet`, `/walletsolidity` and the like, and Sunup's own. */

import type { HttpForms } from '../http/release-forms.js';
import { SERVICE_PREFIXES } from '../http/row-routes.js';
import type { HttpRow, Service } from '../http/table.js';
import { BytesMessage, TransactionExtention } from '../protocol/generated/api.js';
import { Transaction } from '../protocol/generated/tron.js';
import type { WalletContext } from '../wallet/context.js';
import { bodyExample, type Facts, neededFor, parameterExample } from './examples.js';
import type { MessageSchemas } from './message-schemas.js';
import {
  type Answer,
  answers,
  JSON_MEDIA,
  NOT_LET_IN,
  type Operation,
  orError,
  type Parameter,
  type PathItem,
  type Paths,
  WRONG_METHOD,
} from './operation.js';
import { ANSWERS, BODIES, FURTHER_MEMBERS } from './row-shapes.js';
import { wordsFor } from './row-words.js';
import { body, component, type Schema, text, truth } from './schema.js';

type Row = HttpRow<WalletContext>;

export function rowPaths(
  rows: readonly Row[],
  services: readonly Service[],
  messages: MessageSchemas,
  facts: Facts,
  forms: HttpForms,
): Paths {
  const paths: Record<string, PathItem> = {};
  for (const service of services) {
    for (const row of rows) {
      if (!row.services.includes(service)) continue;
      paths[`${SERVICE_PREFIXES[service]}${row.name}`] = {
        ...(row.get === 'answers' && { get: getOperation(row, service, messages, facts, forms) }),
        ...(row.post === 'answers' && { post: postOperation(row, service, messages, facts, forms) }),
      };
    }
  }
  return paths;
}

function common(row: Row, service: Service, method: string, messages: MessageSchemas): Operation {
  const { name, request, response } = row;
  const [asked, returned] = [request, response].map((type) => type?.fullName.replace('protocol.', ''));
  const needed = neededFor(name);
  return {
    operationId: `${service}_${name}_${method}`,
    summary: wordsFor(name),
    description: [
      request?.fields.length ? `The request is ${asked}.` : request === undefined ? '' : 'The request has no fields.',
      isBuilder(row)
        ? 'The returned transaction is neither signed nor sent: sign its txID, then call broadcasttransaction.'
        : response?.fields.length
          ? `The response is ${returned}, or an empty object if there is none.`
          : 'The response is JSON that is not a message of the protocol.',
      needed === undefined ? '' : `The example needs ${needed}.`,
      row.callers === 'trusted' ? 'Trusted callers only.' : '',
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    tags: [service],
    responses: {
      ...(service === 'sunup'
        ? { 200: answers(answerSchema(row, messages)), ...OWN_REFUSALS }
        : {
            200: answers(
              orError(answerSchema(row, messages)),
              'The answer, or an error: both have status 200, as in java-tron',
            ),
          }),
      ...(row.callers === 'trusted' && { 403: NOT_LET_IN }),
      ...(service === 'sunup' && row.get === 'answers' ? {} : otherMethods(row)),
    },
  };
}

/** What paths of Sunup's own refuse with. */
const OWN_REFUSALS: Operation['responses'] = Object.fromEntries(
  Object.entries({
    400: 'An invalid body or parameter, or an operation that this chain does not allow',
    404: 'The snapshot or the transaction does not exist',
    409: 'Another long operation is running, or the chain was rolled back meanwhile',
    413: 'The body is too long',
    502: 'The forked network does not respond',
    503: 'The operation was stopped because the node is stopping, or the disk is full',
  }).map(([status, description]) => [status, answers(component('Error'), description)]),
);

function otherMethods({ get, post }: Row): Readonly<Record<string, Answer>> {
  return get === 'refused' || post === 'refused' ? { 405: WRONG_METHOD } : { 404: { description: 'Another path' } };
}

/** Whether it makes a transaction for somebody to sign. */
function isBuilder({ response, get }: Row): boolean {
  return get !== 'answers' && (response === Transaction.type || response === TransactionExtention.type);
}

/** Of an answer that is no error. */
function answerSchema(row: Row, messages: MessageSchemas): Schema {
  const own = ANSWERS[row.name];
  if (own !== undefined) return own(messages);
  if (row.response === undefined) throw new Error(`the answer of ${row.name} has no schema: row-shapes.ts`);
  return messages.of(row.response);
}

const VISIBLE: Parameter = {
  name: 'visible',
  in: 'query',
  description: 'true: addresses are base58 and names are text in request and response; false: hex',
  schema: truth(),
  example: true,
};

const LONGS: Parameter = {
  name: 'int64_as_string',
  in: 'query',
  description: 'true: 64-bit integers in the response are strings; its schema does not show this',
  schema: truth(),
  example: false,
};

const LONG_BODY: Answer = {
  description: 'The body is too long: an error page of Jetty',
  content: { 'text/html': { schema: { type: 'string' } } },
};

function getOperation(
  row: Row,
  service: Service,
  messages: MessageSchemas,
  facts: Facts,
  { longsAsTexts }: HttpForms,
): Operation {
  const fields = bodyMembers(row, messages);
  const parameters = (row.parameters ?? []).map(
    (name): Parameter => ({
      name,
      in: 'query',
      schema: fields[name]?.$ref === undefined ? (fields[name] ?? text()) : text(),
      example: parameterExample(row.name, name, facts),
    }),
  );
  const asks = service !== 'sunup' && service !== 'monitor';
  const ofAll = asks ? [VISIBLE, ...(longsAsTexts ? [LONGS] : [])] : [];
  return { ...common(row, service, 'get', messages), parameters: [...parameters, ...ofAll] };
}

function postOperation(
  row: Row,
  service: Service,
  messages: MessageSchemas,
  facts: Facts,
  { longBodiesRefused }: HttpForms,
): Operation {
  const properties = bodyMembers(row, messages);
  const schema = body(service === 'sunup' ? properties : { ...properties, visible: truth() });
  const example = bodyExample(row.name, facts);
  const described = common(row, service, 'post', messages);
  return {
    ...described,
    responses: { ...described.responses, ...(longBodiesRefused && service !== 'sunup' && { 413: LONG_BODY }) },
    requestBody: { required: false, content: { [JSON_MEDIA]: { schema, example } } },
  };
}

/** What the body may have, `visible` aside. */
function bodyMembers({ name, request }: Row, messages: MessageSchemas): Readonly<Record<string, Schema>> {
  const own = BODIES[name];
  if (own !== undefined) return own(messages);
  const fields = request && messages.fields(request);
  // Ids, addresses and names, each as its row reads it.
  const value = request === BytesMessage.type && {
    value: text('Hex; addresses as base58 and names as text with visible'),
  };
  return { ...fields, ...value, ...FURTHER_MEMBERS[name] };
}
