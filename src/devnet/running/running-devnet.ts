/** Implements `Devnet` with its node, interfaces and events. */

// Types with AsyncDisposable must also compile with an older `lib`.
/// <reference lib="esnext.disposable" preserve="true" />

import type { Abi } from '../../contracts/abi.js';
import type { Contracts } from '../../contracts/contracts.js';
import type { ContractArtifact, DeployOptions, FileUrl, Receipt } from '../../contracts/deployed-contract.js';
import type { TraceOptions } from '../../explanation/calls/trace.js';
import { explain } from '../../explanation/explain.js';
import { NotExplainableError } from '../../explanation/model/not-explainable.js';
import type { Mined } from '../../node/control.js';
import type { Node } from '../../node/node.js';
import { withRows } from '../../node/with-rows.js';
import type { DevAccount } from '../../options/dev-accounts.js';
import type { Fetch, Post } from '../../platform/fetch.js';
import type { TxId } from '../../primitives/ids.js';
import type { Release } from '../../primitives/release.js';
import type { CallTreeInWords } from '../../prose/call-tree.js';
import { type ExplanationInWords, explanationInWords } from '../../prose/explanation.js';
import type { RecordedExplanationInWords } from '../../prose/recorded-explanation.js';
import { toBase58 } from '../../protocol/address.js';
import { Control } from '../control/control.js';
import type { Devnet, EndSignal, MineRequest } from '../devnet.js';
import type { Endpoint, Interfaces } from '../endpoints.js';
import type { DevnetEvents, Events, Listener } from '../events/events.js';
import type { DevContract, DevnetGenesis, DevWitness } from '../genesis/genesis.js';
import { type NetworkStakeReport, networkStakeReport } from '../genesis/network-stake.js';
import { type ClosableHost, contractHost } from './contract-host.js';

function withoutPort(option: 'httpPort' | 'jsonrpcPort'): never {
  throw new Error(
    `this devnet does not listen on an ${option === 'httpPort' ? 'HTTP' : 'JSON-RPC'} port (${option}: false): ask it with devnet.fetch, or through the providers of sunup/testing`,
  );
}

export class RunningDevnet extends Control implements Devnet {
  readonly wallet: Devnet['wallet'];
  readonly witnesses: readonly DevWitness[];
  readonly predeployed: readonly DevContract[];
  readonly httpSolidity: Endpoint | undefined;
  readonly httpPbft: Endpoint | undefined;
  readonly jsonrpcSolidity: Endpoint | undefined;
  readonly jsonrpcPbft: Endpoint | undefined;
  readonly grpc: Endpoint | undefined;
  readonly grpcSolidity: readonly Endpoint[];
  readonly grpcPbft: Endpoint | undefined;
  readonly eventQueue: string | undefined;
  readonly fetch: Fetch;
  readonly post: Post;
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
    readonly dataDirectory: Devnet['dataDirectory'],
    node: Node,
    events: Events,
    closeAll: () => Promise<void>,
  ) {
    super();
    this.wallet = { mnemonic, derivationPath };
    this.witnesses = node.chain.store.elsewhere === undefined ? witnesses : [];
    this.predeployed = contracts.map(({ name, address }) => ({
      name,
      address: toBase58(address),
      addressHex: address,
    }));
    this.httpSolidity = interfaces.httpSolidity;
    this.httpPbft = interfaces.httpPbft;
    this.jsonrpcSolidity = interfaces.jsonrpcSolidity;
    this.jsonrpcPbft = interfaces.jsonrpcPbft;
    this.grpc = interfaces.grpc;
    this.grpcSolidity = interfaces.grpcSolidity;
    this.grpcPbft = interfaces.grpcPbft;
    this.eventQueue = interfaces.eventQueue;
    this.fetch = interfaces.fetch;
    this.post = interfaces.post;
    this.#interfaces = interfaces;
    this.#node = node;
    this.#events = events;
    this.#closeAll = closeAll;
    const { fetch, post } = interfaces;
    const [explain, preview] = [this.explain.bind(this), this.preview.bind(this)];
    this.#host = contractHost({ fetch, post, accounts, explain, preview, node, events });
  }

  get http(): Endpoint {
    return this.#interfaces.http ?? withoutPort('httpPort');
  }

  get jsonrpc(): Endpoint {
    return this.#interfaces.jsonrpc ?? withoutPort(this.#interfaces.http ? 'jsonrpcPort' : 'httpPort');
  }

  get eth(): Endpoint {
    return this.#interfaces.eth ?? withoutPort(this.#interfaces.http ? 'jsonrpcPort' : 'httpPort');
  }

  get genesisId(): string {
    return this.#node.chain.config.genesisId;
  }

  get nodeVersion(): Release {
    return this.#node.chain.config.release;
  }

  get fork(): Devnet['fork'] {
    const { fork } = this.#node;
    return fork && { url: fork.url, blockNumber: fork.blockNumber, timestampMs: fork.timestampMs };
  }

  get slotMs(): number {
    return Number(this.#node.chain.config.slotMs);
  }

  get networkStake(): NetworkStakeReport {
    return networkStakeReport(this.#node.chain.ledger);
  }

  get chainId(): string {
    return `0x${this.genesisId.slice(-8)}`;
  }

  async mine(request: MineRequest = 1, { signal }: { readonly signal?: EndSignal } = {}): Promise<Mined> {
    const { readMineRequest } = await import('../../node/clock/mine-request.js');
    const untilDurable = this.#node.chain.durability();
    const mined = await this.#node.mining.mine(readMineRequest(request), signal && { isGone: () => signal.aborted });
    await untilDurable();
    await this.#events.flushed();
    return mined;
  }

  snapshot(): string {
    return this.#node.snapshot();
  }

  async revert(id: string): Promise<void> {
    const untilDurable = this.#node.chain.durability();
    await this.#node.rollBackTo(id);
    await untilDurable();
  }

  protected override async callMethod(name: string, parameters: readonly unknown[]): Promise<unknown> {
    const { devMethods } = await import('../../devtools/methods.js');
    const method = devMethods.get(name);
    if (method === undefined) throw new Error(`there is no method ${name}`);
    const untilDurable = this.#node.chain.durability();
    const result = await withRows(() => method.answer({ node: this.#node, path: 'tre' }, parameters));
    await untilDurable();
    await this.#events.flushed();
    return result;
  }

  async explain(txid: string): Promise<ExplanationInWords> {
    return explanationInWords(await withRows(() => explain(this.#node, txid)));
  }

  async explainReceipt(txid: string): Promise<RecordedExplanationInWords> {
    const [{ explainEarlier }, { recordedExplanationInWords }, { placeOf }] = await Promise.all([
      import('../../explanation/recorded/explain-earlier.js'),
      import('../../prose/recorded-explanation.js'),
      import('../../explanation/rerun/in-place.js'),
    ]);
    const named = txid.trim().replace(/^0x/i, '').toLowerCase() as TxId;
    const recorded = await withRows(() => explainEarlier(this.#node.chain, named));
    if (recorded !== undefined) return recordedExplanationInWords(recorded);
    // Throws for what is not on the chain.
    await withRows(() => placeOf(this.#node, txid));
    throw new NotExplainableError(`transaction ${named} ran on this chain: explain() gives its reasons, too`);
  }

  async trace(txid: string, options?: TraceOptions): Promise<CallTreeInWords> {
    const [{ traceOf }, { callTreeInWords }] = await Promise.all([
      import('../../explanation/calls/trace.js'),
      import('../../prose/call-tree.js'),
    ]);
    return callTreeInWords(await withRows(() => traceOf(this.#node, txid, options)));
  }

  async dump(): Promise<Uint8Array> {
    const { packedChain } = await import('../../chain-file/file.js');
    return packedChain(this.#node);
  }

  async load(dump: Uint8Array): Promise<void> {
    const { heldFile, readChainFile } = await import('../../chain-file/file.js');
    const untilDurable = this.#node.chain.durability();
    await this.#node.loader.load(await readChainFile(heldFile(dump)));
    await untilDurable();
    await this.#events.flushed();
  }

  async deploy<const A extends Abi>(artifact: ContractArtifact<A> | string | FileUrl, options?: DeployOptions<A>) {
    return (await this.#loadContracts()).deploy(artifact, options);
  }

  async contractAt<const A extends Abi>(
    artifact: A | Pick<ContractArtifact<A>, 'abi' | 'contractName'> | string | FileUrl | undefined,
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
    this.#contracts ??= import('../../contracts/contracts.js').then(async ({ Contracts }) => {
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
