import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openDataDirectory } from '../../../src/platform/data-directory.js';

it('makes a temporary directory that goes with everything in it', () => {
  const directory = openDataDirectory(undefined);
  expect(directory.temporary).toBe(true);
  writeFileSync(path.join(directory.path, 'file'), 'text');
  directory.release();
  expect(existsSync(directory.path)).toBe(false);
  const next = openDataDirectory(undefined);
  expect(next.path).not.toBe(directory.path);
  next.release();
});

it("makes the user's directory and leaves it alone", () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'sunup-test-'));
  const directory = openDataDirectory(path.join(parent, 'a', 'b'));
  expect(directory).toMatchObject({ path: path.join(parent, 'a', 'b'), temporary: false });
  directory.release();
  expect(existsSync(directory.path)).toBe(true);
  rmSync(parent, { recursive: true });
});
