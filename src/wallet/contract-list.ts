/** Lists of a chain's contracts: sorted, searched, by page. Sunup's own. */

import { dynamicEnergyTerms } from '../ledger/smart-contracts/dynamic-energy.js';
import { RecentMap } from '../primitives/recent-map.js';
import { toBase58 } from '../protocol/address.js';
import { addressOfText } from '../protocol/address-text.js';
import { caughtUp } from '../resources/dynamic-energy.js';
import type { WalletContext } from './context.js';
import { type CataloguedContract, ContractCatalogue } from './contract-catalogue.js';

export const CONTRACT_ORDERS = ['newest', 'oldest', 'name', 'energy', 'factor'] as const;
export type ContractOrder = (typeof CONTRACT_ORDERS)[number];

export interface ContractListQuery {
  /** Default: the newest first; of a search, the best match first. */
  readonly order?: ContractOrder | undefined;
  /** A part of a name or of a method's signature, or an address in any form. Default: all contracts. */
  readonly search?: string | undefined;
  /** Number of contracts to skip. */
  readonly offset: number;
  readonly limit: number;
}

export interface ListedContract {
  /** Addresses are base58check. */
  readonly address: string;
  /** On the chain, or of the artifact with the same code; may be empty. */
  readonly name: string;
  readonly deployer: string;
  /** The block that created it; absent for one of the genesis, and if the state before that block is not kept. */
  readonly createdIn?: number;
  /** Percentage of the Energy that callers pay. */
  readonly callerPercent: number;
  /** In the running epoch, at the base price. */
  readonly energyUsage: bigint;
  /** Surcharge in 1/10,000 of the base price. */
  readonly energyFactor: number;
  /** In a search: signatures of the methods that match. */
  readonly methods?: readonly string[];
}

export interface ContractList {
  /** The head. */
  readonly block: number;
  /** Number of contracts that match. */
  readonly total: number;
  /** On a fork: the last block of its network. The list has contracts of later blocks only. */
  readonly forkBlock?: number;
  /** Whether the chain has the dynamic energy model. */
  readonly dynamicEnergy: boolean;
  /** More Energy than this in one epoch raises the factor. */
  readonly threshold: bigint;
  readonly contracts: readonly ListedContract[];
}

interface Match {
  readonly contract: CataloguedContract;
  /** Lower is better. */
  readonly rank: number;
  readonly methods: readonly string[];
}

/** A list costs a sort, so its order is kept for its further pages: until a contract changes, or the epoch ends. */
const KEPT_LISTS = 8;
const kept = new WeakMap<ContractCatalogue, RecentMap<string, readonly Match[]>>();

/** Without pending transactions. */
export async function contractList(context: WalletContext, query: ContractListQuery): Promise<ContractList> {
  const { ledger, node } = context;
  const catalogue = ContractCatalogue.of(node.chain);
  const all = await catalogue.all(node.yieldTurn);
  const lists = kept.get(catalogue) ?? new RecentMap<string, readonly Match[]>(KEPT_LISTS);
  kept.set(catalogue, lists);
  const terms = dynamicEnergyTerms(ledger);
  const key = JSON.stringify([catalogue.version, String(terms.cycle), query.order, query.search]);
  const matches = lists.get(key) ?? sorted(ledger, searched(all, query.search ?? ''), query.order);
  lists.set(key, matches);
  const { offset, limit } = query;
  return {
    block: ledger.headNumber,
    total: matches.length,
    ...(node.fork !== undefined && { forkBlock: node.fork.blockNumber }),
    dynamicEnergy: ledger.on('ALLOW_DYNAMIC_ENERGY'),
    threshold: terms.threshold,
    contracts: matches.slice(offset, offset + limit).map(({ contract, methods }) => {
      const { address, name, deployer, createdIn, callerPercent } = contract;
      const energy = caughtUp(contract.energy, terms);
      return {
        address: toBase58(address),
        name,
        deployer: toBase58(deployer),
        ...(createdIn !== undefined && { createdIn }),
        callerPercent,
        energyUsage: energy.energy_usage,
        energyFactor: Number(energy.energy_factor),
        ...(methods.length > 0 && { methods }),
      };
    }),
  };
}

function searched(all: readonly CataloguedContract[], search: string): readonly Match[] {
  const text = search.trim().toLowerCase();
  if (text === '') return all.map((contract) => ({ contract, rank: 0, methods: [] }));
  const address = addressOfText(search.trim());
  return all.flatMap((contract) => {
    const name = contract.name.toLowerCase();
    const methods = contract.methods.filter((signature) => signature.toLowerCase().includes(text));
    const ranks = [
      contract.address === address,
      name === text,
      methods.some((signature) => signature.toLowerCase().startsWith(`${text}(`)),
      name.startsWith(text),
      name.includes(text),
      methods.length > 0,
    ];
    const rank = ranks.indexOf(true);
    return rank < 0 ? [] : [{ contract, rank, methods }];
  });
}

type Comparison = (one: CataloguedContract, other: CataloguedContract) => number;

/** Contracts of the genesis are the oldest. */
const byAge: Comparison = (one, other) =>
  (one.createdIn ?? -1) - (other.createdIn ?? -1) || compared(one.address, other.address);

function compared<Value extends string | bigint>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function sorted(
  ledger: WalletContext['ledger'],
  matches: readonly Match[],
  order: ContractOrder | undefined,
): readonly Match[] {
  const terms = dynamicEnergyTerms(ledger);
  const energyOf = new Map(matches.map(({ contract }) => [contract, caughtUp(contract.energy, terms)]));
  const state = (contract: CataloguedContract) => energyOf.get(contract) ?? caughtUp(undefined, terms);
  const comparisons: Readonly<Record<ContractOrder, Comparison>> = {
    newest: (one, other) => byAge(other, one),
    oldest: byAge,
    // Contracts without a name follow those with one.
    name: (one, other) =>
      Number(one.name === '') - Number(other.name === '') ||
      compared(one.name.toLowerCase(), other.name.toLowerCase()) ||
      byAge(one, other),
    energy: (one, other) => compared(state(other).energy_usage, state(one).energy_usage) || byAge(other, one),
    factor: (one, other) => compared(state(other).energy_factor, state(one).energy_factor) || byAge(other, one),
  };
  const compare = comparisons[order ?? 'newest'];
  return [...matches].sort(
    (one, other) => (order === undefined ? one.rank - other.rank : 0) || compare(one.contract, other.contract),
  );
}
