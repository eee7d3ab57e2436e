/** The interfaces of a devnet: which servers listen where, as the settings want it, and which view each one shows. */

import { Access, type AccessSettings } from '../access/access.js';
import type { Quotas } from '../access/quotas.js';
import { adminRoutes } from '../admin/routes.js';
import { startGrpcServer } from '../grpc/server.js';
import type { GrpcPort } from '../grpc/services.js';
import { noSuchChain } from '../grpc/status.js';
import { historyRoutes } from '../history/routes.js';
import { chainRoutes } from '../http/chain-routes.js';
import type { ChainServer } from '../http/hosted-chains.js';
import { rowRoutes } from '../http/row-routes.js';
import { httpRows } from '../http/rows.js';
import { startHttpServer, startInProcess } from '../http/server.js';
import { jsonRpcRoute } from '../jsonrpc/endpoint.js';
import { NoRoomError } from '../node/commits.js';
import type { Node } from '../node/node.js';
import type { Settings } from '../options/declarations.js';
import type { DevAccount } from '../options/dev-accounts.js';
import { OptionError } from '../options/option-error.js';
import { wallClock } from '../platform/clock.js';
import type { Address } from '../primitives/ids.js';
import { pushRoutes } from '../push/routes.js';
import { fullContext, solidContext, type WalletContext } from '../wallet/context.js';
import { adminOf } from './admin.js';
import type { Chains } from './chains.js';
import { devMethodsOf } from './dev-methods.js';
import type { Endpoint, Interfaces } from './endpoints.js';

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
 * @throws OptionError for a port that cannot be had
 */
export async function openInterfaces(
  node: Node,
  settings: Settings,
  coinbase: Address | undefined,
  accounts: readonly DevAccount[],
  closers: Closer[],
  chains: Chains,
): Promise<OpenInterfaces> {
  const { host, log } = settings;
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
  const { jsonrpcVoice: voice, history: indexed, devMethods: webSockets, clientVersion } = settings;
  const further = settings.devMethods ? devMethodsOf(node) : undefined;
  const spoken = { voice, coinbase, accounts: keys, clientVersion, indexed, access, quotas, limits };
  const jsonRpc = (view: 'full' | 'solid') => jsonRpcRoute({ node, view, ...spoken, further, webSockets, ...failures });
  const listenJsonRpc = async (option: 'jsonrpcPort' | 'jsonrpcSolidityPort', view: 'full' | 'solid') => {
    const port = settings[option];
    if (port === false) return undefined;
    const server = await listening(option, port, () =>
      startHttpServer({ host, port, plugins: [jsonRpc(view)], access, quotas, durable, ...failures }),
    );
    closers.push(() => server.close());
    return { host, port: server.port, url: server.url };
  };
  const listenGrpc = async (option: 'grpcPort' | 'grpcSolidityPort', port: number, serves: GrpcPort) => {
    const contextOf = serves === 'full' ? fullContext : solidContext;
    const view = (chain?: string) => (chain === undefined ? contextOf(node) : contextOfChain(chains, chain, contextOf));
    const server = await listening(option, port, () =>
      startGrpcServer({ host, port, serves, view, quotas, durable, ...failures }),
    );
    closers.push(() => server.close());
    return { host, port: server.port, url: server.url };
  };

  const { httpPort } = settings;
  const surfaces = {
    plugins: [
      rowRoutes({
        rows: httpRows,
        views: {
          wallet: full,
          walletsolidity: solid,
          net: full,
          monitor: full,
          ...(settings.devMethods && { sunup: full }),
        },
      }),
      jsonRpc('full'),
      historyRoutes({ view: full, indexed: settings.history, ...failures }),
      ...(settings.devMethods
        ? [chainRoutes(chains), pushRoutes({ node, ...failures }), adminRoutes(adminOf(node, settings, accounts))]
        : []),
    ],
    access,
    quotas,
    durable,
    ...failures,
  };
  const listenHttp = async (port: number) => {
    const server = await listening('httpPort', port, () => startHttpServer({ host, port, ...surfaces }));
    return { server, http: { host, port: server.port, url: server.url } };
  };
  const { server, http = undefined } =
    httpPort === false ? { server: await startInProcess(surfaces) } : await listenHttp(httpPort);
  closers.push(() => server.close());
  const jsonrpc = (await listenJsonRpc('jsonrpcPort', 'full')) ?? http;
  const jsonrpcSolidity = await listenJsonRpc('jsonrpcSolidityPort', 'solid');
  const grpc = settings.grpcPort === false ? undefined : await listenGrpc('grpcPort', settings.grpcPort, 'full');
  const grpcSolidity: Endpoint[] = [];
  for (const port of settings.grpcSolidityPort)
    grpcSolidity.push(await listenGrpc('grpcSolidityPort', port, 'solidity'));
  return {
    http,
    jsonrpc: below(jsonrpc, '/jsonrpc'),
    eth: below(jsonrpc, '/eth'),
    jsonrpcSolidity: below(jsonrpcSolidity, '/jsonrpc'),
    grpc,
    grpcSolidity,
    fetch: server.fetch,
    post: server.post,
    server: { handle: server.handle, upgrade: server.upgrade },
  };
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
  const { Quotas, UNLIMITED } = await import('../access/quotas.js');
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
      throw new OptionError(option, `is ${port}, which this user may not open`, 'Use a port above 1023');
    throw error;
  }
}
