import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, withTable } from '../../../scripts/readme-table.js';

it('the table in README.md is what the registries say (npx tsx scripts/readme-table.ts writes it)', () => {
  const readme = readFileSync(file, 'utf8');
  expect(withTable(readme)).toBe(readme);
});
