/**
 * Calls that ask the same of the same state: wallets and pages read balances and prices again and again between two
 * blocks. What a call gave is kept as long as no row of the state has changed.
 */

import type { Ledger } from '../ledger/ledger.js';
import { constantCall } from '../ledger/smart-contracts/constant-call.js';
import { consoleCallsOf } from '../ledger/smart-contracts/execute.js';
import type { TxId } from '../primitives/ids.js';
import type { TriggerSmartContract } from '../protocol/generated/smart-contract.js';
import type { ContentVersion } from '../state/journal.js';
import type { ExecutionResult } from '../tvm/run.js';
import type { WalletContext } from './context.js';

interface Remembered {
  readonly version: ContentVersion;
  readonly results: Map<string, ExecutionResult>;
}

/** By ledger: each view of the chain has its own. */
const remembered = new WeakMap<Ledger, Remembered>();
const MAX_RESULTS = 128;
/** Larger answers are rare, and would make the memory's size a question. */
const MAX_OUTPUT_BYTES = 4_096;

/**
 * The id under which a call creates contracts. java-tron makes a transaction with the time in it, so that theirs differ
 * from call to call; nobody can see it but a contract that looks at the address it created.
 */
export const NO_TRANSACTION = '0'.repeat(64) as TxId;

/**
 * Runs a call on the newest state of a view; its lines of `console.log` are reported.
 *
 * @throws JavaException ContractValidateException for what a call may not begin with
 */
export function callContract({ ledger, node }: WalletContext, call: TriggerSmartContract): ExecutionResult {
  const { version } = ledger.state.journal;
  let known = remembered.get(ledger);
  if (known?.version !== version) {
    known = { version, results: new Map() };
    remembered.set(ledger, known);
  }
  const { owner_address, contract_address, call_value, data } = call;
  const question = `${owner_address}${contract_address}${data}${call_value}`;
  const answer = known.results.get(question);
  if (answer !== undefined) return answer;
  const result = constantCall(ledger, call, { txId: NO_TRANSACTION });
  const consoleCalls = consoleCallsOf(result);
  node.chain.reportConsole(consoleCalls);
  if (consoleCalls.length === 0 && result.output.length <= MAX_OUTPUT_BYTES) {
    if (known.results.size >= MAX_RESULTS) known.results.clear();
    known.results.set(question, result);
  }
  return result;
}
