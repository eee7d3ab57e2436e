/**
 * Constant calls on the newest state of a view: results and console output. The runner is
 * `ledger/smart-contracts/constant-call.ts`; console lines and failures are reported to the node here.
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
 * The root id of contracts that a call creates. java-tron makes a transaction with the time in it, so its ids differ
 * between calls; only a contract that reads a created address can see it.
 */
export const NO_TRANSACTION = '0'.repeat(64) as TxId;

/** The result of a call, and its console output. */
export interface Called {
  readonly run: ExecutionResult;
  readonly consoleCalls: readonly Hex[];
}

/** @throws JavaException ContractValidateException if the call cannot start */
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

/** Whether there are more, checked before any is parsed. @param given accounts with their slots, as sent */
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

/** Runs `work` on a state with overrides, which are reverted. */
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

/** Trial runs, which are not reported. @throws JavaException ContractValidateException as {@link callContract} */
export function estimateCall(
  { ledger, node }: WalletContext,
  call: Sent<TriggerSmartContract>,
  txId: TxId,
  block?: BlockOverrides,
): EnergyEstimate {
  return node.calls.estimate(ledger, call, txId, block);
}
