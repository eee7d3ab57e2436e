import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, portingGuide } from '../../../scripts/porting-docs.js';

it('the guide lists the differences that reports name (npx tsx scripts/porting-docs.ts writes it)', () => {
  expect(readFileSync(file, 'utf8')).toBe(portingGuide());
});
