/** docs/reference/chain-files.md: every kind of line, and an example that is read. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readChainLines } from '../../../src/chain-file/reader.js';
import { LINES } from '../../../src/chain-file/shapes.js';
import { readScenario } from '../../../src/scenario/reader/read-scenario.js';
import { stepKind } from '../../../src/scenario/steps/registry.js';

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../../docs/reference/chain-files.md'), 'utf8');
const EXAMPLE = /```jsonl\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';

it('has every kind of line, with its members', () => {
  for (const [kind, schema] of Object.entries(LINES)) {
    const row = PAGE.split('\n').find((line) => line.startsWith(`| \`${kind}: `));
    expect(row, kind).toBeDefined();
    for (const name of Object.keys('entries' in schema ? schema.entries : {}))
      expect([kind, row]).toEqual([kind, expect.stringContaining(name)]);
  }
});

it('has the members of the steps that they are in a scenario', () => {
  for (const [kind, schema] of Object.entries(LINES)) {
    const { fields } = stepKind(kind);
    const members = 'entries' in schema ? schema.entries : { transaction: schema };
    expect([kind, Object.keys(fields).sort()]).toEqual([kind, Object.keys(members).sort()]);
  }
});

it('has an example, which is what a loader and a scenario read', async () => {
  const told: unknown[] = [];
  const lines = () => EXAMPLE.trimEnd().split('\n');
  const { steps, pending } = await readChainLines(lines, (line) => told.push(JSON.parse(line)));
  const heights: number[] = [];
  for await (const { to } of steps) heights.push(to);
  expect(heights).toEqual([1, 2, 3, 23]);
  expect(steps.length).toBe(heights.length);
  expect(pending).toEqual([]);
  const scenario = readScenario(EXAMPLE, 'example.chain');
  expect(scenario.about).toBe('recorded from a running devnet');
  expect([...scenario.steps].map(({ kind }) => kind)).toEqual(
    told.slice(1).map((line) => Object.keys(line as object)[0]),
  );
});
