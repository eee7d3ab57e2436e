/** Opens the interfaces of a devnet by its settings: which server listens where, and which view it shows. */

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
import { dashboardFiles, dashboardPage } from '../../http/dashboard-files.js';
import { type EndpointRoutes, endpointRoutes } from '../../http/endpoint-routes.js';
import { httpEndpoints } from '../../http/endpoints.js';
import { type HomePage, homePage } from '../../http/home-page.js';
import { httpFormsOf } from '../../http/release-forms.js';
import { scenarioRoutes } from '../../http/scenarios/routes.js';
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
import type { Machine } from '../../platform/machine.js';
import { VERSION } from '../../platform/version.js';
import type { Address } from '../../primitives/ids.js';
import { pushRoutes } from '../../push/routes.js';
import { fullContext, solidContext, type WalletContext } from '../../wallet/context.js';
import { hostOf } from '../../wallet/fork-origin.js';
import { withMarks } from '../../wallet/known-blocks.js';
import { adminOf } from '../control/admin.js';
import { devMethodsOf } from '../control/dev-methods.js';
import type { Endpoint, Interfaces } from '../endpoints.js';
import { openQueue } from '../events/event-queue.js';
import type { Chains } from './hosted-chains.js';

/** With the interfaces for this process only. */
export interface OpenInterfaces extends Interfaces {
  readonly server: ChainServer;
}

/** Closes an opened interface. */
export type Closer = () => Promise<void> | void;

/**
 * Opens all ports of the settings.
 *
 * @param coinbase the witness for `eth_coinbase`
 * @param accounts the devnet's accounts with known keys
 * @param chains further chains on the same ports
 * @param machine for ids and phrases that nobody shall guess, and timers of connections
 * @param closers receives a closer for each listening server, so that a later failure leaves none open
 * @param metrics counts requests; absent: no metrics
 * @throws OptionError for a port that cannot be opened
 */
export async function openInterfaces(
  node: Node,
  settings: Settings,
  coinbase: Address | undefined,
  accounts: readonly DevAccount[],
  closers: Closer[],
  chains: Chains,
  machine: Machine,
  metrics: ChainMetrics | undefined,
): Promise<OpenInterfaces> {
  const { release } = node.chain.config;
  const { host, log, ports, pbft, devMethods, history: indexed } = settings;
  const access = new Access(accessSettings(settings));
  const quotas = await quotasOf(settings, machine);
  const durable = () => node.chain.durability();
  const failures = log && {
    onInternalError: (error: unknown, what: string) => {
      // A damaged database and a full disk are reported once, not with every request.
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
  const rpcOptions = { dialect, coinbase, accounts: keys, clientVersion, indexed, access, quotas, limits, machine };
  const jsonRpc = (view: RpcView, paths?: readonly RpcPath[]) =>
    jsonRpcRoute({ node, view, paths, ...rpcOptions, further, webSockets: devMethods, onAnswered, ...failures });
  const endpoints = (views: EndpointRoutes<WalletContext>['views']) =>
    endpointRoutes({ endpoints: httpEndpoints, views, release, withMarks });
  const fullNode = { wallet: full, net: full, monitor: full, ...(devMethods && { sunup: full }) };
  // The endpoints of a devnet that a node does not have, and its commands.
  const control = () =>
    devMethods
      ? [
          chainRoutes(chains),
          pushRoutes({ node, clock: machine.clock, ...failures }),
          scenarioRoutes({ ...failures }),
          adminRoutes(adminOf(node, settings, accounts, machine.random)),
        ]
      : [];
  const home = settings.dashboard ? dashboardPage : homePage;
  const shown = () => {
    const { fork, chain } = node;
    const network = hostOf(fork?.url);
    const marks = fork && { fork: { block: fork.blockNumber, ...(network !== undefined && { network }) } };
    return { version: VERSION, devMethods, history: indexed, slotMs: Number(chain.config.slotMs), ...marks };
  };
  const pages = () => (settings.dashboard ? [dashboardFiles(shown, access)] : []);
  const counted = () => (devMethods || metrics !== undefined ? [metricsRoutes(metrics)] : []);
  // The endpoints of the chain; other views of the node are on other ports.
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
    ...pages(),
  ];
  const onlyFullNode = () => [
    endpoints(fullNode),
    described(fullNode, false),
    ...(devMethods ? [jsonRpc('full', ['tre'])] : []),
    ...counted(),
    ...control(),
    ...pages(),
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
    const server = await startInProcess({ plugins: everything(), home, ...surfaces });
    closers.push(() => server.close());
    return server;
  };
  const serveGrpc = async (option: GrpcPortOption, port: number | false, serves: GrpcPort) => {
    if (port === false) return undefined;
    const contextOf = serves === 'full' ? fullContext : solidContext;
    const view = (chain?: string) => (chain === undefined ? contextOf(node) : contextOfChain(chains, chain, contextOf));
    const onAnswered = answered?.grpc;
    const start = () =>
      startGrpcServer({ listen: machine.listen, host, port, serves, view, quotas, durable, onAnswered, ...failures });
    return (await opened(await listening(option, port, start))).at;
  };

  const main = await serveHttp('httpPort', ports === 'combined' ? everything : onlyFullNode, home);
  // This process gets all endpoints, on whatever ports they are.
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

/** @throws StatusError if there is no such chain */
function contextOfChain(chains: Chains, id: string, contextOf: typeof fullContext): WalletContext {
  const node = chains.nodeOf(id);
  if (node === undefined) throw noSuchChain(id);
  return contextOf(node);
}

/** A node that listens on a host name accepts requests to this name. */
function accessSettings({ cors, allowOrigin, allowHost, host }: Settings): AccessSettings {
  return { cors, allowOrigin, allowHost: [...allowHost, host] };
}

/** One counter for all interfaces, by the wall clock: a virtual clock would not end a suspension. */
async function quotasOf({ apiKeys, rateLimit, clock }: Settings, machine: Machine): Promise<Quotas | undefined> {
  if (apiKeys.size === 0 && rateLimit === undefined) return undefined;
  const { Quotas, UNLIMITED } = await import('../../access/quotas.js');
  const wall = typeof clock === 'object' ? clock : machine.clock;
  return new Quotas({ ...UNLIMITED, ...rateLimit, keys: apiKeys }, () => Number(wall.nowMs()));
}

/** Converts an error of listening into one about the option. */
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
