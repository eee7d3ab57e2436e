/**
 * Dated sets of chain parameters, and their application to a new chain.
 *
 * A preset acts as if all its values had been approved at the genesis, with their side effects: contract types are
 * enabled, the reward accumulators start with cycle 1. The price histories begin with the preset's prices. A value that
 * a new chain has anyway is not approved again: a flag that `overrides` turns off was never approved.
 */

import { PARAMETERS, type ParameterDefinition, type ParameterName, parameterBySpelling } from './definitions.js';
import { PRICE_HISTORIES, parameterEffects } from './effects.js';
import { MAINNET_2025_09 } from './presets/mainnet-2025-09.js';
import type { Preset } from './presets/preset.js';
import {
  BYTES_PROPERTIES,
  type BytesProperty,
  isLongProperty,
  LONG_PROPERTIES,
  type LongProperty,
  type PropertyReader,
  TEXT_PROPERTIES,
  type TextProperty,
} from './properties.js';

/** A fresh java-tron without `committee` settings: no contracts, no stake 2.0, 10 sun a byte. */
const NONE: Preset = {
  name: 'none',
  description: 'A fresh java-tron without committee settings',
  release: '4.8.0',
  values: {},
};

/** All presets; for each network, the newest first. */
export const PRESETS: readonly Preset[] = [MAINNET_2025_09, NONE];

/**
 * The preset of this name; a network's name means its newest one.
 *
 * @example presetByName('mainnet')?.name // 'mainnet@2025-09'
 */
export function presetByName(name: string): Preset | undefined {
  return PRESETS.find((preset) => preset.name === name || preset.name.startsWith(`${name}@`));
}

/** An unknown name, or a derived value that cannot be set. */
export class UnknownParameterError extends Error {
  override readonly name = 'UnknownParameterError';
  constructor(readonly parameter: string) {
    super(
      parameterBySpelling(parameter) === undefined
        ? `unknown chain parameter or dynamic property ${JSON.stringify(parameter)}`
        : `${parameter} follows from other parameters, and nobody sets it`,
    );
  }
}

/** A value of a chain parameter that would stop the chain. */
export class ParameterValueError extends Error {
  override readonly name = 'ParameterValueError';
  constructor(
    readonly parameter: string,
    value: bigint,
    minimum: bigint,
  ) {
    super(`${parameter} cannot be ${value}: the least is ${minimum}`);
  }
}

/**
 * The minimum of each parameter for a new chain. The limits of proposals are narrower (`validation.ts`), but a test may
 * need epochs of a minute.
 */
const LEAST: Readonly<Partial<Record<ParameterName, bigint>>> = {
  MAINTENANCE_TIME_INTERVAL: 3_000n,
  ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO: 1n,
  REMOVE_THE_POWER_OF_THE_GR: -1n,
};

export function leastValue(name: ParameterName): bigint {
  return LEAST[name] ?? 0n;
}

/** The slot time of the networks of the presets. */
const PRESET_SLOT_MS = 3_000n;

/** All properties of a chain at its genesis. */
export interface GenesisProperties {
  readonly longs: ReadonlyMap<LongProperty, bigint>;
  readonly texts: ReadonlyMap<TextProperty | BytesProperty, string>;
}

/**
 * The initial properties of a new chain. The genesis sets the head and the maintenance time.
 *
 * @param overrides by name: `ENERGY_FEE` or `getEnergyFee` (applied like the preset's values, in the reported unit), or
 *   another numeric property (stored unchanged)
 * @param slotMs the slot time; values that count slots of 3 s are scaled to the same duration
 * @throws {UnknownParameterError}
 * @throws {ParameterValueError}
 * @example genesisProperties(preset, { getEnergyFee: 420n }).texts.get('ENERGY_PRICE_HISTORY') // '0:420'
 */
export function genesisProperties(
  preset: Preset,
  overrides: Readonly<Record<string, bigint>> = {},
  slotMs = PRESET_SLOT_MS,
): GenesisProperties {
  const values = new Map<ParameterDefinition, bigint>();
  const rawWrites: [LongProperty, bigint][] = [];
  for (const parameter of PARAMETERS) {
    if (parameter.inSlots && slotMs !== PRESET_SLOT_MS)
      values.set(parameter, (parameter.initial * PRESET_SLOT_MS) / slotMs);
  }
  for (const settings of [preset.values, overrides]) {
    for (const [spelling, value] of Object.entries(settings)) {
      const parameter = proposable(parameterBySpelling(spelling));
      if (parameter !== undefined) {
        const least = leastValue(parameter.name);
        if (value < least) throw new ParameterValueError(spelling, value, least);
        const given = parameter.inSlots && settings === preset.values;
        values.set(parameter, given ? (value * PRESET_SLOT_MS) / slotMs : value);
      } else if (isLongProperty(spelling)) rawWrites.push([spelling, value]);
      else throw new UnknownParameterError(spelling);
    }
  }

  const longs = new Map(LONG_PROPERTIES.map(({ name, initial }) => [name, initial]));
  const texts = new Map<TextProperty | BytesProperty, string>([
    ...(Object.entries(TEXT_PROPERTIES) as [TextProperty, string][]),
    ...(Object.entries(BYTES_PROPERTIES) as [BytesProperty, string][]),
  ]);
  const reader: PropertyReader = {
    long: (name) => longs.get(name) as bigint,
    text: (name) => texts.get(name) as string,
  };
  for (const parameter of PARAMETERS) {
    const value = values.get(parameter);
    if (value === undefined || value === parameter.initial) continue;
    for (const write of parameterEffects(reader, parameter, value, { expirationTimeMs: 0n, currentCycle: 0n })) {
      if (typeof write.value === 'bigint') longs.set(write.property as LongProperty, write.value);
      else texts.set(write.property as TextProperty | BytesProperty, write.value);
    }
  }
  for (const [price, history] of PRICE_HISTORIES) texts.set(history, `0:${longs.get(price)}`);
  for (const [name, value] of rawWrites) longs.set(name, value);
  return { longs, texts };
}

/**
 * The parameter that a proposal can set. The obsolete TOTAL_ENERGY_LIMIT stands for TOTAL_CURRENT_ENERGY_LIMIT, which
 * writes both.
 */
export function proposable(parameter: ParameterDefinition | undefined): ParameterDefinition | undefined {
  if (parameter?.name === 'TOTAL_ENERGY_LIMIT') return parameterBySpelling('TOTAL_CURRENT_ENERGY_LIMIT');
  return parameter?.id === undefined ? undefined : parameter;
}
