/**
 * A devnet put together: settings become a genesis, a store, a chain with its producer, and the interfaces in front of
 * it. The only file that knows all the parts; the rules are theirs.
 */

import type { Charge } from './ledger/charges.js';
import type { Settings } from './options/declarations.js';
import type { DevAccount } from './options/dev-accounts.js';

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
}

/** A block that has just become the head and is on the disk. */
export interface BlockReport {
  readonly number: number;
  readonly id: string;
  readonly timestampMs: number;
  /** Base58check. */
  readonly witness: string;
  readonly transactions: readonly TransactionReport[];
}

export interface DevnetEvents {
  block: [block: BlockReport];
}

/** A running chain and everything that speaks for it. */
export interface Devnet {
  readonly http: Endpoint;
  readonly grpc: Endpoint | undefined;
  readonly grpcSolidity: readonly Endpoint[];
  /** Funded accounts whose keys are known. */
  readonly accounts: readonly DevAccount[];
  /** The last four bytes of the genesis block's id, as `eth_chainId` gives them: `0x…`. */
  readonly chainId: string;
  readonly genesisId: string;
  /** Where the chain is kept; undefined: in memory. */
  readonly dataDirectory: { readonly path: string; readonly temporary: boolean } | undefined;

  on<Name extends keyof DevnetEvents>(name: Name, listener: (...values: DevnetEvents[Name]) => void): this;
  off<Name extends keyof DevnetEvents>(name: Name, listener: (...values: DevnetEvents[Name]) => void): this;

  /** Answers what is being asked, writes what is to be written, and frees every port, file and timer. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startDevnet(_settings: Settings): Promise<Devnet> {
  throw new Error('the chain is not connected to the command yet');
}
