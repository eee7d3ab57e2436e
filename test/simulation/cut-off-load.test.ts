/** A process that ends while it replaces its chain by a loaded one, at each of its calls of the disk. */

import { expect, it } from 'vitest';
import { startDevnet } from '../../src/devnet/running/start.js';
import type { Devnet } from '../../src/index.js';
import { settingsForLibrary } from '../../src/options/settings.js';
import { thisMachine } from '../../src/platform/machine.js';
import { VirtualDisk } from './simulator/disk/virtual-disk.js';
import { virtualFolder } from './simulator/disk/virtual-folder.js';

/** A node on a disk, whose process can be ended. */
async function started(disk: VirtualDisk) {
  const warnings: string[] = [];
  const process = { isAlive: true, clock: thisMachine.clock };
  const log = {
    warn: (message: string) => warnings.push(message),
    error: (message: string, cause: unknown) => {
      throw new Error(message, { cause });
    },
  };
  const settings = settingsForLibrary({ httpPort: false, mining: 'manual', log });
  const devnet = await startDevnet(settings, { folder: virtualFolder(disk, process) });
  return { devnet, process, warnings };
}

async function blocks(devnet: Devnet, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await devnet.setBalance(devnet.accounts[0]!.address, 1_000_000 + i);
    await devnet.mine(1);
  }
}

function head({ post }: Devnet): Promise<string> {
  return post('/wallet/getnowblock', '{}').then(({ text }) => JSON.parse(text).blockID);
}

it('leaves the chain of before, or the loaded one', async () => {
  const first = new VirtualDisk();
  const { devnet } = await started(first);
  await blocks(devnet, 12);
  const dump = await devnet.dump();
  const loaded = await head(devnet);
  await devnet.rollback(5);
  await blocks(devnet, 4);
  const before = await head(devnet);
  await devnet.close();
  const rows = first.image().toArray();

  const heads: string[] = [];
  for (let isDone = false, last = 1; !isDone; last += 7) {
    const disk = first.copy();
    const { devnet, process } = await started(disk);
    const ended = new Promise<void>((resolve) => {
      const from = disk.calls;
      disk.onCall = () => {
        if (disk.calls < from + last) return;
        process.isAlive = false;
        disk.onCall = undefined;
        resolve();
      };
    });
    isDone = await Promise.race([devnet.load(dump).then(() => true), ended.then(() => false)]);
    disk.onCall = undefined;
    if (isDone) await devnet.close();
    const next = await started(disk);
    heads.push(await head(next.devnet));
    if (heads.at(-1) === before) expect(disk.image().toArray()).toEqual(rows);
    await next.devnet.close();
    expect(disk.beforeLoad).toBeUndefined();
  }
  // Each cut but perhaps the last ones, when the loaded chain was complete.
  expect(heads.length).toBeGreaterThan(8);
  const firstLoaded = heads.indexOf(loaded);
  expect(new Set(heads.slice(0, firstLoaded))).toEqual(new Set([before]));
  expect(new Set(heads.slice(firstLoaded))).toEqual(new Set([loaded]));
});

it('names a chain that cannot be brought back, and what to do', async () => {
  const disk = new VirtualDisk();
  const { devnet } = await started(disk);
  await devnet.mine(2);
  await devnet.close();
  disk.beforeLoad = [Buffer.from('{"sunup":1}\n')];
  await expect(started(disk)).rejects.toThrow(
    /is .*, where a load was cut off, and .*: the chain cannot be loaded.*Remove/s,
  );
  disk.beforeLoad = undefined;
  await (await started(disk)).devnet.close();
});
