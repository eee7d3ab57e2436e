/**
 * What accounts paid as the deployers of contracts that others call: Energy of their stakes, never TRX. The caller's
 * receipt has it (`origin_energy_usage`), so all calls of the contracts are read.
 */

import { WALLET } from '../../fork/network/wallet-requests.js';
import type { Connection } from '../../fork/start/connect.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { dayOf } from './cost-folder.js';
import { foundOr, HOUR_MS } from './cost-sums.js';
import { CostsError } from './costs-error.js';
import type { PaidTransaction } from './paid-transaction.js';
import type { CostRange, NetworkCosts } from './read-costs.js';

/** More methods are summed as `others`: the data of a call may be any bytes. */
const MAX_METHODS = 5_000;

interface DeployerSum {
  /** All calls in the range, by whomever. */
  readonly calls: number;
  /** Those for which the deployer paid. */
  readonly paidCalls: number;
  /** Energy of the deployer's stake. */
  readonly energy: bigint;
}

export interface DeployerMethodSum extends DeployerSum {
  /** base58check */
  readonly contract: string;
  /** base58check */
  readonly deployer: string;
  /** The first four bytes of the data; `others` beyond a number of methods. */
  readonly selector: string;
}

export interface DeployerDaySum extends DeployerSum {
  /** UTC */
  readonly day: string;
}

export interface DeployerCosts extends DeployerSum {
  readonly contracts: number;
  /** The part of `energy` for calls that the accounts of the request made themselves: their own sums have it, too. */
  readonly energyOfListedCallers: bigint;
  readonly methods: readonly DeployerMethodSum[];
  readonly days: readonly DeployerDaySum[];
}

/** A contract and the account that deployed it. */
export interface DeployedContract {
  readonly contract: Address;
  readonly deployer: Address;
}

/**
 * @param named contracts; each was deployed by one of the accounts
 * @param findsOthers whether the accounts' whole histories are read for further contracts
 * @throws CostsError for a contract of somebody else, RemoteError
 */
export async function deployedContracts(
  { wallet }: Pick<Connection, 'wallet'>,
  costs: NetworkCosts,
  accounts: readonly Address[],
  { named, findsOthers }: { readonly named: readonly Address[]; readonly findsOthers: boolean },
): Promise<readonly DeployedContract[]> {
  const deployers = new Map<Address, Address>();
  await Promise.all(
    named.map(async (contract) => {
      const found = await wallet.find(WALLET.contract, contract, `contract ${toBase58(contract)}`);
      const deployer = found?.smart_contract?.origin_address as Address | undefined;
      if (deployer === undefined)
        throw new CostsError(`--contract ${toBase58(contract)}: the network has no such contract`);
      if (!accounts.includes(deployer))
        throw new CostsError(
          `--contract ${toBase58(contract)}: its deployer ${toBase58(deployer)} is not among the accounts. Add that address`,
        );
      deployers.set(contract, deployer);
    }),
  );
  if (findsOthers)
    for (const account of accounts)
      for (const contract of await costs.contractsOf(account)) deployers.set(contract, account);
  return [...deployers].map(([contract, deployer]) => ({ contract, deployer }));
}

type Figures = { -readonly [Name in keyof DeployerSum]: DeployerSum[Name] };

const none = (): Figures => ({ calls: 0, paidCalls: 0, energy: 0n });

function addTo(sum: Figures, energy: bigint): void {
  sum.calls++;
  if (energy === 0n) return;
  sum.paidCalls++;
  sum.energy += energy;
}

export class DeployerSums {
  readonly #all = none();
  readonly #methods = new Map<string, Figures & Omit<DeployerMethodSum, keyof DeployerSum>>();
  readonly #days = new Map<string, Figures>();
  readonly #hours = new Map<Address, Map<number, bigint>>();
  readonly #contracts: ReadonlyMap<string, Address>;
  #energyOfListedCallers = 0n;

  /** @param callers the accounts of the request, base58check */
  constructor(
    contracts: readonly DeployedContract[],
    private readonly callers: ReadonlySet<string>,
  ) {
    this.#contracts = new Map(contracts.map(({ contract, deployer }) => [toBase58(contract), deployer]));
  }

  /** @param call of one of the contracts */
  add({ contract = '', selector = '', caller = '', timestampMs, charges }: PaidTransaction): void {
    const deployer = this.#contracts.get(contract);
    if (deployer === undefined) return;
    const energy = charges.reduce((sum, { source, amount }) => (source === 'origin' ? sum + amount : sum), 0n);
    addTo(this.#all, energy);
    addTo(foundOr(this.#days, dayOf(timestampMs), none), energy);
    addTo(this.#methodOf(contract, deployer, selector), energy);
    if (this.callers.has(caller)) this.#energyOfListedCallers += energy;
    const hours = foundOr(this.#hours, deployer, () => new Map<number, bigint>());
    const hour = timestampMs - (timestampMs % HOUR_MS);
    if (energy > 0n) hours.set(hour, (hours.get(hour) ?? 0n) + energy);
  }

  #methodOf(contract: string, deployer: Address, selector: string): Figures {
    const isFull = this.#methods.size >= MAX_METHODS && !this.#methods.has(`${contract} ${selector}`);
    const counted = isFull ? 'others' : selector;
    return foundOr(this.#methods, `${contract} ${counted}`, () => ({
      ...none(),
      contract,
      deployer: toBase58(deployer),
      selector: counted,
    }));
  }

  /** Energy by the start of the hour in milliseconds. */
  hoursOf(deployer: Address): ReadonlyMap<number, bigint> {
    return this.#hours.get(deployer) ?? new Map();
  }

  get(): DeployerCosts {
    const days = [...this.#days].map(([day, sum]) => ({ day, ...sum }));
    return {
      ...this.#all,
      contracts: this.#contracts.size,
      energyOfListedCallers: this.#energyOfListedCallers,
      methods: [...this.#methods.values()].sort((a, b) => (a.energy < b.energy ? 1 : a.energy > b.energy ? -1 : 0)),
      days: days.sort((a, b) => (a.day < b.day ? -1 : 1)),
    };
  }
}

/** @param progress called with the milliseconds of the range that are read, of all contracts together */
export async function deployerSums(
  costs: NetworkCosts,
  contracts: readonly DeployedContract[],
  accounts: readonly Address[],
  range: CostRange,
  progress: (done: number, total: number) => unknown,
): Promise<DeployerSums> {
  const sums = new DeployerSums(contracts, new Set(accounts.map(toBase58)));
  const spanMs = Math.max(0, range.toMs - range.fromMs);
  for (const [at, { contract }] of contracts.entries())
    for await (const call of costs.callsOf(contract, range)) {
      sums.add(call);
      await progress(at * spanMs + (call.timestampMs - range.fromMs), contracts.length * spanMs);
    }
  return sums;
}
