import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apiReport, file } from '../../scripts/api-report.js';

it('etc/sunup.api.md is the public API (npm run build && npx tsx scripts/api-report.ts writes it)', () => {
  expect(readFileSync(file, 'utf8')).toBe(apiReport());
});
