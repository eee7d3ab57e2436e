/** Runs the commands of documentation pages, and compares their outputs with the pages. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGES, runPage, SHOWING, staleFiles } from '../../scripts/doc-pages.js';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

it.each([...PAGES.map(([name]) => name), ...SHOWING])(
  '%s shows the files of the repository (npx tsx scripts/doc-pages.ts writes them)',
  (name) => {
    expect(staleFiles(read(name))).toEqual([]);
  },
);

describe.each(PAGES)('%s', (name, example) => {
  const page = read(name);

  it('shows the output of its commands (npx tsx scripts/doc-pages.ts writes it)', async () => {
    const { outputs } = await runPage(page, { example });
    expect(outputs.length).toBeGreaterThan(0);
    for (const { command, expected, actual } of outputs) expect(actual, command).toBe(expected);
  });
});
