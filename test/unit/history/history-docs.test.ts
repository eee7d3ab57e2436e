import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { file, historyDocs } from '../../../scripts/history-docs.js';

test('docs/reference/history.md is what the rows say', () => {
  expect(readFileSync(file, 'utf8')).toBe(historyDocs());
});
