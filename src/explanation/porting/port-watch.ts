/**
 * Follows a chain and collects costs and differences for a report. The transactions of each block are run again in their
 * places with a tracer (`rerun/in-place.ts`), so the chain itself is not slowed. Calls are traced while they run.
 */

import { countsCreations } from '../../ledger/accounts/ethereum.js';
import type { AppliedBlock } from '../../ledger/apply-block.js';
import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import { chargedBytes } from '../../ledger/charging/bandwidth.js';
import { coinTotal } from '../../ledger/charging/charges.js';
import type { Ledger } from '../../ledger/ledger.js';
import { abiAt, nameAt } from '../../ledger/smart-contracts/names.js';
import type { Chain } from '../../node/chain/chain.js';
import type { ChainObserver } from '../../node/chain/observer.js';
import { hexToBytes } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { deployedBy, movesNothing } from '../../protocol/ethereum-form.js';
import type { TransferContract } from '../../protocol/generated/balance-contract.js';
import type { CreateSmartContract, TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import { energyPriceSun } from '../../resources/energy-price.js';
import type { Tracer } from '../../tvm/trace.js';
import { workMs } from '../../tvm/work.js';
import { methodRef } from '../outcome/action.js';
import { run, type Scene, throughBlockAtOnce } from '../rerun/in-place.js';
import { Detector } from './detector.js';
import type { DifferenceId } from './differences.js';
import {
  contractLabel,
  ethereumAddress,
  type OtherSite,
  type PortPrices,
  type PortRecord,
  type PortReport,
  portReport,
} from './port-report.js';
import { SeenDifferences } from './seen-differences.js';

/** Amounts from this one on are taken for wei: a million TRX. */
const ETHER_AMOUNT_SUN = 10n ** 12n;
/** Part of the time limit by which machines may differ. */
const MUCH_OF_LIMIT = 0.5;
const MAX_PROBLEMS = 10;

const ALL_TRANSACTIONS = 'all contracts';

export class PortWatch {
  #chain: Chain | undefined;
  readonly #seen = new SeenDifferences();
  readonly #records: PortRecord[] = [];
  readonly #others = new Map<string, OtherSite>();
  readonly #labels = new Map<Address, string>();
  readonly #problems: string[] = [];
  #transactions = 0;
  #calls = 0;
  /** Kept up to date, because the store may be closed when the report is written. */
  #prices: PortPrices | undefined;
  #countsCreations = false;

  /** @param seesCalls whether it also receives calls without a transaction */
  constructor(private readonly seesCalls: boolean) {}

  /** Starts collecting. */
  begin(chain: Chain): void {
    this.#chain = chain;
    this.#keepUp(chain.ledger);
  }

  readonly observer: ChainObserver = {
    blockApplied: (block) => {
      const chain = this.#chain;
      if (chain === undefined || block.transactions.length === 0) return;
      try {
        this.#look(chain, block);
      } catch (error) {
        // The block is valid: the report lists it as not analysed, and nothing else fails.
        this.#problem(`block ${block.number}: ${(error as Error).message}`);
      }
    },
  };

  /** A tracer for a call that is about to run. */
  readonly watchCall = (ledger: Ledger, { contract_address: to }: Sent<TriggerSmartContract>): Tracer | undefined => {
    if (this.#chain === undefined) return undefined;
    this.#calls++;
    return new Detector(this.#seen.run('calls'), maxFactorOf(ledger), to === '');
  };

  /** The report so far; undefined before the chain is known. */
  report(): PortReport | undefined {
    const [chain, prices] = [this.#chain, this.#prices];
    if (chain === undefined || prices === undefined) return undefined;
    const others = [...this.#others.values()];
    if (this.#countsCreations) {
      const creates = [...this.#seen.sites.values()].filter(({ id }) => id === 'create-address');
      const times = creates.reduce((sum, site) => sum + site.times, 0);
      if (times > 0) others.push({ id: 'create-nonces', contract: ALL_TRANSACTIONS, what: 'contracts made', times });
    }
    return portReport(
      {
        prices,
        transactions: this.#transactions,
        calls: this.seesCalls ? this.#calls : undefined,
        records: this.#records,
        seen: this.#seen,
        others,
        problems: this.#problems,
      },
      chain.config.knownContracts,
    );
  }

  #look(chain: Chain, { number, transactions }: AppliedBlock): void {
    this.#transactions += transactions.length;
    this.#keepUp(chain.ledger);
    const runs = transactions.some(({ budget }) => budget !== undefined);
    const capped = runs ? throughBlockAtOnce(chain, number, (scene) => this.#runAgain(scene)) : [];
    for (const [at, applied] of transactions.entries()) this.#add(chain.ledger, applied, capped[at] ?? 0);
  }

  #keepUp(ledger: Ledger): void {
    this.#prices = pricesOf(ledger);
    this.#countsCreations = countsCreations(ledger);
  }

  /** @returns its Energy with factors at their cap */
  #runAgain(scene: Scene): number {
    const { contractType } = scene.transaction;
    const isDeployment = contractType === ContractType.CreateSmartContract;
    if (!isDeployment && contractType !== ContractType.TriggerSmartContract) return 0;
    const detector = new Detector(this.#seen.run('transactions'), maxFactorOf(scene.before), isDeployment);
    run(scene, { tracer: detector });
    return detector.cappedEnergy;
  }

  #add(ledger: Ledger, applied: AppliedTransaction, capped: number): void {
    const { transaction, budget } = applied;
    const { contractType, contract } = transaction;
    if (contractType === ContractType.TransferContract) {
      const transfer = contract as TransferContract;
      this.#amount(transfer.amount);
      if (movesNothing(transaction)) this.#other('refused-transfer', transferKind(transfer));
      else if (transaction.ethereum !== undefined && transaction.raw.data.length > 0)
        this.#other('refused-transfer', 'data to an account without code');
      return;
    }
    if (budget === undefined) return;
    const [record, valueSun] =
      contractType === ContractType.CreateSmartContract
        ? this.#deployment(ledger, applied, contract as CreateSmartContract)
        : this.#call(ledger, applied, contract as TriggerSmartContract);
    this.#amount(valueSun);
    const energy = { ...record, cappedEnergy: BigInt(Math.max(0, Math.round(capped))) };
    this.#records.push(energy);
    this.#limits(ledger, energy, applied.work);
  }

  #deployment(
    ledger: Ledger,
    applied: AppliedTransaction,
    { owner_address, new_contract }: CreateSmartContract,
  ): readonly [Omit<PortRecord, 'cappedEnergy'>, bigint] {
    const address = deployedBy(applied.transaction, owner_address as Address);
    const succeeded = applied.info.resMessage === '';
    const { config, state } = ledger;
    const code = succeeded ? state.tables.codes.get(address) : undefined;
    const init = hexToBytes(new_contract?.bytecode ?? '');
    const given = new_contract?.name ?? '';
    const byCode = contractLabel(init, true, address, config.knownContracts);
    const onChain = this.#label(ledger, address);
    const label = given !== '' ? given : byCode !== ethereumAddress(address) ? byCode : onChain;
    const record = { ...recordOf(ledger, applied, label), method: undefined, codeBytes: code?.length };
    return [record, new_contract?.call_value ?? 0n];
  }

  #call(
    ledger: Ledger,
    applied: AppliedTransaction,
    { contract_address: address, data, call_value }: TriggerSmartContract,
  ): readonly [Omit<PortRecord, 'cappedEnergy'>, bigint] {
    const to = address as Address;
    const { signature, selector } = methodRef(abiAt(ledger, to), data);
    const method = signature ?? (selector === '' ? '(no data)' : `0x${selector}`);
    return [{ ...recordOf(ledger, applied, this.#label(ledger, to)), method, codeBytes: undefined }, call_value];
  }

  /** Copies of an unnamed contract are one: tests deploy it again and again. */
  #label(ledger: Ledger, address: Address): string {
    const code = ledger.state.tables.codes.get(address);
    // A destroyed contract keeps its name.
    if (code === undefined) return this.#labels.get(address) ?? ethereumAddress(address);
    const name = nameAt(ledger, address);
    const label = name !== '' ? name : ethereumAddress(this.#seen.firstWith(code, address));
    this.#labels.set(address, label);
    return label;
  }

  #limits(ledger: Ledger, { contract, method = 'deployment', energy, cappedEnergy }: PortRecord, work: number): void {
    const where = { contract, method };
    const { energySun, maxFeeLimitSun } = pricesOf(ledger);
    const most = maxFeeLimitSun / energySun;
    if (cappedEnergy > most) {
      const what = `${inThousands(energy)} Energy, ${inThousands(cappedEnergy)} at the capped factor; a transaction buys at most ${inThousands(most)}`;
      this.#other('energy-limit', what, where);
    }
    const limitMs = Number(ledger.long('MAX_CPU_TIME_OF_ONE_TX'));
    const ms = workMs(work);
    if (ms > limitMs * MUCH_OF_LIMIT)
      this.#other('time-limit', `${ms.toFixed(0)} ms of ${limitMs} ms, counted by steps`, where);
  }

  #amount(sun: bigint): void {
    if (sun >= ETHER_AMOUNT_SUN) this.#other('ether-amounts', 'a million TRX and more in one transaction');
  }

  #other(
    id: DifferenceId,
    what: string,
    where: Pick<OtherSite, 'contract' | 'method'> = { contract: ALL_TRANSACTIONS },
  ): void {
    // Amounts of one method differ: the first one is shown.
    const key = `${id}\n${where.contract}\n${where.method ?? what}`;
    const { times, ...known } = this.#others.get(key) ?? { id, what, ...where, times: 0 };
    this.#others.set(key, { ...known, times: times + 1 });
  }

  #problem(sentence: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(sentence);
  }
}

function recordOf(
  ledger: Ledger,
  { transaction, info, charges }: AppliedTransaction,
  contract: string,
): Omit<PortRecord, 'cappedEnergy' | 'method' | 'codeBytes'> {
  const { energy_usage_total: energy = 0n, energy_penalty_total: penalty = 0n } = info.receipt ?? {};
  const succeeded = info.resMessage === '';
  const bytes = chargedBytes(ledger, transaction);
  return { contract, succeeded, energy, penalty, burnedSun: coinTotal(charges), bytes };
}

function transferKind({ owner_address, to_address }: TransferContract): string {
  return owner_address === to_address ? 'a transfer to oneself' : 'a transfer of nothing';
}

function maxFactorOf(ledger: Ledger): number {
  return ledger.on('ALLOW_DYNAMIC_ENERGY') ? Number(ledger.long('DYNAMIC_ENERGY_MAX_FACTOR')) : 0;
}

function pricesOf(ledger: Ledger): PortPrices {
  return {
    energySun: energyPriceSun(ledger.long('ENERGY_FEE')),
    byteSun: ledger.long('TRANSACTION_FEE'),
    maxFactor: maxFactorOf(ledger),
    maxFeeLimitSun: ledger.long('MAX_FEE_LIMIT'),
  };
}

function inThousands(amount: bigint): string {
  return amount.toLocaleString('en-US');
}
