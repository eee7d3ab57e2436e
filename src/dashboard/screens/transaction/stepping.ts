/** Where a debugger goes from a step. Each function returns the number of a step; past the end, the last one. */

import type { ExecutedStep } from '../../chain/answers.js';

type Steps = readonly ExecutedStep[];

function first(steps: Steps, from: number, wanted: (step: ExecutedStep) => boolean): number {
  const found = steps.findIndex((step, at) => at >= from && wanted(step));
  return found < 0 ? steps.length - 1 : found;
}

/** The next step of this call or of a caller: not of a call that this step makes. */
export function overCalls(steps: Steps, at: number): number {
  const depth = steps[at]?.depth ?? 0;
  return first(steps, at + 1, (step) => step.depth <= depth);
}

/** The step of the caller after this call. */
export function endOfFrame(steps: Steps, at: number): number {
  const depth = steps[at]?.depth ?? 0;
  return first(steps, at + 1, (step) => step.depth < depth);
}

const isOnLine = (step: ExecutedStep | undefined, line: ExecutedStep | undefined): boolean =>
  step?.line === line?.line && step?.file === line?.file && step?.frame === line?.frame;

/** The first step on another source line. */
export function nextLine(steps: Steps, at: number): number {
  return first(steps, at + 1, (step) => step.line !== undefined && !isOnLine(step, steps[at]));
}

/** The first step of the source line before this one. */
export function previousLine(steps: Steps, at: number): number {
  let before = at - 1;
  while (before > 0 && (steps[before]?.line === undefined || isOnLine(steps[before], steps[at]))) before--;
  while (before > 0 && isOnLine(steps[before - 1], steps[before])) before--;
  return Math.max(0, before);
}
