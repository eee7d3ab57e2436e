import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

it.each([
  ['README.md', 'explanations/origin-energy-limit-exhausted'],
  ['docs/reference/explain.md', 'explanations/fee-limit-exhausted'],
  ['docs/reference/traces.md', 'traces/lines-custom-error-below'],
  ['docs/reference/traces.md', 'traces/revert-deep-inside'],
  ['docs/reference/traces.md', 'traces/trc10'],
])('%s shows the committed output %s', (page, name) => {
  expect(read(page)).toContain(`\n\`\`\`\n${read(`fixtures/${name}.txt`)}\`\`\`\n`);
});
