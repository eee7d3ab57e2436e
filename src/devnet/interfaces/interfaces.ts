/** The interfaces of a devnet: which servers listen where, as the settings want it, and which view each one shows. */

import type { FastifyPluginAsync } from 'fastify';
import { Access, type AccessSettings } from '../../access/access.js';
import type { Quotas } from '../../access/quotas.js';
import { adminRoutes } from '../../admin/routes.js';
import { startGrpcServer } from '../../grpc/server.js';
import type { GrpcPort } from '../../grpc/services.js';
import { noSuchChain } from '../../grpc/status.js';
import { historyRoutes } from '../../history/routes.js';
import type { ChainServer } from '../../http/chain-routes.js';
import { chainRoutes } from '../../http/chain-routes.js';
import { type EndpointRoutes, endpointRoutes } from '../../http/endpoint-routes.js';
import { httpEndpoints } from '../../http/endpoints.js';
import { type HomePage, homePage } from '../../http/home-page.js';
import { httpFormsOf } from '../../http/release-forms.js';
import { startHttpServer, startInProcess } from '../../http/server.js';
import type { Service } from '../../http/table.js';
import { jsonRpcRoute } from '../../jsonrpc/endpoint.js';
import type { RpcPath, RpcView } from '../../jsonrpc/table.js';
import type { ChainMetrics } from '../../metrics/chain-metrics.js';
import { metricsRoutes } from '../../metrics/routes.js';
import type { Node } from '../../node/node.js';
import { NoRoomError } from '../../node/storage/commits.js';
import { openApiRoutes } from '../../openapi/routes.js';
import type { Settings } from '../../options/declarations.js';
import type { DevAccount } from '../../options/dev-accounts.js';
import { OptionError } from '../../options/option-error.js';
import { wallClock } from '../../platform/clock.js';
import { VERSION } from '../../platform/version.js';
import type { Address } from '../../primitives/ids.js';
import { pushRoutes } from '../../push/routes.js';
import { fullContext, solidContext, type WalletContext } from '../../wallet/context.js';
import { withMarks } from '../../wallet/known-blocks.js';
import { adminOf } from '../control/admin.js';
import { devMethodsOf } from '../control/dev-methods.js';
import type { Endpoint, Interfaces } from '../endpoints.js';
import { openQueue } from '../events/event-queue.js';
import type { Chains } from './hosted-chains.js';

/** And what only this process is shown. */
export interface OpenInterfaces extends Interfaces {
  readonly server: ChainServer;
}

/** Takes back what was opened. */
export type Closer = () => Promise<void> | void;

/**
 * Opens every port that the settings want.
 *
 * @param coinbase the witness that JSON-RPC calls ours
 * @param accounts those whose keys are the devnet's own
 * @param chains further ones, which are reached through the same ports
 * @param closers gets a closer for each server as soon as it listens, so that a later failure leaves none open
 * @param metrics counts requests, where they are to be counted
 * @throws OptionError for a port that cannot be had
 */
export async function openInterfaces(
  node: Node,
  settings: Settings,
  coinbase: Address | undefined,
  accounts: readonly DevAccount[],
  closers: Closer[],
  chains: Chains,
  metrics: ChainMetrics | undefined,
): Promise<OpenInterfaces> {
  const { release } = node.chain.config;
  const { host, log, ports, pbft, devMethods, history: indexed } = settings;
  const access = new Access(accessSettings(settings));
  const quotas = await quotasOf(settings);
  const durable = () => node.chain.untilDurable();
  const failures = log && {
    onInternalError: (error: unknown, what: string) => {
      // A damaged database is told of once, not with every request that comes upon it.
      // Nor is a full disk.
      if (error !== node.chain.store.damage && !(error instanceof NoRoomError)) log.error(`${what} failed`, error);
    },
  };
  const keys = new Map(accounts.map(({ addressHex, privateKey }) => [addressHex, privateKey] as const));
  const full = () => fullContext(node);
  const solid = () => solidContext(node);

  const limits = { batchRequests: settings.jsonrpcMaxBatch, answerBytes: settings.jsonrpcMaxAnswer };
  const { jsonrpcDialect: dialect, clientVersion } = settings;
  const further = devMethods ? devMethodsOf(node) : undefined;
  const { answered } = metrics ?? {};
  const onAnswered = answered?.jsonrpc;
  const spoken = { dialect, coinbase, accounts: keys, clientVersion, indexed, access, quotas, limits };
  const jsonRpc = (view: RpcView, paths?: readonly RpcPath[]) =>
    jsonRpcRoute({ node, view, paths, ...spoken, further, webSockets: devMethods, onAnswered, ...failures });
  const endpoints = (views: EndpointRoutes<WalletContext>['views']) =>
    endpointRoutes({ endpoints: httpEndpoints, views, release, withMarks });
  const fullNode = { wallet: full, net: full, monitor: full, ...(devMethods && { sunup: full }) };
  // What a devnet has beside a node, and where its commands are answered.
  const control = () =>
    devMethods
      ? [chainRoutes(chains), pushRoutes({ node, ...failures }), adminRoutes(adminOf(node, settings, accounts))]
      : [];
  const counted = () => (devMethods || metrics !== undefined ? [metricsRoutes(metrics)] : []);
  // Of the chain, as others will find it; the rest of what a node has is behind other ports.
  const described = (served: EndpointRoutes<WalletContext>['views'], withHistory: boolean) =>
    openApiRoutes({
      ...{ node, version: VERSION, indexed: withHistory && indexed, devMethods, metrics: metrics !== undefined },
      refusedWith: quotas?.refusedWith,
      services: Object.keys(served) as Service[],
      accounts: accounts.map(({ addressHex }) => addressHex),
    });
  const all = { ...fullNode, walletsolidity: solid, ...(pbft && { walletpbft: solid }) };
  const everything = () => [
    endpoints(all),
    described(all, true),
    jsonRpc('full'),
    historyRoutes({ view: full, indexed, ...failures }),
    ...counted(),
    ...control(),
  ];
  const onlyFullNode = () => [
    endpoints(fullNode),
    described(fullNode, false),
    ...(devMethods ? [jsonRpc('full', ['tre'])] : []),
    ...counted(),
    ...control(),
  ];

  const opened = async <Server extends Listening>(server: Server): Promise<Server & { readonly at: Endpoint }> => {
    closers.push(() => server.close());
    return { ...server, at: { host, port: server.port, url: server.url } };
  };
  const forms = httpFormsOf(release);
  const surfaces = { access, quotas, durable, forms, onAnswered: answered?.http, ...failures };
  const serveHttp = async (option: HttpPort, plugins: () => readonly FastifyPluginAsync[], home?: HomePage) => {
    const port = settings[option];
    if (port === false) return undefined;
    const start = () => startHttpServer({ host, port, plugins: plugins(), home, ...surfaces });
    return opened(await listening(option, port, start));
  };
  const serveInProcess = async () => {
    const server = await startInProcess({ plugins: everything(), home: homePage, ...surfaces });
    closers.push(() => server.close());
    return server;
  };
  const serveGrpc = async (option: GrpcPortOption, port: number | false, serves: GrpcPort) => {
    if (port === false) return undefined;
    const contextOf = serves === 'full' ? fullContext : solidContext;
    const view = (chain?: string) => (chain === undefined ? contextOf(node) : contextOfChain(chains, chain, contextOf));
    const onAnswered = answered?.grpc;
    const start = () => startGrpcServer({ host, port, serves, view, quotas, durable, onAnswered, ...failures });
    return (await opened(await listening(option, port, start))).at;
  };

  const main = await serveHttp('httpPort', ports === 'combined' ? everything : onlyFullNode, homePage);
  // This process asks for all that there is, wherever others find it.
  const server = main !== undefined && ports === 'combined' ? main : await serveInProcess();
  const solidity = () => [endpoints({ walletsolidity: solid, solidityPort: solid })];
  const httpSolidity = (await serveHttp('httpSolidityPort', solidity))?.at;
  const httpPbft = (await serveHttp('httpPbftPort', () => [endpoints({ walletpbft: solid })]))?.at;
  const jsonrpc = (await serveHttp('jsonrpcPort', () => [jsonRpc('full')]))?.at;
  const eth = jsonrpc ?? (ports === 'combined' ? main?.at : undefined);
  const jsonrpcSolidity = (await serveHttp('jsonrpcSolidityPort', () => [jsonRpc('solid')]))?.at;
  const jsonrpcPbft = (await serveHttp('jsonrpcPbftPort', () => [jsonRpc('pbft')]))?.at;
  const grpc = await serveGrpc('grpcPort', settings.grpcPort, 'full');
  const grpcSolidity: Endpoint[] = [];
  for (const port of settings.grpcSolidityPort) {
    const endpoint = await serveGrpc('grpcSolidityPort', port, 'solidity');
    if (endpoint !== undefined) grpcSolidity.push(endpoint);
  }
  const eventQueue = await openQueue(node, settings);
  if (eventQueue !== undefined) closers.push(() => eventQueue.close());
  return {
    http: main?.at,
    httpSolidity,
    httpPbft,
    jsonrpc: below(eth, '/jsonrpc'),
    eth: below(eth, '/eth'),
    jsonrpcSolidity: below(jsonrpcSolidity, '/jsonrpc'),
    jsonrpcPbft: below(jsonrpcPbft, '/jsonrpc'),
    grpc,
    grpcSolidity,
    grpcPbft: await serveGrpc('grpcPbftPort', settings.grpcPbftPort, 'pbft'),
    eventQueue: eventQueue?.endpoint,
    fetch: server.fetch,
    post: server.post,
    server: { handle: server.handle, upgrade: server.upgrade },
  };
}

type HttpPort =
  | 'httpPort'
  | 'httpSolidityPort'
  | 'httpPbftPort'
  | 'jsonrpcPort'
  | 'jsonrpcSolidityPort'
  | 'jsonrpcPbftPort';
type GrpcPortOption = 'grpcPort' | 'grpcSolidityPort' | 'grpcPbftPort';

interface Listening {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

function below(endpoint: Endpoint | undefined, path: string): Endpoint | undefined {
  return endpoint && { ...endpoint, url: `${endpoint.url}${path}` };
}

/** @throws StatusError when there is no such chain */
function contextOfChain(chains: Chains, id: string, contextOf: typeof fullContext): WalletContext {
  const node = chains.nodeOf(id);
  if (node === undefined) throw noSuchChain(id);
  return contextOf(node);
}

/** A node that listens under a name is meant to be called by it. */
function accessSettings({ cors, allowOrigin, allowHost, host }: Settings): AccessSettings {
  return { cors, allowOrigin, allowHost: [...allowHost, host] };
}

/** One counter for all interfaces. By the machine's time: a virtual clock would not end a suspension. */
async function quotasOf({ apiKeys, rateLimit, clock }: Settings): Promise<Quotas | undefined> {
  if (apiKeys.size === 0 && rateLimit === undefined) return undefined;
  const { Quotas, UNLIMITED } = await import('../../access/quotas.js');
  const wall = typeof clock === 'object' ? clock : wallClock;
  return new Quotas({ ...UNLIMITED, ...rateLimit, keys: apiKeys }, () => Number(wall.nowMs()));
}

/** Turns a port in use into what a person can act on. */
async function listening<Server>(option: string, port: number, start: () => Promise<Server>): Promise<Server> {
  try {
    return await start();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new OptionError(option, `is ${port}, which is in use`, 'Use another port, or 0 for a free one');
    if (code === 'EACCES')
      throw new OptionError(option, `is ${port}, which this user cannot open`, 'Use a port above 1023');
    throw error;
  }
}
