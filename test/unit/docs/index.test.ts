/** docs/index.md lists every page once. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const docs = new URL('../../../docs/', import.meta.url);

it('docs/index.md links every page of docs/, each once', () => {
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md') && name !== 'index.md' && !name.startsWith('decisions/2'));
  const links = [...readFileSync(new URL('index.md', docs), 'utf8').matchAll(/^[-|].*?\]\(([^)#]+\.md)\)/gm)].map(
    ([, link]) => link!,
  );
  expect(links.filter((link) => !link.startsWith('../')).sort()).toEqual(pages.sort());
});
