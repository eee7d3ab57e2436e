/**
 * `--slot-ms`: chains with other slots than 3 s. There are no recordings of such chains: the rules are the same with
 * another slot time.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { banner } from '../../src/cli/banner.js';
import { createDevnet } from '../../src/index.js';
import { settingsForCommand } from '../../src/options/settings.js';
import { runScenario } from '../../src/run-scenario.js';
import { DAY_MS, TRX, TronWebDevnet } from './tronweb-devnet.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-slots-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// biome-ignore lint/suspicious/noExplicitAny: whatever is answered
type Answer = any;

async function ask(chain: TronWebDevnet, path: string, body: object = {}): Promise<Answer> {
  return JSON.parse((await chain.devnet.post(path, JSON.stringify(body))).text);
}

const EPOCH_MS = 21_600_000;

describe.each([1_000, 3_000, 10_000])('slots of %i ms', (slotMs) => {
  test('blocks are in slots, and two slots are skipped after maintenance', async () => {
    await using chain = await TronWebDevnet.start({ slotMs, mining: 'manual' });
    const timeOf = async (num: number) =>
      (await ask(chain, '/wallet/getblockbynum', { num })).block_header.raw_data.timestamp as number;
    // Blocks 1 and 2 exist; block 1 counts as a maintenance block.
    expect((await timeOf(2)) - (await timeOf(1))).toBe(3 * slotMs);
    await chain.devnet.mine(20);
    for (const number of [3, 12, 22]) expect((await timeOf(number)) - (await timeOf(number - 1))).toBe(slotMs);
    await chain.devnet.mine({ advanceMs: EPOCH_MS });
    const head = (await ask(chain, '/wallet/getnowblock')).block_header.raw_data.number;
    await chain.devnet.mine(1);
    expect(((await timeOf(head + 1)) - (await timeOf(head))) % slotMs).toBe(0);
  });

  test('used resources recover in a day', async () => {
    await using chain = await TronWebDevnet.start({ slotMs, mining: 'manual' });
    const [me, { transactionBuilder: builder, trx }] = [chain.address(0), chain.client(0)];
    const signed = await trx.sign(await builder.sendTrx(chain.address(1), 1, me));
    await trx.sendRawTransaction(signed);
    await chain.devnet.mine(1);
    const used = async () =>
      (await ask(chain, '/wallet/getaccountnet', { address: me, visible: true })).freeNetUsed ?? 0;
    const all = await used();
    expect(all).toBeGreaterThan(200);
    await chain.devnet.mine({ advanceMs: DAY_MS / 2 });
    expect(Math.abs((await used()) - all / 2)).toBeLessThanOrEqual(1);
    await chain.devnet.mine({ advanceMs: DAY_MS / 2 - 30_000 });
    expect(await used()).toBeLessThanOrEqual(1);
    await chain.devnet.mine({ advanceMs: 60_000 });
    expect(await used()).toBe(0);
  });

  test('a lock is three days, or the given number of slots', async () => {
    await using chain = await TronWebDevnet.start({ slotMs });
    const { transactionBuilder: builder } = chain.client(0);
    const me = chain.address(0);
    const { chainParameter } = await ask(chain, '/wallet/getchainparameters');
    const longest = chainParameter.find(({ key }: Answer) => key === 'getMaxDelegateLockPeriod').value;
    expect(longest * slotMs).toBe(30 * DAY_MS);
    await chain.send(0, builder.freezeBalanceV2(100 * TRX, 'ENERGY', me));
    const lockOf = async (to: string, period?: number) => {
      const before = (await ask(chain, '/wallet/getnowblock')).block_header.raw_data.timestamp;
      await chain.send(0, builder.delegateResource(10 * TRX, to, 'ENERGY', me, true, period));
      const pair = { fromAddress: me, toAddress: to, visible: true };
      const { delegatedResource } = await ask(chain, '/wallet/getdelegatedresourcev2', pair);
      return delegatedResource[0].expire_time_for_energy - before;
    };
    expect(await lockOf(chain.address(1))).toBe(3 * DAY_MS);
    expect(await lockOf(chain.address(2), 1_000)).toBe(1_000 * slotMs);
    const tooLong = builder.delegateResource(10 * TRX, chain.address(3), 'ENERGY', me, true, longest + 1);
    expect((await chain.refusal(0, tooLong)).message).toContain(`cannot exceed ${longest}!`);
  });
});

test('a chain keeps its slot time: in its database, in a dump, in a recording', async () => {
  const [db, file] = [path.join(folder, 'db'), path.join(folder, 'chain.scenario.yaml')];
  let dump: Uint8Array;
  let head: string;
  {
    await using chain = await TronWebDevnet.start({ slotMs: 1_000, mining: 'manual', db, record: file });
    await chain.devnet.mine(30);
    dump = await chain.devnet.dump();
    head = (await ask(chain, '/wallet/getnowblock')).blockID;
  }
  await expect(createDevnet({ httpPort: false, db, mining: 'manual' })).rejects.toThrow(
    /option slotMs is 3000, but the chain in .* was created with 1000\. .* Give --slot-ms 1000, or use another --db/,
  );
  for (const options of [{ db, slotMs: 1_000 }, { loadState: dump }]) {
    await using chain = await TronWebDevnet.start({ ...options, mining: 'manual' });
    expect((await ask(chain, '/wallet/getnowblock')).blockID).toBe(head);
    expect(chain.devnet.slotMs).toBe(1_000);
    // The command gets no option about slots.
    expect(banner(chain.devnet, settingsForCommand({ httpPort: 0 }))).toContain('Blocks:     every 1 s');
    await chain.devnet.mine(1);
    const [one, other] = [
      (await ask(chain, '/wallet/getblockbynum', { num: 32 })).block_header.raw_data.timestamp,
      (await ask(chain, '/wallet/getblockbynum', { num: 33 })).block_header.raw_data.timestamp,
    ];
    expect(other - one).toBe(1_000);
  }
  // The replay compares each block's id and the final digest.
  const replay = await runScenario(file);
  expect(readFileSync(file, 'utf8')).toContain(replay.digest);
  expect(replay.head.id).toBe(head);
});

test('a scenario has its own slot time', async () => {
  const run = (network: object) =>
    runScenario({
      network,
      accounts: { alice: '100 TRX', bob: '1 TRX' },
      steps: [
        { transfer: { from: 'alice', to: 'bob', amount: '1 TRX' } },
        { transfer: { from: 'alice', to: 'bob', amount: '2 TRX' } },
      ],
    } as never);
  const times = async (network: object) => {
    const { transactions } = await run(network);
    return Number(transactions[1]!.timestampMs) - Number(transactions[0]!.timestampMs);
  };
  expect(await times({})).toBe(3_000);
  expect(await times({ slotMs: 1_000, nodeVersion: '4.8.1' })).toBe(1_000);
  await expect(run({ nodeVersion: '4.9' })).rejects.toThrow(/nodeVersion is "4\.9", but must be "4\.8\.0" or/);
});

test('slots last 0.1 s to a minute', async () => {
  await expect(createDevnet({ httpPort: false, slotMs: 50 })).rejects.toThrow(
    'option slotMs is 50, but must be a whole number from 100 to 60000',
  );
});
