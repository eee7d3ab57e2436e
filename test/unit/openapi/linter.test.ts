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

test('every operation says in words what it does', () => {
  const operations = Object.entries(describedNode().paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ where: `${method} ${path}`, ...operation })),
  );
  expect(operations.length).toBeGreaterThan(200);
  for (const { where, summary, description, operationId } of operations) {
    expect([where, summary]).toEqual([where, expect.stringMatching(/^[A-Z].* .*[^.]$/)]);
    expect([where, description]).toEqual([where, expect.stringMatching(/^[A-Z].* .*\.$/)]);
    expect(summary.toLowerCase()).not.toBe(operationId.toLowerCase());
  }
});

test('arrays say what is in them, as generators of clients ask for', () => {
  const without: string[] = [];
  const look = (value: unknown, where: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, items } = value as { type?: unknown; items?: unknown };
    if ([type].flat().includes('array') && items === undefined) without.push(where);
    for (const [name, member] of Object.entries(value)) look(member, `${where}/${name}`);
  };
  look(describedNode(), '');
  expect(without).toEqual([]);
});
