/**
 * The log of planted faults: after how many worlds the simulator found each. `scripts/planted-faults.ts --log` adds to
 * `docs/decisions/planted-faults.json`; this script writes the page beside it (with `--print`, prints it).
 */

import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { isReal, PLANTED } from '../test/simulation/planted/planted-copy.js';
import { table } from './log-tables.js';
import { makeFile } from './made-file.js';

export const file = new URL('../docs/decisions/planted-faults.md', import.meta.url);
const logFile = new URL('../docs/decisions/planted-faults.json', import.meta.url);

const SEARCH = v.strictObject({
  /** The patch. */
  name: v.string(),
  /** Of the sources into which it was planted. */
  commit: v.string(),
  firstSeed: v.number(),
  /** Worlds that began, the one that found it included. */
  worlds: v.number(),
  processorMs: v.number(),
  /** Absent: no world found it. */
  found: v.optional(v.strictObject({ seed: v.number(), step: v.number(), action: v.string(), invariant: v.string() })),
});

export type Search = v.InferOutput<typeof SEARCH>;

/** By name. */
export function readSearches(): readonly Search[] {
  return v.parse(v.strictObject({ searches: v.array(SEARCH) }), JSON.parse(readFileSync(logFile, 'utf8'))).searches;
}

/** The newest search for a fault replaces those before. */
export function withSearch(log: readonly Search[], search: Search): readonly Search[] {
  return [...log.filter(({ name }) => name !== search.name), search].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function addToLog(search: Search): void {
  const searches = withSearch(readSearches(), search);
  writeFileSync(logFile, `${JSON.stringify({ searches }, undefined, 2)}\n`);
}

export function plantedFaultsPage(log: readonly Search[]): string {
  const found = log.flatMap((search) => (search.found === undefined ? [] : [{ ...search, found: search.found }]));
  const missed = log.filter((search) => search.found === undefined);
  const searched = new Set(log.map(({ name }) => name));
  const without = PLANTED.filter((name) => !searched.has(name));
  const within = (worlds: number) => found.filter((search) => search.worlds <= worlds).length;
  return `# Planted faults

A fault is planted into the sources, and [the simulator](2026-11-27-simulator.md) runs until it finds it: \`npx tsx scripts/planted-faults.ts [--seed N] NAME…\`. The patches are in \`test/simulation/planted/\`. The time is that of a processor, in all worlds up to the one that found the fault.

${table(
  ['', 'Faults'],
  [
    ['found by the first world', String(within(1))],
    ['within 5 worlds', String(within(5))],
    ['within 20 worlds', String(within(20))],
    ['later', String(found.length - within(20))],
    ['not found', String(missed.length)],
    ['not looked for since there is this log', String(without.length)],
  ],
)}

## Found

${table(
  ['Fault', 'Worlds', 'Processor', 'Invariant', 'Step', 'Seed', 'Commit'],
  found.map(({ name, worlds, processorMs, commit, found: { seed, action, invariant } }) => [
    `\`${name}\`${isReal(name) ? ' (real)' : ''}`,
    String(worlds),
    seconds(processorMs),
    invariant,
    action,
    String(seed),
    `\`${commit}\``,
  ]),
)}

## Not found

${
  missed.length === 0
    ? 'None of those that were looked for.'
    : table(
        ['Fault', 'Worlds', 'Processor', 'First seed', 'Commit'],
        missed.map(({ name, worlds, processorMs, firstSeed, commit }) => [
          `\`${name}\``,
          String(worlds),
          seconds(processorMs),
          String(firstSeed),
          `\`${commit}\``,
        ]),
      )
}
${without.length === 0 ? '' : `\n## Not looked for\n\n${without.map((name) => `\`${name}\``).join(', ')}\n`}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(0)} s`;
}

await makeFile(import.meta.filename, { file, text: () => plantedFaultsPage(readSearches()) });
