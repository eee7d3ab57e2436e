/** A stored chain goes on only with the limit and the table of weights that it was begun with: both decide receipts. */

import { expect, it } from 'vitest';
import { MemoryStore } from '../../../src/state/memory-store.js';
import { WORK_VERSION, workLimit } from '../../../src/tvm/work.js';
import { SimulatedChain } from '../../simulation/simulated-chain.js';

it('a chain that was begun under other weights is refused', async () => {
  const store = new MemoryStore();
  await SimulatedChain.open({ store, vmLimit: { weights: WORK_VERSION - 1, ms: 500 } });
  await expect(SimulatedChain.open({ store, vmLimit: workLimit(500) })).rejects.toThrow(
    `version ${WORK_VERSION - 1} of the table of execution weights (--vm-limit); this Sunup has version ${WORK_VERSION}`,
  );
});

it('a chain that was begun with another limit is refused, and so is one that had none', async () => {
  for (const [begun, then] of [
    [workLimit(500), workLimit(400)],
    [undefined, workLimit(500)],
    [workLimit(500), undefined],
  ]) {
    const store = new MemoryStore();
    await SimulatedChain.open({ store, ...(begun && { vmLimit: begun }) });
    await SimulatedChain.open({ store, ...(begun && { vmLimit: begun }) });
    await expect(SimulatedChain.open({ store, ...(then && { vmLimit: then }) })).rejects.toThrow(
      'was created with other',
    );
  }
});
