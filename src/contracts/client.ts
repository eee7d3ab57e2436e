/**
 * TronWeb over the in-process transport. Two slow parts are replaced here with the same resulting bytes: building
 * calls (`call-transaction.ts`) and signing.
 */

import type { TronWeb } from 'tronweb';
import { tronWebProvider } from '../clients/tronweb-provider.js';
import type { Address, Sun } from '../primitives/ids.js';
import { MAX_LONG } from '../primitives/java-math.js';
import { toBase58 } from '../protocol/address.js';
import { addressFault } from '../protocol/address-fault.js';
import { NO_SIGNATURE, rememberSigner, sign } from '../protocol/signature.js';
import { callTransaction } from './call-transaction.js';
import { addressHexOf, Codec, type Coders } from './codec.js';
import type { Account, ReadOptions, WriteOptions } from './deployed-contract.js';
import { TransactionRefusedError } from './failures.js';
import type { ContractHost } from './host.js';

const DEFAULT_FEE_LIMIT_SUN = 1_000_000_000n;

export interface Signer {
  readonly addressHex: string;
  /** Undefined: the account is impersonated, and nobody signs. */
  readonly privateKey: string | undefined;
  /** Whether the key was checked against the address. */
  readonly isOurs: boolean;
}

interface BuiltTransaction {
  readonly txID: string;
}

/** Call data: selector and arguments, hex without a prefix. */
export interface Message {
  readonly contractHex: string;
  readonly data: string;
}

/** The answer of `broadcasthex`. */
interface BroadcastAnswer {
  readonly code?: string;
  readonly message?: string;
}

/** Makes the message for a failure, only when it is needed. */
export type Naming = () => string;

/** The answer of `triggerconstantcontract`. */
export interface ConstantAnswer {
  readonly result?: { readonly code?: string; readonly message?: string };
  readonly constant_result?: readonly string[];
  readonly energy_used?: number;
  readonly energy_penalty?: number;
}

/** The used part of the answer of `gettransactioninfobyid`; without an id if there is none. */
export interface TransactionInfo {
  readonly id?: string;
  readonly fee?: number;
  readonly blockNumber: number;
  readonly contractResult?: readonly string[];
  readonly contract_address?: string;
  readonly result?: string;
  readonly resMessage?: string;
  readonly receipt?: { readonly result?: string; readonly energy_usage_total?: number };
  readonly log?: readonly { readonly address?: string; readonly topics?: readonly string[]; readonly data?: string }[];
}

export interface Creation {
  readonly abi: readonly object[];
  readonly bytecode: string;
  readonly parameter: string;
  readonly name: string;
  readonly userFeePercent: number | undefined;
  readonly originEnergyLimit: bigint | number | undefined;
}

export class Client {
  readonly codec: Codec;

  private constructor(
    private readonly host: ContractHost,
    private readonly tronWeb: TronWeb,
  ) {
    this.codec = new Codec(tronWeb.utils.ethersUtils as unknown as Coders);
  }

  /** @throws Error with the install command */
  static async load(host: ContractHost): Promise<Client> {
    const { TronWeb, providers } = await loadTronWeb();
    return new Client(host, new TronWeb({ fullHost: tronWebProvider(host, providers.HttpProvider) }));
  }

  /** @throws TypeError if the account's key is unknown */
  signer(account: Account | undefined): Signer {
    const [first] = this.host.accounts;
    const asked = account ?? first;
    if (asked === undefined) throw new TypeError('the devnet has no accounts: pass from: { address, privateKey }');
    const addressHex = this.addressHex(asked);
    const own = typeof asked === 'object' ? asked.privateKey : undefined;
    const ours = this.host.accounts.find((known) => known.addressHex === addressHex)?.privateKey;
    const privateKey = own ?? ours;
    if (privateKey === undefined && !this.host.isImpersonated(addressHex)) {
      throw new TypeError(
        `${showAccount(asked)} is not an account of this devnet: impersonate it, or pass { address, privateKey }`,
      );
    }
    return { addressHex, privateKey: privateKey?.replace(/^0x/, ''), isOurs: privateKey === ours };
  }

  /** @throws TypeError for an invalid address */
  addressHex(account: Account | undefined): string {
    const hex = addressHexOf(account ?? this.host.accounts[0]?.address);
    if (hex === undefined)
      throw new TypeError(
        `${showAccount(account)} is neither an account nor an address${addressFault(showAccount(account))}`,
      );
    return hex;
  }

  async call({ contractHex, data }: Message, { from, callValue }: ReadOptions): Promise<ConstantAnswer> {
    // Not through `transactionBuilder`, which discards the return data of a revert.
    return (await this.ask('wallet/triggerconstantcontract', {
      owner_address: this.addressHex(from),
      contract_address: contractHex,
      data,
      ...(callValue !== undefined && { call_value: asNumber('callValue', whole(callValue, 'callValue')) }),
    })) as ConstantAnswer;
  }

  /** The id of the transaction. @throws TransactionRefusedError */
  async trigger(message: Message, signer: Signer, options: WriteOptions, what: Naming): Promise<string> {
    const { feeLimit, callValue, tokenId = 0n, tokenValue = 0n } = termsOf(options);
    const { txid, hex } = callTransaction(
      { ...message, ownerHex: signer.addressHex, feeLimitSun: feeLimit, callValueSun: callValue, tokenId, tokenValue },
      this.host.blockReference(),
      (id) => signaturesOf(signer, id),
    );
    const answer = (await this.ask('wallet/broadcasthex', { transaction: hex })) as BroadcastAnswer;
    if (answer.code === 'SUCCESS') return txid;
    throw new TransactionRefusedError(what(), String(answer.code), answer.message ?? '');
  }

  /** The id of the transaction. @throws TransactionRefusedError */
  async create(creation: Creation, signer: Signer, options: WriteOptions, what: Naming): Promise<string> {
    const { abi, bytecode, parameter, name, userFeePercent, originEnergyLimit } = creation;
    const energyLimit = originEnergyLimit !== undefined && {
      originEnergyLimit: whole(originEnergyLimit, 'originEnergyLimit'),
    };
    const built = await this.tronWeb.transactionBuilder.createSmartContract(
      {
        ...asNumbers({ ...termsOf(options), ...energyLimit }),
        blockHeader: this.host.blockReference(),
        abi: abi as never,
        bytecode,
        rawParameter: parameter,
        name,
        ...(userFeePercent !== undefined && { userFeePercentage: userFeePercent }),
      } as never,
      signer.addressHex,
    );
    return this.#send(built, signer, what);
  }

  /** Undefined while no block contains it. */
  async info(txid: string): Promise<TransactionInfo | undefined> {
    const info = (await this.tronWeb.trx.getUnconfirmedTransactionInfo(txid)) as unknown as TransactionInfo;
    return info.id === undefined ? undefined : info;
  }

  /** The sender of a transaction on the chain, 21 bytes of hex. */
  async senderOf(txid: string): Promise<string> {
    const { raw_data } = (await this.ask('wallet/gettransactionbyid', { value: txid })) as {
      readonly raw_data: {
        readonly contract: readonly { readonly parameter: { readonly value: { owner_address: string } } }[];
      };
    };
    return raw_data.contract[0]?.parameter.value.owner_address ?? '';
  }

  /** Number of transactions in a block. */
  async countOf(blockNumber: number): Promise<number> {
    const block = (await this.ask('wallet/getblockbynum', { num: blockNumber })) as {
      readonly transactions?: unknown[];
    };
    return block.transactions?.length ?? 0;
  }

  /** Balance in sun after a block. */
  balanceAt(addressHex: string, blockNumber: number): Promise<bigint> {
    return this.#quantity('eth_getBalance', [`0x${addressHex.slice(2)}`, `0x${blockNumber.toString(16)}`]);
  }

  /** Token balance after a block, by `balanceOf`. */
  async tokenBalanceAt(tokenHex: string, addressHex: string, blockNumber: number): Promise<bigint> {
    const call = { to: `0x${tokenHex.slice(2)}`, data: `0x70a08231${addressHex.slice(2).padStart(64, '0')}` };
    try {
      const word = await this.#result('eth_call', [call, `0x${blockNumber.toString(16)}`]);
      // A call of an account without code succeeds and returns nothing.
      if (word === '0x') throw new Error('no data');
      return BigInt(word);
    } catch (error) {
      throw new TypeError(`balanceOf of ${toBase58(tokenHex)} returns no value: is it a token?`, { cause: error });
    }
  }

  async #quantity(method: string, params: readonly unknown[]): Promise<bigint> {
    const result = await this.#result(method, params);
    return result === '0x' ? 0n : BigInt(result);
  }

  async #result(method: string, params: readonly unknown[]): Promise<string> {
    const { result, error } = (await this.ask('eth', { jsonrpc: '2.0', id: 1, method, params })) as {
      readonly result?: string;
      readonly error?: { readonly message: string };
    };
    if (result === undefined) throw new Error(`${method}: ${error?.message}`);
    return result;
  }

  /**
   * Requests without a typed form in TronWeb. @throws Error if the node fails, for example a fork that cannot fetch a
   * row
   */
  async ask(path: string, body: object): Promise<unknown> {
    const answer = await this.tronWeb.fullNode.request(path, body, 'post');
    const { Error: failed } = answer as { readonly Error?: unknown };
    if (typeof failed === 'string') throw new Error(failed.replace(/^class \S+ : /, ''));
    return answer;
  }

  async #send(built: BuiltTransaction, signer: Signer, what: Naming): Promise<string> {
    const signature = signaturesOf(signer, built.txID);
    const answer = await this.tronWeb.trx.sendRawTransaction({ ...built, signature } as never);
    const { result, code, message } = answer as {
      readonly result?: boolean;
      readonly code?: string;
      readonly message?: string;
    };
    if (result === true) return built.txID;
    throw new TransactionRefusedError(what(), String(code), Buffer.from(message ?? '', 'hex').toString('utf8'));
  }
}

/** The same signature as `trx.sign`, ten times as fast: TronWeb's curve is JavaScript. */
function signaturesOf({ addressHex, privateKey, isOurs }: Signer, txid: string): readonly string[] {
  if (privateKey === undefined) return [NO_SIGNATURE];
  const signature = sign(txid, privateKey);
  const shown = `${signature.slice(0, -2)}${signature.endsWith('1') ? '1c' : '1b'}`;
  if (isOurs) rememberSigner(txid, shown, addressHex as Address);
  return [shown];
}

function showAccount(account: Account | undefined): string {
  return typeof account === 'object' ? account.address : String(account);
}

interface Terms {
  readonly feeLimit: Sun;
  readonly callValue: Sun;
  readonly tokenId?: bigint;
  readonly tokenValue?: bigint;
}

/** @throws TypeError for amounts that no transaction can have */
function termsOf({ callValue = 0n, feeLimit = DEFAULT_FEE_LIMIT_SUN, tokenId, tokenValue }: WriteOptions): Terms {
  return {
    feeLimit: whole(feeLimit, 'feeLimit', 1n),
    callValue: whole(callValue, 'callValue'),
    ...(tokenId !== undefined && { tokenId: whole(tokenId, 'tokenId') }),
    ...(tokenValue !== undefined && { tokenValue: whole(tokenValue, 'tokenValue') }),
  };
}

function whole(amount: bigint | number, name: string, least = 0n): bigint {
  const value = typeof amount === 'bigint' ? amount : Number.isSafeInteger(amount) ? BigInt(amount) : undefined;
  if (value === undefined || value < least || value > MAX_LONG) {
    const hint = Number.isInteger(amount) ? ' (beyond 2^53 a bigint)' : '';
    throw new TypeError(`${name} is ${amount}; expected a whole number from ${least} to ${MAX_LONG}${hint}`);
  }
  return value;
}

/** TronWeb builds deployments and writes JSON of numbers only. @throws TypeError for what a number does not hold exactly */
function asNumber(name: string, amount: bigint): number {
  if (amount <= Number.MAX_SAFE_INTEGER) return Number(amount);
  throw new TypeError(
    `${name} is ${amount}; expected at most ${Number.MAX_SAFE_INTEGER} here; only calls that are sent can have more`,
  );
}

function asNumbers(amounts: object): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, amount]: [string, bigint]) => [name, asNumber(name, amount)]),
  );
}

async function loadTronWeb(): Promise<typeof import('tronweb')> {
  try {
    return await import('tronweb');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('deploying and calling contracts needs TronWeb: npm install --save-dev tronweb', {
      cause: error,
    });
  }
}
