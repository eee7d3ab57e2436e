/** Every link in the project's documents leads somewhere, and every rule that a comment cites is on a page. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => path.posix.join(folder, name.replaceAll('\\', '/')));
}

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...filesBelow('docs', /\.md$/),
  'fixtures/recorded/README.md',
  'deploy/README.md',
];
const sources = ['src', 'test', 'scripts'].flatMap((folder) => filesBelow(folder, /\.(ts|mjs)$/));

const withoutCode = (text: string) =>
  text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ' '));

/** Anchors of a page as GitHub makes them: lower case, punctuation dropped, a number after what stands twice. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const seen = new Map<string, number>();
  for (const [, heading = ''] of readFileSync(path.join(root, page), 'utf8')
    .replace(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/`/g, '');
    const slug = plain
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replace(/ /g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

const known = new Map<string, ReadonlySet<string>>();
function hasAnchor(page: string, anchor: string): boolean {
  let anchors = known.get(page);
  if (anchors === undefined) {
    anchors = anchorsOf(page);
    known.set(page, anchors);
  }
  return anchors.has(anchor);
}

/** What is wrong with a link from `page`; undefined where it leads somewhere. */
function brokenLink(page: string, link: string): string | undefined {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : path.posix.join(path.posix.dirname(page), decodeURIComponent(file));
  if (!existsSync(path.join(root, target))) return `${page}: ${link} leads nowhere`;
  if (anchor === undefined || anchor === '' || statSync(path.join(root, target)).isDirectory()) return undefined;
  return target.endsWith('.md') && !hasAnchor(target, anchor) ? `${page}: ${link} has no such heading` : undefined;
}

function brokenLinks(page: string, text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].flatMap(
    ([, link = '']) => brokenLink(page, link) ?? [],
  );
}

/** `protocol/energy.md#the-split`, as comments cite rules; further anchors of the page as `#another`. */
function brokenCitations(source: string, text: string): string[] {
  return [
    ...text.matchAll(/\bprotocol\/([a-z0-9-]+\.md)((?:#[\w-]+)?(?:,?\s+(?:\* )?(?:and )?#[a-z][\w-]+)*)/g),
  ].flatMap(([, page = '', anchors = '']) => {
    const target = `docs/protocol/${page}`;
    if (!existsSync(path.join(root, target))) return [`${source}: ${target} is not there`];
    return [...anchors.matchAll(/#([\w-]+)/g)].flatMap(([, anchor = '']) =>
      hasAnchor(target, anchor) ? [] : [`${source}: ${target} has no heading #${anchor}`],
    );
  });
}

test('links of the documents lead somewhere', () => {
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.flatMap((page) => brokenLinks(page, readFileSync(path.join(root, page), 'utf8')))).toEqual([]);
});

test('rules that comments cite are on their pages', () => {
  let citations = 0;
  const broken = sources.flatMap((source) => {
    const text = readFileSync(path.join(root, source), 'utf8');
    citations += text.match(/\bprotocol\/[a-z0-9-]+\.md/g)?.length ?? 0;
    return source === 'test/unit/docs/links.test.ts' ? [] : brokenCitations(source, text);
  });
  expect(broken).toEqual([]);
  expect(citations).toBeGreaterThan(200);
});

const forContributors = ['AGENTS.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...filesBelow('docs/decisions', /\.md$/)];

/** Files and folders that a document names, from the root or from `src`: `tvm/work.ts`, `src/prose/`. */
function missingFiles(page: string, text: string): string[] {
  return [...text.matchAll(/`((?:[\w.-]+\/)+(?:[\w-]+\.ts)?)`/g)].flatMap(([, name = '']) =>
    name === 'dist/' || ['', 'src'].some((folder) => existsSync(path.join(root, folder, name)))
      ? []
      : [`${page}: there is no ${name}`],
  );
}

test('files that documents for contributors name exist', () => {
  expect(forContributors.flatMap((page) => missingFiles(page, readFileSync(path.join(root, page), 'utf8')))).toEqual(
    [],
  );
});

describe('the checker itself', () => {
  test.each([
    ['a page that is not there', '[a](nowhere.md)', /leads nowhere/],
    ['a heading that is not there', '[a](docs/reference/limits.md#nowhere)', /no such heading/],
  ])('finds %s', (_, text, complaint) => {
    expect(brokenLinks('README.md', text)).toEqual([expect.stringMatching(complaint)]);
  });

  test.each([
    ['a page', 'protocol/nowhere.md#a', /not there/],
    ['a heading', 'protocol/energy.md#nowhere', /no heading #nowhere/],
    ['a second heading', 'protocol/energy.md#the-split, #nowhere', /no heading #nowhere/],
  ])('finds a citation of %s that is not there', (_, text, complaint) => {
    expect(brokenCitations('a.ts', text)).toEqual([expect.stringMatching(complaint)]);
  });

  test('finds a file that is not there', () => {
    expect(missingFiles('AGENTS.md', '| x | `tvm/work.ts`, `tvm/nowhere.ts` |')).toEqual([
      'AGENTS.md: there is no tvm/nowhere.ts',
    ]);
  });
});
