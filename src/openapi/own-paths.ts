/** What is no row of the HTTP API or of the history interface: JSON-RPC, further chains, streams, this description. */

import { adminPaths } from './admin-paths.js';
import type { Facts } from './examples.js';
import {
  type Answer,
  answers,
  JSON_MEDIA,
  NOT_LET_IN,
  type Operation,
  type PathItem,
  type Paths,
} from './operation.js';
import { allMembers, body, component, hex, integer, list, type Schema, text } from './schema.js';

const ID: Schema = { anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }] };

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
          'The methods are in docs/json-rpc.md and docs/control.md. A WebSocket at this path speaks the same, and subscriptions.',
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
        responses: { 200: answers(batchOf(component('JsonRpcAnswer'))), 403: NOT_LET_IN },
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
    description: 'Numbers of this chain and of the process, in the text format of Prometheus: docs/metrics.md.',
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
      'In memory, with options of its own, and with everything that this node has below its path: docs/chains.md.',
    tags: ['sunup'],
    requestBody: {
      required: false,
      content: { [JSON_MEDIA]: { schema: options, example: { accounts: 2, balance: 500 } } },
    },
  };
  const made = other(asked, answers(component('Chain')));
  return {
    ...made,
    responses: { ...made.responses, 400: answers(component('Error'), 'What is wrong with the options') },
  };
}

function removeChain(): Operation {
  return other(
    {
      operationId: 'sunup_chains_remove',
      summary: 'Removes a further chain',
      description: 'Its requests and streams end with it.',
      tags: ['sunup'],
      parameters: [{ name: 'id', in: 'path', required: true, schema: hex(), example: '0123456789abcdef' }],
    },
    answers(allMembers({ removed: { type: 'boolean' } })),
  );
}

function events(from: number): Operation {
  const stream = { schema: { type: 'string' }, example: 'event: block\ndata: {"number":1}\n\n' };
  return other(
    {
      operationId: 'sunup_events',
      summary: 'What happens, as server-sent events',
      description:
        'Blocks, transactions with their charges, those that wait or are dropped, blocks that are taken back: docs/push.md.',
      tags: ['sunup'],
      parameters: [
        {
          name: 'events',
          in: 'query',
          schema: text(),
          description: 'Which, with commas',
          example: 'block,transaction',
        },
        { name: 'from', in: 'query', schema: integer(), description: 'From this block on', example: from },
        { name: 'Last-Event-ID', in: 'header', schema: hex(), description: 'Id of the last block that was heard of' },
      ],
    },
    { description: 'A stream without an end', content: { 'text/event-stream': stream } },
  );
}
