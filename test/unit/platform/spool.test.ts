import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Spool } from '../../../src/platform/spool.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-spool-'));
const disk = path.join(folder, 'disk');
mkdirSync(disk);
const isMounted =
  process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk]).status === 0;
afterAll(() => {
  if (isMounted) spawnSync('umount', ['-l', disk]);
  rmSync(folder, { recursive: true, force: true });
});

const MEGABYTE = 2 ** 20;
/** Each differs. */
const part = (at: number) => Buffer.alloc(MEGABYTE, at);

async function written(spool: Spool, megabytes: number): Promise<Spool> {
  for (let at = 0; at < megabytes; at++) await spool.write(part(at));
  return spool;
}

async function expectWhole(spool: Spool, megabytes: number): Promise<void> {
  const parts: Uint8Array[] = [];
  for await (const one of spool.read()) parts.push(one);
  expect(Buffer.concat(parts).equals(Buffer.concat(Array.from({ length: megabytes }, (_, at) => part(at))))).toBe(true);
}

it.each([3, 20])('gives back %i MB, and leaves no file', async (megabytes) => {
  const spool = await written(new Spool([path.join(folder, 'gone'), folder]), megabytes);
  expect(readdirSync(folder)).toEqual(['disk']);
  await expectWhole(spool, megabytes);
  await spool.close();
  await spool.close();
});

it('answers nothing after it was closed', async () => {
  const spool = await written(new Spool([folder]), 10);
  await spool.close();
  await expect(expectWhole(spool, 10)).rejects.toThrow('closed');
});

it.runIf(isMounted)('goes on in the next folder when a disk is full, or says that there is none', async () => {
  const spool = await written(new Spool([disk, folder]), 40);
  await expectWhole(spool, 40);
  await spool.close();
  const stuck = new Spool([disk]);
  await expect(written(stuck, 40)).rejects.toThrow('ENOSPC');
  await stuck.close();
});
