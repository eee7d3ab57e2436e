/**
 * ABIs for logs and errors: of contracts with a handle, and of all others the ABI on the chain or by their code. If
 * a contract's own ABI does not have an event or an error, another known ABI may: it can come from a library, a proxy,
 * or a contract that a factory created.
 */

import { wellFormedEntries } from '../abi/read-json-abi.js';
import type { AbiValue } from '../abi/values.js';
import { errorText } from '../prose/failure.js';
import { toBase58 } from '../protocol/address.js';
import type { AbiEntry, AbiParameter } from './abi.js';
import type { Client, TransactionInfo } from './client.js';
import { record } from './codec.js';
import type { EmittedEvent, KnownAbi, RevertReason } from './deployed-contract.js';
import { hashOf, selectorOf, signatureOf } from './fragments.js';
import type { ContractHost } from './host.js';

const SOLIDITY: readonly AbiEntry[] = [
  { type: 'error', name: 'Error', inputs: [{ name: 'reason', type: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ name: 'code', type: 'uint256' }] },
];

/** Which parameters are indexed. */
interface EventForm {
  readonly inTopics: readonly (readonly AbiParameter[])[];
  readonly inData: readonly AbiParameter[];
}

type Log = NonNullable<TransactionInfo['log']>[number];

export class KnownAbis {
  /** By address, 21 bytes of hex. */
  readonly #byAddress = new Map<string, KnownAbi>();
  readonly #events = new Map<string, AbiEntry[]>();
  readonly #errors = new Map<string, AbiEntry>();
  readonly #forms = new WeakMap<AbiEntry, EventForm>();
  readonly #read = new WeakSet<readonly AbiEntry[]>();

  constructor(
    private readonly client: Client,
    private readonly host: Pick<ContractHost, 'knownByCode'>,
  ) {
    this.#learn(SOLIDITY);
  }

  add(addressHex: string, known: KnownAbi): void {
    this.#byAddress.set(addressHex, known);
    this.#learn(known.abi);
  }

  /** Undefined: no contract, or it has no ABI. */
  async at(addressHex: string): Promise<KnownAbi | undefined> {
    const known = this.#byAddress.get(addressHex);
    if (known !== undefined) return known;
    const answer = await this.client.ask('wallet/getcontract', { value: addressHex });
    const found = abiOfAnswer(answer) ?? this.host.knownByCode(addressHex);
    if (found !== undefined) this.add(addressHex, found);
    return found;
  }

  async event({ address = '', topics = [], data = '' }: Log): Promise<EmittedEvent> {
    const addressHex = `41${address}`;
    const base = { address: toBase58(addressHex), topics, data };
    const own = await this.at(addressHex);
    const [topic] = topics;
    const candidates = topic === undefined ? [] : (this.#events.get(topic) ?? []);
    const ownFirst = [...candidates].sort((a, b) => Number(own?.abi.includes(b)) - Number(own?.abi.includes(a)));
    for (const entry of ownFirst) {
      const values = this.#eventValues(entry, topics, data);
      if (values === undefined) continue;
      return {
        ...base,
        name: entry.name,
        signature: signatureOf(entry),
        args: record(entry.inputs ?? [], values),
        values,
      };
    }
    return { ...base, name: undefined, signature: undefined, args: undefined, values: undefined };
  }

  /** @param addressHex the called contract: other ABIs may name the parameters of the same error differently */
  reason(data: string, addressHex: string): RevertReason {
    const entry = this.#errorOf(data.slice(0, 8), addressHex);
    const values = entry === undefined ? undefined : this.#decoded(entry.inputs ?? [], data.slice(8));
    if (entry?.name === undefined || values === undefined)
      return { data, text: data === '' ? undefined : errorText({ data }) };
    const inputs = entry.inputs ?? [];
    const named = inputs.map(({ name = '', type }, i) => ({ name, type, value: plain(values[i]) }));
    const text = errorText({ error: entry.name, arguments: named });
    if (entry === SOLIDITY[0]) return { reason: String(values[0]), data, text };
    if (entry === SOLIDITY[1]) return { panic: values[0] as bigint, data, text };
    return { error: entry.name, args: record(inputs, values), values, data, text };
  }

  #errorOf(selector: string, addressHex: string): AbiEntry | undefined {
    const known = this.#errors.get(selector);
    if (known === undefined || SOLIDITY.includes(known)) return known;
    const own = this.#byAddress.get(addressHex)?.abi ?? [];
    return own.find((entry) => entry.type === 'error' && selectorOf(entry) === selector) ?? known;
  }

  #learn(abi: readonly AbiEntry[]): void {
    if (this.#read.has(abi)) return;
    this.#read.add(abi);
    for (const entry of abi) {
      if (entry.type === 'event' && !entry.anonymous) {
        const hash = hashOf(entry);
        this.#events.set(hash, [...(this.#events.get(hash) ?? []), entry]);
      } else if (entry.type === 'error') {
        const selector = selectorOf(entry);
        if (!this.#errors.has(selector)) this.#errors.set(selector, entry);
      }
    }
  }

  #eventValues(entry: AbiEntry, [, ...topics]: readonly string[], data: string): readonly unknown[] | undefined {
    const { inTopics, inData } = this.#formOf(entry);
    const fromData = inTopics.length === topics.length ? this.#decoded(inData, data) : undefined;
    if (fromData === undefined) return undefined;
    const [topicValues, dataValues] = [inTopics.map((one, i) => this.#topicValue(one, topics[i]!)), [...fromData]];
    const { inputs = [] } = entry;
    return inputs.map(({ indexed }) => (indexed ? topicValues.shift() : dataValues.shift()));
  }

  #formOf(entry: AbiEntry): EventForm {
    let form = this.#forms.get(entry);
    if (form === undefined) {
      const { inputs = [] } = entry;
      const inTopics = inputs.filter(({ indexed }) => indexed).map((input) => [input]);
      form = { inTopics, inData: inputs.filter(({ indexed }) => !indexed) };
      this.#forms.set(entry, form);
    }
    return form;
  }

  #topicValue(input: readonly AbiParameter[], topic: string): unknown {
    const isHashed = /^(string|bytes|tuple)$|\]$/.test(input[0]?.type ?? '');
    return isHashed ? `0x${topic}` : this.#decoded(input, topic)?.[0];
  }

  /** Undefined if the data do not fit: the same topic can belong to events with other indexed parameters. */
  #decoded(parameters: readonly AbiParameter[], data: string): readonly unknown[] | undefined {
    try {
      return this.client.codec.decode(parameters, data);
    } catch {
      return undefined;
    }
  }
}

function plain(value: unknown): AbiValue {
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'object' && value !== null ? Object.values(value).map(plain) : String(value);
}

/** ABI types as `getcontract` returns them: capitalised, as in the protocol's enumerations. */
export function abiOfAnswer(answer: unknown): KnownAbi | undefined {
  const { name, abi } = answer as { readonly name?: unknown; readonly abi?: { readonly entrys?: unknown } | null };
  if (abi?.entrys === undefined) return undefined;
  // A type unknown to java-tron is a number.
  const entries = wellFormedEntries(abi.entrys).map(({ type = '', stateMutability, ...entry }) => ({
    ...entry,
    type: type.toLowerCase(),
    stateMutability: stateMutability?.toLowerCase(),
  }));
  return { abi: entries, name: typeof name === 'string' ? name : '' };
}
