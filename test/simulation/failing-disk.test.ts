/** A disk that refuses a batch in the middle of long work: the work ends with an error, and the chain is as stored. */

import { expect, it } from 'vitest';
import { startDevnet } from '../../src/devnet/running/start.js';
import { settingsForLibrary } from '../../src/options/settings.js';
import { thisMachine } from '../../src/platform/machine.js';
import { VirtualDisk } from './simulator/disk/virtual-disk.js';
import { virtualFolder } from './simulator/disk/virtual-folder.js';

it('a rollback in many steps ends when its disk refuses one', async () => {
  const disk = new VirtualDisk();
  let goesOn: () => void = () => {};
  const log = {
    warn: (message: string) => {
      if (message.endsWith('the chain goes on')) goesOn();
    },
    error: (message: string, cause: unknown) => {
      throw new Error(message, { cause });
    },
  };
  const folder = virtualFolder(disk, { isAlive: true, clock: thisMachine.clock });
  await using devnet = await startDevnet(settingsForLibrary({ httpPort: false, mining: 'manual', log }), { folder });
  const [account] = devnet.accounts;
  for (let i = 0; i < 300; i++) {
    await devnet.setBalance(account!.address, 1_000_000 + i);
    await devnet.mine(1);
  }
  const { number } = await devnet.mine(1);
  const snapshot = devnet.snapshot();
  const room = new Promise<void>((resolve) => {
    goesOn = resolve;
  });
  const rows = disk.image().toArray();
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  await expect(devnet.rollback(280)).rejects.toThrow('the chain is stopped because the disk is full');
  expect(disk.image().toArray()).toEqual(rows);
  // A revert that did not happen has not used up its snapshot.
  await expect(devnet.revert(snapshot)).rejects.toThrow('the chain is stopped because the disk is full');
  await room;
  await devnet.revert(snapshot);
  await devnet.rollback(280);
  expect((await devnet.mine(1)).number).toBe(number - 279);
});
