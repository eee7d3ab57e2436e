/** Recordings that were cut off, and the directories of scenarios. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevnet } from '../../../src/index.js';
import { runScenario as runFile } from '../../../src/run-scenario.js';
import { runText } from './run-file.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sunup-recordings-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What stands in the file of a node that was killed while a transaction waited, and in that of one that was closed. */
async function recorded(): Promise<{ readonly killed: string; readonly closed: string }> {
  const file = path.join(folder, 'day.scenario.yaml');
  await rm(file, { force: true });
  const devnet = await createDevnet({ record: file, mining: 'manual' });
  const [alice, bob] = devnet.accounts;
  const tronWeb = new TronWeb({ fullHost: devnet.http!.url, privateKey: alice!.privateKey });
  const send = (amount: number) => tronWeb.trx.sendTransaction(bob!.address, amount);
  await send(1);
  await devnet.mine();
  await send(2);
  const killed = await readFile(file, 'utf8');
  await devnet.close();
  return { killed, closed: await readFile(file, 'utf8') };
}

it('replay where the node was killed, and say what waited for a block', async () => {
  const { killed, closed } = await recorded();
  expect(closed.startsWith(killed)).toBe(true);
  expect(killed).not.toContain('RECORDING_ENDED');
  const [cut, whole] = [await runText(killed), await runText(closed)];
  expect(cut.totals).toEqual(whole.totals);
  expect(cut.end.head).toEqual(whole.end.head);
  expect(cut.totals.failures).toEqual([
    expect.objectContaining({ type: 'TransferContract', code: 'RECORDING_ENDED', count: 1 }),
  ]);
});

it('of sunup run --db are told from the chain of a node', async () => {
  const db = path.join(folder, 'chain');
  await runFile({ accounts: { alice: '1 TRX' }, steps: [{ mine: 2 }] } as never, { db });
  await expect(createDevnet({ db })).rejects.toMatchObject({
    option: 'db',
    problem: `is ${db}, which holds the chain of a scenario (sunup run --db), with other accounts, witnesses and times`,
    hint: expect.stringContaining('sunup record FILE --from'),
  });
});
