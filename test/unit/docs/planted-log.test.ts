/** The log of planted faults has the newest search for each, and its page is what the log says. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, plantedFaultsPage, readSearches, type Search, withSearch } from '../../../scripts/planted-log.js';
import { PLANTED } from '../../simulation/planted/planted-copy.js';

it('docs/decisions/planted-faults.md is what the log says (npx tsx scripts/planted-log.ts writes it)', () => {
  expect(readFileSync(file, 'utf8')).toBe(plantedFaultsPage(readSearches()));
});

it('each fault of the log is a patch', () => {
  expect(PLANTED).toEqual(expect.arrayContaining(readSearches().map(({ name }) => name)));
});

it('the newest search for a fault replaces those before', () => {
  const [first = '', second = ''] = PLANTED;
  const search = (name: string, worlds: number): Search => ({
    ...{ name, worlds, commit: 'this', firstSeed: 5, processorMs: 2_400 },
    ...(worlds < 60 && { found: { seed: 4 + worlds, step: 3, action: 'mine', invariant: 'coin is conserved' } }),
  });
  const log = [search(second, 60), search(first, 60), search(first, 7)].reduce<readonly Search[]>(withSearch, []);
  expect(log.map(({ name, worlds }) => [name, worlds])).toEqual([
    [first, 7],
    [second, 60],
  ]);
  const page = plantedFaultsPage(log);
  expect(page).toContain('| found by the first world | 0 |');
  expect(page).toContain('| within 20 worlds | 1 |');
  expect(page).toContain('| not found | 1 |');
  expect(page).toContain(`| \`${first}\` | 7 | 2 s | coin is conserved | mine | 11 | \`this\` |`);
  expect(page).toContain(`| \`${second}\` | 60 | 2 s | 5 | \`this\` |`);
  expect(page).toContain(`| not looked for since there is this log | ${PLANTED.length - 2} |`);
});
