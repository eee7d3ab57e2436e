/** The contracts of a devnet: deployment, handles, and receipts of transactions. Loaded on first use. */

import { wrapped } from '../prose/explanation.js';
import { toBase58 } from '../protocol/address.js';
import { addressFault } from '../protocol/address-fault.js';
import type { Abi, AbiEntry } from './abi.js';
import { readAbi, readDeployable } from './artifact.js';
import { Client, type ConstantAnswer, type Message, type Naming, type Signer, type TransactionInfo } from './client.js';
import { addressHexOf } from './codec.js';
import type {
  ContractArtifact,
  DeployedContract,
  DeployOptions,
  Estimate,
  FileUrl,
  KnownAbi,
  ReadOptions,
  Receipt,
  WriteOptions,
} from './deployed-contract.js';
import { CallFailedError, TransactionFailedError } from './failures.js';
import { selectorOf, signatureOf } from './fragments.js';
import { contractHandle, type HandleParts, type Target } from './handle.js';
import type { ContractHost } from './host.js';
import { KnownAbis } from './known-abis.js';
import { requireKnownOptions } from './known-options.js';

export class Contracts {
  readonly #host: ContractHost;
  readonly #client: Client;
  readonly #abis: KnownAbis;
  /** Operations without a receipt yet, as text. */
  readonly #underWay = new Set<{ readonly what: Naming }>();

  private constructor(host: ContractHost, client: Client) {
    this.#host = host;
    this.#client = client;
    this.#abis = new KnownAbis(client, host);
  }

  /** @throws Error with the install command */
  static async load(host: ContractHost): Promise<Contracts> {
    return new Contracts(host, await Client.load(host));
  }

  get underWay(): readonly string[] {
    return [...this.#underWay].map(({ what }) => what());
  }

  async deploy<const A extends Abi>(
    artifact: ContractArtifact<A> | string | FileUrl,
    options: DeployOptions<A> = {},
  ): Promise<DeployedContract<A>> {
    requireKnownOptions('deploy', options);
    const { args = [], userFeePercent, originEnergyLimit } = options;
    const read = await readDeployable(artifact, options);
    const name = options.name ?? read.name;
    const { abi, initCode: bytecode } = read;
    const entry: AbiEntry = abi.find(({ type }) => type === 'constructor') ?? { type: 'constructor', inputs: [] };
    const called = { ...entry, name: 'constructor' };
    const wanted = entry.inputs?.length ?? 0;
    const given = (args as readonly unknown[]).length;
    if (given !== wanted)
      throw new TypeError(`${signatureOf(called)} of ${name} got ${given} argument${given === 1 ? '' : 's'}`);
    const parameter = this.#client.codec.encode(called, args as readonly unknown[]);
    const what = () => `the deployment of ${name === '' ? 'a contract' : name}`;
    const creation = { abi, bytecode, parameter, name, userFeePercent, originEnergyLimit };
    const create = (signer: Signer) => this.#client.create(creation, signer, options, what);
    const deployment = await this.#sent(what, options, create, { abi, name });
    const addressHex = addressHexOf(deployment.contractAddress) as string;
    if (!deployment.succeeded) throw await this.#failed(what, deployment);
    return this.#handle({ abi: abi as A, name, addressHex, deployment, account: options.from });
  }

  async at<const A extends Abi>(
    artifact: A | Pick<ContractArtifact<A>, 'abi' | 'contractName'> | string | FileUrl | undefined,
    address: string,
  ): Promise<DeployedContract<A>> {
    const addressHex = addressHexOf(address);
    if (addressHex === undefined)
      throw new TypeError(`${address} is not a valid address${addressFault(String(address))}`);
    const given = artifact === undefined ? undefined : await readAbi(artifact);
    const known = given ?? (await this.#abis.at(addressHex));
    if (known === undefined) throw new TypeError(`the chain has no ABI of ${address}: pass one`);
    if (given !== undefined) this.#abis.add(addressHex, given);
    return this.#handle({
      abi: known.abi as A,
      name: known.name,
      addressHex,
      deployment: undefined,
      account: undefined,
    });
  }

  async receipt(txid: string): Promise<Receipt> {
    const info = await this.#inBlock(txid);
    return this.#receiptOf(txid, info, await this.#client.senderOf(txid));
  }

  async read(target: Target, args: readonly unknown[], options: ReadOptions): Promise<unknown> {
    const answer = await this.#call(target, args, options);
    const values = this.#returned(target, answer.constant_result?.[0] ?? '');
    return values.length > 1 ? values : values[0];
  }

  /** @throws TypeError where the ABI is not that of the code */
  #returned(target: Target, data: string): readonly unknown[] {
    const outputs = target.entry.outputs ?? [];
    try {
      return this.#client.codec.decode(outputs, data);
    } catch (cause) {
      const types = outputs.map(({ type }) => type).join(', ');
      throw new TypeError(
        `${nameOf(target)} returned ${data.length / 2} bytes, which are not (${types}): the ABI may be that of another contract`,
        { cause },
      );
    }
  }

  async estimate(target: Target, args: readonly unknown[], options: ReadOptions): Promise<Estimate> {
    const { contractHex: to, data } = this.#message(target, args);
    const call = { from: this.#client.addressHex(options.from), to, data: `0x${data}`, value: options.callValue ?? 0 };
    const { limits } = await this.#host.preview(call);
    if (limits === undefined) throw new TypeError(`there is no contract at ${toBase58(to)}`);
    const { outcome, now, otherFeesSun } = limits;
    if (!outcome.succeeded || now === undefined) {
      await this.#abis.at(target.addressHex);
      const reason = this.#abis.reason(outcome.reason?.data ?? '', target.addressHex);
      throw new CallFailedError(nameOf(target), reason, outcome.message ?? outcome.result);
    }
    const { epochs: _, factor: __, result: ___, ...estimate } = now;
    return { ...estimate, otherFeesSun };
  }

  async write(target: Target, args: readonly unknown[], options: WriteOptions): Promise<Receipt> {
    const what = () => nameOf(target);
    const receipt = await this.#sent(what, options, (signer) =>
      this.#client.trigger(this.#message(target, args), signer, options, what),
    );
    if (!receipt.succeeded && options.allowFailure !== true) throw await this.#failed(what, receipt);
    return receipt;
  }

  #handle<A extends Abi>(parts: HandleParts<A>): DeployedContract<A> {
    return contractHandle(this, parts);
  }

  #message({ addressHex, entry }: Target, args: readonly unknown[]): Message {
    return {
      contractHex: addressHex,
      data: selectorOf(entry) + this.#client.codec.encode(entry, args),
    };
  }

  async #call(target: Target, args: readonly unknown[], options: ReadOptions): Promise<ConstantAnswer> {
    const answer = await this.#client.call(this.#message(target, args), options);
    const { code, message } = answer.result ?? {};
    if (code === undefined && message === undefined) return answer;
    await this.#abis.at(target.addressHex);
    const said = Buffer.from(message ?? '', 'hex').toString('utf8');
    const reason = this.#abis.reason(answer.constant_result?.[0] ?? '', target.addressHex);
    throw new CallFailedError(nameOf(target), reason, said === '' ? String(code) : said);
  }

  /** @param created the contract that the transaction creates */
  async #sent(
    what: Naming,
    { from }: WriteOptions,
    send: (signer: Signer) => Promise<string>,
    created?: KnownAbi,
  ): Promise<Receipt> {
    const begun = { what };
    this.#underWay.add(begun);
    try {
      const signer = this.#client.signer(from);
      const txid = await send(signer);
      const info = await this.#inBlock(txid);
      if (created !== undefined) this.#abis.add(info.contract_address as string, created);
      return await this.#receiptOf(txid, info, signer.addressHex);
    } finally {
      this.#underWay.delete(begun);
    }
  }

  /** Waits until a block contains it. */
  async #inBlock(txid: string): Promise<TransactionInfo> {
    const info = await this.#client.info(txid);
    if (info !== undefined) return info;
    for (;;) {
      const happened = this.#host.somethingHappened(txid);
      // A rejection during this request is handled below.
      happened.catch(() => {});
      const later = await this.#client.info(txid);
      if (later !== undefined) return later;
      await happened;
    }
  }

  async #receiptOf(txid: string, info: TransactionInfo, senderHex: string): Promise<Receipt> {
    const { blockNumber, fee = 0, contract_address, receipt = {}, contractResult = [], log = [] } = info;
    const succeeded = info.result !== 'FAILED';
    const returnData = contractResult[0] ?? '';
    const events = [];
    for (const one of log) events.push(await this.#abis.event(one));
    if (!succeeded && contract_address !== undefined) await this.#abis.at(contract_address);
    return {
      txid,
      blockNumber,
      from: toBase58(senderHex),
      succeeded,
      result: receipt.result ?? (succeeded ? 'SUCCESS' : 'FAILED'),
      failure: succeeded ? undefined : this.#abis.reason(returnData, contract_address ?? ''),
      feeSun: BigInt(fee),
      energy: BigInt(receipt.energy_usage_total ?? 0),
      contractAddress: contract_address === undefined ? undefined : toBase58(contract_address),
      events,
      returnData,
      explain: () => this.#host.explain(txid),
      balanceChange: (account) => {
        const addressHex = this.#client.addressHex(account);
        return this.#change(blockNumber, (height) => this.#client.balanceAt(addressHex, height));
      },
      tokenBalanceChange: (token, account) => {
        const [tokenHex, addressHex] = [this.#client.addressHex(token), this.#client.addressHex(account)];
        return this.#change(blockNumber, (height) => this.#client.tokenBalanceAt(tokenHex, addressHex, height));
      },
    };
  }

  async #change(blockNumber: number, balanceAt: (height: number) => Promise<bigint>): Promise<bigint> {
    const [count, after, before] = await Promise.all([
      this.#client.countOf(blockNumber),
      balanceAt(blockNumber),
      balanceAt(blockNumber - 1),
    ]);
    if (count > 1) {
      throw new Error(`block ${blockNumber} has ${count} transactions: the change of a single one is unknown`);
    }
    return after - before;
  }

  async #failed(what: Naming, receipt: Receipt): Promise<TransactionFailedError> {
    return new TransactionFailedError(what(), receipt, wrapped((await receipt.explain()).text));
  }
}

function nameOf({ entry, name, addressHex }: Target): string {
  return `${signatureOf(entry)} of ${name === '' ? '' : `${name} `}(${toBase58(addressHex)})`;
}
