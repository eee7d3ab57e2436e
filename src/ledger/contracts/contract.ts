/**
 * What a contract type is to the ledger: a check and an effect. Each type is one file beside this one; `registry.ts`
 * lists them.
 */

import type { Sent } from '../../protocol/message-type.js';
import type { Execution } from '../charging/execution.js';
import type { Ledger } from '../ledger.js';

/** Who asks for validation: the pipeline, or a node-side builder, which has no transaction yet. */
export interface ValidationOrigin {
  readonly builder: boolean;
}

export interface LedgerContract<Message> {
  /** `Transaction.Contract.ContractType`. */
  readonly type: number;
  /** Throws ContractValidateException with java-tron's text, checks in java-tron's order. Changes nothing. */
  validate(ledger: Ledger, contract: Sent<Message>, origin: ValidationOrigin): void;
  /** After `validate` passed: its addresses are addresses. May still throw ContractExeException; the caller reverts. */
  execute(ledger: Ledger, contract: Message, execution: Execution): void;
}
