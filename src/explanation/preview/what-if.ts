/**
 * A transaction of the chain as it would have gone under other prices, stakes, balances and factors: run again in its
 * place, on the state before it with these values changed.
 */

import { JavaException } from '../../errors/java-exception.js';
import { OperationError } from '../../errors/operation-error.js';
import { look, worded } from '../explain.js';
import type { Explanation } from '../model/explanation.js';
import { NotExplainableError } from '../model/not-explainable.js';
import { inPlace, placeOf, type Stage } from '../rerun/in-place.js';
import { applyChanges } from './changes.js';

/** A value that is changed: `getEnergyFee`, `accounts.sender.stake.energy`, `contracts.called.energyFactor`. */
export interface Supposition {
  readonly name: string;
  readonly value: string;
}

/** Of `devnet.explain`. */
export interface ExplainOptions {
  /** Values in the place of those that were, by names: `{ getEnergyFee: 210, feeLimit: '50 TRX' }`. */
  readonly whatIf?: Readonly<Record<string, string | number | bigint>>;
}

const EXAMPLES = 'getEnergyFee=210;accounts.sender.stake.energy=10_000 TRX;contracts.called.energyFactor=34000';

/** @param given by names; numbers as text would have them */
export function suppositionsOf(given: NonNullable<ExplainOptions['whatIf']>): readonly Supposition[] {
  return Object.entries(given).map(([name, value]) => ({ name, value: String(value) }));
}

/** Of one question. */
const MOST_SUPPOSITIONS = 1_000;
const LONGEST_SUPPOSITION = 200;

/** @param text suppositions joined by `;` @throws NotExplainableError */
export function readSuppositions(text: string): readonly Supposition[] {
  const given = text.split(';', MOST_SUPPOSITIONS + 1);
  if (given.length > MOST_SUPPOSITIONS)
    throw new NotExplainableError(`whatIf: at most ${MOST_SUPPOSITIONS} values are possible`);
  return given.map((one) => {
    if (one.length > LONGEST_SUPPOSITION) throw new NotExplainableError(`whatIf: ${one.slice(0, 40)}… is too long`);
    const at = one.indexOf('=');
    if (at < 1) throw new NotExplainableError(`whatIf: expected NAME=VALUE;… as in ${EXAMPLES}`);
    return { name: one.slice(0, at).trim(), value: one.slice(at + 1).trim() };
  });
}

/**
 * Explains a transaction of the chain as it would have gone.
 *
 * @throws as `explain`; NotExplainableError too for what cannot be supposed, and where it would have been refused
 */
export async function explainSupposing(
  stage: Stage,
  txid: string,
  suppositions: readonly Supposition[],
): Promise<Explanation> {
  const { block, index } = placeOf(stage, txid);
  try {
    const facts = await inPlace(stage, block, index, (scene) => {
      return look(applyChanges(scene, suppositions), undefined);
    });
    return await worded(facts);
  } catch (error) {
    if (error instanceof OperationError) throw new NotExplainableError(error.message);
    if (error instanceof JavaException) throw new NotExplainableError(`the node would refuse it: ${error.message}`);
    throw error;
  }
}
