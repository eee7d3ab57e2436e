/** All contracts of a chain in memory, for lists and searches. */

import { functionsOf } from '../abi/items.js';
import { PastStateError } from '../errors/past-state-error.js';
import type { Chain } from '../node/chain/chain.js';
import type { Address } from '../primitives/ids.js';
import { SmartContract_ABI } from '../protocol/generated/smart-contract.js';
import { sha256 } from '../protocol/hashes.js';
import type { ContractEnergyState } from '../resources/dynamic-energy.js';
import { TABLES } from '../state/tables.js';
import type { Turn } from './context.js';
import { FollowedRows, ownRow } from './followed-rows.js';

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

  readonly #contracts: FollowedRows<CataloguedContract>;
  /** Many contracts have the same ABI. */
  readonly #methods = new Map<string, readonly string[]>();

  private constructor(private readonly chain: Chain) {
    const written = new Set(['contracts', 'abis', 'contractStates'] as const);
    this.#contracts = new FollowedRows(chain, TABLES.contracts, written, (address) => this.#contractAt(address));
  }

  /** Changes with the contracts: what is derived from them can be kept for one version. */
  get version(): number {
    return this.#contracts.version;
  }

  /** In no particular order. @param turn awaited within a long reading */
  async all(turn: Turn): Promise<readonly CataloguedContract[]> {
    return [...(await this.#contracts.all(turn)).values()];
  }

  /** Undefined: there is none, or it is one of a fork's network. */
  async #contractAt(address: Address): Promise<CataloguedContract | undefined> {
    const contract = await ownRow(this.chain, TABLES.contracts, address);
    const { ledger } = this.chain;
    if (contract === undefined || ledger.state.fetched(TABLES.contracts.prefix + address)?.value !== undefined) {
      return undefined;
    }
    const { knownContracts } = ledger.config;
    const abi = await ownRow(this.chain, TABLES.abis, address);
    const needsCode = knownContracts !== undefined && (contract.name === '' || abi === undefined);
    const code = needsCode ? await ownRow(this.chain, TABLES.codes, address) : undefined;
    const known = code === undefined || code.length === 0 ? undefined : knownContracts?.byCode(code);
    return {
      address,
      name: contract.name === '' ? (known?.name ?? '') : contract.name,
      deployer: contract.origin_address as Address,
      callerPercent: Number(contract.consume_user_resource_percent),
      createdIn: this.#creationOf(address),
      methods: abi === undefined ? (known === undefined ? [] : signaturesOf(known.abi)) : this.#methodsOf(abi),
      energy: await ownRow(this.chain, TABLES.contractStates, address),
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
