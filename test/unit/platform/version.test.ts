import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { VERSION } from '../../../src/platform/version.js';

it('is the version of package.json', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(VERSION).toBe(manifest.version);
});
