/**
 * Contracts on a small ledger: placed as they are, called as transactions are, with what a call must leave in balance
 * checked after every one of them.
 */

import type { BlockPlace } from '../../../src/ledger/blocks/block-place.js';
import { type Charge, coinTotal } from '../../../src/ledger/charging/charges.js';
import type { ContractResult, Execution, VmOutcome } from '../../../src/ledger/charging/execution.js';
import { receiptOf } from '../../../src/ledger/charging/receipt.js';
import { ledgerContract } from '../../../src/ledger/contracts/registry.js';
import { LedgerHost } from '../../../src/ledger/smart-contracts/host.js';
import type { Hex } from '../../../src/primitives/hex.js';
import { hexToBytes } from '../../../src/primitives/hex.js';
import type { Address } from '../../../src/primitives/ids.js';
import { packAny } from '../../../src/protocol/contract-types.js';
import {
  CreateSmartContract,
  SmartContract,
  TriggerSmartContract,
} from '../../../src/protocol/generated/smart-contract.js';
import {
  type Account,
  type ResourceReceipt,
  Transaction_Contract,
  Transaction_Contract_ContractType,
  Transaction_raw,
} from '../../../src/protocol/generated/tron.js';
import { SignedTransaction } from '../../../src/protocol/transaction.js';
import { ENERGY } from '../../../src/resources/metered-account.js';
import { address, BLACKHOLE, type EpochLedger } from './epoch-ledger.js';
import { accountAt, addressOf, COIN, smallLedger } from './small-ledger.js';

export interface Called extends VmOutcome {
  readonly charges: readonly Charge[];
  readonly receipt: ResourceReceipt;
}

export interface Placement {
  readonly origin: Address;
  readonly percent?: bigint;
  readonly energyLimit?: bigint;
}

export interface CallOptions {
  readonly from?: number;
  readonly data?: Hex;
  readonly callValueSun?: bigint;
  readonly feeLimitSun?: bigint;
}

/** One Energy each, as many as wished: what a bill of a given size is made of. */
export const grind = (energy: number): Hex => '5b'.repeat(energy);

/** Loops until there is no Energy left. */
export const ENDLESS = '5b600056';

/** Init code that returns `runtime`. */
export function initCodeOf(runtime: Hex): Hex {
  return `61${(runtime.length / 2).toString(16).padStart(4, '0')}80600a5f395ff3${runtime}`;
}

export class ContractChain {
  readonly chain: EpochLedger;
  #placed = 0;
  #transactions = 0;

  constructor(parameters: Readonly<Record<string, bigint>> = {}, accounts = 4) {
    this.chain = smallLedger(accounts, parameters);
  }

  get ledger() {
    return this.chain.ledger;
  }

  account(i: number): Account {
    return accountAt(this.ledger, i);
  }

  edit(i: number, change: Partial<Account>): void {
    this.chain.edit(addressOf(i), change);
  }

  /** A contract that stands there already. */
  place(runtime: Hex, { origin, percent = 100n, energyLimit = 0n }: Placement): Address {
    const contract = address(0xc0de00 + this.#placed++);
    const host = new LedgerHost(this.ledger, { timestampMs: 0n });
    host.createContract({ address: contract, creator: origin, version: 0, trxHash: '' });
    const { contracts } = this.ledger.state.tables;
    const record = contracts.get(contract) as SmartContract;
    contracts.set(contract, {
      ...record,
      consume_user_resource_percent: percent,
      origin_energy_limit: energyLimit,
    });
    host.setCode(contract, hexToBytes(runtime));
    return contract;
  }

  call(contract: Address, { from = 0, data = '', callValueSun = 0n, feeLimitSun = 1_000n * COIN }: CallOptions = {}) {
    const message = TriggerSmartContract.create({
      owner_address: addressOf(from),
      contract_address: contract,
      call_value: callValueSun,
      data,
    });
    const type = Transaction_Contract_ContractType.TriggerSmartContract;
    return this.#execute(type, packAny(TriggerSmartContract, message), feeLimitSun);
  }

  deploy(initCode: Hex, change: Partial<SmartContract> = {}, { from = 0, feeLimitSun = 1_000n * COIN } = {}): Called {
    const owner = addressOf(from);
    const message = CreateSmartContract.create({
      owner_address: owner,
      new_contract: SmartContract.create({
        origin_address: owner,
        bytecode: initCode,
        origin_energy_limit: 1n,
        consume_user_resource_percent: 100n,
        ...change,
      }),
    });
    const type = Transaction_Contract_ContractType.CreateSmartContract;
    return this.#execute(type, packAny(CreateSmartContract, message), feeLimitSun);
  }

  /** @throws JavaException, with nothing changed */
  #execute(type: number, parameter: ReturnType<typeof packAny>, feeLimitSun: bigint): Called {
    const raw = Transaction_raw.create({
      timestamp: BigInt(this.#transactions++),
      fee_limit: feeLimitSun,
      contract: [Transaction_Contract.create({ type, parameter })],
    });
    const transaction = SignedTransaction.fromRaw(raw);
    const { ledger } = this;
    const place: BlockPlace = {
      inBlock: true,
      number: ledger.headNumber + 1,
      timestampMs: ledger.headTimeMs + 3_000n,
      producer: address(1),
    };
    const charges: Charge[] = [];
    const result: ContractResult = {};
    const before = this.coins();
    const mark = ledger.state.mark();
    const execution: Execution = { place, charges, result, transaction };
    try {
      ledgerContract(type)?.execute(ledger, transaction.contract, execution);
    } catch (error) {
      ledger.state.revert(mark);
      throw error;
    }
    const outcome = execution.vm as VmOutcome;
    const receipt = receiptOf(charges, outcome);
    this.#checkConservation(before, outcome, charges, receipt);
    return { ...outcome, charges, receipt };
  }

  /** Sun that belongs to somebody: balances, stakes of both kinds, pending unfreezes, the pool, what was burned. */
  coins(): bigint {
    const { accounts } = this.ledger.state.tables;
    let sum = this.ledger.long('BURN_TRX_AMOUNT') + this.ledger.long('TRANSACTION_FEE_POOL');
    for (const of of this.#everybody()) {
      const account = accounts.get(of);
      if (account === undefined) continue;
      const resource = account.account_resource;
      sum += account.balance + (resource?.frozen_balance_for_energy?.frozen_balance ?? 0n);
      sum += account.delegated_frozen_balance_for_bandwidth + (resource?.delegated_frozen_balance_for_energy ?? 0n);
      sum += account.delegated_frozenV2_balance_for_bandwidth;
      sum += resource?.delegated_frozenV2_balance_for_energy ?? 0n;
      for (const { frozen_balance } of account.frozen) sum += frozen_balance;
      for (const { amount } of account.frozenV2) sum += amount;
      for (const { unfreeze_amount } of account.unfrozenV2) sum += unfreeze_amount;
    }
    return sum;
  }

  *#everybody(): Iterable<Address> {
    for (let i = 0; i < 16; i++) yield addressOf(i);
    for (let i = 0; i < this.#placed; i++) yield address(0xc0de00 + i);
    yield address(1);
    yield BLACKHOLE;
  }

  /** Σ charges = what was used and what was taken. */
  #checkConservation(before: bigint, outcome: VmOutcome, charges: readonly Charge[], receipt: ResourceReceipt): void {
    const price = this.ledger.long('ENERGY_FEE') || 100n;
    const paid = receipt.energy_usage + receipt.origin_energy_usage + receipt.energy_fee / price;
    if (paid !== outcome.energyUsageTotal) {
      throw new Error(`${paid} Energy charged, ${outcome.energyUsageTotal} used`);
    }
    if (coinTotal(charges) !== receipt.energy_fee) throw new Error('a call took coin for something else');
    const created =
      outcome.contractAddress !== '' && this.ledger.state.tables.accounts.get(outcome.contractAddress as Address);
    const known = new Set<string>(this.#everybody());
    const outside = created && !known.has(outcome.contractAddress) ? created.balance : 0n;
    const after = this.coins() + outside;
    if (after !== before) throw new Error(`${before} sun before the call, ${after} after it`);
  }
}

/** Stake 2.0 for Energy worth `energy`, where a coin gives 10 of it (`TEN_PER_COIN`). */
export function stakeFor(energy: bigint): Pick<Account, 'frozenV2'> {
  return { frozenV2: [{ type: ENERGY, amount: (energy / 10n) * COIN }] };
}

export const TEN_PER_COIN = { TOTAL_ENERGY_CURRENT_LIMIT: 180_000_000_000n, TOTAL_ENERGY_WEIGHT: 18_000_000_000n };
