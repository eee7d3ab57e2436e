/** Input of a contract's execution, and its result besides the changes of the state. */

import type { Hex } from '../../primitives/hex.js';
import type { TransactionInfo } from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { Tracer } from '../../tvm/trace.js';
import type { BlockPlace } from '../blocks/block-place.js';
import type { Charge } from './charges.js';
import type { EnergyBudget } from './energy.js';

export interface Execution {
  readonly place: BlockPlace;
  /** The contract appends its own fees; see `charging/fees.ts` payFee. */
  readonly charges: Charge[];
  /** Fields of TransactionInfo that belong to the contract type (`assetIssueID`, `withdraw_amount`, …). */
  readonly result: ContractResult;
  /** Additions of the machine, for the two types that run it. */
  vm?: VmOutcome;
  readonly transaction: SignedTransaction;
  readonly trial?: Trial | undefined;
}

/** Options of a run without effect, on a state that is discarded. */
export interface Trial {
  readonly tracer?: Tracer;
  /** Replaces the Energy that caller and deployer can pay for; the Energy is then not charged. */
  readonly energyLimit?: number;
}

export type ContractResult = {
  -readonly [Field in
    | 'assetIssueID'
    | 'withdraw_amount'
    | 'unfreeze_amount'
    | 'exchange_received_amount'
    | 'exchange_inject_another_amount'
    | 'exchange_withdraw_another_amount'
    | 'exchange_id'
    | 'orderId'
    | 'orderDetails'
    | 'withdraw_expire_amount'
    | 'cancel_unfreezeV2_amount']?: TransactionInfo[Field];
};

/** Additions of the virtual machine to a receipt; absent for system contracts. */
export interface VmOutcome {
  /** `Transaction.Result.contractResult`. */
  readonly contractResult: number;
  readonly energyUsageTotal: bigint;
  readonly energyPenaltyTotal: bigint;
  readonly contractAddress: string;
  readonly returnData: string;
  /** Set if the machine ended with an error or a revert. */
  readonly failure: string | undefined;
  readonly logs: TransactionInfo['log'];
  readonly internalTransactions: TransactionInfo['internal_transactions'];
  /** Data of calls of `console.log`, in order; not part of the receipt. */
  readonly consoleCalls: readonly Hex[];
  /** The Energy limit, and its payers. */
  readonly budget: EnergyBudget;
  /** Work of the run as counted by `tvm/work.ts`; 0 if it is not counted. Not part of the receipt. */
  readonly work: number;
}
