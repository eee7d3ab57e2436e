/** `--what-if NAME=VALUES`: a value of a scenario, and its replacements. */

/** A replacement for a value of a scenario file. */
export type GivenValue = string | number | boolean | null;

/** A value of the file, and all its replacements. */
export interface Variation {
  /** As given: `getEnergyFee`, `accounts.shop.stake.energy`. */
  readonly name: string;
  readonly values: readonly GivenValue[];
}

/** A mistake in `--what-if`, as one sentence. */
export class VariationError extends Error {
  override readonly name = 'VariationError';
}

const MAX_VALUES = 10_000;

/**
 * @param text `getEnergyFee=100,210,420`, `contracts.usdt.energyFactor=0..34000/5` (5 values, both ends included),
 * `accounts.shop.stake.energy=0,1_000 TRX,10_000 TRX`, `accounts.shop.stake.energy=0..50_000 TRX/6`
 *
 * @throws VariationError
 */
export function readVariation(text: string): Variation {
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(0, at)).trim();
  const given = text.slice(at + 1).trim();
  if (at < 0 || name === '' || given === '')
    throw new VariationError(`--what-if ${text}: expected NAME=VALUE,VALUE,…, for example getEnergyFee=100,210,420`);
  const values = given.split(',').flatMap((one) => valuesOf(one.trim(), text));
  if (values.length > MAX_VALUES) throw new VariationError(`--what-if ${text}: more than ${MAX_VALUES} values`);
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  if (twice !== undefined) throw new VariationError(`--what-if ${text}: ${twice} is given twice`);
  return { name, values };
}

const RANGE = /^(-?[\d_]+)( [A-Za-z]+)?\.\.(-?[\d_]+)( [A-Za-z]+)?(?:\/(\d+))?$/;

function valuesOf(one: string, text: string): readonly GivenValue[] {
  const range = RANGE.exec(one);
  if (range === null) {
    if (one === '') throw new VariationError(`--what-if ${text}: a value is missing between two commas`);
    if (one.includes('..')) throw new VariationError(`--what-if ${text}: expected a range, for example 0..34000/5`);
    return [scalar(one)];
  }
  const [, from = '', unitOfFrom, to = '', unit = unitOfFrom, count] = range;
  if (count === undefined)
    throw new VariationError(`--what-if ${text}: add the number of values, for example ${one}/5 (both ends included)`);
  const steps = Number(count) - 1;
  if (steps < 1 || steps >= MAX_VALUES)
    throw new VariationError(`--what-if ${text}: a range has 2 to ${MAX_VALUES} values`);
  if (unitOfFrom !== undefined && unitOfFrom !== unit)
    throw new VariationError(`--what-if ${text}: both ends of a range need the same unit`);
  const [low, high] = [BigInt(from.replaceAll('_', '')), BigInt(to.replaceAll('_', ''))];
  const values = Array.from({ length: steps + 1 }, (_, i) => low + ((high - low) * BigInt(i)) / BigInt(steps));
  return [...new Set(values)].map((value) => (unit === undefined ? scalar(value.toString()) : `${value}${unit}`));
}

/** Parsed as in YAML; digits with separators are also a number. */
export function scalar(text: string): GivenValue {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  const digits = text.replaceAll('_', '');
  if (/^-?\d+$/.test(digits) && Number.isSafeInteger(Number(digits))) return Number(digits);
  return text;
}

/** One combination of values. */
export interface Variant {
  /** Index among all combinations, from 0; the same on every machine. */
  readonly index: number;
  /** A value for each variation, in order; undefined: the file's own. */
  readonly values: readonly (GivenValue | undefined)[];
}

const MAX_VARIANTS = 1_000_000;

/**
 * The unchanged file, then the cross product; the last variation changes fastest.
 *
 * @throws VariationError
 */
export function variantsOf(variations: readonly Variation[]): readonly Variant[] {
  const count = variations.reduce((product, { values }) => product * values.length, 1);
  if (count > MAX_VARIANTS)
    throw new VariationError(`the variations have ${count} combinations, the maximum is ${MAX_VARIANTS}`);
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
    throw new VariationError(`--shard ${text}: expected I/N with I from 1 to N, for example 2/8`);
  return shard;
}

/**
 * Deals the settings out in rounds, so that slow regions of a sweep are spread over the shards. Each round begins one shard
 * later: with as many shards as the last variation has values, one shard would otherwise get all settings of the slowest.
 */
export function inShard(variants: readonly Variant[], { part, of }: Shard): readonly Variant[] {
  return variants.filter(({ index }) => (index + Math.floor(index / of)) % of === part - 1);
}
