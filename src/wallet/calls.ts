/**
 * Calls of contracts without a transaction, on the newest state of a view: what they give, and what they say.
 *
 * The runner is `ledger/smart-contracts/constant-call.ts`; here its lines of `console.log` and its failures are told to
 * the node.
 */

import { CONSOLE_ADDRESS, consoleCallsOf } from '../ledger/smart-contracts/console-calls.js';
import type { BlockOverrides, ConstantCallOptions, EnergyEstimate } from '../ledger/smart-contracts/constant-call.js';
import { overrideStates, type StateOverrides } from '../ledger/smart-contracts/state-override.js';
import type { Hex } from '../primitives/hex.js';
import type { TxId } from '../primitives/ids.js';
import type { TriggerSmartContract } from '../protocol/generated/smart-contract.js';
import type { InternalTransaction } from '../protocol/generated/tron.js';
import type { Sent } from '../protocol/message-type.js';
import type { ExecutionResult } from '../tvm/run.js';
import type { WalletContext } from './context.js';

/**
 * The id under which a call creates contracts. java-tron makes a transaction with the time in it, so that theirs differ
 * from call to call; nobody can see it but a contract that looks at the address it created.
 */
export const NO_TRANSACTION = '0'.repeat(64) as TxId;

/** What a call gave, and what the contract said to `console.log`. */
export interface Called {
  readonly run: ExecutionResult;
  readonly consoleCalls: readonly Hex[];
}

/** @throws JavaException ContractValidateException for what a call may not begin with */
export function callContract(
  { ledger, node }: WalletContext,
  call: Sent<TriggerSmartContract>,
  options: ConstantCallOptions = { txId: NO_TRANSACTION },
): Called {
  const run = node.calls.run(ledger, call, options);
  const consoleCalls = consoleCallsOf(run);
  node.chain.reportConsole(consoleCalls);
  if (run.runtimeError !== undefined) node.chain.reportFailedCall(call, options.txId, run);
  return { run, consoleCalls };
}

export type { BlockOverrides, StateOverrides };

/**
 * Accounts and slots that one call may suppose to be otherwise. Each is a row that is written and taken back while nobody
 * else has a turn: 60,000 of them, which a body has room for, took half a second.
 */
export const MAX_OVERRIDDEN_ROWS = 5_000;

/** Whether there are more, told before anything of them is read. @param given accounts with their slots, as they were sent */
export function overridesTooMuch(given: object): boolean {
  let rows = 0;
  for (const account of Object.values(given)) {
    rows++;
    if (rows > MAX_OVERRIDDEN_ROWS) return true;
    if (typeof account !== 'object' || account === null) continue;
    for (const slots of Object.values(account)) {
      if (typeof slots === 'object' && slots !== null) rows += Object.keys(slots).length;
    }
  }
  return rows > MAX_OVERRIDDEN_ROWS;
}

/** Does `work` on a state of which some is otherwise; nothing of it stays. */
export function withOverrides<Result>(
  { ledger }: WalletContext,
  overrides: StateOverrides | null,
  work: () => Result,
): Result {
  if (overrides === null) return work();
  return ledger.state.dryRun(() => {
    overrideStates(ledger, overrides);
    return work();
  });
}

/** Whether a contract has called `console.log` with it. */
export function isConsoleCall({ transferTo_address }: InternalTransaction): boolean {
  return transferTo_address === CONSOLE_ADDRESS;
}

/** Trial runs, of which nothing is told. @throws JavaException ContractValidateException as {@link callContract} */
export function estimateCall(
  { ledger, node }: WalletContext,
  call: Sent<TriggerSmartContract>,
  txId: TxId,
  block?: BlockOverrides,
): EnergyEstimate {
  return node.calls.estimate(ledger, call, txId, block);
}
