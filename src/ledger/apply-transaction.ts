/**
 * One transaction, from check to receipt: the same function for the pool, block production, import, replay, estimates
 * and traces. Mirrors Manager.processTransaction (protocol/pipeline.md#order-of-work). Owns the order of the steps;
 * each step has its own file. The state may be changed when it throws: the caller holds a mark and reverts.
 */

import { overflowAsJava } from '../errors/refusals.js';
import type { Hex } from '../primitives/hex.js';
import { movesNothing } from '../protocol/ethereum-form.js';
import { Transaction_Result, Transaction_Result_contractResult, TransactionInfo } from '../protocol/generated/tron.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import type { StoredTransaction } from '../state/tables.js';
import { takeNonce } from './accounts/ethereum.js';
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
  /** Data of the contract's calls of `console.log`. */
  readonly consoleCalls: readonly Hex[];
  /** Limits of the contract's Energy; undefined for other transactions. */
  readonly budget: EnergyBudget | undefined;
  /** Work of its contract, as counted by `tvm/work.ts`. */
  readonly work: number;
  /** The same with the receipt of its block. */
  in(place: BlockPlace): AppliedTransaction;
}

/**
 * Applies `transaction` to the ledger's state.
 *
 * @param index its index in the block, or in the pool
 * @param trial for a run without effect
 * @throws JavaException java-tron's refusal; `refusalOf` gives code and text
 */
export function applyTransaction(
  ledger: Ledger,
  place: BlockPlace,
  transaction: SignedTransaction,
  index: number,
  trial?: Trial,
): AppliedTransaction {
  checkTypeIsOpen(ledger, transaction, place.inBlock);
  // Signatures of a broadcast are checked first (protocol/pipeline.md#broadcast rows 11 and 12).
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

  // Reading the receipt of a pending transaction does not count as reading its header.
  const applied = new Applied(place.inBlock ? place : PENDING, transaction, charges, execution.result, execution.vm);
  writeTransaction(ledger, place, applied, index);
  return applied;
}

/** How a pending transaction was applied above the head. */
export interface PendingRun {
  readonly header: EmptyHeader;
  readonly applied: AppliedTransaction;
}

/**
 * Converts the run of a pending transaction into its run in a block, without running it again. Exactly the
 * transactions that the pool applied before it must precede it in the block. Its row is still to be written.
 *
 * @returns undefined if the run could differ in a block: it has read the missing header, or a check applies only in
 * blocks
 */
export function asInBlock(
  ledger: Ledger,
  place: BlockPlace,
  { header, applied }: PendingRun,
): AppliedTransaction | undefined {
  // The refusal has another text in a block.
  const outOfTime = applied.contractRet === Transaction_Result_contractResult.OUT_OF_TIME;
  // Checked on broadcast, not again when it returns to the pool after a block.
  const late = applied.transaction.raw.expiration < nextBlockTimeMs(ledger);
  return header.wasRead || outOfTime || late ? undefined : applied.in(place);
}

/** Makes the receipt lazily: a pending transaction's receipt is rarely read. */
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
    // Unreachable by broadcast: without a known message there is no owner, so the signature check refuses it.
    throw new Error(`contract type ${contractType} of ${txId} is not executable`);
  }
  // Its bytes are paid for, as a transfer's.
  if (movesNothing(execution.transaction)) return;
  rules.validate(ledger, contract, { builder: false });
  rules.execute(ledger, contract, execution);
}

/**
 * `ret` of a stored transaction: with the VM on, a single Result with only the outcome, otherwise unchanged
 * (protocol/transactions.md#messages).
 */
export function retOf(ledger: Ledger, contractRet: number): readonly Transaction_Result[] | undefined {
  return ledger.vmOn ? [Transaction_Result.create({ contractRet })] : undefined;
}

/** Writes the row of an applied transaction. */
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
}

const NO_INFO = new Uint8Array();

/** The row of a pending transaction is discarded with the pool, usually unread: its bytes are made lazily. */
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
