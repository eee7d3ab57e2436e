import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, optionDocs } from '../../../scripts/option-docs.js';

it('docs/reference/options.md is what the table of options says (npx tsx scripts/option-docs.ts writes it)', () => {
  expect(readFileSync(file, 'utf8')).toBe(optionDocs());
});
