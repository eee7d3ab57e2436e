/**
 * What a contract type is to the ledger: a check and an effect. Each type is one file beside this one; `registry.ts`
 * lists them.
 */

import type { TransactionInfo } from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { Tracer } from '../../tvm/trace.js';
import type { Charge } from '../charging/charges.js';
import type { Ledger } from '../ledger.js';

/** What executing a contract leaves besides its effect on the state. */
export interface Execution {
  /** The contract appends its own fees; see `charging/fees.ts` payFee. */
  readonly charges: Charge[];
  /** Fields of TransactionInfo that belong to the contract type (`assetIssueID`, `withdraw_amount`, …). */
  readonly result: ContractResult;
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

/** Who asks for validation: the pipeline, or a node-side builder, which has no transaction yet. */
export interface ValidationOrigin {
  readonly builder: boolean;
}

export interface SystemContract<Message> {
  /** `Transaction.Contract.ContractType`. */
  readonly type: number;
  /** Throws ContractValidateException with java-tron's text, checks in java-tron's order. Changes nothing. */
  validate(ledger: Ledger, contract: Sent<Message>, origin: ValidationOrigin): void;
  /** After `validate` passed: its addresses are addresses. May still throw ContractExeException; the caller reverts. */
  execute(ledger: Ledger, contract: Message, execution: Execution): void;
}
