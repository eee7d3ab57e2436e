import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { folder, scenarioFiles } from '../../../scripts/scenario-digests.js';
import { docsFile, scenarioSchema, schemaFile, withReference } from '../../../scripts/scenario-docs.js';
import { readScenario } from '../../../src/scenario/reader/read-scenario.js';
import { STEP_KINDS } from '../../../src/scenario/steps/registry.js';
import { stepsBefore, WORLD } from '../scenario/example-world.js';

const page = readFileSync(docsFile, 'utf8');

it('docs/reference/scenario.schema.json and the reference in docs/reference/scenarios.md are what the fields say (npx tsx scripts/scenario-docs.ts writes them)', () => {
  expect(readFileSync(schemaFile, 'utf8')).toBe(scenarioSchema());
  expect(page).toBe(withReference(page));
});

it('the schema takes every scenario that there is, and every example', () => {
  const validate = new Ajv({ strict: false, inlineRefs: false }).compile(JSON.parse(scenarioSchema()));
  const problemsOf = (value: unknown) => (validate(value) ? [] : validate.errors);
  for (const name of scenarioFiles())
    expect(problemsOf(parse(readFileSync(new URL(name, folder), 'utf8')))).toEqual([]);
  for (const { name, example } of STEP_KINDS) {
    if (example === undefined) continue;
    expect(problemsOf({ ...WORLD, steps: [...stepsBefore(name), { [name]: example }] })).toEqual([]);
  }
  expect(problemsOf({ steps: [{ transfer: { from: 'a', to: 'b' } }] })).not.toEqual([]);
  expect(problemsOf({ steps: [{ transfre: {} }] })).not.toEqual([]);
});

it('the scenario in docs/reference/scenarios.md is one', () => {
  const [, first = ''] = /```yaml\n(# yaml-language-server[\s\S]*?)```/.exec(page) ?? [];
  expect(readScenario(first, 'docs').steps).toHaveLength(2);
});
