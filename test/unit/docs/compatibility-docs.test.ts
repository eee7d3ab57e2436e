import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, withTable } from '../../../scripts/compatibility-docs.js';

it('the table of docs/reference/compatibility.md matches the registries (npx tsx scripts/compatibility-docs.ts writes it)', () => {
  const page = readFileSync(file, 'utf8');
  expect(withTable(page)).toBe(page);
});
