import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { createDevnet } from '../../../src/index.js';
import { gunzippedLines, linesUpTo, readTextUpTo, TooLargeError } from '../../../src/platform/bounded-text.js';
import { readDocument } from '../../../src/scenario/format/document.js';
import { ScenarioError } from '../../../src/scenario/format/problems.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-bounded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function* of(...texts: readonly string[]): AsyncIterable<string> {
  yield* texts;
}

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const line of lines) found.push(line);
  return found;
}

describe('a file', () => {
  it('is read up to its bound, and refused beyond it', () => {
    const file = path.join(folder, 'text');
    writeFileSync(file, 'é'.repeat(50_000));
    expect(readTextUpTo(file, 100_000)).toBe('é'.repeat(50_000));
    expect(() => readTextUpTo(file, 99_999)).toThrow(TooLargeError);
    expect(() => readTextUpTo(path.join(folder, 'none'), 1)).toThrow(/ENOENT/);
    expect(() => readTextUpTo(folder, 1_000_000)).toThrow(/EISDIR/);
  });

  it.runIf(process.platform === 'linux')('without an end is refused where the bound is', () => {
    expect(() => readTextUpTo('/dev/zero', 1024 * 1024)).toThrow('it is larger than 1 MB');
  });

  it.runIf(process.platform === 'linux')('without an end is refused as genesis, dump and artifact', async () => {
    await expect(createDevnet({ genesis: '/dev/zero' })).rejects.toThrow(/option genesis cannot be read: it is larger/);
    await expect(createDevnet({ loadState: '/dev/zero' })).rejects.toThrow(
      /option loadState cannot be loaded: it is larger/,
    );
    const devnet = await createDevnet();
    await expect(devnet.deploy('/dev/zero')).rejects.toThrow(/\/dev\/zero: it is larger than 64 MB/);
    await devnet.close();
  });
});

describe('lines', () => {
  it('are those of the text, however it comes', async () => {
    const bounds = { text: 100, line: 10 };
    expect(await all(linesUpTo(of('a', 'b\n\nc', 'd\ne'), bounds))).toEqual(['ab', '', 'cd', 'e']);
    expect(await all(linesUpTo(of('a\n', ''), bounds))).toEqual(['a']);
  });

  it('are refused where one is too long, or all are', async () => {
    await expect(all(linesUpTo(of('ab\n', 'abc', 'de'), { text: 100, line: 4 }))).rejects.toThrow(/^line 2 is longer/);
    await expect(all(linesUpTo(of('abcde\nab'), { text: 100, line: 4 }))).rejects.toThrow(/^line 1 is longer/);
    await expect(all(linesUpTo(of('a\n', 'b\n', 'c'), { text: 4, line: 4 }))).rejects.toThrow(TooLargeError);
    // What is in one part of the stream counts, too.
    await expect(all(linesUpTo(of('a\nabcde\nb'), { text: 100, line: 4 }))).rejects.toThrow(/^line 2 is longer/);
  });

  it('of a file that unpacks to a thousand times its size are refused before it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(20_000);
    await expect(all(gunzippedLines([bomb], { text: 2 ** 30, line: 1024 * 1024 }))).rejects.toThrow(
      'line 1 is longer than 1 MB',
    );
  });
});

it('a scenario that is no recording is refused before it is parsed for minutes', () => {
  const text = `accounts: {}\nsteps:\n${'- [1, 2]\n'.repeat(2_000_000)}`;
  expect(() => readDocument(text, 'long.yaml')).toThrow(ScenarioError);
});
