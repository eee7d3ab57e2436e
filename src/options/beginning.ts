/** The options with which a chain is created, as text: stored in its database, and compared at every start. */

import { utf8ToHex } from '../primitives/hex.js';
import { FIRST_RELEASE } from '../primitives/release.js';
import { sha256OfHex } from '../protocol/hashes.js';
import type { Settings } from './declarations.js';
import type { GenesisFile } from './genesis-file.js';
import { networkStakeOf } from './network-stake.js';
import { type AnyDeclaration, libraryOptions } from './settings.js';

/** By the option's name. For the genesis file its content counts, not its path. */
export function beginningOf(settings: Settings, file: GenesisFile): Readonly<Record<string, string>> {
  const { name: stake } = networkStakeOf(settings, file);
  const values: Readonly<Record<string, unknown>> = {
    ...settings,
    genesis: settings.genesis && file,
    // As stored before these options existed.
    tre: settings.tre || undefined,
    privateKeys: settings.privateKeys.length === 0 ? undefined : settings.privateKeys,
    // As stored before this option existed.
    networkStake: stake === 'none' ? undefined : stake,
    slotMs: settings.slotMs === 3_000 ? undefined : settings.slotMs,
    nodeVersion: (settings.nodeVersion ?? FIRST_RELEASE) === FIRST_RELEASE ? undefined : settings.nodeVersion,
  };
  return Object.fromEntries(
    libraryOptions
      .filter(([, { begins }]) => begins !== undefined)
      .map(([name, declaration]) => [name, inWords(declaration, values[name])]),
  );
}

function inWords({ begins }: AnyDeclaration, value: unknown): string {
  const text = textOf(value);
  return begins === 'secret' && text !== '' ? sha256OfHex(utf8ToHex(text)).slice(0, 16) : text;
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',');
  if (value instanceof Map)
    return [...value]
      .map(([name, one]) => `${name}=${one}`)
      .sort()
      .join(' ');
  if (typeof value !== 'object' || value === null) return String(value);
  // The name of a preset identifies its values.
  if ('name' in value && 'values' in value) return String(value.name);
  return JSON.stringify(sortedByName(value));
}

/** Sorted by name: files that differ only in the order of fields give the same text. */
function sortedByName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedByName);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sortedByName(member)]),
  );
}
