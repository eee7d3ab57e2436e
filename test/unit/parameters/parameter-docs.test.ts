import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, parameterDocs } from '../../../scripts/parameter-docs.js';

it('docs/reference/parameters.md is what the table of parameters says (npx tsx scripts/parameter-docs.ts writes it)', () => {
  expect(parameterDocs()).toBe(readFileSync(file, 'utf8'));
});

it('values that follow from others are those of a chain', () => {
  const columns = (key: string) =>
    parameterDocs()
      .split('\n')
      .find((line) => line.includes(`\`${key}\``))
      ?.split(' | ')
      .slice(3, 5);
  expect(columns('getTotalEnergyLimit')).toEqual(['180,000,000,000', '50,000,000,000']);
  expect(columns('getTotalEnergyTargetLimit')).toEqual(['12,500,000', '3,472,222']);
});
