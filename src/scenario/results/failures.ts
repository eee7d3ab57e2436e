/** Why transactions failed or were refused, with counts: what a table of a run says beside "failed" and "refused". */

import type { TransactionResult } from './result.js';

/** Transactions of a step that ended in the same way for the same reason. */
export interface FailureTotals {
  /** As in {@link StepTotals}. */
  readonly step: string;
  readonly label?: string;
  /** `TriggerSmartContract` */
  readonly type: string;
  /** `REVERT`, `OUT_OF_ENERGY`, `REFUSED`, `DROPPED`, … */
  readonly outcome: string;
  /** Of a refusal, as a broadcast answers it: `BANDWITH_ERROR`. */
  readonly code?: string;
  /** `Error("only the owner")`, `NotEnough`, java-tron's message without its numbers; empty where there is nothing to say. */
  readonly reason: string;
  readonly count: number;
}

/** Reasons hold what callers wrote. So many of one step are told apart, all others are one. */
const MOST_REASONS = 8;
const LONGEST_REASON = 160;
const OTHERS = 'other reasons';

export class Failures {
  /** By step, and of it by outcome, code and reason. */
  readonly #steps = new Map<string, Map<string, FailureTotals & { count: number }>>();

  /** @param step as its totals have it */
  add(step: Pick<FailureTotals, 'step' | 'label' | 'type'>, result: TransactionResult): void {
    const { block, outcome, refusal } = result;
    if (block !== undefined && outcome === 'SUCCESS') return;
    let own = this.#steps.get(step.step);
    if (own === undefined) {
      own = new Map();
      this.#steps.set(step.step, own);
    }
    const code = refusal?.code;
    const reason = reasonOf(result);
    const known = own.get(keyOf(outcome, code, reason));
    const told = known === undefined && own.size >= MOST_REASONS ? OTHERS : reason;
    const key = keyOf(outcome, code, told);
    const found = known ?? own.get(key);
    if (found !== undefined) found.count++;
    else own.set(key, { ...step, outcome, ...(code !== undefined && { code }), reason: told, count: 1 });
  }

  /** Steps in the order in which they first failed; of each, what happened most comes first. */
  get(): readonly FailureTotals[] {
    return [...this.#steps.values()].flatMap((own) => [...own.values()].sort((a, b) => b.count - a.count));
  }
}

function keyOf(outcome: string, code: string | undefined, reason: string): string {
  return `${outcome}\n${code}\n${reason}`;
}

/** Without what differs from one transaction to the next: arguments of an error that a contract declares, and amounts. */
function reasonOf({ refusal, failure }: TransactionResult): string {
  const text = refusal === undefined ? failureReason(failure) : withoutValues(refusal.message);
  return text.length <= LONGEST_REASON ? text : `${text.slice(0, LONGEST_REASON)}…`;
}

function failureReason(failure: TransactionResult['failure']): string {
  if (failure === undefined) return '';
  const { error, arguments: given = [], message = '', exception } = failure;
  if (error === 'Error' || error === 'Panic')
    return `${error}(${given.map(({ value }) => JSON.stringify(value)).join()})`;
  return error ?? withoutValues(exception ?? message);
}

/** `Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[20000]` → `…[…]`; addresses are `T…`. */
function withoutValues(message: string): string {
  return message.replace(/\[(\d+|T\w{33}|[0-9a-f]{40,})\]/g, '[…]').replace(/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, 'T…');
}
