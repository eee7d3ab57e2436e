/**
 * The numbers of a scenario that `--what-if` can replace, for programs that offer them to people (sliders). Nothing here
 * lists which names are possible: a value is in the list if the replacement accepts another one in its place.
 */

import { PARAMETERS, type ParameterDefinition } from '../../parameters/definitions.js';
import { genesisProperties, leastValue, presetByName } from '../../parameters/presets.js';
import { ownValue } from '../../primitives/outside-names.js';
import { FIRST_RELEASE, isSince, type Release } from '../../primitives/release.js';
import type { ScenarioDocument } from '../format/document.js';
import type { CONTRACT_FIELDS } from '../format/party-fields.js';
import { ScenarioError } from '../format/problems.js';
import type { Scenario } from '../format/scenario.js';
import { checkScenario } from '../reader/read-scenario.js';
import { PARTS, withUnits, withValues } from './replace-values.js';
import { VariationError } from './variations.js';

export interface Setting {
  /** As `--what-if` reads it: `getEnergyFee`, `accounts.shop.stake.energy`. */
  readonly name: string;
  /** The number of the file, or the default, in `unit`. */
  readonly value: number;
  /** Of the replaced text; absent: a number without a unit. */
  readonly unit?: 'TRX' | 'sun';
  /** The smallest value that the scenario accepts: 0, or 1 or a parameter's minimum where 0 is refused. */
  readonly least: number;
  /** The largest value that is worth a slider. */
  readonly most: number;
  /** Whether the file has it; others have a default. */
  readonly isGiven: boolean;
  /** What a chain parameter means. */
  readonly meaning?: string;
}

/** More are no help to a person; each is tried. */
const MAX_SETTINGS = 200;

/** Of a recording: none, because its values result from its transactions. */
export function settingsOf(document: ScenarioDocument): readonly Setting[] {
  const scenario = checkScenario(document);
  if (scenario.network.recorded !== undefined) return [];
  const given = [...numbersIn(document.value)].slice(0, MAX_SETTINGS);
  const names = new Set(given.map(({ name }) => name));
  const defaults = defaultsOf(scenario).filter(({ name }) => !names.has(name));
  const settings = [...given, ...defaults].flatMap((candidate) => tried(document, candidate));
  return [...settings, ...parametersOf(document, scenario)];
}

type Candidate = Omit<Setting, 'least' | 'most'>;

interface Bounds {
  readonly least?: number;
  readonly mosts?: readonly number[];
}

/** `1_000 TRX`, `500`, `25 sun` */
const NUMBER = /^(\d[\d_]*(?:\.\d+)?)(?: (TRX|sun))?$/i;

function* numbersIn(value: unknown): Iterable<Candidate> {
  // Chain parameters have entries of their own, and a seed is no number.
  for (const [part, of] of Object.entries(Object(value) as object))
    if (PARTS.includes(part) && part !== 'seed') yield* numbersBelow(of, part);
}

function* numbersBelow(value: unknown, name: string): Iterable<Candidate> {
  if (name === 'network.parameters') return;
  if (typeof value === 'number' || typeof value === 'string') {
    const [, digits, unit] = NUMBER.exec(String(value)) ?? [];
    if (digits === undefined) return;
    const number = Number(digits.replaceAll('_', ''));
    if (!Number.isSafeInteger(Math.trunc(number))) return;
    // `alice: 10 TRX` is short for `alice: { balance: 10 TRX }`. Its own name would replace all of the account.
    const isBalance = /^accounts\.[^.]+$/.test(name);
    yield {
      name: isBalance ? `${name}.balance` : name,
      value: number,
      isGiven: true,
      ...((unit !== undefined || isBalance) && { unit: unit?.toUpperCase() === 'TRX' ? 'TRX' : 'sun' }),
    };
  } else if (typeof value === 'object' && value !== null) {
    // An expectation changes no cost.
    for (const [key, one] of Object.entries(value))
      if (key !== 'expect') yield* numbersBelow(one, Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`);
  }
}

const STAKES = ['energy', 'bandwidth'] as const;
const OF_CONTRACTS = [
  'userPercent',
  'originEnergyLimit',
  'energyFactor',
] as const satisfies readonly (keyof typeof CONTRACT_FIELDS)[];
const DEFAULTS: Readonly<Record<(typeof OF_CONTRACTS)[number], number>> = {
  userPercent: 100,
  originEnergyLimit: 10_000_000,
  energyFactor: 0,
};

/** What a file leaves out and people ask about first. */
function defaultsOf({ accounts, contracts }: Scenario): readonly Candidate[] {
  return [
    ...[...accounts.keys()].flatMap((account) =>
      STAKES.map((resource): Candidate => {
        return { name: `accounts.${account}.stake.${resource}`, value: 0, unit: 'TRX', isGiven: false };
      }),
    ),
    ...[...contracts.keys()].flatMap((contract) =>
      OF_CONTRACTS.map((field): Candidate => {
        return { name: `contracts.${contract}.${field}`, value: DEFAULTS[field], isGiven: false };
      }),
    ),
  ];
}

/** A slider of these many times the value, or the first of them that is accepted. */
const FACTORS = [4, 2, 1];
/** For values that are 0. */
const MAX_OF_NOTHING: Readonly<Record<string, number>> = { TRX: 10_000, sun: 10_000_000_000, '': 40_000 };

function tried(
  document: ScenarioDocument,
  candidate: Candidate,
  { least: given, mosts = mostsFor(candidate) }: Bounds = {},
): readonly Setting[] {
  const { name, value, unit } = candidate;
  const text = (number: number) => (unit === undefined ? number : `${number} ${unit}`);
  const accepts = (number: number) => {
    try {
      const variation = withUnits(document, { name, values: [text(number)] });
      checkScenario(withValues(document, [variation], variation.values));
      return true;
    } catch (error) {
      if (error instanceof ScenarioError || error instanceof VariationError) return false;
      throw error;
    }
  };
  const most = mosts.find(accepts);
  // The reader accepts an originEnergyLimit of 0, for runs in which the chain refuses it.
  const smallest = given ?? (name.endsWith('.originEnergyLimit') ? 1 : ([0, 1].find(accepts) ?? value));
  // A slider can go back to what the file has.
  const least = Math.min(smallest, value);
  // A group of one member, or a witness with no vote, is no setting if nothing else is accepted.
  return most === undefined || most <= least ? [] : [{ ...candidate, least, most }];
}

function mostsFor({ value, unit }: Candidate): readonly number[] {
  return value === 0 ? [MAX_OF_NOTHING[unit ?? ''] as number] : FACTORS.map((factor) => Math.ceil(value * factor));
}

function parametersOf(document: ScenarioDocument, { network: given }: Scenario): readonly Setting[] {
  const { preset = 'mainnet', nodeVersion = FIRST_RELEASE } = given;
  const values = genesisProperties(presetByName(preset) ?? (presetByName('none') as never)).longs;
  const network = Object(Object(document.value).network) as { readonly parameters?: object };
  return PARAMETERS.flatMap((parameter) => {
    const { id, key, name, property, initial, storedScale, meaning, since } = parameter;
    const own = ownValue(Object(network.parameters), key) ?? ownValue(Object(network.parameters), name);
    const value = Number(own ?? (values.get(property) ?? initial * storedScale) / storedScale);
    // Below 0 is what the chain remembers of a switch (REMOVE_THE_POWER_OF_THE_GR).
    if (id === undefined || !Number.isSafeInteger(value) || value < 0) return [];
    if (!isSince(since, nodeVersion as Release)) return [];
    const bounds = isSwitch(parameter) ? { least: 0, mosts: [1] } : { least: Number(leastValue(name)) };
    return tried(document, { name: key, value, isGiven: own !== undefined, meaning }, bounds);
  });
}

const SWITCH_RULES: readonly unknown[] = ['one', 'zeroOrOne', 'switch'];

function isSwitch({ rule }: ParameterDefinition): boolean {
  return SWITCH_RULES.includes(rule?.accepts);
}
