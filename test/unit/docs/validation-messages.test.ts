/** The list of refusal texts (docs/protocol/http-messages.md) and the tables of checks have the same texts. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../../../docs/protocol');
const page = (name: string) => readFileSync(path.join(folder, name), 'utf8');

/** Placeholders differ in their words: `<id>`, `<n>`, `X`. */
const shape = (text: string) => text.replace(/<[A-Za-z][^>]*>|\b[XY]\b/g, '<>');
const texts = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

const listed = new Map(
  [...page('http-messages.md').matchAll(/^\| `(.+?)` \| (\[.+) \|$/gm)].map(([, text = '', links = '']) => [
    text,
    [...links.matchAll(/\]\(([a-z-]+\.md)#/g)].map(([, name = '']) => name),
  ]),
);

/** Texts in the last column of tables whose header ends with `Text`. */
function textsOfTables(name: string): string[] {
  let inTable = false;
  return page(name)
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('|')) inTable = false;
      else if (/\| Text \|$/.test(line)) inTable = true;
      else if (inTable && !line.startsWith('|---')) return texts(line.split(' | ').at(-1) ?? '');
      return [];
    });
}

test('each text of the list is on the pages that its row links', () => {
  expect(listed.size).toBeGreaterThan(200);
  const missing = [...listed].flatMap(([text, pages]) =>
    pages.filter((name) => !shape(page(name)).includes(shape(text))).map((name) => `${text}: not on ${name}`),
  );
  expect(missing).toEqual([]);
});

test('each text of a table of checks is in the list', () => {
  const known = new Set([...listed.keys()].map(shape));
  const missing = ['contract-types.md', 'staking.md', 'trade.md'].flatMap((name) =>
    textsOfTables(name).filter((text) => text !== 'null' && !known.has(shape(text))),
  );
  expect(missing).toEqual([]);
});
