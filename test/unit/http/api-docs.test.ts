import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiDocs, file } from '../../../scripts/api-docs.js';

test('docs/reference/http-api.md is what the table of rows says (npx tsx scripts/api-docs.ts writes it)', () => {
  expect(readFileSync(file, 'utf8')).toBe(apiDocs());
});
