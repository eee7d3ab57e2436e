/** Block times with `tre`, for test suites that were written against TRE with a running clock. */

import { TronWeb } from 'tronweb';
import { expect, it } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.js';

const KEY_ONE = `${'0'.repeat(63)}1`;

/**
 * A wall clock that stands still until a test moves it, and whose timers never fire. TronWeb accepts no sale that
 * starts before its machine's time, so the clock is far ahead of that.
 */
function stoppedClock() {
  const wall = { timeMs: 2_790_000_000_400n, nowMs: () => wall.timeMs, after: () => () => {} };
  return wall;
}

type StoppedClock = ReturnType<typeof stoppedClock>;

/** A chain as with `sunup --tre`, by a stopped clock in the middle of a slot. */
async function started(options: DevnetOptions = {}): Promise<{ wall: StoppedClock; devnet: Devnet; client: TronWeb }> {
  const wall = stoppedClock();
  const devnet = await createDevnet({ tre: true, clock: wall, ...options });
  wall.timeMs += 1_000n;
  return { wall, devnet, client: new TronWeb({ fullHost: devnet.http.url, privateKey: KEY_ONE }) };
}

async function headTimeMs(client: TronWeb): Promise<number> {
  return (await client.trx.getCurrentBlock()).block_header.raw_data.timestamp;
}

async function transfers(client: TronWeb, devnet: Devnet, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await client.trx.sendTransaction(devnet.accounts[1]!.address, 10);
}

/** A request to `/tre`. */
async function tre({ http }: Devnet, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await (await fetch(`${http.url}/tre`, { method: 'POST', body })).json();
  return (answer as { readonly result: unknown }).result;
}

it('accepts a token whose sale starts in 100 ms, after twenty immediate transfers', async () => {
  const { wall, devnet, client } = await started();
  await using _ = devnet;
  await transfers(client, devnet, 20);
  const nowMs = Number(wall.nowMs());
  expect((await headTimeMs(client)) - nowMs).toBe(19);
  const token = await client.transactionBuilder.createToken({
    name: 'Token',
    abbreviation: 'T',
    description: 'Useless utility token',
    url: 'https://example.com/',
    totalSupply: 100_000_000,
    trxRatio: 10,
    tokenRatio: 2,
    saleStart: nowMs + 100,
    saleEnd: nowMs + 60_000,
    freeBandwidth: 100,
    freeBandwidthLimit: 1_000,
    frozenAmount: 5,
    frozenDuration: 1,
  });
  expect(await client.trx.sendRawTransaction(await client.trx.sign(token))).toMatchObject({ result: true });
});

it('lets time pass during a sleep, after twelve immediate blocks', async () => {
  const { wall, devnet, client } = await started();
  await using _ = devnet;
  await transfers(client, devnet, 1);
  const firstMs = await headTimeMs(client);
  await transfers(client, devnet, 12);
  wall.timeMs += 10_000n;
  await transfers(client, devnet, 1);
  expect((await headTimeMs(client)) - firstMs).toBe(10_000);
});

it('has a second between blocks with --block-step', async () => {
  const { devnet, client } = await started({ blockStepMs: 1_000 });
  await using _ = devnet;
  await transfers(client, devnet, 1);
  const firstMs = await headTimeMs(client);
  await transfers(client, devnet, 2);
  expect((await headTimeMs(client)) - firstMs).toBe(2_000);
});

it.each([
  ['at its start', async () => {}],
  ['from tre_blockTime on', (devnet: Devnet) => tre(devnet, 'tre_blockTime', 3)],
] as const)('gives blocks of tre_mine the present moment where blocks come in intervals %s', async (when, begin) => {
  const { wall, devnet, client } = await started(when === 'at its start' ? { mining: 'interval' } : {});
  await using _ = devnet;
  await begin(devnet);
  for (const laterMs of [0n, 7n, 1n, 7_000n]) {
    wall.timeMs += laterMs;
    expect(await tre(devnet, 'tre_mine')).toBe('0x0');
    expect(await headTimeMs(client)).toBe(Number(wall.nowMs()));
  }
  const before = (await client.trx.getCurrentBlock()).block_header.raw_data;
  await tre(devnet, 'tre_mine', { blocks: 5 });
  const after = (await client.trx.getCurrentBlock()).block_header.raw_data;
  expect(after).toMatchObject({ number: before.number + 5, timestamp: before.timestamp + 5 });
  expect(await tre(devnet, 'tre_increaseTime', 10)).toBe(Number(wall.nowMs()) + 10_005);
});

it('continues in the slots of an interval chain after tre_mine, and fills slots for other mining methods', async () => {
  const { wall, devnet } = await started({ mining: 'interval' });
  await using _ = devnet;
  await tre(devnet, 'tre_mine');
  const slotMs = (Math.floor(Number(wall.nowMs()) / 3_000) + 1) * 3_000;
  expect((await devnet.mine(2)).timestampMs).toBe(slotMs + 3_000);
  await using other = await createDevnet({ clock: wall, mining: 'interval' });
  await tre(other, 'tre_mine', { blocks: 4 });
  expect((await devnet.mine()).timestampMs).toBe(slotMs + 6_000);
  expect((await other.mine()).timestampMs % 3_000).toBe(0);
});
