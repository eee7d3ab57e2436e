/** A contract type in the ledger: a check and an effect. Each type has one file; `registry.ts` lists them. */

import type { Sent } from '../../protocol/message-type.js';
import type { Execution } from '../charging/execution.js';
import type { Ledger } from '../ledger.js';

/** Who validates: the pipeline, or a builder of the node's API, which has no transaction yet. */
export interface ValidationOrigin {
  readonly builder: boolean;
}

export interface LedgerContract<Message> {
  /** `Transaction.Contract.ContractType`. */
  readonly type: number;
  /** Throws ContractValidateException with java-tron's text; checks are in java-tron's order. Changes nothing. */
  validate(ledger: Ledger, contract: Sent<Message>, origin: ValidationOrigin): void;
  /** Runs after `validate`: the addresses are valid. May still throw ContractExeException; the caller reverts. */
  execute(ledger: Ledger, contract: Message, execution: Execution): void;
}
