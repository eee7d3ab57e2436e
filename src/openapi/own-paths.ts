/** What is no row of the HTTP API or of the history interface: JSON-RPC, further chains, streams, this description. */

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

const AMOUNT: Schema = { type: ['integer', 'string'], description: 'Sun; digits beyond 2^53' };

/** What the data of each event says: docs/reference/push.md. */
const EVENT_DATA: Readonly<Record<EventName, Schema>> = {
  block: {
    ...body({
      number: count(),
      id: hex(),
      parentId: hex(),
      timestampMs: integer(),
      witness: text(),
      transactions: list(hex()),
      emptyBlocks: count('How many were made at once, of which this is the last'),
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
  // A batch may have batches in it.
  JsonRpcAnswers: { anyOf: [component('JsonRpcAnswer'), list(component('JsonRpcAnswers'))] },
  StreamEvent: STREAM_EVENT,
  Chain: {
    ...body({
      id: hex(),
      path: text("Everything below it is this chain's: /~id/wallet/getnowblock"),
      chainId: text(),
      genesisId: hex(),
      fork: body({ url: text(), blockNumber: integer('of the block that it begins above') }),
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
          'The methods are in docs/reference/json-rpc.md and docs/reference/control.md. A WebSocket at this path speaks the same, and subscriptions.',
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
            'The answer, or a list of those of a batch; nothing for a notification, which has no id',
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
  /** More than java-tron. */
  readonly devMethods: boolean;
  readonly metrics: boolean;
}

export function ownPaths({ devMethods, metrics }: Has, { owner, block }: Facts): Paths {
  const address = `0x${'0'.repeat(40)}`;
  const paths: (readonly [string, PathItem])[] = [
    jsonRpc('jsonrpc', 'JSON-RPC as java-tron speaks it', [], 'eth_blockNumber'),
    jsonRpc('eth', "JSON-RPC for Ethereum's tools", [address, 'latest'], 'eth_getBalance'),
    ['/healthcheck', { get: health() }],
  ];
  if (metrics) paths.push(['/metrics', { get: numbers() }]);
  if (!devMethods) return Object.fromEntries(paths);
  paths.push(
    jsonRpc(
      'tre',
      'JSON-RPC that controls the chain, as TRE and hardhat-tron speak it',
      [owner, 1_000_000],
      'tron_setBalance',
    ),
    ['/sunup/chains', { get: listChains(), post: makeChain() }],
    ['/sunup/chains/{id}', { delete: removeChain() }],
    ['/sunup/events', { get: events(block.number) }],
  );
  return { ...Object.fromEntries(paths), ...adminPaths() };
}

function health(): Operation {
  const operation = {
    operationId: 'healthcheck',
    summary: 'Whether the node answers',
    description: 'For who waits until it is there: it neither reads the chain nor counts against limits.',
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
    summary: 'What happened and how long requests took, for Prometheus',
    description:
      'Numbers of this chain and of the process, in the text format of Prometheus: docs/reference/metrics.md.',
    tags: ['node'],
    responses: {
      200: {
        description: 'Each with what it is',
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
      summary: 'Further chains of this process',
      description: 'Each with its path, its accounts and their keys.',
      tags: ['sunup'],
    },
    answers(list(component('Chain'))),
  );
}

function makeChain(): Operation {
  const options = body({ accounts: integer(), balance: integer('TRX'), idleMs: integer() });
  const asked = {
    operationId: 'sunup_chains_make',
    summary: 'Makes a further chain',
    description:
      'In memory, with options of its own, and with everything that this node has below its path: docs/how-to/chains.md.',
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
      400: answers(component('Error'), 'What is wrong with the options'),
      413: answers(component('Error'), 'A body that is longer than the node takes'),
      502: answers(component('Error'), 'The network that fork names does not answer'),
    },
  };
}

function removeChain(): Operation {
  const removed = other(
    {
      operationId: 'sunup_chains_remove',
      summary: 'Removes a further chain',
      description: 'Its requests and streams end with it.',
      tags: ['sunup'],
      parameters: [{ name: 'id', in: 'path', required: true, schema: hex(), example: '0123456789abcdef' }],
    },
    answers(allMembers({ removed: { const: true } })),
  );
  return {
    ...removed,
    responses: { ...removed.responses, 404: answers(component('Error'), 'There is no such chain') },
  };
}

function events(from: number): Operation {
  const example = [{ event: 'removed', data: '{"from":7,"to":9}' }];
  // As OpenAPI 3.2 describes sequential media, which 3.1 has no words for: the list of what comes.
  const stream = { schema: list(component('StreamEvent')), example };
  const described = other(
    {
      operationId: 'sunup_events',
      summary: 'What happens, as server-sent events',
      description:
        'Blocks, transactions with their charges, those that wait or are dropped, blocks that are taken back: docs/reference/push.md. The schema is that of the list of events, each with its fields. Lines that begin with a colon show that the connection lives.',
      tags: ['sunup'],
      parameters: [
        {
          name: 'events',
          in: 'query',
          schema: matching(`^(${EVENTS.join('|')})(,(${EVENTS.join('|')}))*$`),
          description: 'Which, with commas',
          example: 'block,transaction',
        },
        {
          name: 'from',
          in: 'query',
          schema: count(),
          description: 'From this block on; at most the next one',
          example: from,
        },
        {
          name: 'Last-Event-ID',
          in: 'header',
          schema: matching('^[0-9a-f]{64}$'),
          description: 'Id of the last block that was heard of',
        },
      ],
    },
    { description: 'A stream without an end', content: { [EVENT_STREAM_MEDIA]: stream } },
  );
  return {
    ...described,
    responses: {
      ...described.responses,
      400: answers(component('Error'), 'What is wrong with the question'),
      503: answers(component('Error'), 'Too many listeners'),
    },
  };
}
