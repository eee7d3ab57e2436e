import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, parameterDocs } from '../../../scripts/parameter-docs.js';

it('docs/reference/parameters.md is what the table of parameters says (npx tsx scripts/parameter-docs.ts writes it)', () => {
  expect(parameterDocs()).toBe(readFileSync(file, 'utf8'));
});
