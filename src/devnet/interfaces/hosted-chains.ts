/**
 * Further chains in the same process, each a devnet in memory: for test workers in any language that share one server.
 * Created on request; removed on request or when idle.
 */

import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { OperationError } from '../../errors/operation-error.js';
import type { Remote } from '../../fork/start/open-remote.js';
import type { ChainReport, ChainServer, HostedChains } from '../../http/chain-routes.js';
import type { Node } from '../../node/node.js';
import type { Settings } from '../../options/declarations.js';
import type { DevAccount } from '../../options/dev-accounts.js';
import { OptionError } from '../../options/option-error.js';
import { settingsOver } from '../../options/settings.js';
import type { Machine, MachineClock } from '../../platform/machine.js';
import { bytesToHex } from '../../primitives/hex.js';
import type { ForkOrigin } from '../devnet.js';
import type { DevWitness } from '../genesis/genesis.js';

/** Each takes some megabytes. */
const MAX_CHAINS = 256;
/** A genesis with more accounts would block other requests for too long. */
const MAX_ACCOUNTS = 2_000;
/** Far more than the 27 that produce blocks and the 100 further ones that are paid. */
const MAX_WITNESSES = 256;
/** A chain is removed after this time without a request. */
const DEFAULT_IDLE_MS = 600_000;
const LONGEST_IDLE_MS = 86_400_000;

/** The public data of a started devnet. */
interface StartedDevnet {
  readonly chainId: string;
  readonly genesisId: string;
  readonly accounts: readonly DevAccount[];
  readonly witnesses: readonly DevWitness[];
  readonly fork: ForkOrigin | undefined;
  close(): Promise<void>;
}

/** A devnet with the handlers of its requests. */
export interface HostedDevnet<Started extends StartedDevnet = StartedDevnet> {
  readonly devnet: Started;
  readonly node: Node;
  readonly server: ChainServer;
}

interface Hosted extends HostedDevnet {
  readonly report: ChainReport;
  readonly idle: Idle;
}

/** Options of the library that are useful for a chain under a path. */
const OPTIONS = new Set([
  'preset',
  'networkStake',
  'parameters',
  'genesis',
  'genesisTime',
  'predeploy',
  'accounts',
  'balance',
  'mnemonic',
  'derivationPath',
  'privateKeys',
  'mining',
  'blockTime',
  'slotMs',
  'nodeVersion',
  'blockStepMs',
  'clock',
  'solidified',
  'jsonrpcDialect',
  'fork',
  'forkJsonrpc',
  'forkGrpc',
  'forkApiKey',
  'forkHeader',
  'forkRate',
  'forkTimeout',
  'forkBrokerages',
  'forkChainId',
]);

/** For a fork of another network: none of the server's settings apply, above all not its API key. */
const NO_NETWORK = {
  fork: undefined,
  forkJsonrpc: undefined,
  forkGrpc: undefined,
  forkApiKey: undefined,
  forkHeader: [],
  forkRate: undefined,
  forkCache: undefined,
  forkOffline: false,
  forkBrokerages: false,
  forkChainId: undefined,
} as const;

/** The settings of a forked network, which belong to its URL. */
const WITH_FORK = [
  'forkJsonrpc',
  'forkGrpc',
  'forkApiKey',
  'forkHeader',
  'forkRate',
  'forkTimeout',
  'forkBrokerages',
] as const;

/** In memory, without ports. */
const ALONE = {
  db: undefined,
  loadState: undefined,
  ports: 'combined',
  httpPort: false,
  httpSolidityPort: false,
  httpPbftPort: false,
  jsonrpcPort: false,
  jsonrpcSolidityPort: false,
  jsonrpcPbftPort: false,
  grpcPort: false,
  grpcSolidityPort: [],
  grpcPbftPort: false,
  eventQueue: undefined,
} as const;

export class Chains implements HostedChains {
  readonly #hosted = new Map<string, Hosted>();
  #making = 0;

  /**
   * @param start makes a devnet from settings, or a fork of `network`; `hidesNetwork`: errors do not contain answers of
   *   the network
   * @param network the network that the server's chain forks: further chains start at the same block and share fetched
   *   rows
   */
  constructor(
    private readonly settings: Settings,
    private readonly start: (
      settings: Settings,
      network: Remote | undefined,
      hidesNetwork: boolean,
    ) => Promise<HostedDevnet>,
    private readonly network: Remote | undefined,
    private readonly machine: Machine,
  ) {}

  async create(options: unknown, isLocal: boolean): Promise<ChainReport> {
    const { idleMs, settings, network } = this.#read(options);
    if (this.#hosted.size + this.#making >= MAX_CHAINS)
      throw new OperationError(
        `there are already ${MAX_CHAINS} chains, the maximum. Remove one with DELETE /sunup/chains/ID`,
      );
    this.#making++;
    try {
      const hosted = await this.start(settings, network, !isLocal);
      const { devnet } = hosted;
      const id = bytesToHex(this.machine.random.bytes(8));
      const { chainId, genesisId, fork } = devnet;
      const accounts = devnet.accounts.map(({ address, privateKey }) => ({ address, privateKey }));
      const witnesses = devnet.witnesses.map(({ address, privateKey }) => ({ address, privateKey }));
      const report = { id, path: `/~${id}/`, chainId, genesisId, ...(fork && { fork }), accounts, witnesses };
      this.#hosted.set(id, {
        ...hosted,
        report,
        idle: new Idle(idleMs, this.machine.clock, () => void this.remove(id)),
      });
      return report;
    } catch (error) {
      throw this.#refusalOf(error, isLocal);
    } finally {
      this.#making--;
    }
  }

  /** A remote client could name any URL as a network, and must not learn what it answers. */
  #refusalOf(error: unknown, isLocal: boolean): unknown {
    const { cause } = Object(error) as { readonly cause?: unknown };
    const isOfNetwork = isRemoteError(cause);
    if (isOfNetwork && !isLocal) {
      if (error instanceof OptionError) this.settings.log?.warn(error.message);
      return new OperationError('the network of fork cannot be forked. See the log of the node');
    }
    if (error instanceof OptionError) return new OperationError(error.message);
    return isOfNetwork ? cause : error;
  }

  list(): readonly ChainReport[] {
    return [...this.#hosted.values()].map(({ report }) => report);
  }

  async remove(id: string): Promise<boolean> {
    const hosted = this.#hosted.get(id);
    if (hosted === undefined) return false;
    this.#hosted.delete(id);
    hosted.idle.stop();
    await hosted.devnet.close();
    return true;
  }

  serverOf(id: string): ChainServer | undefined {
    const hosted = this.#use(id);
    if (hosted === undefined) return undefined;
    const { server, idle } = hosted;
    return {
      handle: (request, response) => {
        idle.waitFor(response);
        server.handle(request, response);
      },
      upgrade: (request, socket, head) => {
        const taken = server.upgrade(request, socket, head);
        if (taken) idle.waitFor(socket);
        return taken;
      },
    };
  }

  /** The node of a chain, for interfaces that are not HTTP. */
  nodeOf(id: string): Node | undefined {
    return this.#use(id)?.node;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#hosted.keys()].map((id) => this.remove(id)));
  }

  #use(id: string): Hosted | undefined {
    const hosted = this.#hosted.get(id);
    if (hosted === undefined) return undefined;
    hosted.idle.used();
    return hosted;
  }

  #read(options: unknown): {
    readonly idleMs: number;
    readonly settings: Settings;
    readonly network: Remote | undefined;
  } {
    if (typeof options !== 'object' || options === null || Array.isArray(options))
      throw new OperationError('options must be an object with options of the library: {"accounts":3,"balance":500}');
    const { idleMs = DEFAULT_IDLE_MS, ...given } = options as { readonly idleMs?: unknown } & Record<string, unknown>;
    const { network, base, own } = this.#networkFor(given);
    if (!Number.isSafeInteger(idleMs) || (idleMs as number) < 1 || (idleMs as number) > LONGEST_IDLE_MS)
      throw new OperationError(`idleMs must be a whole number from 1 to ${LONGEST_IDLE_MS}`);
    for (const name of Object.keys(own)) {
      if (!OPTIONS.has(name))
        throw new OperationError(
          `${name} cannot be set for a chain. Possible options: idleMs, ${[...OPTIONS].join(', ')}`,
        );
    }
    if (typeof own.accounts === 'number' && own.accounts > MAX_ACCOUNTS)
      throw new OperationError(`accounts must be ${MAX_ACCOUNTS} or less for a further chain`);
    // A name would be read from the server's files.
    if (own.genesis !== undefined && typeof own.genesis !== 'object')
      throw new OperationError('genesis must be an object, not the name of a file');
    if (listLength(own.genesis, 'accounts') > MAX_ACCOUNTS)
      throw new OperationError(`genesis.accounts must have ${MAX_ACCOUNTS} or fewer for a further chain`);
    if (listLength(own.genesis, 'witnesses') > MAX_WITNESSES)
      throw new OperationError(`genesis.witnesses must have ${MAX_WITNESSES} or fewer for a further chain`);
    if (Array.isArray(own.privateKeys) && own.privateKeys.length > MAX_ACCOUNTS)
      throw new OperationError(`privateKeys must have ${MAX_ACCOUNTS} or fewer for a further chain`);
    try {
      return { idleMs: idleMs as number, settings: { ...settingsOver(base, own), ...ALONE }, network };
    } catch (error) {
      throw error instanceof OptionError ? new OperationError(error.message) : error;
    }
  }

  /** `fork: null` makes a chain that is not a fork, even if the server's chain is one. */
  #networkFor({ fork, ...given }: Record<string, unknown>): {
    readonly network: Remote | undefined;
    readonly base: Settings;
    readonly own: Record<string, unknown>;
  } {
    if (fork === null) return { network: undefined, base: { ...this.settings, ...NO_NETWORK }, own: given };
    if (fork !== undefined)
      return { network: undefined, base: { ...this.settings, ...NO_NETWORK }, own: { ...given, fork } };
    const alone = WITH_FORK.find((name) => given[name] !== undefined);
    if (alone !== undefined) throw new OperationError(`${alone} needs fork, the URL of a network`);
    if (this.network !== undefined && given.slotMs !== undefined)
      throw new OperationError('slotMs cannot be set: a fork has the slotMs of its network');
    return { network: this.network, base: this.settings, own: given };
  }
}

/** Detects an idle chain: no request for a while, and no open answer, such as a stream of events or a WebSocket. */
class Idle {
  #cancel: () => void;
  #answering = 0;
  #stopped = false;

  constructor(
    private readonly idleMs: number,
    private readonly clock: MachineClock,
    private readonly end: () => void,
  ) {
    this.#cancel = this.#start();
  }

  used(): void {
    this.#cancel();
    this.#cancel = this.#start();
  }

  #start(): () => void {
    return this.clock.inBackground(this.idleMs, () => {
      if (this.#answering === 0) this.end();
    });
  }

  waitFor(answer: ServerResponse | Duplex): void {
    this.#answering++;
    answer.once('close', () => {
      this.#answering--;
      if (!this.#stopped) this.used();
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }
}

/** By name: the modules of networks are loaded for forks only. */
function isRemoteError(error: unknown): error is OperationError {
  return error instanceof OperationError && 'advice' in error;
}

function listLength(genesis: object | null | undefined, member: 'accounts' | 'witnesses'): number {
  const list = (genesis as Readonly<Record<string, unknown>> | null)?.[member];
  return Array.isArray(list) ? list.length : 0;
}
