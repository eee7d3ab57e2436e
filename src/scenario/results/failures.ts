/** Why transactions failed or were refused, with counts. */

import type { TransactionResult } from './result.js';

/** Transactions of a step with the same outcome and reason. */
export interface FailureTotals {
  /** As in {@link StepTotals}. */
  readonly step: string;
  readonly label?: string;
  /** `TriggerSmartContract` */
  readonly type: string;
  /** `REVERT`, `OUT_OF_ENERGY`, `REFUSED`, `DROPPED`, … */
  readonly outcome: string;
  /** Of a refusal: the code of the broadcast's answer, such as `BANDWITH_ERROR`. */
  readonly code?: string;
  /** `Error("only the owner")`, `NotEnough`, or java-tron's message without its numbers; empty if unknown. */
  readonly reason: string;
  readonly count: number;
}

/**
 * Reasons contain text of callers. The number of distinct reasons for each step is limited; the rest are counted
 * together.
 */
const MAX_REASONS = 8;
const LONGEST_REASON = 160;
const OTHERS = 'other reasons';

export class Failures {
  /** Failures by step, then by outcome, code and reason. */
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
    const shownReason = known === undefined && own.size >= MAX_REASONS ? OTHERS : reason;
    const key = keyOf(outcome, code, shownReason);
    const found = known ?? own.get(key);
    if (found !== undefined) found.count++;
    else own.set(key, { ...step, outcome, ...(code !== undefined && { code }), reason: shownReason, count: 1 });
  }

  /** Steps in the order of their first failure; within a step, the most frequent failure first. */
  get(): readonly FailureTotals[] {
    return [...this.#steps.values()].flatMap((own) => [...own.values()].sort((a, b) => b.count - a.count));
  }
}

function keyOf(outcome: string, code: string | undefined, reason: string): string {
  return `${outcome}\n${code}\n${reason}`;
}

/** Removes what differs between transactions: arguments of custom errors, and amounts. */
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
