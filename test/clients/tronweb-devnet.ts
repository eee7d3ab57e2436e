/** Unmodified TronWeb with a devnet: one client for each account, and common actions. */

import solc from 'solc';
import { TronWeb } from 'tronweb';
import { expect } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.js';

export const TRX = 1_000_000;
export const DAY_MS = 86_400_000;

/** The used fields of `gettransactioninfobyid`. */
export interface Info {
  readonly id: string;
  readonly fee?: number;
  readonly blockNumber: number;
  readonly contractResult: readonly string[];
  readonly contract_address?: string;
  readonly result?: string;
  readonly resMessage?: string;
  readonly receipt: {
    readonly net_usage?: number;
    readonly net_fee?: number;
    readonly energy_usage?: number;
    readonly energy_fee?: number;
    readonly origin_energy_usage?: number;
    readonly energy_usage_total?: number;
    readonly energy_penalty_total?: number;
    readonly result?: string;
  };
  readonly log?: readonly { readonly address: string; readonly topics: readonly string[]; readonly data?: string }[];
  readonly [field: string]: unknown;
}

interface Built {
  readonly raw_data_hex: string;
  readonly txID: string;
}

export class TronWebDevnet implements AsyncDisposable {
  readonly clients: readonly TronWeb[];

  private constructor(readonly devnet: Devnet) {
    this.clients = devnet.accounts.map(
      ({ privateKey }) => new TronWeb({ fullHost: devnet.http.url, privateKey: privateKey }),
    );
  }

  static async start(options: DevnetOptions = {}): Promise<TronWebDevnet> {
    return new TronWebDevnet(await createDevnet(options));
  }

  client(i: number): TronWeb {
    return this.clients[i]!;
  }

  /** Base58. */
  address(i: number): string {
    return this.devnet.accounts[i]!.address;
  }

  key(i: number): string {
    return this.devnet.accounts[i]!.privateKey;
  }

  /** Signs with the account's key, sends, and reads the receipt. */
  async send(i: number, built: Promise<Built> | Built): Promise<Info> {
    const { trx } = this.client(i);
    const signed = await trx.sign((await built) as never);
    const answer = await trx.sendRawTransaction(signed as never);
    if (answer.result !== true) throw new Error(`refused: ${JSON.stringify(refusalOf(answer))}`);
    expect(answer.txid).toBe((await built).txID);
    return this.info((await built).txID);
  }

  /** The refusal of a broadcast, as code and text. */
  async refusal(i: number, built: Promise<Built> | Built): Promise<{ code: string; message: string }> {
    const signed = await this.client(i).trx.sign((await built) as never);
    return refusalOf(await this.client(i).trx.sendRawTransaction(signed as never));
  }

  async info(txid: string): Promise<Info> {
    const info = (await this.client(0).trx.getTransactionInfo(txid)) as unknown as Info;
    expect(info.id).toBe(txid);
    return info;
  }

  /** Exact, unlike `trx.getBalance` above 2^53. */
  async balance(i: number): Promise<number> {
    return this.client(0).trx.getBalance(this.address(i));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.devnet.close();
  }
}

export function refusalOf(answer: unknown): { code: string; message: string } {
  const { code, message } = answer as { code?: string; message?: string };
  if (code === undefined) throw new Error(`was accepted: ${JSON.stringify(answer)}`);
  return { code, message: Buffer.from(message ?? '', 'hex').toString('utf8') };
}

/**
 * The charged bytes of a transaction by the formula of wallets: raw_data with its frame, 67 for each signature, 64 for
 * the result.
 */
export function bandwidthOf({ raw_data_hex }: Built, signatures = 1): number {
  const rawBytes = raw_data_hex.length / 2;
  return rawBytes + (rawBytes < 128 ? 2 : 3) + 67 * signatures + 64;
}

export interface Compiled {
  readonly abi: readonly object[];
  readonly bytecode: string;
  readonly deployedBytecode: string;
  readonly linkReferences: Record<string, Record<string, { start: number; length: number }[]>>;
}

const compiled = new Map<string, ReturnType<typeof JSON.parse>>();

export function compile(source: string, name: string): Compiled {
  const output = compiled.get(source) ?? outputOf(source);
  compiled.set(source, output);
  const contract = output.contracts?.['c.sol']?.[name];
  if (contract === undefined) throw new Error(JSON.stringify(output.errors));
  const { object: bytecode, linkReferences } = contract.evm.bytecode;
  return { abi: contract.abi, bytecode, deployedBytecode: contract.evm.deployedBytecode.object, linkReferences };
}

function outputOf(source: string): ReturnType<typeof JSON.parse> {
  const input = {
    language: 'Solidity',
    sources: { 'c.sol': { content: source } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'shanghai',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'] } },
    },
  };
  return JSON.parse(solc.compile(JSON.stringify(input)));
}
