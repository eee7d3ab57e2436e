/**
 * JSON-RPC as a plugin of the HTTP server, over POST (protocol/json-rpc.md#endpoints, #http-and-envelope-behaviour) and
 * over WebSockets: `/jsonrpc` is compatible with java-tron, `/eth` with Ethereum.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify';
import { Access, type CallerHeaders, LOCAL_CALLER } from '../access/access.js';
import { QuotaRefusal } from '../access/quota-refusal.js';
import type { Quotas } from '../access/quotas.js';
import type { Node } from '../node/node.js';
import { type Machine, thisMachine } from '../platform/machine.js';
import { type Caller, callerOf, nextTurn } from '../platform/turns.js';
import { VERSION } from '../platform/version.js';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { fullContext, solidContext } from '../wallet/context.js';
import type { Mark } from '../wallet/known-blocks.js';
import { type Dialect, ethereumDialect, friendlyDialect, strictDialect } from './dialect.js';
import { answerJsonRpc, type BodyContext, type Limits, type OnAnswered, type OnInternalError } from './dispatch.js';
import { type JsonRpcError, limitExceeded } from './errors.js';
import { methods as allMethods, methodsOfDialect } from './methods.js';
import { batchRequestsOf, formsOf } from './release-forms.js';
import type { SocketLimits, Sockets } from './sockets.js';
import { ClientGone, type FurtherMethods, type Method, type RpcPath, type RpcView, type Subscriber } from './table.js';

export interface JsonRpcOptions {
  readonly node: Node;
  readonly view: RpcView;
  /** The witness whose key signs this node's blocks; undefined: the node produces none. */
  readonly coinbase?: Address | undefined;
  /** Dialect of `/jsonrpc`; default `strict`. `/eth` is always friendly. */
  readonly dialect?: Dialect['name'];
  /** Keys of the node's own accounts, for which it signs in the friendly dialect. */
  readonly accounts?: ReadonlyMap<Address, Hex>;
  /** Served paths; default: all. */
  readonly paths?: readonly RpcPath[] | undefined;
  /** The node's version text; default: in java-tron's form. */
  readonly clientVersion?: string | undefined;
  /** Whether the account index exists; default true. */
  readonly indexed?: boolean;
  /** Decides who may call a method. */
  readonly access?: Access;
  /** Counts the messages of a WebSocket; bodies were counted before. */
  readonly quotas?: Quotas | undefined;
  /** Whether WebSockets are accepted, which java-tron does not support; default true. */
  readonly webSockets?: boolean;
  /** Default: as in `sockets.ts`. */
  readonly socketLimits?: Partial<SocketLimits>;
  /** For ids of subscriptions, and checks whether clients read; default: this process's. */
  readonly machine?: Pick<Machine, 'clock' | 'random'>;
  /** Default: all methods. */
  readonly methods?: ReadonlyMap<string, Method>;
  /** Methods that control the chain; also at `/tre`. Absent: none. */
  readonly further?: ((path: RpcPath) => FurtherMethods) | undefined;
  /** Default: limits of the release; java-tron has no limit of answers before 4.8.2. */
  readonly limits?: { readonly [Name in keyof Limits]?: Limits[Name] | undefined };
  readonly onInternalError?: OnInternalError;
  readonly onAnswered?: OnAnswered | undefined;
}

const NO_ACCOUNTS: ReadonlyMap<Address, Hex> = new Map();

/** Dialect and methods of a path. */
type DialectMethods = Pick<BodyContext, 'path' | 'dialect' | 'methods' | 'further'>;

/** The limit of later java-tron releases. */
const DEFAULT_ANSWER_BYTES = 26_214_400;

/** @example startHttpServer({ port: 8545, plugins: [jsonRpcRoute({ node, view: 'full' })] }) */
export function jsonRpcRoute(options: JsonRpcOptions): FastifyPluginAsync {
  const { node, view, coinbase, access = new Access(), methods = allMethods } = options;
  const { dialect = 'strict', accounts = NO_ACCOUNTS, indexed = true, quotas, further, webSockets = true } = options;
  const { machine = thisMachine } = options;
  const { release } = node.chain.config;
  const { batchRequests = batchRequestsOf(release), answerBytes = DEFAULT_ANSWER_BYTES } = options.limits ?? {};
  const limits: Limits = { batchRequests, answerBytes };
  // In java-tron's form, but with Sunup's operating system name.
  const { onInternalError, onAnswered } = options;
  // Test helpers for Ethereum refuse an unknown node.
  const versionOf = ({ ethereum }: Dialect): string =>
    options.clientVersion ?? (ethereum ? `HardhatNetwork/3.0.0/Sunup/${VERSION}` : `TRON/v${release}/Sunup/Java1.8`);
  const contextOf = view === 'full' ? fullContext : solidContext;
  const all: readonly (readonly [path: RpcPath, dialect: Dialect])[] = [
    ['jsonrpc', dialect === 'friendly' ? friendlyDialect(release) : strictDialect(release)],
    ['eth', ethereumDialect(release)],
    // For control methods of TRE's tools; TRE's server is java-tron's.
    ...(further === undefined ? [] : [['tre', strictDialect(release)] as const]),
  ];
  const paths = all.filter(([path]) => options.paths?.includes(path) ?? true);
  // PBFT confirms exactly the solidified blocks, and filters are refused there.
  const followed = view === 'full' ? 'full' : 'solid';
  const filters = node.filters[followed];
  const walletNow = () => contextOf(node);
  let sockets: Promise<Sockets> | undefined;
  const config = { callers: 'anyone', servlet: 'org.tron.core.services.jsonrpc.JsonRpcServlet' } as const;
  return async (app) => {
    for (const [path, dialect] of paths) {
      answerBodies(app, path, dialect);
      if (webSockets) answerMessages(app, path, dialect);
    }
    // Batches handle their failures themselves; the rest are oversized or incomplete bodies.
    app.setErrorHandler<Error & { readonly statusCode?: number }>((error, { routeOptions }, reply) => {
      // From the API gateway in front of a node, which does not know JSON-RPC.
      if (error instanceof QuotaRefusal) {
        return reply.code(error.statusCode).type('application/json').send({ Error: error.message });
      }
      if (error.statusCode === 413 && formsOf(release).longBodiesRefused) throw error;
      if (error.statusCode === undefined) onInternalError?.(error, routeOptions.url ?? '/jsonrpc');
      reply.removeHeader('connection').code(error.statusCode ?? 500);
      send(reply, '');
    });
    app.addHook('preClose', async () => (await sockets)?.close());
  };

  function methodsAt(path: RpcPath, dialect: Dialect, sockets: boolean): DialectMethods {
    const byName = methodsOfDialect(dialect, methods, { developers: further !== undefined, sockets, view, release });
    return { path, dialect, methods: byName, further: further?.(path) };
  }

  function answerBodies(app: FastifyInstance, path: RpcPath, dialect: Dialect): void {
    const ofDialect = methodsAt(path, dialect, dialect.lenient && webSockets);
    const ourselves = callerOf(app);
    const answerTo = (body: string) =>
      answerJsonRpc(
        body,
        asked(ofDialect, LOCAL_CALLER, ourselves, () => false, undefined, undefined),
      );
    app.post(`/${path}`, { config: { ...config, answerTo } }, ({ body, raw: { headers, socket } }, reply) => {
      const text = (body as Buffer | undefined)?.toString('utf8') ?? '';
      const marked = node.chain.networkBlocks && (({ name, value }: Mark) => void reply.header(name, value));
      const answer = answerJsonRpc(
        text,
        asked(ofDialect, headers, callerOf(socket), () => socket.destroyed, undefined, undefined, marked),
      );
      if (typeof answer !== 'string')
        return answer.then((later) => send(reply, later)).catch((error: unknown) => abandon(reply, error));
      // Not returned: fastify would wait for the end of the reply, with listeners and promises that occupy memory.
      send(reply, answer);
    });
  }

  function answerMessages(app: FastifyInstance, path: RpcPath, dialect: Dialect): void {
    let ofDialect: DialectMethods | undefined;
    app.acceptUpgrades(`/${path}`, {
      callers: config.callers,
      accept: async (upgrade) => {
        sockets ??= import('./sockets.js').then(
          ({ Sockets, SOCKET_LIMITS }) =>
            new Sockets(node, followed, { ...SOCKET_LIMITS, ...options.socketLimits }, machine, onInternalError),
        );
        const { headers } = upgrade.request;
        const { remoteAddress = '' } = upgrade.socket;
        const caller = callerOf(upgrade.socket);
        ofDialect ??= methodsAt(path, dialect, true);
        const own = ofDialect;
        (await sockets).accept(upgrade, {
          dialect,
          answer: (message, subscriber, isGone) => {
            const refused = refusalOf(headers, remoteAddress);
            return answerJsonRpc(message, asked(own, headers, caller, isGone, subscriber, refused));
          },
        });
      },
    });
  }

  /** The context of one body or message; a plain function, because it runs for every request. */
  function asked(
    ofDialect: DialectMethods,
    headers: CallerHeaders,
    caller: Caller,
    isGone: () => boolean,
    subscriber: Subscriber | undefined,
    refused: JsonRpcError | undefined,
    marked?: BodyContext['marked'],
  ): BodyContext {
    return {
      walletNow,
      path: ofDialect.path,
      dialect: ofDialect.dialect,
      filters,
      coinbase,
      accounts,
      clientVersion: versionOf(ofDialect.dialect),
      indexed,
      subscriber,
      methods: ofDialect.methods,
      further: ofDialect.further,
      limits,
      refused,
      refusal: ({ callers, name }) => access.refusal(callers, headers, name),
      caller,
      isGone,
      pause: (isCostly) => yieldTurn(caller, isCostly, isGone),
      marked,
      onInternalError,
      onAnswered,
    };
  }

  /** Counts a message; returns the error for its requests if the client is over its limit. */
  function refusalOf(headers: IncomingHttpHeaders, address: string): JsonRpcError | undefined {
    try {
      quotas?.admit(headers, address);
      return undefined;
    } catch (error) {
      if (!(error instanceof QuotaRefusal)) throw error;
      return limitExceeded(error.message);
    }
  }
}

/** @throws ClientGone */
async function yieldTurn(caller: Caller, isCostly: boolean | undefined, isGone: () => boolean): Promise<void> {
  await nextTurn(caller, isCostly);
  if (isGone()) throw new ClientGone();
}

function abandon(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof ClientGone)) throw error;
  reply.hijack().raw.destroy();
  return reply;
}

/** With its own serializer: fastify would add a charset to the content type. */
function send(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json-rpc').serializer(asItIs).send(text);
}

const asItIs = (text: unknown): string => text as string;
