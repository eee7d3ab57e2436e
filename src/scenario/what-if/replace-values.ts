/** A variant of a scenario: the document with replaced values. */

import { parameterBySpelling } from '../../parameters/definitions.js';
import { closest } from '../../primitives/closest-name.js';
import { stakeText, unitHint } from '../../primitives/coin-text.js';
import { ownValue } from '../../primitives/outside-names.js';
import type { ScenarioDocument } from '../format/document.js';
import { StepLines } from '../format/step-lines.js';
import { recordedWith } from './change-recording.js';
import { type GivenValue, type Variation, VariationError } from './variations.js';

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

/** The parts of a file whose values can be replaced. */
export const PARTS = ['network', 'accounts', 'tokens', 'contracts', 'steps', 'seed'];

/**
 * The document with a value for each variation; undefined keeps the file's own.
 *
 * @throws VariationError if a name is not a path of the scenario
 */
export function withValues(
  document: ScenarioDocument,
  variations: readonly Variation[],
  values: readonly (GivenValue | undefined)[],
): ScenarioDocument {
  let { value } = document;
  const isRecording = isRecorded(value);
  for (const [at, { name }] of variations.entries()) {
    const given = values[at];
    if (given === undefined) continue;
    value = isRecording
      ? recordedWith(objectOf(value), name, given)
      : replaced(value, pathOf(name, value), given, name);
  }
  return { ...document, value: isRecording && values.some((given) => given !== undefined) ? withoutIds(value) : value };
}

function isRecorded(value: Json): boolean {
  return 'recorded' in objectOf(objectOf(value).network);
}

/** Under other rules, block ids differ from the recorded ones. */
function withoutIds(value: Json): Json {
  const { steps } = objectOf(value);
  if (!(Array.isArray(steps) || steps instanceof StepLines)) return value;
  return {
    ...objectOf(value),
    steps: steps.map((one: unknown) =>
      Object.fromEntries(
        Object.entries(objectOf(one)).map(([kind, given]) => {
          if (!COMPARED_STEPS.has(kind)) return [kind, given];
          const { id: _, is: __, ...rest } = objectOf(given);
          return [kind, rest];
        }),
      ),
    ),
  };
}

const COMPARED_STEPS: ReadonlySet<string> = new Set(['import', 'produce', 'produceEmpty', 'goBack', 'digest']);

/**
 * The variation with the file's own unit added to bare numbers: for 500 TRX, 1000 means TRX, not sun.
 *
 * @throws VariationError if a name is not a path of the scenario, or the unit is unknown
 */
export function withUnits({ value }: ScenarioDocument, { name, values }: Variation): Variation {
  if (isRecorded(value)) return { name, values: values.map((given) => inUnitOf(undefined, given, name)) };
  let own: Json = value;
  for (const key of pathOf(name, value)) own = Array.isArray(own) ? own[Number(key)] : ownValue(objectOf(own), key);
  return { name, values: values.map((given) => inUnitOf(own, given, name)) };
}

/** Resolves a name: a path of the file, or a chain parameter in the spelling of the file. */
function pathOf(name: string, value: Json): readonly string[] {
  if (/^\w+$/.test(name) && !PARTS.includes(name)) {
    const parameter = parameterBySpelling(name);
    if (parameter === undefined) throw unknown(name, value);
    const given = Object.keys(objectOf(objectOf(objectOf(value).network).parameters));
    return ['network', 'parameters', given.find((own) => parameterBySpelling(own) === parameter) ?? name];
  }
  const path = name.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  if (path.includes('') || !PARTS.includes(path[0] ?? '')) throw unknown(name, value);
  return path;
}

function unknown(name: string, value: Json): VariationError {
  const accounts = Object.keys(objectOf(objectOf(value).accounts)).map((one) => `accounts.${one}.stake.energy`);
  const close = closest(name, [...PARTS, ...accounts, 'getEnergyFee', 'getTransactionFee']);
  const hint = close === undefined ? '' : `; did you mean ${close}?`;
  return new VariationError(
    `--what-if ${name}: expected a path in the file, such as accounts.shop.stake.energy, or a chain parameter, such as getEnergyFee${hint}`,
  );
}

function objectOf(value: Json): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function replaced(value: Json, path: readonly string[], given: GivenValue, name: string): Json {
  const [key, ...rest] = path as [string, ...string[]];
  if (Array.isArray(value)) {
    if (!(Number(key) < value.length)) throw new VariationError(`--what-if ${name}: the file has no ${key}`);
    return value.map((one, at) => (at === Number(key) ? next(one, rest, given, name) : one));
  }
  const object = objectOf(value);
  if (rest.length > 0 && mustExist(path, name) && !Object.hasOwn(object, key)) {
    const close = closest(key, Object.keys(object));
    const hint = close === undefined ? '' : `; did you mean ${close}?`;
    throw new VariationError(`--what-if ${name}: the file has no ${key}${hint}`);
  }
  return { ...object, [key]: next(ownValue(object, key), rest, given, name) };
}

/**
 * Accounts, contracts, tokens and steps must exist in the file; a field that they omit has a default that can be
 * replaced.
 */
function mustExist(path: readonly string[], name: string): boolean {
  const depth = name.replaceAll(/\[(\d+)\]/g, '.$1').split('.').length - path.length;
  return depth <= 1 && !/^\w+$/.test(name) && !name.startsWith('network');
}

function next(own: Json, rest: readonly string[], given: GivenValue, name: string): Json {
  if (rest.length === 0) return given;
  // `alice: 10 TRX` is short for `alice: { balance: 10 TRX }`.
  const isBalance = /^accounts\.[^.]+\./.test(name) && (typeof own === 'string' || typeof own === 'number');
  return replaced(isBalance ? { balance: own } : own, rest, given, name);
}

const STAKE = /^accounts\.[^.]+\.stake\.\w+$/;
const BALANCE = /^accounts\.[^.]+\.balance$/;

function inUnitOf(own: Json, given: GivenValue, name: string): GivenValue {
  if (typeof given !== 'number' || given === 0) return given;
  const unit = typeof own === 'string' ? /^[\d_.]+ (TRX|sun)$/i.exec(own.trim())?.[1] : undefined;
  if (unit !== undefined) return `${given} ${unit}`;
  if (own === undefined && STAKE.test(name)) return stakeText(String(given));
  if (own === undefined && BALANCE.test(name))
    throw new VariationError(`--what-if ${name}=${given}: ${unitHint(given)}`);
  return given;
}
