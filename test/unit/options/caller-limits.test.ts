import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../../src/cli/command-line.js';
import { settingsForLibrary } from '../../../src/options/settings.js';

function read(...words: string[]) {
  let said = '';
  const say = (text: string) => {
    said += text;
  };
  const reading = readCommandLine(words, { out: say, err: say, overwrite: say });
  return { said, settings: 'settings' in reading ? reading.settings : undefined };
}

const none = { requestsPerSecond: undefined, requestsPerDay: undefined };

describe('API keys', () => {
  it('come one by one, with commas, and from a file', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sunup-keys-'));
    try {
      const file = path.join(folder, 'keys.txt');
      writeFileSync(file, '# ours\r\nfirst=3/40\r\n\r\n  6f1c2a4e-0b1d-4c55-9b0a-1e8d5b7c9f10\n');
      const { settings } = read('--api-key', `@${file}`, '--api-key', 'a=15, c2VjcmV0Cg==', '--api-key', 'YQ===7');
      expect(settings?.apiKeys).toEqual(
        new Map<string, object>([
          ['first', { requestsPerSecond: 3, requestsPerDay: 40 }],
          ['6f1c2a4e-0b1d-4c55-9b0a-1e8d5b7c9f10', none],
          ['a', { requestsPerSecond: 15, requestsPerDay: undefined }],
          ['c2VjcmV0Cg==', none],
          ['YQ==', { requestsPerSecond: 7, requestsPerDay: undefined }],
        ]),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each<[readonly string[], RegExp]>([
    [['ok', 'topsecret=fast'], /has an invalid key at position 2/],
    [['topsecret with spaces'], /invalid key at position 1/],
    [['topsecret=0'], /allows the key of position 1 0 requests a second/],
    [['topsecret', 'topsecret=2'], /has the key of position 2 twice/],
    [[''], /invalid key at position 1/],
    [['topsecret'.repeat(40)], /invalid key at position 1/],
    [[7 as never], /invalid key at position 1/],
    ['topsecret' as never, /is not a list of strings/],
  ])('that cannot be are refused without being shown: %#', (apiKeys, message) => {
    let thrown: unknown;
    try {
      settingsForLibrary({ apiKeys });
    } catch (error) {
      thrown = error;
    }
    expect(String(thrown)).toMatch(message);
    expect(String(thrown)).not.toContain('topsecret');
  });

  it('of a file that is not there are asked for by its name', () => {
    expect(read('--api-key', '@/no/such/keys').said).toContain(
      `error: option '--api-key' names the file "/no/such/keys", which cannot be read (ENOENT)`,
    );
  });
});

describe('limits', () => {
  it('are what was named, and there are none without', () => {
    expect(settingsForLibrary({})).toMatchObject({ apiKeys: new Map(), rateLimit: undefined });
    const words = ['--rate-limit', 'anonymous=3,key=15', '--rate-limit', 'daily=100000,beyond=0,suspend=27,status=403'];
    expect(read(...words).settings?.rateLimit).toEqual({
      anonymousPerSecond: 3,
      keyPerSecond: 15,
      keyPerDay: 100_000,
      beyondPerSecond: 0,
      suspendSeconds: 27,
      status: 403,
    });
    expect(settingsForLibrary({ rateLimit: { key: 2, daily: undefined } }).rateLimit).toEqual({ keyPerSecond: 2 });
  });

  it.each([
    ['anonymous=0', 'has anonymous = 0, but it must be a whole number from 1 to 1000000'],
    ['key=many', 'has "key=many", but each part is name=number'],
    ['rps=3', 'has "rps", but may have anonymous, key, daily, beyond, suspend, status'],
    ['constructor=3', 'has "constructor", but may have anonymous'],
    ['status=404', 'has status = 404, but status must be 429 or 403'],
    ['suspend=86401', 'has suspend = 86401, but it must be a whole number from 0 to 86400'],
    ['', 'has "", but each part is name=number'],
  ])('that cannot be are refused: %s', (words, message) => {
    expect(read('--rate-limit', words).said).toContain(message);
  });

  it('of a library must be an object', () => {
    expect(() => settingsForLibrary({ rateLimit: 3 as never })).toThrow(/rateLimit is not an object/);
    expect(() => settingsForLibrary({ rateLimit: { key: 1.5 } })).toThrow(/has key = 1\.5/);
  });
});
