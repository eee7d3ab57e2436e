import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

it.each([
  ['docs/reference/explain.md', 'explanations/fee-limit-exhausted'],
  ['docs/reference/traces.md', 'traces/lines-custom-error-below'],
  ['docs/reference/traces.md', 'traces/revert-deep-inside'],
  ['docs/reference/traces.md', 'traces/trc10'],
])('%s shows the committed output %s', (page, name) => {
  expect(read(page)).toContain(`\n\`\`\`\n${read(`fixtures/${name}.txt`)}\`\`\`\n`);
});

it('README.md shows lines of the committed output explanations/origin-energy-limit-exhausted', () => {
  const [, excerpt = ''] = /\n```\n(Cost: [\s\S]*?)```\n/.exec(read('README.md')) ?? [];
  const [costs = '', rest = ''] = excerpt.split('…\n');
  const output = read('fixtures/explanations/origin-energy-limit-exhausted.txt');
  expect(output).toContain(`\n${costs}\n`);
  expect(output.endsWith(`\n${rest}`)).toBe(true);
  expect(rest).toMatch(/would have been free/);
});
