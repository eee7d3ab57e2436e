/** What the command says of what was done to the chain from outside: a line each, and the same as data. */

import { expect, it } from 'vitest';
import { outputFor } from '../../../src/cli/output.js';
import { createDevnet } from '../../../src/index.js';
import type { CommandSettings } from '../../../src/options/declarations.js';

it('says what was changed, taken back, replaced, begun anew and loaded', async () => {
  const devnet = await createDevnet();
  const lines: string[] = [];
  const events: { event: string }[] = [];
  for (const output of [
    outputFor({ json: false } as CommandSettings, (line) => lines.push(line)),
    outputFor({ json: true } as CommandSettings, (line) => events.push(JSON.parse(line))),
  ]) {
    devnet.on('changed', output.events.changed);
    devnet.on('branched', output.events.branched);
  }
  const { address } = devnet.accounts[0]!;
  await devnet.setBalance(address, 5_000_000);
  await devnet.setCode(address, `0x${'60'.repeat(500)}`);
  const dump = await devnet.dump();
  await devnet.mine(5);
  await devnet.rollback(2);
  await devnet.reorg(1);
  await devnet.reset();
  await devnet.load(dump);
  await devnet.close();

  const changes = [
    `set balance  address ${address}, balance sun 5000000`,
    `set code  address ${address}, code ${'60'.repeat(20)}…`,
  ];
  expect(lines).toEqual([
    ...changes,
    'rolled back 2 blocks: the head is block 5, 2025-01-01 00:00:21 UTC',
    'replaced 1 block: the head is block 5, 2025-01-01 00:00:24 UTC',
    'reset: the head is block 2, 2025-01-01 00:00:12 UTC',
    ...changes,
    'loaded a dump: the head is block 2, 2025-01-01 00:00:12 UTC',
  ]);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(120);
  expect(events).toMatchObject([
    { event: 'changed', operation: 'setBalance', values: { address, balanceSun: 5_000_000 }, number: 2 },
    { event: 'changed', operation: 'setCode' },
    { event: 'branched', kind: 'rollback', depth: 2, number: 5 },
    { event: 'branched', kind: 'reorg', depth: 1, number: 5 },
    { event: 'branched', kind: 'reset', number: 2 },
    { event: 'changed', operation: 'setBalance' },
    { event: 'changed', operation: 'setCode' },
    { event: 'branched', kind: 'load', number: 2 },
  ]);
});
