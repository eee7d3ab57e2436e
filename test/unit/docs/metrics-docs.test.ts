import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, metricsDocs } from '../../../scripts/metrics-docs.js';

it('docs/reference/metrics.md is what the declarations say (npx tsx scripts/metrics-docs.ts writes it)', () => {
  expect(readFileSync(file, 'utf8')).toBe(metricsDocs());
});
