/**
 * A transaction's contract in the machine: run, bill, outcome (protocol/energy.md#the-budget-of-a-call,
 * #the-bill-and-the-receipt). The checks before it are in `contracts/CreateSmartContract.ts` and
 * `contracts/TriggerSmartContract.ts`. Mirrors what RuntimeImpl and TransactionTrace do around a run of VMActuator.
 */

import { bytesToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import {
  Transaction_Result_contractResult as ContractResult,
  TransactionInfo_Log,
} from '../../protocol/generated/tron.js';
import type { ExecutionContext } from '../../tvm/execution.js';
import type { ExecutionResult } from '../../tvm/run.js';
import { WorkBudget } from '../../tvm/work.js';
import type { BlockPlace } from '../blocks/block-place.js';
import { type EnergyBudget, payEnergyBill } from '../charging/energy.js';
import type { Execution, VmOutcome } from '../charging/execution.js';
import type { Ledger } from '../ledger.js';
import { consoleCallsOf } from './console-calls.js';
import { blockEnvironment } from './environment.js';
import { tvmFlags } from './flags.js';
import type { LedgerHost } from './host.js';
import { internalTransactionMessage } from './internal-transactions.js';

/** A run of the machine before its bill. */
export interface Run {
  readonly host: LedgerHost;
  readonly result: ExecutionResult;
  readonly budget: EnergyBudget;
  readonly contractAddress: Address;
}

/**
 * Runs a contract, pays for it, and stores its outcome in `execution.vm`.
 *
 * @param begin checks the transaction and starts the machine
 * @throws JavaException if the run cannot start
 */
export function executeInMachine(
  ledger: Ledger,
  execution: Execution,
  begin: (context: ExecutionContext) => Run,
): void {
  const mark = ledger.state.mark();
  const context = contextOf(ledger, execution);
  const { host, result, budget, contractAddress } = ledger.state.gathering(
    () => begin(context),
    context.work?.lookAhead,
  );
  const kept = result.runtimeError === undefined;
  // The charge in advance and a deployment's records are below the machine's own changes in the journal and are
  // reverted with them.
  if (!kept) ledger.state.revert(mark);
  const energyUsageTotal = BigInt(Math.max(0, result.energyUsed));
  // With a given Energy limit, the run is not charged.
  if (execution.trial?.energyLimit === undefined) {
    const used = { total: energyUsageTotal, kept, contractResult: result.contractResult };
    payEnergyBill(ledger, budget, used, execution.charges);
  }
  if (kept) host.removeDestroyed();
  const work = context.work?.done ?? 0;
  execution.vm = { ...outcomeOf(result, execution.place), contractAddress, energyUsageTotal, budget, work };
}

function contextOf(ledger: Ledger, { place, transaction, trial }: Execution): ExecutionContext {
  return {
    flags: tvmFlags(ledger),
    block: blockEnvironment(ledger, place),
    txid: transaction.txId,
    work: WorkBudget.of(ledger.config.vmLimit),
    tracer: trial?.tracer,
  };
}

/** The machine counts in doubles; budgets beyond 2^53 need unrealistic prices, and are cut there. */
export function energyLimitOf({ total }: EnergyBudget, { trial }: Execution): number {
  if (trial?.energyLimit !== undefined) return trial.energyLimit;
  return Number(total > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : total);
}

function outcomeOf(
  result: ExecutionResult,
  place: BlockPlace,
): Omit<VmOutcome, 'contractAddress' | 'energyUsageTotal' | 'budget' | 'work'> {
  const outcome = {
    contractResult: result.contractResult,
    energyPenaltyTotal: BigInt(result.energyPenalty),
    returnData: bytesToHex(result.output),
    failure: result.runtimeError,
    logs: result.logs.map((log) => TransactionInfo_Log.create(log)),
    internalTransactions: result.internalTransactions.map(internalTransactionMessage),
    consoleCalls: consoleCallsOf(result),
  };
  if (result.contractResult !== ContractResult.OUT_OF_TIME || !place.inBlock) return outcome;
  // The node that made the block does not run such a transaction again (protocol/virtual-machine.md#cpu-time).
  return { ...outcome, failure: 'Already Time Out', energyPenaltyTotal: 0n, logs: [], internalTransactions: [] };
}
