/** The options that a chain is begun with, in words: kept in its database, and compared with at every start. */

import { utf8ToHex } from '../primitives/hex.js';
import { FIRST_RELEASE } from '../primitives/release.js';
import { sha256OfHex } from '../protocol/hashes.js';
import type { Settings } from './declarations.js';
import type { GenesisFile } from './genesis-file.js';
import { networkStakeOf } from './network-stake.js';
import { type AnyDeclaration, libraryRows } from './settings.js';

/** By the name of the option. What the genesis file says counts, not where it lies. */
export function beginningOf(settings: Settings, file: GenesisFile): Readonly<Record<string, string>> {
  const { name: load } = networkStakeOf(settings, file);
  const values: Readonly<Record<string, unknown>> = {
    ...settings,
    genesis: settings.genesis && file,
    // As in a database from before these were options.
    tre: settings.tre || undefined,
    privateKeys: settings.privateKeys.length === 0 ? undefined : settings.privateKeys,
    // As in a database from before there were loads, which says nothing of them.
    networkStake: load === 'none' ? undefined : load,
    slotMs: settings.slotMs === 3_000 ? undefined : settings.slotMs,
    nodeVersion: (settings.nodeVersion ?? FIRST_RELEASE) === FIRST_RELEASE ? undefined : settings.nodeVersion,
  };
  return Object.fromEntries(
    libraryRows
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
  // A preset, whose name says all.
  if ('name' in value && 'values' in value) return String(value.name);
  return JSON.stringify(inOrder(value));
}

/** The same for two files that differ in the order of their fields only. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, inOrder(member)]),
  );
}
