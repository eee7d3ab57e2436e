/** What running the contract of a transaction is given, and what it leaves besides its effect on the state. */

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
  /** What the machine adds, of the two types that run it. */
  vm?: VmOutcome;
  readonly transaction: SignedTransaction;
  readonly trial?: Trial | undefined;
}

/** How a transaction is run by whoever looks on, on a state that is thrown away. */
export interface Trial {
  readonly tracer?: Tracer;
  /** In place of what caller and deployer can pay for; the Energy is then not paid for at all. */
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

/** What the virtual machine adds to a receipt; absent for system contracts. */
export interface VmOutcome {
  /** `Transaction.Result.contractResult`. */
  readonly contractResult: number;
  readonly energyUsageTotal: bigint;
  readonly energyPenaltyTotal: bigint;
  readonly contractAddress: string;
  readonly returnData: string;
  /** Set when the machine ended with an error or a revert. */
  readonly failure: string | undefined;
  readonly logs: TransactionInfo['log'];
  readonly internalTransactions: TransactionInfo['internal_transactions'];
  /** Data of calls to the address of `console.log`, in order; not a part of the receipt. */
  readonly consoleCalls: readonly Hex[];
  /** How much Energy might have been used, and by whom it would have been paid. */
  readonly budget: EnergyBudget;
  /** How long it ran, as `tvm/work.ts` counts; 0 where nobody counts. Not a part of the receipt. */
  readonly work: number;
}
