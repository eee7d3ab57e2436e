/** `--what-if NAME=VALUES`: which value of a scenario is replaced, and by what. */

/** What stands in a scenario file in place of a value. */
export type GivenValue = string | number | boolean | null;

/** A value of the file and all that takes its place. */
export interface Variation {
  /** As it was given: `getEnergyFee`, `accounts.shop.stake.energy`. */
  readonly name: string;
  readonly values: readonly GivenValue[];
}

/** A mistake in `--what-if`, as one sentence. */
export class VariationError extends Error {
  override readonly name = 'VariationError';
}

const MOST_VALUES = 10_000;

/**
 * @param text `getEnergyFee=100,210,420`, `contracts.usdt.energyFactor=0..34000/5` (5 values, both ends among them),
 *   `accounts.shop.stake.energy=0,1_000 TRX,10_000 TRX`, `accounts.shop.stake.energy=0..50_000 TRX/6`
 * @throws VariationError
 */
export function readVariation(text: string): Variation {
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(0, at)).trim();
  const given = text.slice(at + 1).trim();
  if (at < 0 || name === '' || given === '')
    throw new VariationError(`--what-if ${text}: expected NAME=VALUE,VALUE,… as in getEnergyFee=100,210,420`);
  const values = given.split(',').flatMap((one) => valuesOf(one.trim(), text));
  if (values.length > MOST_VALUES) throw new VariationError(`--what-if ${text}: more than ${MOST_VALUES} values`);
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  if (twice !== undefined) throw new VariationError(`--what-if ${text}: ${twice} is there twice`);
  return { name, values };
}

const RANGE = /^(-?[\d_]+)( [A-Za-z]+)?\.\.(-?[\d_]+)( [A-Za-z]+)?(?:\/(\d+))?$/;

function valuesOf(one: string, text: string): readonly GivenValue[] {
  const range = RANGE.exec(one);
  if (range === null) {
    if (one === '') throw new VariationError(`--what-if ${text}: a value is missing between two commas`);
    if (one.includes('..')) throw new VariationError(`--what-if ${text}: expected a range as in 0..34000/5`);
    return [scalar(one)];
  }
  const [, from = '', unitOfFrom, to = '', unit = unitOfFrom, count] = range;
  if (count === undefined)
    throw new VariationError(`--what-if ${text}: say how many values, as in ${one}/5 (both ends are among them)`);
  const steps = Number(count) - 1;
  if (steps < 1 || steps >= MOST_VALUES)
    throw new VariationError(`--what-if ${text}: a range has from 2 to ${MOST_VALUES} values`);
  if (unitOfFrom !== undefined && unitOfFrom !== unit)
    throw new VariationError(`--what-if ${text}: both ends of a range have the same unit`);
  const [low, high] = [BigInt(from.replaceAll('_', '')), BigInt(to.replaceAll('_', ''))];
  const values = Array.from({ length: steps + 1 }, (_, i) => low + ((high - low) * BigInt(i)) / BigInt(steps));
  return [...new Set(values)].map((value) => (unit === undefined ? scalar(value.toString()) : `${value}${unit}`));
}

/** As YAML has it; digits with separators are a number too. */
function scalar(text: string): GivenValue {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  const digits = text.replaceAll('_', '');
  if (/^-?\d+$/.test(digits) && Number.isSafeInteger(Number(digits))) return Number(digits);
  return text;
}

/** One combination of values. */
export interface Variant {
  /** From 0, of all combinations; the same whoever of many runs it. */
  readonly index: number;
  /** A value for each variation, in their order; undefined: the file as it is. */
  readonly values: readonly (GivenValue | undefined)[];
}

const MOST_VARIANTS = 1_000_000;

/**
 * The file as it is, and then the cross product; the last variation changes fastest.
 *
 * @throws VariationError
 */
export function variantsOf(variations: readonly Variation[]): readonly Variant[] {
  const count = variations.reduce((product, { values }) => product * values.length, 1);
  if (count > MOST_VARIANTS) throw new VariationError(`these are ${count} combinations, more than ${MOST_VARIANTS}`);
  const variants: Variant[] = [{ index: 0, values: variations.map(() => undefined) }];
  for (let index = 0; index < count; index++) {
    const values: GivenValue[] = [];
    let rest = index;
    for (const { values: all } of [...variations].reverse()) {
      values.unshift(all[rest % all.length] as GivenValue);
      rest = Math.floor(rest / all.length);
    }
    variants.push({ index: index + 1, values });
  }
  return variants;
}

export interface Shard {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

/** @param text `2/8` @throws VariationError */
export function readShard(text: string): Shard {
  const [, part = '0', of = '0'] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { part: Number(part), of: Number(of) };
  if (shard.part < 1 || shard.part > shard.of)
    throw new VariationError(`--shard ${text}: expected I/N, from 1/N to N/N, as in 2/8`);
  return shard;
}

/** Every n-th, so that slow regions of a sweep are shared too. */
export function inShard(variants: readonly Variant[], { part, of }: Shard): readonly Variant[] {
  return variants.filter(({ index }) => index % of === part - 1);
}
