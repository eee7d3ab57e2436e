/**
 * A devnet put together: settings become a genesis, a store, a chain with its producer, and the interfaces in front of
 * it. The only file that knows all the parts; the rules are theirs.
 */

import { EventEmitter } from 'node:events';
import { type DevnetGenesis, devnetGenesis } from './devnet-genesis.js';
import { type GrpcPort, startGrpcServer } from './grpc/server.js';
import { httpRows } from './http/rows.js';
import { startHttpServer } from './http/server.js';
import { type JsonRpcEndpoint, jsonRpcEndpoint } from './jsonrpc/endpoint.js';
import type { AppliedBlock, DroppedTransaction } from './ledger/apply-block.js';
import type { AppliedTransaction } from './ledger/apply-transaction.js';
import { blockOutline } from './ledger/blocks/blocks.js';
import { type Charge, decodeCharges } from './ledger/charging/charges.js';
import { type Explanation, explainCharges } from './ledger/charging/explain.js';
import { NETWORK_SETTINGS } from './ledger/config.js';
import { type ChainObserver, IncompatibleDatabaseError } from './node/chain.js';
import { ShiftedClock, VirtualClock } from './node/clock.js';
import { consoleLines } from './node/console-log.js';
import type { FilterOptions } from './node/filters.js';
import { type LevelDatabase, LevelStore } from './node/level-store.js';
import { Node } from './node/node.js';
import type { Settings } from './options/declarations.js';
import { type DevAccount, devAccounts } from './options/dev-accounts.js';
import type { GenesisFile } from './options/genesis-file.js';
import { OptionError } from './options/option-error.js';
import { type WallClock, wallClock } from './platform/clock.js';
import { type DataDirectory, openDataDirectory } from './platform/data-directory.js';
import { systemRandom } from './platform/random.js';
import { bytesToHex } from './primitives/hex.js';
import type { TxId } from './primitives/ids.js';
import { toBase58 } from './protocol/address.js';
import {
  Transaction_Contract_ContractType_type,
  Transaction_Result_contractResult_type,
} from './protocol/generated/tron.js';
import { SignerThreads } from './signers/threads.js';
import { MemoryStore } from './state/memory-store.js';
import { fullContext, solidContext } from './wallet/context.js';

/** Where an interface listens. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** `http://127.0.0.1:9090`, for gRPC `127.0.0.1:50051`. */
  readonly url: string;
}

/** A transaction in a block, with all that it cost. */
export interface TransactionReport {
  readonly txid: string;
  /** The contract's type as the protocol names it, e.g. `TransferContract`. */
  readonly type: string;
  /** Base58check. */
  readonly owner: string;
  /** `SUCCESS`, or the name of the failure as java-tron's receipt has it, e.g. `OUT_OF_ENERGY`. */
  readonly result: string;
  readonly charges: readonly Charge[];
  /** What the contract printed with `console.log`. */
  readonly consoleLines: readonly string[];
}

/** A block that has just become the head and is in the store. */
export interface BlockReport {
  readonly number: number;
  readonly id: string;
  readonly timestampMs: number;
  /** Base58check. */
  readonly witness: string;
  readonly transactions: readonly TransactionReport[];
}

/** A transaction that was accepted and will be in no block: java-tron loses such ones without a word. */
export interface DroppedReport {
  readonly txid: string;
  readonly reason: string;
}

export interface DevnetEvents {
  /** Of empty blocks that are mined many at once only the last is told of. */
  block: [block: BlockReport];
  dropped: [dropped: DroppedReport];
  /** Lines that a contract printed with `console.log` in a call without a transaction. */
  console: [lines: readonly string[]];
}

/** Blocks to make, or time to let pass. */
export type MineRequest = number | { readonly advanceMs: number };

/** A running chain and everything that speaks for it. */
export interface Devnet {
  readonly http: Endpoint;
  /** `url` is what an Ethereum library is given: of the port of its own, if there is one, else of the HTTP server. */
  readonly jsonrpc: Endpoint;
  readonly jsonrpcSolidity: Endpoint | undefined;
  readonly grpc: Endpoint | undefined;
  readonly grpcSolidity: readonly Endpoint[];
  /** Funded accounts whose keys are known. */
  readonly accounts: readonly DevAccount[];
  /** The last four bytes of the genesis block's id, as `eth_chainId` gives them: `0x…`. */
  readonly chainId: string;
  readonly genesisId: string;
  /** Where the chain is kept; undefined: in memory. */
  readonly dataDirectory: { readonly path: string; readonly temporary: boolean } | undefined;

  /**
   * `mine(n)` makes n blocks, one for each of the next slots; `mine({ advanceMs })` lets time pass as a pause of all
   * producers does: one block at each maintenance on the way and one at the end. Resolves with the head.
   *
   * @throws RangeError for what is not a whole number
   * @example await devnet.mine({ advanceMs: 14 * 86_400_000 }) // until an unstaking may be withdrawn
   */
  mine(request?: MineRequest): Promise<{ readonly number: number; readonly id: string; readonly timestampMs: number }>;
  /** Remembers everything: height, state, pending transactions, time. The id is good for one `revert`. */
  snapshot(): string;
  /** Goes back to a snapshot. @throws UnknownSnapshotError */
  revert(id: string): Promise<void>;
  /** What a transaction cost, and why; undefined for one that is not on this chain. */
  explain(txid: string): Explanation | undefined;

  on<Name extends keyof DevnetEvents>(name: Name, listener: (...values: DevnetEvents[Name]) => void): this;
  off<Name extends keyof DevnetEvents>(name: Name, listener: (...values: DevnetEvents[Name]) => void): this;

  /** Answers what is being asked, writes what is to be written, and frees every port, file and timer. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface StartOptions {
  /** Without `db`: keep the chain in a temporary directory rather than in memory, as the command does. */
  readonly temporaryDirectory?: boolean;
}

/** @throws OptionError for settings that cannot be, a port in use, a database of another chain */
export async function startDevnet(
  settings: Settings,
  { temporaryDirectory = false }: StartOptions = {},
): Promise<Devnet> {
  const accounts = await devAccounts(settings);
  const made = devnetGenesis(settings, accounts, await genesisFile(settings.genesis));
  const directory = settings.db !== undefined || temporaryDirectory ? openDataDirectory(settings.db) : undefined;
  const closers: (() => Promise<void> | void)[] = [];
  if (directory !== undefined) closers.push(() => directory.release());
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const devnet = new RunningDevnet(settings, accounts, made, directory, closeAll);
    await devnet.start(closers);
    return devnet;
  } catch (error) {
    await closeAll();
    throw error;
  }
}

class RunningDevnet implements Devnet {
  http!: Endpoint;
  jsonrpc!: Endpoint;
  jsonrpcSolidity: Endpoint | undefined;
  grpc: Endpoint | undefined;
  readonly grpcSolidity: Endpoint[] = [];
  readonly #events = new EventEmitter();
  #node!: Node;
  #wall: WallClock | undefined;
  #cancelTick: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly settings: Settings,
    readonly accounts: readonly DevAccount[],
    private readonly made: DevnetGenesis,
    readonly dataDirectory: DataDirectory | undefined,
    private readonly closeAll: () => Promise<void>,
  ) {}

  get genesisId(): string {
    return this.#node.chain.config.genesisId;
  }

  get chainId(): string {
    return `0x${this.genesisId.slice(-8)}`;
  }

  async start(closers: (() => Promise<void> | void)[]): Promise<void> {
    const { settings } = this;
    this.#wall = settings.clock === 'virtual' ? undefined : settings.clock === 'wall' ? wallClock : settings.clock;
    const signers = new SignerThreads();
    closers.push(() => signers.close());
    this.#node = await this.#openNode(signers);
    closers.push(() => this.#node.close());
    if (this.#node.chain.headNumber === 0) this.#firstBlocks();
    await this.#node.chain.durable();
    const { host, httpPort: port } = settings;
    const server = await listening('httpPort', port, () =>
      startHttpServer({
        host,
        port,
        rows: httpRows,
        views: {
          wallet: () => fullContext(this.#node),
          walletsolidity: () => solidContext(this.#node),
          net: () => fullContext(this.#node),
          monitor: () => fullContext(this.#node),
          ...(settings.devMethods && { sunup: () => fullContext(this.#node) }),
        },
        posts: [this.#jsonRpc('full')],
        ...this.#httpSettings(),
      }),
    );
    closers.push(() => server.close());
    this.http = { host, port: server.port, url: server.url };
    this.jsonrpc = { ...this.http, url: `${server.url}/jsonrpc` };
    const { jsonrpcPort, jsonrpcSolidityPort } = settings;
    if (jsonrpcPort !== false) {
      this.jsonrpc = await this.#listenJsonRpc('jsonrpcPort', jsonrpcPort, 'full', closers);
    }
    if (jsonrpcSolidityPort !== false) {
      this.jsonrpcSolidity = await this.#listenJsonRpc('jsonrpcSolidityPort', jsonrpcSolidityPort, 'solid', closers);
    }
    if (settings.grpcPort !== false) {
      this.grpc = await this.#listenGrpc('grpcPort', settings.grpcPort, 'full', closers);
    }
    for (const solidityPort of settings.grpcSolidityPort) {
      this.grpcSolidity.push(await this.#listenGrpc('grpcSolidityPort', solidityPort, 'solidity', closers));
    }
    this.#schedule();
    closers.push(() => this.#cancelTick?.());
  }

  /** What every HTTP server of ours has in common. */
  #httpSettings() {
    const { cors, log } = this.settings;
    return {
      cors,
      durable: () => this.#node.chain.durable(),
      ...(log && { onInternalError: (error: unknown, path: string) => log.error(`${path} failed`, error) }),
    };
  }

  #jsonRpc(view: 'full' | 'solid'): JsonRpcEndpoint {
    const { log } = this.settings;
    const { witnesses } = this.#node.chain.ledger.state.tables;
    return jsonRpcEndpoint({
      node: this.#node,
      view,
      coinbase: [...this.made.witnessKeys.keys()].find((witness) => witnesses.has(witness)),
      ...(log && { onInternalError: (error: unknown, method: string) => log.error(`${method} failed`, error) }),
    });
  }

  async #listenJsonRpc(
    option: 'jsonrpcPort' | 'jsonrpcSolidityPort',
    port: number,
    view: 'full' | 'solid',
    closers: (() => Promise<void> | void)[],
  ): Promise<Endpoint> {
    const { host } = this.settings;
    const server = await listening(option, port, () =>
      startHttpServer({ host, port, rows: [], views: {}, posts: [this.#jsonRpc(view)], ...this.#httpSettings() }),
    );
    closers.push(() => server.close());
    return { host, port: server.port, url: `${server.url}/jsonrpc` };
  }

  async #listenGrpc(
    option: 'grpcPort' | 'grpcSolidityPort',
    port: number,
    serves: GrpcPort,
    closers: (() => Promise<void> | void)[],
  ): Promise<Endpoint> {
    const { host, log } = this.settings;
    const view = serves === 'full' ? fullContext : solidContext;
    const server = await listening(option, port, () =>
      startGrpcServer({
        host,
        port,
        serves,
        view: () => view(this.#node),
        durable: () => this.#node.chain.durable(),
        ...(log && { onInternalError: (error: unknown, path: string) => log.error(`${path} failed`, error) }),
      }),
    );
    closers.push(() => server.close());
    return { host, port: server.port, url: server.url };
  }

  async #openNode(signers: SignerThreads): Promise<Node> {
    const { settings, made } = this;
    const store = this.dataDirectory === undefined ? new MemoryStore() : await openLevel(this.dataDirectory.path);
    const observer: ChainObserver = {
      blockApplied: (block) => this.#report(block),
      emptyBlocksApplied: (_, last) => this.#reportEmpty(last),
      transactionsDropped: (dropped) => this.#reportDropped(dropped),
      consoleLogged: (lines) => this.#events.emit('console', lines),
    };
    try {
      return await Node.open({
        chain: {
          genesis: made.genesis,
          store,
          poolSize: settings.poolSize,
          solidityLag: settings.solidified === 'network' ? 'network' : 'none',
          settings: { ...NETWORK_SETTINGS, vmStepBudget: settings.vmSteps },
          observer,
        },
        producer: { mode: settings.mining, fillForeignSlots: settings.unknownWitnesses === 'fill' },
        clock: this.#wall === undefined ? new VirtualClock(made.genesis.timestampMs) : new ShiftedClock(this.#wall),
        witnessKeys: made.witnessKeys,
        signers,
        ...(this.#wall !== undefined && { filters: filtersOf(this.#wall) }),
      });
    } catch (error) {
      await store.close();
      if (error instanceof IncompatibleDatabaseError) throw new OptionError('db', error.message, error.hint);
      throw error;
    }
  }

  /**
   * Blocks 1 and 2 at once and in the past: clients cannot read a genesis block without a number, and block 2 may not
   * come before 9 s have passed (ledger.md 6.1), for which nobody wants to wait.
   */
  #firstBlocks(): void {
    const { producer, clock } = this.#node;
    const { genesis } = this.made;
    // Then block 2 lies in the slot that runs, and nothing is due at once.
    const aheadMs = clock.nowMs() - genesis.timestampMs - 9_000n;
    producer.mineAtOrBefore(aheadMs > 0n ? genesis.timestampMs + aheadMs : genesis.timestampMs + 3_000n);
    producer.mine(1);
  }

  /** An interval chain makes its blocks when the wall clock says so; a virtual clock never does. */
  #schedule(): void {
    const { clock, producer } = this.#node;
    if (this.#wall === undefined || producer.mode !== 'interval' || !(clock instanceof ShiftedClock)) return;
    this.#cancelTick?.();
    this.#cancelTick = this.#wall.at(clock.wallTimeMs(producer.nextSlotTimeMs()), () => {
      producer.mineDue();
      this.#schedule();
    });
  }

  async mine(request: MineRequest = 1): Promise<{ number: number; id: string; timestampMs: number }> {
    if (typeof request === 'number') this.#node.mine(whole(request, 'mine: the number of blocks'));
    else this.#node.advance(BigInt(whole(request.advanceMs, 'mine: advanceMs')));
    this.#schedule();
    const { chain } = this.#node;
    await chain.durable();
    return { number: chain.headNumber, id: chain.headId, timestampMs: Number(chain.headTimeMs) };
  }

  snapshot(): string {
    return this.#node.snapshot();
  }

  async revert(id: string): Promise<void> {
    this.#node.revert(id);
    this.#schedule();
    await this.#node.chain.durable();
  }

  explain(txid: string): Explanation | undefined {
    const stored = this.#node.chain.ledger.state.tables.transactions.get(txid as TxId);
    return stored && explainCharges(txid, decodeCharges(stored.charges));
  }

  on<Name extends keyof DevnetEvents>(name: Name, listener: (...values: DevnetEvents[Name]) => void): this {
    this.#events.on(name, listener as (...values: unknown[]) => void);
    return this;
  }

  off<Name extends keyof DevnetEvents>(name: Name, listener: (...values: DevnetEvents[Name]) => void): this {
    this.#events.off(name, listener as (...values: unknown[]) => void);
    return this;
  }

  close(): Promise<void> {
    this.#closing ??= this.closeAll();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Told only when the block is in the store; the order of blocks is kept, since batches are accepted in order. */
  #report(block: AppliedBlock): void {
    if (this.#events.listenerCount('block') === 0) return;
    const report: BlockReport = {
      number: block.number,
      id: block.id,
      timestampMs: Number(block.timestampMs),
      witness: toBase58(block.producer),
      transactions: block.transactions.map(transactionReport),
    };
    this.#tell('block', report);
  }

  #reportEmpty(number: number): void {
    if (this.#events.listenerCount('block') === 0) return;
    const { chain } = this.#node;
    const witness = toBase58(blockOutline(chain.ledger, number)?.header.raw_data?.witness_address ?? '');
    const timestampMs = Number(chain.headTimeMs);
    this.#tell('block', { number, id: chain.headId, timestampMs, witness, transactions: [] });
  }

  /** When the store has accepted what it is about. A listener that throws is its owner's, and not in the chain's way. */
  #tell<Name extends keyof DevnetEvents>(name: Name, ...values: DevnetEvents[Name]): void {
    this.#node.chain.durable().then(
      () => this.#events.emit(name, ...values),
      (error: unknown) => this.settings.log?.error(`the store has not accepted a ${name}`, error),
    );
  }

  #reportDropped(dropped: readonly DroppedTransaction[]): void {
    for (const { transaction, reason } of dropped) {
      const text = typeof reason === 'string' ? reason : String(reason.javaMessage);
      this.settings.log?.warn(`transaction ${transaction.txId} was accepted and is dropped: ${text}`);
      this.#tell('dropped', { txid: transaction.txId, reason: text });
    }
  }
}

/** Filters of a chain that people use: ids nobody can guess, and forgotten when nobody asks any more. */
function filtersOf(wall: WallClock): FilterOptions {
  return { newId: () => bytesToHex(systemRandom.bytes(16)), nowMs: () => wall.nowMs() };
}

function whole(value: number, what: string): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${what} is ${value}, but has to be a whole number`);
  return value;
}

function transactionReport({ transaction, contractRet, charges, consoleCalls }: AppliedTransaction): TransactionReport {
  const { contractType, txId, owner } = transaction;
  return {
    txid: txId,
    type: Transaction_Contract_ContractType_type.nameOf(contractType) ?? String(contractType),
    owner: toBase58(owner ?? ''),
    result: Transaction_Result_contractResult_type.nameOf(contractRet) ?? String(contractRet),
    charges,
    consoleLines: consoleLines(consoleCalls),
  };
}

/** The checker of its shape is loaded only where there is one. */
async function genesisFile(given: Settings['genesis']): Promise<GenesisFile> {
  if (given === undefined) return {};
  const { readGenesisFile } = await import('./options/genesis-file.js');
  return readGenesisFile(given);
}

async function openLevel(directory: string): Promise<LevelStore> {
  const { openLevelDb, DatabaseInUseError } = await import('./platform/leveldb.js');
  try {
    return new LevelStore((await openLevelDb(directory)) as unknown as LevelDatabase);
  } catch (error) {
    if (!(error instanceof DatabaseInUseError)) throw error;
    throw new OptionError('db', error.message, 'Stop that one, or use another directory');
  }
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
