import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, forkDocs } from '../../../scripts/fork-docs.js';

it('docs/background/fork-assumptions.md is what the table says (npx tsx scripts/fork-docs.ts writes it)', () => {
  expect(readFileSync(file, 'utf8')).toBe(forkDocs());
});
