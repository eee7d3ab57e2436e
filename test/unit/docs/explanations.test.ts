import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

it.each([
  ['README.md', 'origin-energy-limit-exhausted'],
  ['docs/explain.md', 'fee-limit-exhausted'],
])('%s shows the committed output %s', (page, name) => {
  expect(read(page)).toContain(`\n\`\`\`\n${read(`fixtures/explanations/${name}.txt`)}\`\`\`\n`);
});
