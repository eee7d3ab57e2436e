/** The endpoints of the HTTP API as paths: `/wallet`, `/walletsolidity` and the like, and Sunup's own. */

import { UPLOAD_TYPE } from '../http/body-limit.js';
import { SERVICE_PREFIXES } from '../http/endpoint-routes.js';
import type { HttpForms } from '../http/release-forms.js';
import type { HttpEndpoint, Service } from '../http/table.js';
import { BytesMessage, TransactionExtention } from '../protocol/generated/api.js';
import { Transaction } from '../protocol/generated/tron.js';
import type { WalletContext } from '../wallet/context.js';
import { ANSWERS, BODIES, FURTHER_MEMBERS } from './endpoint-shapes.js';
import { wordsFor } from './endpoint-words.js';
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
import { body, component, type Schema, text, truth } from './schema.js';

type Endpoint = HttpEndpoint<WalletContext>;

export function endpointPaths(
  endpoints: readonly Endpoint[],
  services: readonly Service[],
  messages: MessageSchemas,
  facts: Facts,
  forms: HttpForms,
): Paths {
  const paths: Record<string, PathItem> = {};
  for (const service of services) {
    for (const endpoint of endpoints) {
      if (!endpoint.services.includes(service)) continue;
      paths[`${SERVICE_PREFIXES[service]}${endpoint.name}`] = {
        ...(endpoint.get === 'answers' && { get: getOperation(endpoint, service, messages, facts, forms) }),
        ...(endpoint.post === 'answers' && { post: postOperation(endpoint, service, messages, facts, forms) }),
      };
    }
  }
  return paths;
}

function common(endpoint: Endpoint, service: Service, method: string, messages: MessageSchemas): Operation {
  const { name, request, response } = endpoint;
  const [asked, returned] = [request, response].map((type) => type?.fullName.replace('protocol.', ''));
  const needed = neededFor(name);
  return {
    operationId: `${service}_${name}_${method}`,
    summary: wordsFor(name),
    description: [
      request?.fields.length ? `The request is ${asked}.` : request === undefined ? '' : 'The request has no fields.',
      isBuilder(endpoint)
        ? 'The returned transaction is neither signed nor sent: sign its txID, then call broadcasttransaction.'
        : response?.fields.length
          ? `The response is ${returned}, or an empty object if there is none.`
          : 'The response is JSON that is not a message of the protocol.',
      needed === undefined ? '' : `The example needs ${needed}.`,
      endpoint.callers === 'trusted' ? 'Trusted callers only.' : '',
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    tags: [service],
    responses: {
      ...(service === 'sunup'
        ? { 200: answers(answerSchema(endpoint, messages)), ...OWN_REFUSALS }
        : {
            200: answers(
              orError(answerSchema(endpoint, messages)),
              'The answer, or an error: both have status 200, as in java-tron',
            ),
          }),
      ...(endpoint.callers === 'trusted' && { 403: NOT_LET_IN }),
      ...(service === 'sunup' && endpoint.get === 'answers' ? {} : otherMethods(endpoint)),
    },
  };
}

/** Error statuses of Sunup's own paths. */
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

function otherMethods({ get, post }: Endpoint): Readonly<Record<string, Answer>> {
  return get === 'refused' || post === 'refused' ? { 405: WRONG_METHOD } : { 404: { description: 'Another path' } };
}

/** Whether it returns a transaction to sign. */
function isBuilder({ response, get }: Endpoint): boolean {
  return get !== 'answers' && (response === Transaction.type || response === TransactionExtention.type);
}

/** The schema of a successful answer. */
function answerSchema(endpoint: Endpoint, messages: MessageSchemas): Schema {
  const own = ANSWERS[endpoint.name];
  if (own !== undefined) return own(messages);
  if (endpoint.response === undefined)
    throw new Error(`the answer of ${endpoint.name} has no schema: endpoint-shapes.ts`);
  return messages.of(endpoint.response);
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
  endpoint: Endpoint,
  service: Service,
  messages: MessageSchemas,
  facts: Facts,
  { longsAsTexts }: HttpForms,
): Operation {
  const fields = bodyMembers(endpoint, messages);
  const parameters = (endpoint.parameters ?? []).map(
    (name): Parameter => ({
      name,
      in: 'query',
      schema: fields[name]?.$ref === undefined ? (fields[name] ?? text()) : text(),
      example: parameterExample(endpoint.name, name, facts),
    }),
  );
  const asks = service !== 'sunup' && service !== 'monitor';
  const ofAll = asks ? [VISIBLE, ...(longsAsTexts ? [LONGS] : [])] : [];
  return { ...common(endpoint, service, 'get', messages), parameters: [...parameters, ...ofAll] };
}

function postOperation(
  endpoint: Endpoint,
  service: Service,
  messages: MessageSchemas,
  facts: Facts,
  { longBodiesRefused }: HttpForms,
): Operation {
  const properties = bodyMembers(endpoint, messages);
  const schema = body(service === 'sunup' ? properties : { ...properties, visible: truth() });
  const example = bodyExample(endpoint.name, facts);
  const described = common(endpoint, service, 'post', messages);
  return {
    ...described,
    responses: { ...described.responses, ...(longBodiesRefused && service !== 'sunup' && { 413: LONG_BODY }) },
    requestBody: {
      required: false,
      content: {
        [JSON_MEDIA]: { schema, example },
        ...(endpoint.takesUploads && { [UPLOAD_TYPE]: { schema: { description: 'The bytes of the file' } } }),
      },
    },
  };
}

/** Members of the body, without `visible`. */
function bodyMembers({ name, request }: Endpoint, messages: MessageSchemas): Readonly<Record<string, Schema>> {
  const own = BODIES[name];
  if (own !== undefined) return own(messages);
  const fields = request && messages.fields(request);
  // Ids, addresses and names, each in the format of its endpoint.
  const value = request === BytesMessage.type && {
    value: text('Hex; addresses as base58 and names as text with visible'),
  };
  return { ...fields, ...value, ...FURTHER_MEMBERS[name] };
}
