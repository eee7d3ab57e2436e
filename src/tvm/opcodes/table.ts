/** The 256 opcodes for one set of flags, as arrays indexed by opcode for the machine's loop. */

import type { TvmFlags } from '../flags.js';
import { workOfStep } from '../work.js';
import { arithmetic } from './arithmetic.js';
import { calls } from './calls.js';
import { control } from './control.js';
import { environment } from './environment.js';
import { logs } from './logs.js';
import { memory } from './memory.js';
import type { Action, CostOf, Operation } from './operation.js';
import { stack } from './stack.js';
import { staking } from './staking.js';
import { storage } from './storage.js';
import { tokens } from './tokens.js';

/** In `cost`: `costOf` charges the Energy itself. */
export const SPENDS_ITSELF = -1;

export interface Operations {
  readonly names: readonly (string | undefined)[];
  readonly required: Uint8Array;
  /** Pushed words minus popped words. */
  readonly growth: Int8Array;
  /** Work of the step (`work.ts`), and additional work for each Energy of a computed price. */
  readonly work: Float64Array;
  readonly workPerEnergy: Float64Array;
  /** Fixed Energy, or `SPENDS_ITSELF`. */
  readonly cost: Int32Array;
  /** Energy that depends on the operands, in addition. */
  readonly costOf: readonly (CostOf | undefined)[];
  /** `undefined`: no such opcode with these flags. */
  readonly action: readonly (Action | undefined)[];
}

const tables = new WeakMap<TvmFlags, Operations>();

/** The table for `flags`, built once for each flags object. */
export function operationsFor(flags: TvmFlags): Operations {
  let operations = tables.get(flags);
  if (operations === undefined) {
    operations = tableOf([
      ...control(),
      ...arithmetic(flags),
      ...environment(flags),
      ...stack(flags),
      ...memory(flags),
      ...storage(flags),
      ...logs(),
      ...calls(flags),
      ...tokens(flags),
      ...staking(flags),
    ]);
    tables.set(flags, operations);
  }
  return operations;
}

function tableOf(rows: readonly Operation[]): Operations {
  const names: (string | undefined)[] = new Array(256).fill(undefined);
  const costOf: (CostOf | undefined)[] = new Array(256).fill(undefined);
  const action: (Action | undefined)[] = new Array(256).fill(undefined);
  const required = new Uint8Array(256);
  const growth = new Int8Array(256);
  const cost = new Int32Array(256);
  const work = new Float64Array(256);
  const workPerEnergy = new Float64Array(256);
  for (const row of rows) {
    const { opcode } = row;
    if (action[opcode] !== undefined) throw new Error(`opcode ${opcode} is defined twice`);
    names[opcode] = row.name;
    action[opcode] = row.act;
    required[opcode] = row.inputs;
    growth[opcode] = row.outputs - row.inputs;
    const { base, perEnergy } = workOfStep(row.name);
    work[opcode] = base;
    workPerEnergy[opcode] = perEnergy;
    cost[opcode] = row.spendsItself ? SPENDS_ITSELF : typeof row.cost === 'number' ? row.cost : row.base;
    if (typeof row.cost !== 'number') costOf[opcode] = row.cost;
  }
  return { names, required, growth, cost, costOf, action, work, workPerEnergy };
}
