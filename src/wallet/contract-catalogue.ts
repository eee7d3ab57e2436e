/**
 * All contracts of a chain in memory, for lists and searches: the store has them by address only. Built from the store
 * on the first request; after that, each commit adds the contracts that it wrote. A rollback discards it. Pending
 * transactions are not in it.
 */

import { functionsOf } from '../abi/items.js';
import { PastStateError } from '../errors/past-state-error.js';
import type { Chain } from '../node/chain/chain.js';
import type { Commit } from '../node/storage/commits.js';
import type { Address } from '../primitives/ids.js';
import { SmartContract_ABI } from '../protocol/generated/smart-contract.js';
import { sha256 } from '../protocol/hashes.js';
import type { ContractEnergyState } from '../resources/dynamic-energy.js';
import type { TableSpec } from '../state/table-spec.js';
import { TABLES } from '../state/tables.js';
import type { Turn } from './context.js';

export interface CataloguedContract {
  readonly address: Address;
  /** On the chain, or of the artifact with the same code. Empty if neither has one. */
  readonly name: string;
  readonly deployer: Address;
  /** Percentage of Energy that callers pay. */
  readonly callerPercent: number;
  /** The block that created it; undefined for one of the genesis, and if the state before that block is not kept. */
  readonly createdIn: number | undefined;
  /** Signatures of its functions. */
  readonly methods: readonly string[];
  /** As stored; undefined: never called. */
  readonly energy: ContractEnergyState | undefined;
}

const BATCH = 256;

export class ContractCatalogue {
  static readonly #ofChains = new WeakMap<Chain, ContractCatalogue>();

  /** The one of a chain. */
  static of(chain: Chain): ContractCatalogue {
    const known = ContractCatalogue.#ofChains.get(chain);
    if (known !== undefined) return known;
    const made = new ContractCatalogue(chain);
    ContractCatalogue.#ofChains.set(chain, made);
    return made;
  }

  readonly #contracts = new Map<Address, CataloguedContract>();
  /** Written since the last reading. */
  readonly #changed = new Set<Address>();
  /** Many contracts have the same ABI. */
  readonly #methods = new Map<string, readonly string[]>();
  #revision = -1;
  #version = 0;
  #reading: Promise<void> | undefined;

  private constructor(private readonly chain: Chain) {
    chain.commitWatchers.add((commit) => this.#committed(commit));
  }

  /** Changes with the contracts: what is derived from them can be kept for one version. */
  get version(): number {
    return this.#version;
  }

  /** In no particular order. @param turn awaited within a long reading */
  async all(turn: Turn): Promise<readonly CataloguedContract[]> {
    do {
      // Requests that come together share one reading.
      this.#reading ??= this.#read(turn).finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    } while (this.#revision !== this.chain.back.revision);
    return [...this.#contracts.values()];
  }

  #committed({ images }: Commit): void {
    for (const { table, key } of images) {
      if (table === 'contracts' || table === 'abis' || table === 'contractStates') this.#changed.add(key as Address);
    }
  }

  async #read(turn: Turn): Promise<void> {
    const { revision } = this.chain.back;
    if (this.#revision !== revision) {
      this.#contracts.clear();
      this.#changed.clear();
      for await (const { key } of this.chain.store.rows(TABLES.contracts.prefix))
        this.#changed.add(key.slice(TABLES.contracts.prefix.length) as Address);
      this.#revision = revision;
    }
    if (this.#changed.size === 0) return;
    let left = BATCH;
    for (const address of this.#changed) {
      // Deleted first: a commit during the reading adds it again.
      this.#changed.delete(address);
      const contract = await this.#contractAt(address);
      if (contract === undefined) this.#contracts.delete(address);
      else this.#contracts.set(address, contract);
      if (--left > 0) continue;
      left = BATCH;
      await turn();
    }
    this.#version++;
  }

  /** Undefined: there is none, or it is one of a fork's network. */
  async #contractAt(address: Address): Promise<CataloguedContract | undefined> {
    const contract = await this.#row(TABLES.contracts, address);
    const { ledger } = this.chain;
    if (contract === undefined || ledger.state.fetched(TABLES.contracts.prefix + address)?.value !== undefined) {
      return undefined;
    }
    const { knownContracts } = ledger.config;
    const abi = await this.#row(TABLES.abis, address);
    const needsCode = knownContracts !== undefined && (contract.name === '' || abi === undefined);
    const code = needsCode ? await this.#row(TABLES.codes, address) : undefined;
    const known = code === undefined || code.length === 0 ? undefined : knownContracts?.byCode(code);
    return {
      address,
      name: contract.name === '' ? (known?.name ?? '') : contract.name,
      deployer: contract.origin_address as Address,
      callerPercent: Number(contract.consume_user_resource_percent),
      createdIn: this.#creationOf(address),
      methods: abi === undefined ? (known === undefined ? [] : signaturesOf(known.abi)) : this.#methodsOf(abi),
      energy: await this.#row(TABLES.contractStates, address),
    };
  }

  /** The record has no block and, unless CREATE2 made it, no transaction. */
  #creationOf(address: Address): number | undefined {
    const { commits, headNumber } = this.chain;
    if (!commits.keepsPast) return undefined;
    try {
      for (const { number, before } of commits.changesOf(TABLES.contracts, address, headNumber))
        if (before === undefined) return number;
    } catch (error) {
      if (!(error instanceof PastStateError)) throw error;
    }
    return undefined;
  }

  /** A row of the chain itself: reading it by key would make a fork ask its network for rows that are absent. */
  async #row<Value>({ prefix, decode }: TableSpec<Value>, address: Address): Promise<Value | undefined> {
    for await (const { value } of this.chain.store.rows(prefix + address, { limit: 1 })) return decode(value);
    return undefined;
  }

  #methodsOf(abi: SmartContract_ABI): readonly string[] {
    const hash = sha256(SmartContract_ABI.encode(abi));
    const known = this.#methods.get(hash);
    if (known !== undefined) return known;
    const methods = signaturesOf(abi);
    this.#methods.set(hash, methods);
    return methods;
  }
}

function signaturesOf(abi: Parameters<typeof functionsOf>[0]): readonly string[] {
  return functionsOf(abi).map(({ signature }) => signature);
}
