/** What a person holds of a contract and of a transaction: the types of `devnet.deploy` and of what it gives. */

import type { ExplanationInWords } from '../prose/explanation.js';
import type { Abi, ConstructorArguments, Reads, Simulations, Writes } from './abi.js';

/** An account of the devnet, or its address in any form. */
export type Account = string | { readonly address: string; readonly privateKey?: string };

export interface WriteOptions {
  /** Who sends: an account of the devnet, one that it impersonates, or any `{ address, privateKey }`. Default: the first. */
  readonly from?: Account;
  /** Coin that goes along, in sun. */
  readonly callValue?: bigint | number;
  /** TRC-10 tokens that go along. */
  readonly tokenId?: number;
  readonly tokenValue?: bigint | number;
  /** The most that the caller may pay for Energy, in sun. Default: 1,000 TRX. */
  readonly feeLimit?: bigint | number;
  /** Give the receipt of a transaction that failed in its block, rather than throw. Default false. */
  readonly allowFailure?: boolean;
}

export interface ReadOptions {
  /** `msg.sender`; needs no key. Default: the first account. */
  readonly from?: Account;
  /** In sun. */
  readonly callValue?: bigint | number;
}

export interface DeployOptions<A extends Abi = Abi> extends Omit<WriteOptions, 'allowFailure'> {
  /** Of the constructor. */
  readonly args?: ConstructorArguments<A>;
  /** Percent of a call's Energy that the caller pays (`consume_user_resource_percent`). Default 100. */
  readonly userFeePercent?: number;
  /** The most Energy that the deployer pays of one call. Default 10,000,000. */
  readonly originEnergyLimit?: number;
  /** Which contract, `Token` or `contracts/Token.sol:Token`, where what is read tells of several. */
  readonly contract?: string;
  /** Addresses of libraries, by name. */
  readonly libraries?: Readonly<Record<string, string | { readonly address: string }>>;
  /** The contract's name on the chain. Default: the artifact's. */
  readonly name?: string;
}

/** A log of a transaction; `name` and `args` are undefined where nobody knows the event. */
export interface EmittedEvent {
  /** Base58check. */
  readonly address: string;
  readonly name: string | undefined;
  /** `Transfer(address,address,uint256)` */
  readonly signature: string | undefined;
  /**
   * By name, without a name by place. Of indexed strings, bytes, arrays and structs there is the hash only, as `0x…`.
   */
  readonly args: Readonly<Record<string, unknown>> | undefined;
  /** The same in the order of the declaration, which names that are numbers do not keep. */
  readonly values: readonly unknown[] | undefined;
  /** Hex without a prefix. */
  readonly topics: readonly string[];
  readonly data: string;
}

/** Why a call failed. */
export interface RevertReason {
  /** What `require` or `revert` said, by `Error(string)`. */
  readonly reason?: string;
  /** The code of `Panic(uint256)`: 0x11n is an overflow. */
  readonly panic?: bigint;
  /** A custom error, where its ABI is known: its name, and its arguments by name and in order. */
  readonly error?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly values?: readonly unknown[];
  /** What was returned, hex without a prefix. */
  readonly data: string;
  /** `NotEnough(wanted: 50, has: 0)`, `"only the owner"`, `Panic(0x11): …`; undefined: it gave no reason. */
  readonly text: string | undefined;
}

/** A transaction in its block. */
export interface Receipt {
  readonly txid: string;
  readonly blockNumber: number;
  /** Who sent it; base58check. */
  readonly from: string;
  readonly succeeded: boolean;
  /** `SUCCESS`, `REVERT`, `OUT_OF_ENERGY`, … */
  readonly result: string;
  /** Why it failed; undefined: it did not. */
  readonly failure: RevertReason | undefined;
  /** What the sender paid in coin, in sun. */
  readonly feeSun: bigint;
  /** Energy that it took, whoever paid. */
  readonly energy: bigint;
  /** Of the contract that was called or created; base58check. */
  readonly contractAddress: string | undefined;
  readonly events: readonly EmittedEvent[];
  /** Hex without a prefix. */
  readonly returnData: string;
  /** What it did, what it cost, and why. */
  explain(): Promise<ExplanationInWords>;
  /**
   * By how much the block changed an account's coin, in sun, the sender's fee included.
   *
   * @throws Error where other transactions are in the block: nobody can tell then whose change it is
   */
  balanceChange(account: Account): Promise<bigint>;
  /** The same of a TRC-20 token, by its `balanceOf`. */
  tokenBalanceChange(token: Account, account: Account): Promise<bigint>;
}

export interface Estimate {
  /** Energy that the call would take now, penalty included. */
  readonly energy: bigint;
  /** What that is for a caller without staked Energy, in sun. */
  readonly energyFeeSun: bigint;
}

/**
 * A contract on the devnet. Arguments are an array, as in viem and TronWeb; options come after it. Overloaded functions
 * go by signature too: `contract.write['mint(address,uint256)']`.
 *
 * @example
 * const token = await devnet.deploy(artifact, { args: [1_000n] });
 * await token.read.balanceOf([alice]); // 1000n
 * const { txid, events } = await token.write.transfer([bob, 5n], { from: alice });
 */
export interface DeployedContract<A extends Abi = Abi> {
  /** Base58check. */
  readonly address: string;
  /** 21 bytes of hex, `41…`. */
  readonly addressHex: string;
  readonly abi: A;
  readonly name: string;
  /** Of its deployment; undefined: it was there. */
  readonly deployment: Receipt | undefined;
  /** Calls without a transaction. @throws CallFailedError */
  readonly read: Reads<A, ReadOptions>;
  /**
   * Signs, sends, and waits for the block: at once with instant mining, else until somebody mines.
   *
   * @throws TransactionRefusedError when no block takes it; TransactionFailedError when it fails in its block
   */
  readonly write: Writes<A, WriteOptions, Receipt>;
  /**
   * What a write would return, without a transaction. @throws CallFailedError
   *
   * @example const id = await nft.simulate.mint([bob], { from: alice });
   */
  readonly simulate: Simulations<A, ReadOptions>;
  /** What a call would take. @throws CallFailedError */
  readonly estimate: Writes<A, ReadOptions, Estimate>;
  /** The same contract, called by another account unless `from` says otherwise. */
  connect(account: Account): DeployedContract<A>;
}

/**
 * What `devnet.deploy` reads: what solc, TronBox, Hardhat or Foundry wrote about one contract, `abi` and `bytecode` being
 * enough. (Files that tell of several are read too; their contracts have no types then.)
 */
export interface ContractArtifact<A extends Abi = Abi> {
  readonly abi: A;
  readonly contractName?: string | undefined;
  readonly bytecode?: string | { readonly object: string } | undefined;
  readonly evm?: { readonly bytecode: { readonly object: string } } | undefined;
}

/** What logs and errors are read by. */
export interface KnownAbi {
  readonly abi: Abi;
  readonly name: string;
}

/** A URL of a file, `new URL('Token.json', import.meta.url)`, where there is the type of one: its user may have none. */
export type FileUrl = typeof globalThis extends { readonly URL: { readonly prototype: infer Own } } ? Own : never;
