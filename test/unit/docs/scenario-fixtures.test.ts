import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, fixtureCode } from '../../../scripts/scenario-fixtures.js';

it('src/scenario/fixture-code.ts is what fixtures/contracts holds (npx tsx scripts/scenario-fixtures.ts writes it)', () => {
  expect(readFileSync(file, 'utf8')).toBe(fixtureCode());
});
