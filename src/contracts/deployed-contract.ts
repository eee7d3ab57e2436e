/** Types of `devnet.deploy`, contract handles and receipts. */

import type { FactorCase } from '../explanation/preview/limits.js';
import type { ExplanationInWords } from '../prose/explanation.js';
import type { Abi, ConstructorArguments, Reads, Simulations, Writes } from './abi.js';

/** An account of the devnet, or its address in any form. */
export type Account = string | { readonly address: string; readonly privateKey?: string };

export interface WriteOptions {
  /**
   * The sender: an account of the devnet, an impersonated one, or any `{ address, privateKey }`. Default: the first.
   */
  readonly from?: Account;
  /** Call value in sun. */
  readonly callValue?: bigint | number;
  /** Call value in TRC-10 tokens. */
  readonly tokenId?: bigint | number;
  readonly tokenValue?: bigint | number;
  /** The most that the caller pays for Energy (`fee_limit`), in sun. Default: 1,000 TRX. */
  readonly feeLimit?: bigint | number;
  /** Return the receipt of a transaction that failed in its block instead of throwing. Default false. */
  readonly allowFailure?: boolean;
}

export interface ReadOptions {
  /** `msg.sender`; needs no key. Default: the first account. */
  readonly from?: Account;
  /** In sun. */
  readonly callValue?: bigint | number;
}

export interface DeployOptions<A extends Abi = Abi> extends Omit<WriteOptions, 'allowFailure'> {
  /** Arguments of the constructor. */
  readonly args?: ConstructorArguments<A>;
  /** Percent of a call's Energy that the caller pays (`consume_user_resource_percent`). Default 100. */
  readonly userFeePercent?: number;
  /** The most Energy that the deployer pays for one call (`origin_energy_limit`). Default 10,000,000. */
  readonly originEnergyLimit?: bigint | number;
  /** The contract to use, `Token` or `contracts/Token.sol:Token`, if the source has several. */
  readonly contract?: string;
  /** Addresses of libraries, by name. */
  readonly libraries?: Readonly<Record<string, string | { readonly address: string }>>;
  /** The contract's name on the chain. Default: the artifact's. */
  readonly name?: string;
}

/** A log of a transaction; `name` and `args` are undefined if the event is unknown. */
export interface EmittedEvent {
  /** Base58check. */
  readonly address: string;
  readonly name: string | undefined;
  /** `Transfer(address,address,uint256)` */
  readonly signature: string | undefined;
  /** By name, unnamed ones by position. Indexed strings, bytes, arrays and structs have only their hash, as `0x…`. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
  /** The same in the order of the declaration; an object does not keep the order of numeric names. */
  readonly values: readonly unknown[] | undefined;
  /** Hex without a prefix. */
  readonly topics: readonly string[];
  readonly data: string;
}

/** The reason of a failed call. */
export interface RevertReason {
  /** The text of `require` or `revert`: `Error(string)`. */
  readonly reason?: string;
  /** The code of `Panic(uint256)`: 0x11n is an overflow. */
  readonly panic?: bigint;
  /** A custom error, if its ABI is known: its name, and its arguments by name and in order. */
  readonly error?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly values?: readonly unknown[];
  /** Return data, hex without a prefix. */
  readonly data: string;
  /** `NotEnough(wanted: 50, has: 0)`, `"only the owner"`, `Panic(0x11): …`; undefined: no reason was given. */
  readonly text: string | undefined;
}

/** A transaction in its block. */
export interface Receipt {
  readonly txid: string;
  readonly blockNumber: number;
  /** The sender; base58check. */
  readonly from: string;
  readonly succeeded: boolean;
  /** `SUCCESS`, `REVERT`, `OUT_OF_ENERGY`, … */
  readonly result: string;
  /** The reason of the failure; undefined on success. */
  readonly failure: RevertReason | undefined;
  /** TRX that the sender paid, in sun. */
  readonly feeSun: bigint;
  /** All Energy used, whoever paid for it. */
  readonly energy: bigint;
  /** The called or created contract; base58check. */
  readonly contractAddress: string | undefined;
  readonly events: readonly EmittedEvent[];
  /** Hex without a prefix. */
  readonly returnData: string;
  /** Explains what the transaction did and cost, and why. */
  explain(): Promise<ExplanationInWords>;
  /**
   * Change of an account's balance by the block, in sun, the sender's fee included.
   *
   * @throws Error if the block has other transactions: the change of one of them is unknown
   */
  balanceChange(account: Account): Promise<bigint>;
  /** Change of a TRC-20 balance by the block, by the token's `balanceOf`. */
  tokenBalanceChange(token: Account, account: Account): Promise<bigint>;
}

/** What a call would need now, whatever the caller's balance is: `limits.now` of `devnet.preview`. */
export interface Estimate extends Omit<FactorCase, 'epochs' | 'factor' | 'result'> {
  /** For bandwidth and the rest: everything but Energy. */
  readonly otherFeesSun: bigint;
}

/**
 * A contract on the devnet. Arguments are an array, as in viem and TronWeb; options follow it. Overloaded functions
 * have their signature as key: `contract.write['mint(address,uint256)']`.
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
  /** Of its deployment; undefined: an existing contract. */
  readonly deployment: Receipt | undefined;
  /** Calls without a transaction. @throws CallFailedError */
  readonly read: Reads<A, ReadOptions>;
  /**
   * Signs, sends, and waits for the block: immediate with instant mining, otherwise until a block is mined.
   *
   * @throws TransactionRefusedError if no block accepts it; TransactionFailedError if it fails in its block
   */
  readonly write: Writes<A, WriteOptions, Receipt>;
  /**
   * The result of a write, without a transaction. @throws CallFailedError
   *
   * @example const id = await nft.simulate.mint([bob], { from: alice });
   */
  readonly simulate: Simulations<A, ReadOptions>;
  /** Energy, fee and sufficient feeLimit of a call. @throws CallFailedError; OperationError for a call that is refused */
  readonly estimate: Writes<A, ReadOptions, Estimate>;
  /** The same contract with another default caller. */
  connect(account: Account): DeployedContract<A>;
}

/**
 * Input of `devnet.deploy`: output of solc, TronBox, Hardhat or Foundry about one contract; `abi` and `bytecode`
 * suffice. (Files with several contracts are also read; their contracts have no types.)
 */
export interface ContractArtifact<A extends Abi = Abi> {
  readonly abi: A;
  readonly contractName?: string | undefined;
  readonly bytecode?: string | { readonly object: string } | undefined;
  readonly evm?: { readonly bytecode: { readonly object: string } } | undefined;
}

/** ABI for logs and errors. */
export interface KnownAbi {
  readonly abi: Abi;
  readonly name: string;
}

/** A URL of a file, `new URL('Token.json', import.meta.url)`, if the user's types declare URL. */
export type FileUrl = typeof globalThis extends { readonly URL: { readonly prototype: infer Own } } ? Own : never;
