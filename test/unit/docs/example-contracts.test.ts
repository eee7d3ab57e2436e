/** The compiled contract of the examples is that of its source (npx tsx scripts/example-contracts.ts writes it). */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exampleContracts } from '../../../scripts/example-contracts.js';

const files = exampleContracts();

it.each([...files.keys()])('examples/%s', (file) => {
  expect(readFileSync(new URL(`../../../examples/${file}`, import.meta.url), 'utf8')).toBe(files.get(file));
});
