/** What was taken from the machine is given back, and the chain goes on. */

import { Violation } from '../run/violation.js';
import type { RealWorld } from './real-world.js';
import { within } from './real-world.js';

/** The node looks every second whether it can write again. */
const LONGEST_RECOVERY_MS = 60_000;

/** @throws Violation if the chain does not go on */
export async function recover(world: RealWorld): Promise<void> {
  world.folder.makeRoom();
  if (world.machine.isSlow) world.slowDisk(0);
  if (world.openFilesBefore !== undefined) world.process.limitOpenFiles(world.openFilesBefore);
  world.openFilesBefore = undefined;
  if (!world.diskFails) return;
  let isOver = false;
  const goesOn = async () => {
    while (!isOver) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] });
      const outcome = await world.settle(world.connections.http('POST', '/tre', body));
      if ('ended' in outcome || ('value' in outcome && outcome.value.includes('"result"'))) return;
      await world.pass(200);
    }
  };
  await within(LONGEST_RECOVERY_MS, goesOn(), () => {
    isOver = true;
    throw new Violation('the chain goes on when the disk does', `no block after ${LONGEST_RECOVERY_MS} ms`);
  });
  world.diskFails = false;
  world.told.decided();
}
