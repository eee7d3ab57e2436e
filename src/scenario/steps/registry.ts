/** All kinds of steps by name. */

import { accountSteps } from './accounts.js';
import { contractSteps } from './contracts.js';
import { governanceSteps } from './governance.js';
import { groupSteps } from './groups.js';
import { operationSteps } from './operations.js';
import { rawSteps } from './raw.js';
import { recordedSteps } from './recorded.js';
import { stakeSteps } from './stakes.js';
import type { StepKind } from './step-kind.js';
import { timeSteps } from './time.js';
import { tokenSteps } from './tokens.js';
import { tradeSteps } from './trade.js';
import { trafficSteps } from './traffic.js';
import { transferSteps } from './transfers.js';

export const STEP_KINDS: readonly StepKind[] = [
  ...transferSteps,
  ...contractSteps,
  ...stakeSteps,
  ...accountSteps,
  ...governanceSteps,
  ...tokenSteps,
  ...tradeSteps,
  ...rawSteps,
  ...groupSteps,
  ...trafficSteps,
  ...timeSteps,
  ...operationSteps,
  ...recordedSteps,
];

const byName: ReadonlyMap<string, StepKind> = new Map(STEP_KINDS.map((kind) => [kind.name, kind]));

export const stepNames: readonly string[] = STEP_KINDS.map(({ name }) => name);

export function stepKind(name: string): StepKind {
  const kind = byName.get(name);
  if (kind === undefined) throw new Error(`unknown kind of step ${name}`);
  return kind;
}
