/** A devnet put together: a genesis from the settings, a node on its store, the interfaces in front of it; what it can do. */

// What implements AsyncDisposable has to compile for those whose `lib` is older.
/// <reference lib="esnext.disposable" preserve="true" />

import type { Abi } from '../contracts/abi.js';
import type { Contracts } from '../contracts/contracts.js';
import type { ContractArtifact, DeployedContract, DeployOptions, Receipt } from '../contracts/deployed-contract.js';
import { explain } from '../explanation/explain.js';
import type { GenesisContract } from '../ledger/blocks/genesis-contracts.js';
import type { ControlObserver, Mined } from '../node/control.js';
import type { Dump } from '../node/dump.js';
import type { MineRequest as Asked } from '../node/mine-request.js';
import type { Node } from '../node/node.js';
import type { Settings } from '../options/declarations.js';
import { type DevAccount, devAccounts, phraseOf } from '../options/dev-accounts.js';
import type { GenesisFile } from '../options/genesis-file.js';
import { wallClock } from '../platform/clock.js';
import type { DataDirectory } from '../platform/data-directory.js';
import type { Fetch } from '../platform/fetch.js';
import type { CallTreeInWords } from '../prose/call-tree.js';
import { type ExplanationInWords, explanationInWords } from '../prose/explanation.js';
import { toBase58 } from '../protocol/address.js';
import { SignerThreads } from '../signers/threads.js';
import { closeKept, openDirectory, removeAbandonedDirectories } from './chain-database.js';
import { Chains, type HostedDevnet } from './chains.js';
import { type ClosableHost, contractHost } from './contract-host.js';
import { Control, type DevnetControl } from './control.js';
import type { Endpoint, Interfaces } from './endpoints.js';
import { type DevnetEvents, Events, type Listener } from './events.js';
import { FullDisk } from './full-disk.js';
import { type DevContract, type DevnetGenesis, type DevWitness, devnetGenesis } from './genesis.js';
import { type Closer, openInterfaces } from './interfaces.js';
import { IntervalTimer } from './interval-timer.js';
import { type NetworkLoadReport, networkLoadReport } from './network-load.js';
import { openNode } from './open-node.js';

/** A number of blocks, or time to let pass: so long, or until a moment. */
export type MineRequest = number | Asked;

/** A running chain and everything that speaks for it. */
export interface Devnet extends Interfaces, DevnetControl {
  /** @throws Error when no port was wanted (`httpPort: false`); `fetch` answers then too */
  readonly http: Endpoint;
  /**
   * As the network has it: on the port of its own, if there is one, else on that of the HTTP server.
   *
   * @throws Error when no port was wanted (`httpPort: false`)
   */
  readonly jsonrpc: Endpoint;
  /**
   * `url` is what ethers and viem are given; with `ws:` in place of `http:` what their WebSocket clients are given.
   *
   * @throws Error when no port was wanted (`httpPort: false`)
   */
  readonly eth: Endpoint;
  /** Funded accounts whose keys are known. */
  readonly accounts: readonly DevAccount[];
  /** What their keys are derived from; those of `privateKeys` are not. */
  readonly wallet: { readonly mnemonic: string; readonly derivationPath: string };
  /** Who produces blocks from the genesis on, with the keys that are known: who votes a proposal, for example. */
  readonly witnesses: readonly DevWitness[];
  /** Contracts that were there from the beginning (`predeploy`). */
  readonly predeployed: readonly DevContract[];
  /** The last four bytes of the genesis block's id, as `eth_chainId` gives them: `0x…`. */
  readonly chainId: string;
  readonly genesisId: string;
  /** What others are taken to have staked, and what a TRX of one's own yields beside it (`networkLoad`). */
  readonly networkLoad: NetworkLoadReport;
  /** Where the chain is kept; undefined: in memory. */
  readonly dataDirectory: { readonly path: string; readonly temporary: boolean } | undefined;

  /**
   * `mine(n)` makes n blocks; `mine({ advanceMs })` and `mine({ timestampMs })` let time pass as a pause of all producers
   * does: one block at each maintenance on the way and one at the end. docs/time.md says which times blocks get.
   *
   * Works in slices: requests are answered meanwhile. One call at a time; others wait for it.
   *
   * @returns the head, how many blocks were made and, where time was let pass, how much later than asked the head is (0,
   *   except on a chain whose blocks lie on slots)
   * @throws RangeError for what is no such request; MiningStoppedError when the devnet is closed before it is done
   * @example await devnet.mine({ advanceMs: 14 * 86_400_000 }) // until an unstaking may be withdrawn
   */
  mine(request?: MineRequest): Promise<Mined>;
  /** Remembers everything: height, state, pending transactions, time. The id is good for one `revert`. */
  snapshot(): string;
  /** Goes back to a snapshot. @throws UnknownSnapshotError */
  revert(id: string): Promise<void>;
  /**
   * What a transaction did, what it cost, and why: plain data, which JSON.stringify writes as it is, and lines of text.
   *
   * @param txid 64 hex digits
   * @throws NotExplainableError for what is no id, is not on this chain, or is in no block yet
   */
  explain(txid: string): Promise<ExplanationInWords>;
  /**
   * The call tree of a transaction: who called whom, with names, arguments and results by the ABIs on the chain or in
   * `artifacts`, Energy of each call, events, transfers, the reason of a revert where it arose. Data and lines of text.
   *
   * @param txid 64 hex digits
   * @throws NotExplainableError for what is no id, is not on this chain, or is in no block yet
   */
  trace(txid: string): Promise<CallTreeInWords>;

  /**
   * The whole chain with its history in one file: what it was begun with, blocks, operations, what is pending. For `load`
   * of a devnet that was begun with the same options, for the option `load`, and for `sunup --load FILE`.
   *
   * @example await writeFile('chain.dump', await devnet.dump())
   */
  dump(): Promise<Uint8Array>;
  /**
   * Makes a dumped chain this one, by applying its blocks again. Snapshots are used up.
   *
   * @throws OperationError for what is no dump, or the dump of a chain that was begun otherwise; the chain is as before
   */
  load(dump: Uint8Array): Promise<void>;

  /**
   * Deploys what a compiler wrote: an artifact of solc, TronBox, Hardhat or Foundry. Through TronWeb, which has to be
   * installed; docs/testing.md says more.
   *
   * @param artifact what was imported, or the path of its file
   * @throws TransactionRefusedError, TransactionFailedError; TypeError for arguments that do not fit the ABI
   * @example
   * const token = await devnet.deploy(artifact, { args: [1_000n] });
   * await token.write.transfer([devnet.accounts[1].address, 5n]);
   */
  deploy<const A extends Abi>(
    artifact: ContractArtifact<A> | string,
    options?: DeployOptions<A>,
  ): Promise<DeployedContract<A>>;
  /**
   * A handle on a contract that is there.
   *
   * @param artifact or its ABI; undefined: the ABI that it has on the chain
   * @throws TypeError where there is no ABI
   */
  contractAt<const A extends Abi>(
    artifact: A | Pick<ContractArtifact<A>, 'abi' | 'contractName'> | undefined,
    address: string,
  ): Promise<DeployedContract<A>>;
  /** The receipt of a transaction, however it was sent. Waits for its block. */
  receipt(txid: string): Promise<Receipt>;
  /** Deployments and writes of contracts that are begun and have no receipt yet, a phrase each. */
  readonly underWay: readonly string[];

  on<Name extends keyof DevnetEvents>(name: Name, listener: Listener<Name>): this;
  off<Name extends keyof DevnetEvents>(name: Name, listener: Listener<Name>): this;

  /** Answers what is being asked, writes what is to be written, and frees every port, file and timer. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface StartOptions {
  /** Without `db`: keep the chain in a temporary directory rather than in memory, as the command does. */
  readonly temporaryDirectory?: boolean;
  /** Told while blocks are indexed that a database got with `history: false`. */
  readonly indexProgress?: (done: number, total: number) => void;
  /** Told while the chain of a dump is applied. */
  readonly loadProgress?: (done: number, total: number) => void;
}

/** @throws OptionError for settings that cannot be, a port in use, a database of another chain */
export async function startDevnet(settings: Settings, options: StartOptions = {}): Promise<Devnet> {
  return (await startHosted(settings, options)).devnet;
}

async function startHosted(
  given: Settings,
  { temporaryDirectory = false, indexProgress, loadProgress }: StartOptions = {},
): Promise<HostedDevnet<Devnet>> {
  const settings = { ...given, mnemonic: await phraseOf(given) };
  const accounts = await devAccounts(settings);
  const file = await genesisFile(settings.genesis);
  const own = devnetGenesis(settings, accounts, file, await genesisContracts(settings, accounts));
  const { dump, made } = await beginning(settings, own);
  const directory = settings.db !== undefined || temporaryDirectory ? openDirectory(settings.db) : undefined;
  const closers: Closer[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  if (directory !== undefined) closers.push(() => directory.release());
  try {
    const wall = settings.clock === 'virtual' ? undefined : settings.clock === 'wall' ? wallClock : settings.clock;
    const events: Events = new Events(
      () => node.chain,
      settings.log,
      () => fullDisk?.refused(),
      settings.trace ? (await import('../explanation/trace.js')).tracesOfBlock : undefined,
    );
    const fullDisk = directory && new FullDisk(() => node.chain, directory.path, settings.log);
    const signers = new SignerThreads();
    closers.push(() => signers.close());
    const { observer } = events;
    let timer: IntervalTimer | undefined;
    const controls: ControlObserver = {
      ...events.controls,
      mined: (...mined) => {
        timer?.schedule();
        events.controls.mined?.(...mined);
      },
      paceChanged: () => timer?.schedule(),
      branched: (how) => {
        timer?.schedule();
        events.controls.branched?.(how);
      },
      wentBack: (id) => {
        timer?.schedule();
        events.controls.wentBack?.(id);
      },
    };
    const failed = (failure: Error) => events.failed(failure);
    const node: Node = await openNode(settings, made, {
      directory: directory?.path,
      wall,
      observer,
      controls,
      signers,
      indexProgress,
      dump,
      loadProgress,
      failed,
    });
    closers.push(
      () => (directory === undefined || directory.temporary ? node.close() : closeKept(node, directory.path)),
      () => fullDisk?.stop(),
    );
    await node.chain.durable();
    const { witnesses } = node.chain.ledger.state.tables;
    const coinbase = [...made.witnessKeys.keys()].find((witness) => witnesses.has(witness));
    const chains = new Chains(settings, startHosted);
    closers.push(() => chains.close());
    const interfaces = await openInterfaces(node, settings, coinbase, accounts, closers, chains);
    timer = new IntervalTimer(node, wall, settings.log, failed);
    timer.schedule();
    if (directory?.temporary) {
      const removing = removeAbandonedDirectories(settings.log);
      closers.push(() => removing);
    }
    closers.push(
      () => timer?.stop(),
      // Before the interfaces, so that who waits for blocks is told how far they came.
      () => node.mining.stop(),
    );
    const devnet = new RunningDevnet(interfaces, accounts, settings, made, directory, node, events, closeAll);
    return { devnet, node, server: interfaces.server };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** What the chain begins with: the options, or a dump. */
async function beginning(
  settings: Settings,
  own: DevnetGenesis,
): Promise<{ readonly dump: Dump | undefined; readonly made: DevnetGenesis }> {
  if (settings.load === undefined) return { dump: undefined, made: own };
  const { begunByDump, readDumpOption } = await import('./load-dump.js');
  const dump = await readDumpOption(settings.load);
  return { dump, made: begunByDump(own, dump, settings) };
}

/** The checker of its shape is loaded only where there is one. */
async function genesisFile(given: Settings['genesis']): Promise<GenesisFile> {
  if (given === undefined) return {};
  const { readGenesisFile } = await import('../options/genesis-file.js');
  return readGenesisFile(given);
}

function withoutPort(): never {
  throw new Error(
    'this devnet listens on no HTTP port (httpPort: false): ask it with devnet.fetch, or through the providers of sunup/testing',
  );
}

/** Their code is loaded only where there are some. */
async function genesisContracts(
  { predeploy }: Settings,
  accounts: readonly DevAccount[],
): Promise<readonly GenesisContract[]> {
  if (predeploy === undefined) return [];
  const { predeployedContracts } = await import('./predeployed.js');
  return predeployedContracts(predeploy, accounts);
}

class RunningDevnet extends Control implements Devnet {
  readonly wallet: Devnet['wallet'];
  readonly witnesses: readonly DevWitness[];
  readonly predeployed: readonly DevContract[];
  readonly jsonrpcSolidity: Endpoint | undefined;
  readonly grpc: Endpoint | undefined;
  readonly grpcSolidity: readonly Endpoint[];
  readonly fetch: Fetch;
  readonly #interfaces: Interfaces;
  readonly #node: Node;
  readonly #events: Events;
  readonly #closeAll: () => Promise<void>;
  readonly #host: ClosableHost;
  #contracts: Promise<Contracts> | undefined;
  #loadedContracts: Contracts | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    interfaces: Interfaces,
    readonly accounts: readonly DevAccount[],
    { mnemonic, derivationPath }: Devnet['wallet'],
    { witnesses, genesis: { contracts = [] } }: DevnetGenesis,
    readonly dataDirectory: DataDirectory | undefined,
    node: Node,
    events: Events,
    closeAll: () => Promise<void>,
  ) {
    super();
    this.wallet = { mnemonic, derivationPath };
    this.witnesses = witnesses;
    this.predeployed = contracts.map(({ name, address }) => ({
      name,
      address: toBase58(address),
      addressHex: address,
    }));
    this.jsonrpcSolidity = interfaces.jsonrpcSolidity;
    this.grpc = interfaces.grpc;
    this.grpcSolidity = interfaces.grpcSolidity;
    this.fetch = interfaces.fetch;
    this.#interfaces = interfaces;
    this.#node = node;
    this.#events = events;
    this.#closeAll = closeAll;
    const { fetch } = interfaces;
    this.#host = contractHost({ fetch, accounts, explain: (txid) => this.explain(txid), node, events });
  }

  get http(): Endpoint {
    return this.#interfaces.http ?? withoutPort();
  }

  get jsonrpc(): Endpoint {
    return this.#interfaces.jsonrpc ?? withoutPort();
  }

  get eth(): Endpoint {
    return this.#interfaces.eth ?? withoutPort();
  }

  get genesisId(): string {
    return this.#node.chain.config.genesisId;
  }

  get networkLoad(): NetworkLoadReport {
    return networkLoadReport(this.#node.chain.ledger);
  }

  get chainId(): string {
    return `0x${this.genesisId.slice(-8)}`;
  }

  async mine(request: MineRequest = 1): Promise<Mined> {
    const { readMineRequest } = await import('../node/mine-request.js');
    const mined = await this.#node.mining.mine(readMineRequest(request));
    await this.#node.chain.durable();
    await this.#events.told();
    return mined;
  }

  snapshot(): string {
    return this.#node.snapshot();
  }

  async revert(id: string): Promise<void> {
    await this.#node.mining.inTurn(() => this.#node.revert(id));
    await this.#node.chain.durable();
  }

  protected override async callRow(name: string, parameters: readonly unknown[]): Promise<unknown> {
    const { devMethods } = await import('../devtools/rows.js');
    const method = devMethods.get(name);
    if (method === undefined) throw new Error(`there is no row ${name}`);
    const result = await method.answer({ node: this.#node, path: 'tre' }, parameters);
    await this.#node.chain.durable();
    await this.#events.told();
    return result;
  }

  async explain(txid: string): Promise<ExplanationInWords> {
    return explanationInWords(await explain(this.#node.chain, txid));
  }

  async trace(txid: string): Promise<CallTreeInWords> {
    const [{ traceOf }, { callTreeInWords }] = await Promise.all([
      import('../explanation/trace.js'),
      import('../prose/call-tree.js'),
    ]);
    return callTreeInWords(await traceOf(this.#node.chain, txid));
  }

  async dump(): Promise<Uint8Array> {
    const { packDump } = await import('../node/dump-file.js');
    return packDump(this.#node.chain, this.#node.clock);
  }

  async load(dump: Uint8Array): Promise<void> {
    const { unpackDump } = await import('../node/dump-file.js');
    await this.#node.branches.load(await unpackDump(dump));
    await this.#node.chain.durable();
    await this.#events.told();
  }

  async deploy<const A extends Abi>(artifact: ContractArtifact<A> | string, options?: DeployOptions<A>) {
    return (await this.#loadContracts()).deploy(artifact, options);
  }

  async contractAt<const A extends Abi>(
    artifact: A | Pick<ContractArtifact<A>, 'abi' | 'contractName'> | undefined,
    address: string,
  ) {
    return (await this.#loadContracts()).at(artifact, address);
  }

  async receipt(txid: string): Promise<Receipt> {
    return (await this.#loadContracts()).receipt(txid);
  }

  get underWay(): readonly string[] {
    return this.#loadedContracts?.underWay ?? [];
  }

  #loadContracts(): Promise<Contracts> {
    this.#contracts ??= import('../contracts/contracts.js').then(async ({ Contracts }) => {
      this.#loadedContracts = await Contracts.load(this.#host);
      return this.#loadedContracts;
    });
    return this.#contracts;
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
    this.#host.close();
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
