import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { devtoolsDocs, file } from '../../../scripts/devtools-docs.js';

it('docs/reference/control.md is what the table says (npx tsx scripts/devtools-docs.ts writes it)', async () => {
  expect(readFileSync(file, 'utf8')).toBe(await devtoolsDocs());
});
