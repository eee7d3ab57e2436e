/** Error texts that docs/troubleshooting.md explains are those that the sources have. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(root, 'src', name), 'utf8'))
  .join('\n')
  .replace(/['`]\s*\+\s*['`]/g, '');

const page = readFileSync(path.join(root, 'docs/troubleshooting.md'), 'utf8');
const [, errors = ''] = page.split(/^## Refused transactions$/m);
/** The code in the first column of each row. */
const texts = [...errors.matchAll(/^\| (?!Message|Code|Result|-)(.*?) \| /gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
);

it('explains at least 50 texts', () => {
  expect(texts.length).toBeGreaterThan(50);
});

it.each(texts)('%s', (text) => {
  const parts = text.split(/…|T…/).filter((part) => /\w{2}/.test(part));
  expect(parts.filter((part) => !sources.includes(part))).toEqual([]);
});
