/** A devnet put together: a genesis from the settings, a node on its store, the interfaces in front of it; what it can do. */

import { decodeCharges } from '../ledger/charging/charges.js';
import { type Explanation, explainCharges } from '../ledger/charging/explain.js';
import type { Node } from '../node/node.js';
import type { Settings } from '../options/declarations.js';
import { type DevAccount, devAccounts } from '../options/dev-accounts.js';
import type { GenesisFile } from '../options/genesis-file.js';
import { wallClock } from '../platform/clock.js';
import { type DataDirectory, openDataDirectory } from '../platform/data-directory.js';
import type { TxId } from '../primitives/ids.js';
import { SignerThreads } from '../signers/threads.js';
import { type DevnetEvents, Events, type Listener } from './events.js';
import { devnetGenesis } from './genesis.js';
import { type Closer, type Endpoint, type Interfaces, openInterfaces } from './interfaces.js';
import { IntervalTimer } from './interval-timer.js';
import { openNode } from './open-node.js';

/** Blocks to make, or time to let pass. */
export type MineRequest = number | { readonly advanceMs: number };

/** A running chain and everything that speaks for it. */
export interface Devnet extends Interfaces {
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

  on<Name extends keyof DevnetEvents>(name: Name, listener: Listener<Name>): this;
  off<Name extends keyof DevnetEvents>(name: Name, listener: Listener<Name>): this;

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
  const closers: Closer[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  if (directory !== undefined) closers.push(() => directory.release());
  try {
    const wall = settings.clock === 'virtual' ? undefined : settings.clock === 'wall' ? wallClock : settings.clock;
    const events: Events = new Events(() => node.chain, settings.log);
    const signers = new SignerThreads();
    closers.push(() => signers.close());
    const { observer } = events;
    const node: Node = await openNode(settings, made, { directory: directory?.path, wall, observer, signers });
    closers.push(() => node.close());
    await node.chain.durable();
    const { witnesses } = node.chain.ledger.state.tables;
    const coinbase = [...made.witnessKeys.keys()].find((witness) => witnesses.has(witness));
    const interfaces = await openInterfaces(node, settings, coinbase, closers);
    const timer = new IntervalTimer(node, wall);
    timer.schedule();
    closers.push(() => timer.stop());
    return new RunningDevnet(interfaces, accounts, directory, node, events, timer, closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** The checker of its shape is loaded only where there is one. */
async function genesisFile(given: Settings['genesis']): Promise<GenesisFile> {
  if (given === undefined) return {};
  const { readGenesisFile } = await import('../options/genesis-file.js');
  return readGenesisFile(given);
}

class RunningDevnet implements Devnet {
  readonly http: Endpoint;
  readonly jsonrpc: Endpoint;
  readonly jsonrpcSolidity: Endpoint | undefined;
  readonly grpc: Endpoint | undefined;
  readonly grpcSolidity: readonly Endpoint[];
  readonly #node: Node;
  readonly #events: Events;
  readonly #timer: IntervalTimer;
  readonly #closeAll: () => Promise<void>;
  #closing: Promise<void> | undefined;

  constructor(
    interfaces: Interfaces,
    readonly accounts: readonly DevAccount[],
    readonly dataDirectory: DataDirectory | undefined,
    node: Node,
    events: Events,
    timer: IntervalTimer,
    closeAll: () => Promise<void>,
  ) {
    this.http = interfaces.http;
    this.jsonrpc = interfaces.jsonrpc;
    this.jsonrpcSolidity = interfaces.jsonrpcSolidity;
    this.grpc = interfaces.grpc;
    this.grpcSolidity = interfaces.grpcSolidity;
    this.#node = node;
    this.#events = events;
    this.#timer = timer;
    this.#closeAll = closeAll;
  }

  get genesisId(): string {
    return this.#node.chain.config.genesisId;
  }

  get chainId(): string {
    return `0x${this.genesisId.slice(-8)}`;
  }

  async mine(request: MineRequest = 1): Promise<{ number: number; id: string; timestampMs: number }> {
    if (typeof request === 'number') this.#node.mine(whole(request, 'mine: the number of blocks'));
    else this.#node.advance(BigInt(whole(request.advanceMs, 'mine: advanceMs')));
    this.#timer.schedule();
    const { chain } = this.#node;
    await chain.durable();
    return { number: chain.headNumber, id: chain.headId, timestampMs: Number(chain.headTimeMs) };
  }

  snapshot(): string {
    return this.#node.snapshot();
  }

  async revert(id: string): Promise<void> {
    this.#node.revert(id);
    this.#timer.schedule();
    await this.#node.chain.durable();
  }

  explain(txid: string): Explanation | undefined {
    const stored = this.#node.chain.ledger.state.tables.transactions.get(txid as TxId);
    return stored && explainCharges(txid, decodeCharges(stored.charges));
  }

  on<Name extends keyof DevnetEvents>(name: Name, listener: Listener<Name>): this {
    this.#events.on(name, listener);
    return this;
  }

  off<Name extends keyof DevnetEvents>(name: Name, listener: Listener<Name>): this {
    this.#events.off(name, listener);
    return this;
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function whole(value: number, what: string): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${what} is ${value}, but has to be a whole number`);
  return value;
}
