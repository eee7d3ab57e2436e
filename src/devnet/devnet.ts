/** A running chain and what it can do, as the library's users hold it. Made by `start.ts`. */

// What implements AsyncDisposable has to compile for those whose `lib` is older.
/// <reference lib="esnext.disposable" preserve="true" />

import type { Abi } from '../contracts/abi.js';
import type {
  ContractArtifact,
  DeployedContract,
  DeployOptions,
  FileUrl,
  Receipt,
} from '../contracts/deployed-contract.js';
import type { TraceOptions } from '../explanation/calls/trace.js';
import type { MineRequest as Asked } from '../node/clock/mine-request.js';
import type { Mined } from '../node/control.js';
import type { DevAccount } from '../options/dev-accounts.js';
import type { Release } from '../primitives/release.js';
import type { CallTreeInWords } from '../prose/call-tree.js';
import type { ExplanationInWords } from '../prose/explanation.js';
import type { DevnetControl } from './control/control.js';
import type { Endpoint, Interfaces } from './endpoints.js';
import type { DevnetEvents, Listener } from './events/events.js';
import type { DevContract, DevWitness } from './genesis/genesis.js';
import type { NetworkStakeReport } from './genesis/network-stake.js';

/** A number of blocks, or time to let pass: so long, or until a moment. */
export type MineRequest = number | Asked;

/** What a fork began above: a block of the network at `url`, and the time of that block. */
export interface ForkOrigin {
  /** undefined: nobody is asked, it has what was read before. */
  readonly url: string | undefined;
  readonly blockNumber: number;
  readonly timestampMs: number;
}

/** What is used of an `AbortSignal`: our declarations need no types of Node or of a browser. */
export interface EndSignal {
  readonly aborted: boolean;
}

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
  /**
   * Who produces blocks from the genesis on, with the keys that are known: who votes a proposal, for example. Of a fork
   * none: its witnesses are the network's, and another key signs for them.
   */
  readonly witnesses: readonly DevWitness[];
  /**
   * The network that this chain is a fork of, and the block of it above which it began, with its time; undefined: of
   * none.
   */
  readonly fork: ForkOrigin | undefined;
  /** Contracts that were there from the beginning (`predeploy`). */
  readonly predeployed: readonly DevContract[];
  /** The last four bytes of the genesis block's id, as `eth_chainId` gives them: `0x…`. */
  readonly chainId: string;
  readonly genesisId: string;
  /** The release of java-tron that the chain is one of; that of a loaded chain is its own, whatever the options say. */
  readonly nodeVersion: Release;
  /** Length of the protocol's slot in milliseconds: 3,000, or what the chain was begun with. */
  readonly slotMs: number;
  /** What others are taken to have staked, and what a TRX of one's own yields beside it (`networkStake`). */
  readonly networkStake: NetworkStakeReport;
  /** Where the chain is kept; undefined: in memory. */
  readonly dataDirectory: { readonly path: string; readonly temporary: boolean } | undefined;

  /**
   * `mine(n)` makes n blocks; `mine({ advanceMs })` and `mine({ timestampMs })` let time pass as a pause of all producers
   * does: one block at each maintenance on the way and one at the end. docs/reference/time.md says which times blocks get.
   *
   * Works in slices: requests are answered meanwhile. One call at a time; others wait for it.
   *
   * @returns the head, how many blocks were made and, where time was let pass, how much later than asked the head is (0,
   *   except on a chain whose blocks lie on slots)
   * @param options.signal ends it; what was made until then is kept
   * @throws RangeError for what is no such request; MiningStoppedError when it is ended, or the devnet closed, before it
   *   is done
   * @example await devnet.mine({ advanceMs: 14 * 86_400_000 }) // until an unstaking may be withdrawn
   */
  mine(request?: MineRequest, options?: { readonly signal?: EndSignal }): Promise<Mined>;
  /** Remembers everything: height, state, pending transactions, time. The id is good for one `revert`. */
  snapshot(): string;
  /** Goes back to a snapshot. @throws UnknownSnapshotError */
  revert(id: string): Promise<void>;
  /**
   * What a transaction did, what it cost, and why: plain data (`toJson` gives what `JSON.stringify` writes), and lines of text.
   *
   * `preview` shows the cost under other values.
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
   * @param options `lines`: Energy by line of the sources and the stack trace of a failure, by the option `artifacts`;
   *   `profile`: a profile in the format of speedscope, by `function` or `line`
   * @throws NotExplainableError for what is no id, is not on this chain, or is in no block yet
   * @example const { lines, stack } = await devnet.trace(txid, { lines: true })
   */
  trace(txid: string, options?: TraceOptions): Promise<CallTreeInWords>;

  /**
   * The whole chain with its history in one file: what it was begun with, blocks, operations, what is pending. For `load`
   * of a devnet that was begun with the same options, for the option `loadState`, and for `sunup --load-state FILE`.
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
   * installed; docs/reference/test-api.md has the options.
   *
   * @param artifact what was imported, or the path of its file
   * @throws TransactionRefusedError, TransactionFailedError; TypeError for arguments that do not fit the ABI
   * @example
   * const token = await devnet.deploy(artifact, { args: [1_000n] });
   * await token.write.transfer([devnet.accounts[1].address, 5n]);
   */
  deploy<const A extends Abi>(
    artifact: ContractArtifact<A> | string | FileUrl,
    options?: DeployOptions<A>,
  ): Promise<DeployedContract<A>>;
  /**
   * A handle on a contract that is there.
   *
   * @param artifact or the path of its file, or its ABI; undefined: the ABI that it has on the chain
   * @throws TypeError where there is no ABI; ArtifactError for what is no artifact
   */
  contractAt<const A extends Abi>(
    artifact: A | Pick<ContractArtifact<A>, 'abi' | 'contractName'> | string | FileUrl | undefined,
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
