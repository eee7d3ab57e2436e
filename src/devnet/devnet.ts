/** A running chain as the library's users see it. Made by `start.ts`. */

// Types with AsyncDisposable must also compile with an older `lib`.
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
import type { RecordedExplanationInWords } from '../prose/recorded-explanation.js';
import type { DevnetControl } from './control/control.js';
import type { Endpoint, Interfaces } from './endpoints.js';
import type { DevnetEvents, Listener } from './events/events.js';
import type { DevContract, DevWitness } from './genesis/genesis.js';
import type { NetworkStakeReport } from './genesis/network-stake.js';

/** A number of blocks, a time span, or a target time. */
export type MineRequest = number | Asked;

/** The start of a fork: a block of the network at `url`, and its time. */
export interface ForkOrigin {
  /** undefined: no requests; the fork uses rows that were read before. */
  readonly url: string | undefined;
  readonly blockNumber: number;
  readonly timestampMs: number;
}

/** The used part of an `AbortSignal`: the declarations need no types of Node or of a browser. */
export interface EndSignal {
  readonly aborted: boolean;
}

/** A running chain and all of its interfaces. */
export interface Devnet extends Interfaces, DevnetControl {
  /** @throws Error without a port (`httpPort: false`); `fetch` works nevertheless */
  readonly http: Endpoint;
  /**
   * As the network serves it: on its own port, if there is one, else on that of the HTTP server.
   *
   * @throws Error without a port (`httpPort: false`)
   */
  readonly jsonrpc: Endpoint;
  /**
   * `url` for ethers and viem; with `ws:` instead of `http:` for their WebSocket clients.
   *
   * @throws Error without a port (`httpPort: false`)
   */
  readonly eth: Endpoint;
  /** Funded accounts with known keys. */
  readonly accounts: readonly DevAccount[];
  /** The phrase that their keys are derived from, except those of `privateKeys`. */
  readonly wallet: { readonly mnemonic: string; readonly derivationPath: string };
  /**
   * Witnesses of the genesis with known keys, for example to vote for a proposal. Empty on a fork: its witnesses are
   * the network's, and another key signs for them.
   */
  readonly witnesses: readonly DevWitness[];
  /** The forked network, and the block before the fork's first one, with its time; undefined: no fork. */
  readonly fork: ForkOrigin | undefined;
  /** Contracts of the genesis (`predeploy`). */
  readonly predeployed: readonly DevContract[];
  /** The last four bytes of the genesis block's id, as in `eth_chainId`: `0x…`. */
  readonly chainId: string;
  readonly genesisId: string;
  /** The chain's java-tron release; a loaded chain keeps its own, whatever the options say. */
  readonly nodeVersion: Release;
  /** Length of a slot in milliseconds: 3,000, or the chain's initial setting. */
  readonly slotMs: number;
  /** Stake of other accounts, and the capacity of one staked TRX (`networkStake`). */
  readonly networkStake: NetworkStakeReport;
  /** The chain's folder; undefined: in memory. */
  readonly dataDirectory: { readonly path: string; readonly temporary: boolean } | undefined;

  /**
   * `mine(n)` makes n blocks; `mine({ advanceMs })` and `mine({ timestampMs })` advance time as if all producers
   * paused: one block at each maintenance on the way and one at the end. docs/reference/time.md describes the blocks'
   * times. Works in steps: requests are answered meanwhile. One call at a time; others wait for it.
   *
   * @returns the head, the number of new blocks and, after an advance of time, how much later the head is than
   * requested (0, except on a chain whose blocks are on slots)
   * @param options.signal cancels it; blocks made until then stay
   * @throws RangeError for an invalid request; MiningStoppedError if it is cancelled, or the devnet closed, before it
   * is done
   * @example await devnet.mine({ advanceMs: 14 * 86_400_000 }) // until an unstaking can be withdrawn
   */
  mine(request?: MineRequest, options?: { readonly signal?: EndSignal }): Promise<Mined>;
  /** Takes a snapshot: height, state, pending transactions, time. The id is valid for one `revert`. */
  snapshot(): string;
  /** Reverts to a snapshot. @throws UnknownSnapshotError */
  revert(id: string): Promise<void>;
  /**
   * What a transaction did, what it cost, and why: plain data (`toJson` gives what `JSON.stringify` writes), and lines
   * of text. `preview` shows the cost under other values.
   *
   * @param txid 64 hex digits
   * @throws NotExplainableError for an invalid or unknown id, and for a pending transaction
   */
  explain(txid: string): Promise<ExplanationInWords>;
  /**
   * On a fork, a transaction of the network below the fork, from its receipt and the prices of its block: what it cost,
   * and what it moved. It is not run, so limits, factors and calls are absent (`notRecorded`).
   *
   * @param txid 64 hex digits
   * @throws NotExplainableError for a transaction that is not of the network
   * @example (await devnet.explainReceipt(txid)).energy?.penalty
   */
  explainReceipt(txid: string): Promise<RecordedExplanationInWords>;
  /**
   * The call tree of a transaction with names, arguments and results by the ABIs on the chain or in `artifacts`,
   * Energy of each call, events, transfers, and the origin of a revert. Data and lines of text.
   *
   * @param txid 64 hex digits
   * @param options `lines`: Energy by source line and the stack trace of a failure, with the option `artifacts`;
   * `profile`: a profile in the format of speedscope, by `function` or `line`
   * @throws NotExplainableError for an invalid or unknown id, and for a pending transaction
   * @example const { lines, stack } = await devnet.trace(txid, { lines: true })
   */
  trace(txid: string, options?: TraceOptions): Promise<CallTreeInWords>;

  /**
   * The whole chain with its history in one file: initial settings, blocks, operations, pending transactions. For
   * `load` of a devnet with the same initial settings, for the option `loadState`, and for `sunup --load-state FILE`.
   *
   * @example await writeFile('chain.dump', await devnet.dump())
   */
  dump(): Promise<Uint8Array>;
  /**
   * Replaces the chain by a dumped one, by applying its blocks again. Snapshots are used up.
   *
   * @throws OperationError for an invalid dump, or one with other initial settings; the chain is unchanged
   */
  load(dump: Uint8Array): Promise<void>;

  /**
   * Deploys a compiled contract: an artifact of solc, TronBox, Hardhat or Foundry. Uses TronWeb, which must be
   * installed; docs/reference/test-api.md has the options.
   *
   * @param artifact the imported artifact, or the path of its file
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
   * A handle on an existing contract.
   *
   * @param artifact or the path of its file, or its ABI; undefined: the ABI on the chain
   * @throws TypeError if there is no ABI; ArtifactError for an invalid artifact
   */
  contractAt<const A extends Abi>(
    artifact: A | Pick<ContractArtifact<A>, 'abi' | 'contractName'> | string | FileUrl | undefined,
    address: string,
  ): Promise<DeployedContract<A>>;
  /** The receipt of a transaction, however it was sent. Waits for its block. */
  receipt(txid: string): Promise<Receipt>;
  /** Deployments and writes without a receipt yet, as phrases. */
  readonly underWay: readonly string[];

  on<Name extends keyof DevnetEvents>(name: Name, listener: Listener<Name>): this;
  off<Name extends keyof DevnetEvents>(name: Name, listener: Listener<Name>): this;

  /** Completes running requests and writes, and releases all ports, files and timers. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
