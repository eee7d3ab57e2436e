/** The paths outside the HTTP and history APIs: JSON-RPC, additional chains, event streams, this description. */

import { EVENTS, type EventName } from '../push/event-names.js';
import { adminPaths } from './admin-paths.js';
import type { Facts } from './examples.js';
import {
  type Answer,
  answers,
  EVENT_STREAM_MEDIA,
  JSON_MEDIA,
  JSON_RPC_MEDIA,
  NOT_LET_IN,
  type Operation,
  type PathItem,
  type Paths,
} from './operation.js';
import { scenarioPaths } from './scenario-paths.js';
import {
  allMembers,
  body,
  component,
  count,
  hex,
  integer,
  list,
  matching,
  members,
  type Schema,
  text,
} from './schema.js';

const ID: Schema = { anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }] };

const AMOUNT: Schema = { type: ['integer', 'string'], description: 'Amount in sun; text above 2^53' };

/** Data of each event: docs/reference/push.md. */
const EVENT_DATA: Readonly<Record<EventName, Schema>> = {
  block: {
    ...body({
      number: count(),
      id: hex(),
      parentId: hex(),
      timestampMs: integer(),
      witness: text(),
      transactions: list(hex()),
      emptyBlocks: count('Number of empty blocks produced at once; this is the last one'),
    }),
    required: ['number', 'id', 'parentId', 'timestampMs', 'witness', 'transactions'],
  },
  transaction: {
    ...body({
      txid: hex(),
      type: text(),
      owner: text(),
      action: {},
      outcome: { type: 'object' },
      charges: list({ type: 'object', description: 'docs/reference/explain.md has every member with its unit' }),
      feeSun: AMOUNT,
      energy: { type: 'object' },
      block: count(),
      index: count(),
    }),
    required: ['txid', 'type', 'outcome', 'charges', 'feeSun', 'block', 'index'],
  },
  pending: { ...body({ txid: hex(), type: text(), owner: text(), action: {} }), required: ['txid', 'type'] },
  dropped: allMembers({ txid: hex(), code: text(), reason: text() }),
  removed: allMembers({ from: count(), to: count() }),
};

/** Text of an event's data: JSON of this form. */
const dataOf = (schema: Schema): Schema => ({ type: 'string', contentMediaType: JSON_MEDIA, contentSchema: schema });

/** Fields of one server-sent event; a client sends the `id` back as `Last-Event-ID`. */
const STREAM_EVENT: Schema = {
  anyOf: EVENTS.map((name) => ({
    ...members({ event: { const: name }, id: hex(), data: dataOf(EVENT_DATA[name]) }),
    required: ['event', 'data'],
  })),
};

export const OWN_COMPONENTS: Readonly<Record<string, Schema>> = {
  JsonRpcRequest: {
    ...body({ jsonrpc: { const: '2.0' }, id: ID, method: text(), params: list({}) }),
    required: ['method'],
  },
  JsonRpcAnswer: {
    ...body({
      jsonrpc: { const: '2.0' },
      id: ID,
      result: {},
      error: { ...body({ code: integer(), message: text(), data: {} }), required: ['code', 'message'] },
    }),
    required: ['jsonrpc'],
  },
  // A batch may contain batches.
  JsonRpcAnswers: { anyOf: [component('JsonRpcAnswer'), list(component('JsonRpcAnswers'))] },
  StreamEvent: STREAM_EVENT,
  Chain: {
    ...body({
      id: hex(),
      path: text("Path prefix of this chain's endpoints: /~id/wallet/getnowblock"),
      chainId: text(),
      genesisId: hex(),
      fork: body({ url: text(), blockNumber: integer('of the last block of the network before the fork') }),
      accounts: list(allMembers({ address: text(), privateKey: hex() })),
      witnesses: list(allMembers({ address: text(), privateKey: hex() })),
    }),
    required: ['id', 'path', 'chainId', 'genesisId', 'accounts', 'witnesses'],
  },
};

const batchOf = (one: Schema): Schema => ({ anyOf: [one, list(one)] });

function jsonRpc(
  path: string,
  summary: string,
  params: readonly unknown[],
  method: string,
): readonly [string, PathItem] {
  return [
    `/${path}`,
    {
      post: {
        operationId: path,
        summary,
        description:
          'The methods are in docs/reference/json-rpc.md and docs/reference/control.md. A WebSocket at this path has the same methods, and subscriptions.',
        tags: ['json-rpc'],
        requestBody: {
          required: true,
          content: {
            [JSON_MEDIA]: {
              schema: batchOf(component('JsonRpcRequest')),
              example: { jsonrpc: '2.0', id: 1, method, params },
            },
          },
        },
        responses: {
          200: answers(
            component('JsonRpcAnswers'),
            'The response, or a list of responses for a batch; empty for a notification (a request without an id)',
            JSON_RPC_MEDIA,
          ),
          403: NOT_LET_IN,
        },
      },
    },
  ];
}

function other(operation: Omit<Operation, 'responses'>, answer: Answer): Operation {
  return { ...operation, responses: { 200: answer, 403: NOT_LET_IN } };
}

export interface Has {
  /** Additions to java-tron. */
  readonly devMethods: boolean;
  readonly metrics: boolean;
}

export function ownPaths({ devMethods, metrics }: Has, { owner, block }: Facts): Paths {
  const address = `0x${'0'.repeat(40)}`;
  const paths: (readonly [string, PathItem])[] = [
    jsonRpc('jsonrpc', 'JSON-RPC, compatible with java-tron', [], 'eth_blockNumber'),
    jsonRpc('eth', 'JSON-RPC, compatible with Ethereum', [address, 'latest'], 'eth_getBalance'),
    ['/healthcheck', { get: health() }],
  ];
  if (metrics) paths.push(['/metrics', { get: numbers() }]);
  if (!devMethods) return Object.fromEntries(paths);
  paths.push(
    jsonRpc(
      'tre',
      'JSON-RPC that controls the chain, compatible with TRE and hardhat-tron',
      [owner, 1_000_000],
      'tron_setBalance',
    ),
    ['/sunup/chains', { get: listChains(), post: makeChain() }],
    ['/sunup/chains/{id}', { delete: removeChain() }],
    ['/sunup/events', { get: events(block.number) }],
  );
  return { ...Object.fromEntries(paths), ...scenarioPaths(), ...adminPaths() };
}

function health(): Operation {
  const operation = {
    operationId: 'healthcheck',
    summary: 'Checks whether the node is up',
    description:
      'Returns 200 once the server is up. It does not read the chain and does not count against rate limits.',
    tags: ['node'],
  };
  return {
    ...operation,
    responses: { 200: answers(allMembers({ status: { const: 'ok' } })), 404: { description: 'Another path' } },
  };
}

function numbers(): Operation {
  const example = 'sunup_head_block_number 12\n';
  return {
    operationId: 'metrics',
    summary: 'Metrics for Prometheus',
    description:
      'Metrics of this chain and of the process, in the text format of Prometheus: docs/reference/metrics.md.',
    tags: ['node'],
    responses: {
      200: {
        description: 'All metrics, each with its description',
        content: { 'text/plain': { schema: { type: 'string' }, example } },
      },
      404: { description: 'The node was started without --metrics' },
    },
  };
}

function listChains(): Operation {
  return other(
    {
      operationId: 'sunup_chains_list',
      summary: 'Lists the additional chains of this process',
      description: 'Each chain has its path, its accounts and their keys.',
      tags: ['sunup'],
    },
    answers(list(component('Chain'))),
  );
}

function makeChain(): Operation {
  const options = body({ accounts: integer(), balance: integer('TRX'), idleMs: integer() });
  const asked = {
    operationId: 'sunup_chains_make',
    summary: 'Creates an additional chain',
    description:
      'The chain is in memory, with its own options, and has all endpoints of this node under its path: docs/how-to/chains.md.',
    tags: ['sunup'],
    requestBody: {
      required: false,
      content: { [JSON_MEDIA]: { schema: options, example: { accounts: 2, balance: 500 } } },
    },
  };
  const made = other(asked, answers(component('Chain')));
  return {
    ...made,
    responses: {
      ...made.responses,
      400: answers(component('Error'), 'Invalid options'),
      413: answers(component('Error'), 'The body is too long'),
      502: answers(component('Error'), 'The forked network does not respond'),
    },
  };
}

function removeChain(): Operation {
  const removed = other(
    {
      operationId: 'sunup_chains_remove',
      summary: 'Removes an additional chain',
      description: 'Its requests and streams end.',
      tags: ['sunup'],
      parameters: [{ name: 'id', in: 'path', required: true, schema: hex(), example: '0123456789abcdef' }],
    },
    answers(allMembers({ removed: { const: true } })),
  );
  return {
    ...removed,
    responses: { ...removed.responses, 404: answers(component('Error'), 'The chain does not exist') },
  };
}

function events(from: number): Operation {
  const example = [{ event: 'removed', data: '{"from":7,"to":9}' }];
  // As OpenAPI 3.2 describes sequential media, which 3.1 cannot: as the list of events.
  const stream = { schema: list(component('StreamEvent')), example };
  const described = other(
    {
      operationId: 'sunup_events',
      summary: 'Events of the chain, as server-sent events',
      description:
        'Blocks, transactions with their charges, pending and dropped transactions, removed blocks: docs/reference/push.md. The schema describes the stream as a list of events, each with its fields. Lines that start with a colon keep the connection alive.',
      tags: ['sunup'],
      parameters: [
        {
          name: 'events',
          in: 'query',
          schema: matching(`^(${EVENTS.join('|')})(,(${EVENTS.join('|')}))*$`),
          description: 'Names of events, comma-separated',
          example: 'block,transaction',
        },
        {
          name: 'from',
          in: 'query',
          schema: count(),
          description: 'First block; at most the next one',
          example: from,
        },
        {
          name: 'transactions',
          in: 'query',
          schema: count(),
          description: 'With `from`: at most this number of transactions before the head, in whole blocks',
          example: 5_000,
        },
        {
          name: 'Last-Event-ID',
          in: 'header',
          schema: matching('^[0-9a-f]{64}$'),
          description: 'Id of the last block that the client received',
        },
      ],
    },
    { description: 'An endless stream', content: { [EVENT_STREAM_MEDIA]: stream } },
  );
  return {
    ...described,
    responses: {
      ...described.responses,
      400: answers(component('Error'), 'Invalid request'),
      503: answers(component('Error'), 'Too many listeners'),
    },
  };
}
