/** A disk that fails in the middle of work, modelled below LevelDB's interface: what is answered, and what is left. */

import { expect, it } from 'vitest';
import { startDevnet } from '../../src/devnet/running/start.js';
import type { Node } from '../../src/node/node.js';
import type { DevnetOptions } from '../../src/options/declarations.js';
import { settingsForLibrary } from '../../src/options/settings.js';
import { thisMachine } from '../../src/platform/machine.js';
import { VirtualDisk } from './simulator/disk/virtual-disk.js';
import { virtualFolder } from './simulator/disk/virtual-folder.js';

/** A devnet on a virtual disk, and its next warning that matches. */
async function started(options: DevnetOptions = {}) {
  const disk = new VirtualDisk();
  const waiting: { readonly pattern: RegExp; readonly resolve: () => void }[] = [];
  const log = {
    warn: (message: string) => {
      for (const { pattern, resolve } of waiting) if (pattern.test(message)) resolve();
    },
    error: (message: string, cause: unknown) => {
      throw new Error(message, { cause });
    },
  };
  let node: Node | undefined;
  const begin = async (begun: Node) => {
    node = begun;
  };
  const devnet = await startDevnet(settingsForLibrary({ httpPort: false, mining: 'manual', log, ...options }), {
    folder: virtualFolder(disk, { isAlive: true, clock: thisMachine.clock }),
    followers: [{ observer: {}, controls: {}, begin, end: () => {} }],
  });
  const warned = (pattern: RegExp) => new Promise<void>((resolve) => waiting.push({ pattern, resolve }));
  return { devnet, disk, warned, node: node as unknown as Node };
}

const FULL = 'the chain is stopped because the disk is full';

it('a rollback in many steps ends when its disk refuses one', async () => {
  const { devnet, disk, warned } = await started();
  const [account] = devnet.accounts;
  for (let i = 0; i < 300; i++) {
    await devnet.setBalance(account!.address, 1_000_000 + i);
    await devnet.mine(1);
  }
  const { number } = await devnet.mine(1);
  const snapshot = devnet.snapshot();
  const room = warned(/the chain goes on$/);
  const rows = disk.image().toArray();
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  await expect(devnet.rollback(280)).rejects.toThrow(FULL);
  expect(disk.image().toArray()).toEqual(rows);
  // A revert that did not happen has not used up its snapshot.
  await expect(devnet.revert(snapshot)).rejects.toThrow(FULL);
  await room;
  await devnet.revert(snapshot);
  await devnet.rollback(280);
  expect((await devnet.mine(1)).number).toBe(number - 279);
  await devnet.close();
});

it('a request whose batch was refused before its end is not answered as done', async () => {
  const { devnet, disk, warned, node } = await started();
  const [room, full] = [warned(/the chain goes on$/), warned(/is full/)];
  const untilDurable = node.chain.durability();
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  node.mine(1);
  await full;
  await expect(untilDurable()).rejects.toThrow(FULL);
  // A request that begins later has lost nothing.
  expect(node.chain.durability()()).toBeUndefined();
  await room;
  await devnet.close();
});

it('a revert that the store refused leaves filters and snapshots as they were', async () => {
  const { devnet, disk, warned, node } = await started();
  const snapshot = devnet.snapshot();
  const filter = node.filters.full.add(undefined, node.chain.headNumber);
  const { number } = await devnet.mine(1);
  node.filters.full.markReported(filter, number);
  const room = warned(/the chain goes on$/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  await expect(devnet.revert(snapshot)).rejects.toThrow(FULL);
  expect(node.chain.headNumber).toBe(number);
  expect(node.filters.full.get(filter)?.reportedTo).toBe(number);
  await room;
  await devnet.revert(snapshot);
  expect(node.chain.headNumber).toBe(number - 1);
  await devnet.close();
});

it('a database that cannot be opened again says so until it can', async () => {
  const { devnet, disk, warned } = await started();
  const address = `0x${devnet.accounts[0]!.addressHex.slice(2)}`;
  const balance = () =>
    devnet.post('/eth', JSON.stringify({ id: 1, method: 'eth_getBalance', params: [address, '0x0'] }));
  const { text } = await balance();
  expect(text).toMatch(/"result":"0x/);
  const room = warned(/the chain goes on$/);
  for (const what of ['table', 'write'] as const)
    disk.faults.push({ what, error: 'EIO', calls: 1, remains: 'nothing' });
  disk.faults.push({ what: 'open', error: 'EIO', calls: 2, remains: 'nothing' });
  const secondAttempt = new Promise<void>((resolve) => {
    disk.onCall = () => {
      const [fault, ...others] = disk.faults;
      if (fault?.what === 'open' && fault.calls === 1 && others.length === 0) resolve();
    };
  });
  await expect(devnet.mine(1)).rejects.toThrow(/the chain is stopped because its disk cannot be written/);
  await secondAttempt;
  expect((await balance()).text).toMatch(/the chain cannot be read until its disk works again/);
  await room;
  expect((await balance()).text).toBe(text);
  expect((await devnet.mine(1)).number).toBeGreaterThan(0);
  await devnet.close();
});

it('a snapshot keeps the state that its solidity view reads', async () => {
  const { devnet } = await started({ stateHistory: 256, solidified: 'network' });
  await devnet.mine(30);
  const solid = async () => (await devnet.post('/walletsolidity/getnowblock', '{}')).text;
  const before = await solid();
  const snapshot = devnet.snapshot();
  const { address } = devnet.accounts[0]!;
  for (let i = 0; i < 400; i++) {
    await devnet.setBalance(address, 1_000_000 + i);
    await devnet.mine(1);
  }
  await devnet.revert(snapshot);
  expect(await solid()).toBe(before);
  await devnet.close();
});
