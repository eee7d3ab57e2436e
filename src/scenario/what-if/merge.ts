/** Parts of a sweep, made on several machines, put together. */

import type { Sweep, VariantOutcome } from './outcome.js';
import { VariationError } from './variations.js';

/** Of the form of parts; older ones do not say what comes once. */
const SWEEP_VERSION = 2;

/**
 * Reads what `sunup run --what-if … --json` wrote.
 *
 * @throws VariationError
 */
export function readSweep(text: string, file: string): Sweep {
  try {
    const sweep = JSON.parse(text) as Partial<Sweep>;
    if (sweep.whatIf === SWEEP_VERSION && Array.isArray(sweep.outcomes) && Array.isArray(sweep.variations))
      return sweep as Sweep;
  } catch {
    // Said below.
  }
  throw new VariationError(
    `${file} is no part of a sweep by this version: sunup run --what-if … --shard I/N --json writes them`,
  );
}

/**
 * @param parts with the names of their files
 * @throws VariationError for parts of different sweeps, and where settings are missing
 */
export function mergeSweeps(parts: readonly { readonly name: string; readonly sweep: Sweep }[]): Sweep {
  const [first] = parts;
  if (first === undefined) throw new VariationError('nothing to merge');
  const { shard: _, stopped: __, findings: ___, ...common } = first.sweep;
  const outcomes = new Map<number, VariantOutcome>();
  for (const { name, sweep } of parts) {
    const is = JSON.stringify([sweep.fileDigest, sweep.variations, sweep.variants]);
    if (is !== JSON.stringify([common.fileDigest, common.variations, common.variants]))
      throw new VariationError(`${name} is of another sweep than ${first.name}: another file, or other values`);
    for (const outcome of sweep.outcomes) {
      const known = outcomes.get(outcome.index);
      if (known !== undefined && known.digest !== outcome.digest)
        throw new VariationError(`${name} says something else than another part of setting ${outcome.index}`);
      outcomes.set(outcome.index, outcome);
    }
  }
  if (outcomes.size < common.variants) {
    const there = new Set(parts.map(({ sweep }) => sweep.shard?.part));
    const of = first.sweep.shard?.of ?? 0;
    const missing = Array.from({ length: of }, (_part, i) => i + 1).filter((part) => !there.has(part));
    const which = missing.length === 0 ? '' : `: the parts ${missing.join(', ')} of ${of}`;
    throw new VariationError(`${common.variants - outcomes.size} of ${common.variants} settings are missing${which}`);
  }
  return { ...common, outcomes: [...outcomes.values()].sort((a, b) => a.index - b.index) };
}
