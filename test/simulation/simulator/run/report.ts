/** A result of the simulator in lines for people; of simulated nodes, the last one is the digest. */

import { countOf, digestOf, type RunResult, stepsOfAWorld } from './result.js';

export const DIGEST = 'digest ';

export function reportLines(result: RunResult): readonly string[] {
  const { worlds, totals, failures, plan } = result;
  const steps = countOf(totals.steps);
  const aSecond = Math.round(steps / (totals.machineMs / 1_000));
  return [
    `${worlds.length} worlds, ${steps} steps, ${aSecond} a second`,
    `${totals.requests} requests, ${totals.refusals} refused, ${totals.blocks} blocks announced`,
    ...(plan.nodes === 'real'
      ? []
      : [`simulated hours: ${hours(totals.chainMs)} of chains, ${hours(totals.simulatedMs)} of machines`]),
    ...Object.entries(totals.faults).map(([name, times]) => `  ${name}: ${times}`),
    ...failures.flatMap((failure) => failureLines(failure, plan)),
    // What real nodes do depends on the machine, too.
    ...(plan.nodes === 'real' ? [] : [`${DIGEST}${digestOf(result)}`]),
  ];
}

function failureLines(
  { seed, step, action, invariant, what, shortest, again: repeated }: RunResult['failures'][number],
  plan: RunResult['plan'],
): string[] {
  const again = `npm run simulate -- ${plan.nodes === 'real' ? '--real ' : ''}--seed ${seed}`;
  return [
    `failed: ${invariant}`,
    `seed ${seed}, step ${step} (${action})`,
    what,
    ...(shortest === undefined ? [] : [`shortest history: ${shortest.length} steps`]),
    ...(repeated === undefined ? [] : [repeatedLine(repeated)]),
    `again: ${again} ${shortest === undefined ? `--steps ${step < 0 ? stepsOfAWorld(plan) : step + 1}` : `--only ${shortest.join(',')}`}`,
  ];
}

function repeatedLine({ repeats, failed }: { readonly repeats: number; readonly failed: number }): string {
  if (failed === 0)
    return `no shorter history: none of ${repeats} repeats failed in the same way; it may depend on timing`;
  return `of ${repeats} repeats, ${failed} failed in the same way`;
}

function hours(ms: number): string {
  return (ms / 3_600_000).toFixed(1);
}
