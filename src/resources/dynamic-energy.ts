/**
 * The Dynamic Energy Model: how the energy factor of a contract rises and falls with its usage
 * (protocol/energy-factor.md, TIP-491). Mirrors ContractStateCapsule. `tvm/energy-cost.ts` applies the factor to the
 * cost of opcodes.
 */

import { longFromDouble, maxLong, minLong } from '../primitives/java-math.js';
import { strictPow } from '../primitives/strict-pow.js';

/** Factors are in 1/10,000 of the base price. */
const FACTOR_UNIT = 10_000;
const UNIT = 10_000n;
const DECREASE_DIVISION = 4;

/** Same shape as `protocol.ContractState`. `energy_factor` is the penalty: 0 = base price, 34,000 = 4.4 times. */
export interface ContractEnergyState {
  /** Base Energy used in cycle `update_cycle`. */
  readonly energy_usage: bigint;
  readonly energy_factor: bigint;
  readonly update_cycle: bigint;
}

/** Chain parameters DYNAMIC_ENERGY_…, and the current cycle. */
export interface DynamicEnergyTerms {
  readonly cycle: bigint;
  readonly threshold: bigint;
  readonly increaseFactor: bigint;
  readonly maxFactor: bigint;
}

/**
 * Brings the state to the current cycle: one increase if the last recorded cycle used more than the threshold, and one
 * decrease for each further cycle, as a single power (protocol/energy-factor.md#catching-up-with-missed-cycles). So the
 * number of calls of a contract affects its factor.
 *
 * Returns the same object if nothing changes.
 *
 * @param state undefined: never used
 */
export function caughtUp<S extends ContractEnergyState>(
  state: S | undefined,
  { cycle, threshold, increaseFactor, maxFactor }: DynamicEnergyTerms,
): S | ContractEnergyState {
  if (state === undefined) return { energy_usage: 0n, energy_factor: 0n, update_cycle: cycle };
  let last = state.update_cycle;
  if (last === cycle) return state;
  if (last > cycle || last === 0n) return { ...state, energy_usage: 0n, energy_factor: 0n, update_cycle: cycle };

  let factor = state.energy_factor;
  const increase = Number(increaseFactor);
  if (state.energy_usage > threshold) {
    last += 1n;
    factor = minLong(maxFactor, longFromDouble(Number(factor + UNIT) * (1 + increase / FACTOR_UNIT)) - UNIT);
  }
  if (cycle > last) {
    const decrease = strictPow(1 - increase / DECREASE_DIVISION / FACTOR_UNIT, Number(cycle - last));
    factor = maxLong(0n, longFromDouble(Number(factor + UNIT) * decrease) - UNIT);
  }
  return { ...state, energy_usage: 0n, energy_factor: factor, update_cycle: cycle };
}

/**
 * The factor after some cycles with usage above the threshold.
 *
 * @param cycles Infinity: the maximum factor
 */
export function factorAfterBusyCycles(
  factor: bigint,
  cycles: number,
  terms: Omit<DynamicEnergyTerms, 'cycle'>,
): bigint {
  let now = factor;
  for (let passed = 0; passed < cycles; passed++) {
    const busy = { energy_usage: terms.threshold + 1n, energy_factor: now, update_cycle: 1n };
    const raised = caughtUp(busy, { ...terms, cycle: 2n }).energy_factor;
    if (raised === now) break;
    now = raised;
  }
  return now;
}
