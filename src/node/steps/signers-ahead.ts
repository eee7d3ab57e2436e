/**
 * Recovers the signers of later steps on other threads while earlier ones are applied. Of a block of transfers, the
 * recovery takes two thirds of the time.
 */

import type { SignedDigest } from '../../protocol/signature.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { Step, StepWork } from './steps.js';

/** Recovers signers of transactions ahead of the ledger. */
export interface SignersAhead {
  /** @returns to be called once and awaited, right before the broadcast; undefined if its signers are known */
  ahead(signed: SignedDigest): (() => Promise<void> | undefined) | undefined;
}

/** Enough for the threads while a block is applied. */
const SIGNATURES_AHEAD = 1_500;
const STEPS_AHEAD = 64;

interface Waiting {
  readonly step: Step;
  readonly recovered: readonly (() => Promise<void> | undefined)[];
}

/** The same steps; each comes when its signers are known, or when the ledger had better recover them. */
export async function* withSigners(
  steps: AsyncIterable<Step> | Iterable<Step>,
  signers: SignersAhead | undefined,
): AsyncGenerator<Step> {
  if (signers === undefined) {
    yield* steps;
    return;
  }
  const waiting: Waiting[] = [];
  let asked = 0;
  const first = async (): Promise<Step> => {
    const { step, recovered } = waiting.shift() as Waiting;
    asked -= recovered.length;
    await Promise.all(recovered.map((known) => known()));
    return step;
  };
  try {
    for await (const step of steps) {
      const recovered = transactionsOf(step.work).flatMap(
        ({ txId: digest, signatures }) => signers.ahead({ digest, signatures }) ?? [],
      );
      waiting.push({ step, recovered });
      asked += recovered.length;
      while (waiting.length > 0 && (asked === 0 || asked >= SIGNATURES_AHEAD || waiting.length >= STEPS_AHEAD))
        yield await first();
    }
    while (waiting.length > 0) yield await first();
  } finally {
    // Each answer is taken, also of steps that are not applied.
    for (const { recovered } of waiting) for (const known of recovered) void known();
  }
}

function transactionsOf(work: StepWork): readonly SignedTransaction[] {
  if ('transactions' in work) return work.transactions;
  return 'candidates' in work ? (work.candidates ?? []) : [];
}
