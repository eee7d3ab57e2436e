/** The description by the rules of a public linter: Redocly's recommended ones, warnings counted as errors. */

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { describedNode } from './described.js';

test('the description has nothing that Redocly objects to', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({
    source: JSON.stringify(describedNode()),
    absoluteRef: 'openapi.json',
    config,
  });
  const told = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`);
  expect(told).toEqual([]);
});
