/** One process of a simulated node: a whole devnet on a simulated machine, from its start to its end or crash. */

import type { Devnet } from '../../../../src/devnet/devnet.js';
import { startHosted } from '../../../../src/devnet/running/start.js';
import type { ChainServer } from '../../../../src/http/chain-routes.js';
import type { Node } from '../../../../src/node/node.js';
import type { DevnetOptions } from '../../../../src/options/declarations.js';
import { settingsForLibrary } from '../../../../src/options/settings.js';
import type { Random } from '../../../../src/platform/random.js';
import type { ProcessClock, SimulatedClock } from '../clock/simulated-clock.js';
import type { DiskProcess } from '../disk/virtual-database.js';
import type { VirtualDisk } from '../disk/virtual-disk.js';
import { type OpenFolder, virtualFolder } from '../disk/virtual-folder.js';
import { GrpcClient } from '../network/grpc-client.js';
import { MemoryPorts } from '../network/memory-ports.js';

export interface ProcessParts {
  readonly disk: VirtualDisk;
  readonly clock: SimulatedClock;
  readonly random: Random;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly options: DevnetOptions;
  /** Whether the chain follows the machine's clock. */
  readonly byClock: boolean;
  /** An error that Sunup reports as its own. */
  readonly onError: (message: string, cause: unknown) => void;
  readonly onWarning: (message: string) => void;
}

export class SimulatedProcess implements DiskProcess {
  isAlive = true;
  /** Somebody stops it in order. */
  isClosing = false;
  readonly clock: ProcessClock;
  readonly folder: OpenFolder;
  readonly #ports = new MemoryPorts();
  #grpc: GrpcClient | undefined;
  #devnet: Devnet | undefined;
  #node: Node | undefined;
  #server: ChainServer | undefined;
  #ended: () => void = () => {};
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Why the node has stopped working, if it has. */
  failure: Error | undefined;

  constructor(private readonly parts: ProcessParts) {
    this.clock = parts.clock.forProcess(() => this.isAlive);
    this.folder = virtualFolder(parts.disk, this);
    this.ended = new Promise((resolve) => {
      this.#ended = resolve;
    });
  }

  /** @throws OptionError what a user would see */
  async start(): Promise<void> {
    const { random, fetch, options, byClock } = this.parts;
    const log = {
      warn: (message: string) => this.isAlive && this.parts.onWarning(message),
      error: (message: string, cause: unknown) => this.isAlive && this.parts.onError(message, cause),
    };
    const ports = { httpPort: false, grpcPort: 0, grpcSolidityPort: 0 } as const;
    const settings = settingsForLibrary({ ...options, ...ports, clock: byClock ? this.clock : 'virtual', log });
    const machine = { clock: this.clock, random, fetch, listen: this.#ports.listen };
    const { devnet, node, server } = await startHosted(settings, { machine, folder: this.folder });
    devnet.on('failed', (failure) => {
      this.failure = failure;
    });
    this.#devnet = devnet;
    this.#node = node;
    this.#server = server;
  }

  get devnet(): Devnet {
    if (this.#devnet === undefined) throw new Error('the node has not started');
    return this.#devnet;
  }

  get node(): Node {
    if (this.#node === undefined) throw new Error('the node has not started');
    return this.#node;
  }

  /** What would be behind its port. */
  get server(): ChainServer {
    if (this.#server === undefined) throw new Error('the node has not started');
    return this.#server;
  }

  /** The connection that clients share. */
  get grpc(): GrpcClient {
    if (this.#grpc?.isOpen !== true) this.#grpc = this.newGrpc('full');
    return this.#grpc;
  }

  /** A connection of its own. */
  newGrpc(serves: 'full' | 'solidity'): GrpcClient {
    const { grpc, grpcSolidity } = this.devnet;
    const at = serves === 'full' ? grpc : grpcSolidity[0];
    if (at === undefined) throw new Error(`no gRPC port serves ${serves}`);
    return new GrpcClient(this.#ports.connect(at.port));
  }

  /** The process is gone, whatever it was doing. */
  end(): void {
    this.isAlive = false;
    this.#grpc?.close();
    this.#ended();
  }
}
