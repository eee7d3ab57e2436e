/** The compiled contracts of the simulator's users are those of their source. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bazaar, file } from '../../../scripts/simulator-contracts.js';

it('Bazaar.json is compiled from Bazaar.sol', () => {
  expect(bazaar()).toBe(readFileSync(file, 'utf8'));
});
