/**
 * JSON-RPC as a plugin of the HTTP server, by POST (protocol/json-rpc.md#endpoints,
 * #http-and-envelope-behaviour) and over a WebSocket (part D): `/jsonrpc` speaks as java-tron does, `/eth` as
 * Ethereum's tools like it.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify';
import { Access, type CallerHeaders, LOCAL_CALLER } from '../access/access.js';
import { QuotaRefusal } from '../access/quota-refusal.js';
import type { Quotas } from '../access/quotas.js';
import type { Node } from '../node/node.js';
import { type Caller, callerOf, nextTurn } from '../platform/turns.js';
import { VERSION } from '../platform/version.js';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { fullContext, solidContext } from '../wallet/context.js';
import type { Mark } from '../wallet/known-blocks.js';
import { type Dialect, ethereumDialect, friendlyDialect, strictDialect } from './dialect.js';
import { type Asked, answerJsonRpc, type Limits, type OnAnswered, type OnInternalError } from './dispatch.js';
import { type JsonRpcError, limitExceeded } from './errors.js';
import { methods as allMethods, methodsOfDialect } from './methods.js';
import { batchRequestsOf, formsOf } from './release-forms.js';
import type { SocketLimits, Sockets } from './sockets.js';
import { ClientGone, type FurtherMethods, type Method, type RpcPath, type RpcView, type Subscriber } from './table.js';

export interface JsonRpcOptions {
  readonly node: Node;
  readonly view: RpcView;
  /** The witness whose key makes our blocks; none: a node that only follows. */
  readonly coinbase?: Address | undefined;
  /** Of `/jsonrpc`; default `strict`. `/eth` is always friendly. */
  readonly dialect?: Dialect['name'];
  /** Accounts that the friendly dialect calls this node's own, and signs for. */
  readonly accounts?: ReadonlyMap<Address, Hex>;
  /** Those of the paths that are answered; default: all. */
  readonly paths?: readonly RpcPath[] | undefined;
  /** What the node calls itself; default: as java-tron does. */
  readonly clientVersion?: string | undefined;
  /** Whether the index of accounts is kept; default true. */
  readonly indexed?: boolean;
  /** Judges who may call a method. */
  readonly access?: Access;
  /** Count the messages of a WebSocket; bodies were counted before they come here. */
  readonly quotas?: Quotas | undefined;
  /** Whether WebSockets are accepted, which java-tron does not; default true. */
  readonly webSockets?: boolean;
  /** Default: as `sockets.ts` has them. */
  readonly socketLimits?: Partial<SocketLimits>;
  /** Default: all of them. */
  readonly methods?: ReadonlyMap<string, Method>;
  /** Methods that control the chain; also at `/tre`. Absent: there are none. */
  readonly further?: ((path: RpcPath) => FurtherMethods) | undefined;
  /** Default: those of the release; java-tron had no limit of an answer before 4.8.2. */
  readonly limits?: { readonly [Name in keyof Limits]?: Limits[Name] | undefined };
  readonly onInternalError?: OnInternalError;
  readonly onAnswered?: OnAnswered | undefined;
}

const NO_ACCOUNTS: ReadonlyMap<Address, Hex> = new Map();

/** What a path answers, in which dialect. */
type DialectMethods = Pick<Asked, 'path' | 'dialect' | 'methods' | 'further'>;

/** What later java-tron allows. */
const DEFAULT_ANSWER_BYTES = 26_214_400;

/** @example startHttpServer({ port: 8545, plugins: [jsonRpcRoute({ node, view: 'full' })] }) */
export function jsonRpcRoute(options: JsonRpcOptions): FastifyPluginAsync {
  const { node, view, coinbase, access = new Access(), methods = allMethods } = options;
  const { dialect = 'strict', accounts = NO_ACCOUNTS, indexed = true, quotas, further, webSockets = true } = options;
  const { release } = node.chain.config;
  const { batchRequests = batchRequestsOf(release), answerBytes = DEFAULT_ANSWER_BYTES } = options.limits ?? {};
  const limits: Limits = { batchRequests, answerBytes };
  // In java-tron's form; the operating system's name is ours.
  const { onInternalError, onAnswered } = options;
  // Test helpers of Ethereum's refuse a node that they do not know.
  const versionOf = ({ ethereum }: Dialect): string =>
    options.clientVersion ?? (ethereum ? `HardhatNetwork/3.0.0/Sunup/${VERSION}` : `TRON/v${release}/Sunup/Java1.8`);
  const contextOf = view === 'full' ? fullContext : solidContext;
  const all: readonly (readonly [path: RpcPath, dialect: Dialect])[] = [
    ['jsonrpc', dialect === 'friendly' ? friendlyDialect(release) : strictDialect(release)],
    ['eth', ethereumDialect(release)],
    // Where tools of TRE call what controls a chain; its server is java-tron's.
    ...(further === undefined ? [] : [['tre', strictDialect(release)] as const]),
  ];
  const paths = all.filter(([path]) => options.paths?.includes(path) ?? true);
  // What PBFT confirms is what is solidified, and filters are refused there.
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
    // Batches have their own answer to a failure; what is left is a body that is too big or was cut short.
    app.setErrorHandler<Error & { readonly statusCode?: number }>((error, { routeOptions }, reply) => {
      // Of what stands before a node, which knows no JSON-RPC.
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
    const spoken = methodsAt(path, dialect, dialect.lenient && webSockets);
    const ourselves = callerOf(app);
    const answerTo = (body: string) =>
      answerJsonRpc(
        body,
        asked(spoken, LOCAL_CALLER, ourselves, () => false, undefined, undefined),
      );
    app.post(`/${path}`, { config: { ...config, answerTo } }, ({ body, raw: { headers, socket } }, reply) => {
      const text = (body as Buffer | undefined)?.toString('utf8') ?? '';
      const marked = node.chain.networkBlocks && (({ name, value }: Mark) => void reply.header(name, value));
      const answer = answerJsonRpc(
        text,
        asked(spoken, headers, callerOf(socket), () => socket.destroyed, undefined, undefined, marked),
      );
      if (typeof answer !== 'string')
        return answer.then((later) => send(reply, later)).catch((error: unknown) => abandon(reply, error));
      // Not returned: fastify would wait for the reply's end, which costs listeners, promises and what they hold.
      send(reply, answer);
    });
  }

  function answerMessages(app: FastifyInstance, path: RpcPath, dialect: Dialect): void {
    let spoken: DialectMethods | undefined;
    app.acceptUpgrades(`/${path}`, {
      callers: config.callers,
      accept: async (upgrade) => {
        sockets ??= import('./sockets.js').then(
          ({ Sockets, SOCKET_LIMITS }) =>
            new Sockets(node, followed, { ...SOCKET_LIMITS, ...options.socketLimits }, onInternalError),
        );
        const { headers } = upgrade.request;
        const { remoteAddress = '' } = upgrade.socket;
        const caller = callerOf(upgrade.socket);
        spoken ??= methodsAt(path, dialect, true);
        const own = spoken;
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

  /** Of one body or message; written out, because each request has one. */
  function asked(
    spoken: DialectMethods,
    headers: CallerHeaders,
    caller: Caller,
    isGone: () => boolean,
    subscriber: Subscriber | undefined,
    refused: JsonRpcError | undefined,
    marked?: Asked['marked'],
  ): Asked {
    return {
      walletNow,
      path: spoken.path,
      dialect: spoken.dialect,
      filters,
      coinbase,
      accounts,
      clientVersion: versionOf(spoken.dialect),
      indexed,
      subscriber,
      methods: spoken.methods,
      further: spoken.further,
      limits,
      refused,
      refusal: ({ callers, name }) => access.refusal(callers, headers, name),
      caller,
      isGone,
      pause: (isCostly) => othersTurn(caller, isCostly, isGone),
      marked,
      onInternalError,
      onAnswered,
    };
  }

  /** Counts a message; what its requests are answered with where it is one too many. */
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
async function othersTurn(caller: Caller, isCostly: boolean | undefined, isGone: () => boolean): Promise<void> {
  await nextTurn(caller, isCostly);
  if (isGone()) throw new ClientGone();
}

function abandon(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof ClientGone)) throw error;
  reply.hijack().raw.destroy();
  return reply;
}

/** With a serializer of its own, because fastify would add a charset to the type. */
function send(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json-rpc').serializer(asItIs).send(text);
}

const asItIs = (text: unknown): string => text as string;
