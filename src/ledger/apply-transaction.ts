/**
 * One transaction, from check to receipt: the same function for the pending pool, block production, import, replay,
 * estimates and traces. Mirrors Manager.processTransaction (protocol/pipeline.md#order-of-work).
 *
 * Owns the order of the steps. What a step does stands in its own file. Leaves the state changed also when it throws:
 * the caller holds a mark and reverts.
 */

import { overflowAsJava } from '../errors/refusals.js';
import type { Hex } from '../primitives/hex.js';
import { movesNothing } from '../protocol/ethereum-form.js';
import { Transaction_Result, Transaction_Result_contractResult, TransactionInfo } from '../protocol/generated/tron.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import type { StoredTransaction } from '../state/tables.js';
import { takeNonce } from './accounts/ethereum.js';
import { usedUp } from './accounts/impersonation.js';
import {
  checkContractCount,
  checkDuplicate,
  checkSizeAndExpiration,
  checkTapos,
  checkTypeIsOpen,
} from './admission/checks.js';
import { checkSignatures } from './admission/signatures.js';
import { type BlockPlace, type EmptyHeader, PENDING } from './blocks/block-place.js';
import { consumeBandwidth } from './charging/bandwidth.js';
import { type Charge, encodeCharges } from './charging/charges.js';
import type { EnergyBudget } from './charging/energy.js';
import type { ContractResult, Execution, Trial, VmOutcome } from './charging/execution.js';
import { payMemoFee, payMultiSignatureFee } from './charging/fees.js';
import { transactionInfoOf } from './charging/receipt.js';
import { ledgerContract } from './contracts/registry.js';
import type { Ledger } from './ledger.js';
import { nextBlockTimeMs } from './schedule/schedule.js';

export interface AppliedTransaction {
  readonly transaction: SignedTransaction;
  /** `Transaction.Result.contractResult`. */
  readonly contractRet: number;
  readonly info: TransactionInfo;
  readonly charges: readonly Charge[];
  /** What the contract said to `console.log`: the data of the calls. */
  readonly consoleCalls: readonly Hex[];
  /** What the Energy of a contract was limited by; undefined for other transactions. */
  readonly budget: EnergyBudget | undefined;
  /** How long its contract ran, as `tvm/work.ts` counts. */
  readonly work: number;
  /** The same with the receipt that it has in a block. */
  in(place: BlockPlace): AppliedTransaction;
}

/**
 * Applies `transaction` to the ledger's state.
 *
 * @param index its place in the block; for pending ones in the pool
 * @param trial for a run that is only looked at
 * @throws JavaException what java-tron refuses it with; `refusalOf` gives code and text
 */
export function applyTransaction(
  ledger: Ledger,
  place: BlockPlace,
  transaction: SignedTransaction,
  index: number,
  trial?: Trial,
): AppliedTransaction {
  checkTypeIsOpen(ledger, transaction, place.inBlock);
  // A broadcast is checked for signatures before anything else (protocol/pipeline.md#broadcast rows 11 and 12).
  if (!place.inBlock) checkSignatures(ledger, transaction);
  checkContractCount(transaction);
  checkTapos(ledger, transaction, trial !== undefined);
  checkSizeAndExpiration(ledger, transaction, place.inBlock);
  checkDuplicate(ledger, transaction);
  if (place.inBlock) checkSignatures(ledger, transaction);
  if (transaction.ethereum !== undefined) takeNonce(ledger, transaction, transaction.ethereum);

  const charges: Charge[] = [];
  const execution: Execution = { place, charges, result: {}, transaction, trial };
  overflowAsJava(() => {
    consumeBandwidth(ledger, transaction, charges, place.inBlock);
    payMultiSignatureFee(ledger, transaction, charges);
    payMemoFee(ledger, transaction, charges);
    execute(ledger, execution);
  });

  // Whoever looks at the receipt of a pending transaction has not made it see its header.
  const applied = new Applied(place.inBlock ? place : PENDING, transaction, charges, execution.result, execution.vm);
  writeTransaction(ledger, place, applied, index);
  return applied;
}

/** How a transaction that waits for its block was applied above the head. */
export interface PendingRun {
  readonly header: EmptyHeader;
  readonly applied: AppliedTransaction;
}

/**
 * What a pending transaction has done, as its doing in a block without running it again. Whatever the pool applied before
 * it has to stand before it in the block, and nothing else. Its row is still to be written.
 *
 * @returns undefined if it might do something else in a block: it has seen that it ran under no block's header, or
 *   something is checked in blocks only
 */
export function asInBlock(
  ledger: Ledger,
  place: BlockPlace,
  { header, applied }: PendingRun,
): AppliedTransaction | undefined {
  // A block has other words for it.
  const outOfTime = applied.contractRet === Transaction_Result_contractResult.OUT_OF_TIME;
  // Checked of what is broadcast, and not again when it is put back after a block.
  const late = applied.transaction.raw.expiration < nextBlockTimeMs(ledger);
  return header.wasRead || outOfTime || late ? undefined : applied.in(place);
}

/** Makes the receipt when it is asked for: that of a transaction that waits in the pool hardly ever is. */
class Applied implements AppliedTransaction {
  readonly contractRet: number;
  readonly consoleCalls: readonly Hex[];
  readonly budget: EnergyBudget | undefined;
  readonly work: number;
  #info: TransactionInfo | undefined;

  constructor(
    private readonly place: BlockPlace,
    readonly transaction: SignedTransaction,
    readonly charges: readonly Charge[],
    private readonly result: ContractResult,
    private readonly vm: VmOutcome | undefined,
  ) {
    this.contractRet = vm?.contractResult ?? Transaction_Result_contractResult.SUCCESS;
    this.consoleCalls = vm?.consoleCalls ?? [];
    this.budget = vm?.budget;
    this.work = vm?.work ?? 0;
  }

  in(place: BlockPlace): AppliedTransaction {
    return new Applied(place, this.transaction, this.charges, this.result, this.vm);
  }

  get info(): TransactionInfo {
    this.#info ??= transactionInfoOf(this.transaction.txId, this.place, this.charges, this.result, this.vm);
    return this.#info;
  }
}

function execute(ledger: Ledger, execution: Execution): void {
  const { contractType, contract, txId } = execution.transaction;
  const rules = ledgerContract(contractType);
  if (rules === undefined || contract === undefined) {
    // Unreachable by broadcast: without a known message there is no owner, so the signature check refused it.
    throw new Error(`contract type ${contractType} of ${txId} is not executable`);
  }
  // Its bytes are paid for, as a transfer's.
  if (movesNothing(execution.transaction)) return;
  rules.validate(ledger, contract, { builder: false });
  rules.execute(ledger, contract, execution);
}

/**
 * `ret` of a stored transaction: with the VM on one Result with nothing but the outcome, else as it came
 * (protocol/transactions.md#messages).
 */
export function retOf(ledger: Ledger, contractRet: number): readonly Transaction_Result[] | undefined {
  return ledger.vmOn ? [Transaction_Result.create({ contractRet })] : undefined;
}

/** Writes the row of a transaction that was applied. */
export function writeTransaction(ledger: Ledger, place: BlockPlace, applied: AppliedTransaction, index: number): void {
  const { transaction, charges, contractRet } = applied;
  const ret = retOf(ledger, contractRet);
  const row: StoredTransaction = place.inBlock
    ? {
        blockNumber: place.number,
        index,
        transaction: transaction.encode(ret),
        info: TransactionInfo.encode(applied.info),
        charges: encodeCharges(charges),
      }
    : new PendingRow(index, transaction, ret, charges);
  ledger.state.tables.transactions.set(transaction.txId, row);
  if (place.inBlock) usedUp(ledger, transaction.txId);
}

const NO_INFO = new Uint8Array();

/** The row of a pending transaction is thrown away with the pool, mostly unread: its bytes are made when asked for. */
class PendingRow implements StoredTransaction {
  readonly blockNumber = PENDING.number;
  readonly info = NO_INFO;

  constructor(
    readonly index: number,
    private readonly pending: SignedTransaction,
    private readonly ret: readonly Transaction_Result[] | undefined,
    private readonly costs: readonly Charge[],
  ) {}

  get transaction(): Uint8Array {
    return this.pending.encode(this.ret);
  }

  get charges(): string {
    return encodeCharges(this.costs);
  }
}
