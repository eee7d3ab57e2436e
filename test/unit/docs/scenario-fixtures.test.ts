import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, fixtureCode } from '../../../scripts/scenario-fixtures.js';

it('src/scenario/actions/fixture-code.ts is what fixtures/contracts holds (npx tsx scripts/scenario-fixtures.ts writes it)', () => {
  expect(readFileSync(file, 'utf8')).toBe(fixtureCode());
});

it('docs/reference/scenarios.md has a row for each of the eleven, whose figures stand in the file', () => {
  const rows = [...readFileSync('docs/reference/scenarios.md', 'utf8').matchAll(/^\| `(\d\d-[\w-]+)` \| (.*) \|$/gm)];
  const names = readdirSync('fixtures/scenarios').flatMap((name) => /^(.*)\.scenario\.yaml$/.exec(name)?.[1] ?? []);
  expect(rows.map(([, name]) => name)).toEqual(names);
  for (const [, name, told = ''] of rows) {
    const text = readFileSync(`fixtures/scenarios/${name}.scenario.yaml`, 'utf8').replace(/(?<=\d)[_,](?=\d)/g, '');
    const figures = [...told.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([figure]) => figure.replaceAll(',', ''));
    const numbers = new Set(text.match(/\d+(?:\.\d+)?/g));
    expect({ name, missing: figures.filter((figure) => !numbers.has(figure)) }).toEqual({ name, missing: [] });
  }
});
