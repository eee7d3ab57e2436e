/** Folds the Energy of transactions: by step, then by contract and method, then base price and penalty. */

import type { CallEnergy } from '../../prose/report.js';
import type { Result } from '../results/result.js';

/** The name of its part of a method. */
export const PENALTY = 'penalty';

/** Of a step; further ones are one entry. */
const MAX_METHODS = 50;
const MAX_STEPS = 200;

interface Use {
  used: bigint;
  penalty: bigint;
}

export class CallEnergies {
  readonly #steps = new Map<string, Map<string, Use>>();

  add(result: Result): void {
    if (result.kind !== 'transaction' || result.energy === undefined || result.energy.used === 0n) return;
    const { step, label, to = '', method, type, energy } = result;
    // Members of a group share a step, and rounds of a loop have one path.
    const methods = entryIn(this.#steps, label ?? step, MAX_STEPS, () => new Map<string, Use>());
    const name = method === undefined ? `${to} ${type}`.trim() : `${to}.${method.replace(/\(.*$/s, '')}`;
    const use = entryIn(methods, name, MAX_METHODS, () => ({ used: 0n, penalty: 0n }));
    use.used += energy.used;
    use.penalty += energy.penalty;
  }

  /** Undefined without calls. */
  get(): CallEnergy | undefined {
    if (this.#steps.size === 0) return undefined;
    const steps = [...this.#steps].map(([name, methods]) =>
      withSum(
        name,
        [...methods].map(([method, { used, penalty }]) => ({
          name: method,
          value: Number(used),
          children:
            penalty === 0n
              ? []
              : [
                  { name: 'base price', value: Number(used - penalty), children: [] },
                  { name: PENALTY, value: Number(penalty), children: [] },
                ],
        })),
      ),
    );
    return withSum('all steps', steps);
  }
}

function withSum(name: string, children: readonly CallEnergy[]): CallEnergy {
  return { name, value: children.reduce((sum, { value }) => sum + value, 0), children };
}

function entryIn<Value>(all: Map<string, Value>, name: string, most: number, make: () => Value): Value {
  const key = all.has(name) || all.size < most ? name : 'others';
  const known = all.get(key) ?? make();
  all.set(key, known);
  return known;
}
