/** A devnet with several clients is recorded as a scenario, which gives the same blocks. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TronWeb } from 'tronweb';
import { afterAll, expect, test } from 'vitest';
import { runRecordCommand } from '../../src/cli/record-command.js';
import { createDevnet, type Devnet, OptionError } from '../../src/index.js';
import type { WallClock } from '../../src/platform/clock.js';
import { runText } from '../unit/scenario/run-file.js';
import { RunningCommand } from './command.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-recording-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A wall clock whose slots the test controls. */
class TurnedClock implements WallClock {
  #timeMs = 1_800_000_001_234n;
  readonly #due = new Map<() => void, bigint>();

  nowMs(): bigint {
    return this.#timeMs;
  }

  after(delayMs: number, task: () => void): () => void {
    this.#due.set(task, this.#timeMs + BigInt(Math.ceil(delayMs)));
    return () => this.#due.delete(task);
  }

  pass(ms: number): void {
    this.#timeMs += BigInt(ms);
    for (const [task, at] of [...this.#due]) if (at <= this.#timeMs && this.#due.delete(task)) task();
  }
}

function clientOf(devnet: Devnet, index: number) {
  const { privateKey, address } = devnet.accounts[index]!;
  const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey });
  return {
    address,
    tronWeb,
    transfer: async (to: string, sun: number) => tronWeb.trx.sign(await tronWeb.transactionBuilder.sendTrx(to, sun)),
    broadcast: async (transaction: Awaited<ReturnType<typeof tronWeb.trx.sign>>) =>
      tronWeb.trx.sendRawTransaction(transaction as never) as Promise<{ result?: boolean; code?: string }>,
  };
}

async function head(devnet: { readonly http: { readonly url: string } }): Promise<{ number: number; id: string }> {
  const response = await fetch(`${devnet.http.url}/wallet/getnowblock`, { method: 'POST' });
  const { blockID, block_header } = (await response.json()) as never as {
    blockID: string;
    block_header: { raw_data: { number: number } };
  };
  return { id: blockID, number: block_header.raw_data.number };
}

const digestOf = (recording: string) => /^{"digest":{"is":"([\da-f]{64})"/m.exec(recording)?.[1];

test('slots of 3 s, three concurrent clients, refused and dropped transactions, operations, rollback', async () => {
  const record = path.join(folder, 'busy.chain');
  const clock = new TurnedClock();
  const devnet = await createDevnet({ clock, mining: 'interval', record });
  const clients = [0, 1, 2].map((index) => clientOf(devnet, index));
  const [alice, bob, carol] = clients as [(typeof clients)[0], (typeof clients)[0], (typeof clients)[0]];
  const round = async (sun: number) => {
    await Promise.all(
      clients.map(async (client, at) => {
        for (let i = 0; i < 3; i++)
          expect(await client.broadcast(await client.transfer(clients[(at + 1) % 3]!.address, sun + i))).toMatchObject({
            result: true,
          });
      }),
    );
  };
  for (let slot = 1; slot <= 4; slot++) {
    await round(slot * 10);
    clock.pass(3_000);
  }
  // Refused by a rule, and by an arranged refusal.
  const twice = await alice.transfer(bob.address, 77);
  await alice.broadcast(twice);
  expect(await alice.broadcast(twice)).toMatchObject({ code: 'DUP_TRANSACTION_ERROR' });
  await devnet.failNextBroadcast({ code: 'SERVER_BUSY', count: 1 });
  expect(await bob.broadcast(await bob.transfer(alice.address, 78))).toMatchObject({ code: 'SERVER_BUSY' });
  // Removed from the pool, or left out of a block, because the sender's permissions change first.
  const lost = await bob.transfer(carol.address, 79);
  await bob.broadcast(lost);
  await devnet.dropTransaction((lost as unknown as { txID: string }).txID);
  const { tronWeb } = carol;
  const permission = (name: string, type: number, id: number) => ({
    type,
    id,
    permission_name: name,
    threshold: 1,
    ...(type === 2 && { operations: `7fff1fc0033e0000${'0'.repeat(48)}` }),
    keys: [{ address: tronWeb.address.toHex(carol.address), weight: 1 }],
  });
  const update = await tronWeb.transactionBuilder.updateAccountPermissions(
    tronWeb.address.toHex(carol.address),
    permission('owner', 0, 0) as never,
    undefined,
    [permission('active', 2, 2)] as never,
  );
  await carol.broadcast(await tronWeb.trx.sign(update as never));
  await carol.broadcast(await carol.transfer(alice.address, 80));
  clock.pass(3_000);
  await devnet.setBalance(alice.address, 5_000_000_000n);
  await round(100);
  const before = await devnet.snapshot();
  clock.pass(3_000);
  await round(200);
  clock.pass(3_000);
  await devnet.mine(30);
  await devnet.revert(before);
  clock.pass(6_000);
  await round(300);
  await devnet.reorg(2);
  await devnet.mine(40);
  await devnet.rollback(7);
  clock.pass(3_000);
  const end = await head(devnet);
  await devnet.close();

  const recording = readFileSync(record, 'utf8');
  const steps = recording.split('\n').flatMap((line) => /^\{"(?!sunup)(\w+)"/.exec(line)?.[1] ?? []);
  expect(new Set(steps)).toEqual(
    new Set(['import', 'broadcast', 'refused', 'dropped', 'produce', 'produceEmpty', 'digest', 'operation', 'goBack']),
  );
  const replay = await runText(recording);
  expect(replay.end.head).toMatchObject(end);
  expect(replay.end.digest).toBe(digestOf(recording));
  const outside = replay.transactions.filter(({ block }) => block === undefined).map(({ refusal }) => refusal?.code);
  for (const code of ['DUP_TRANSACTION_ERROR', 'SERVER_BUSY', 'REMOVED', 'PERMISSION_CHANGED'])
    expect(outside).toContain(code);
  // Also on LevelDB, and changes are reported.
  expect((await runText(recording, path.join(folder, 'replayed'))).end.digest).toBe(digestOf(recording));
  const other = recording.replace('"balanceSun":{"int":"5000000000"}', '"balanceSun":{"int":"5000000001"}');
  expect(other).not.toBe(recording);
  expect((await runText(other)).end.digest).not.toBe(digestOf(recording));
});

test('a killed node leaves a recording that ends with a complete step; its database and its dump give the same', async () => {
  const record = path.join(folder, 'killed.chain');
  const db = path.join(folder, 'killed');
  let end: { number: number; id: string };
  {
    await using command = await RunningCommand.start(['--json', '--instant', '--db', db, '--record', record]);
    const { http, accounts } = await command.ready();
    const tronWeb = new TronWeb({ fullHost: http.url, privateKey: accounts[0]!.privateKey });
    for (let i = 1; i <= 8; i++) await tronWeb.trx.sendTransaction(accounts[i]!.address, i);
    end = await head({ http });
    command.process.kill('SIGKILL');
  }
  const recording = readFileSync(record, 'utf8');
  expect(recording.endsWith('}}\n')).toBe(true);
  expect(digestOf(recording)).toBeUndefined();
  const replay = await runText(recording);
  expect(replay.end.head).toMatchObject(end);
  // A row for each contract type, even if it is long.
  expect(replay.totals.steps).toEqual([
    expect.objectContaining({ step: 'time', label: 'recorded' }),
    expect.objectContaining({ step: 'TransferContract', label: 'recorded', count: 8 }),
  ]);

  const say = { out: () => {}, err: () => {}, overwrite: () => {} };
  const fromDb = path.join(folder, 'db.chain');
  expect(await runRecordCommand(['record', fromDb, '--from', db], say)).toBe(0);
  const stored = readFileSync(fromDb, 'utf8');
  expect(digestOf(stored)).toBe(replay.end.digest);
  expect((await runText(stored)).end).toMatchObject({ head: end, digest: replay.end.digest });

  await using devnet = await createDevnet({ db, record: path.join(folder, 'gone-on.chain') });
  const fromNode = path.join(folder, 'node.chain');
  expect(await runRecordCommand(['record', fromNode, '--url', devnet.http.url], say)).toBe(0);
  expect((await runText(readFileSync(fromNode, 'utf8'))).end.digest).toBe(replay.end.digest);
  const dump = path.join(folder, 'chain.dump');
  writeFileSync(dump, await devnet.dump());
  const fromDump = path.join(folder, 'dump.chain');
  expect(await runRecordCommand(['record', fromDump, '--from', dump], say)).toBe(0);
  expect((await runText(readFileSync(fromDump, 'utf8'))).end.digest).toBe(replay.end.digest);
  // The recording of a continued database begins with the existing blocks.
  await devnet.mine(3);
  await devnet.close();
  const goneOn = readFileSync(path.join(folder, 'gone-on.chain'), 'utf8');
  const { end: gone } = await runText(goneOn);
  expect(gone.head.number).toBe(end.number + 3);
  expect(gone.digest).toBe(digestOf(goneOn));
});

test('a recorded chain in a folder becomes a scenario', async () => {
  const file = path.join(folder, 'recorded.chain');
  let said = '';
  const say = {
    out: (text: string) => {
      said += text;
    },
    overwrite: () => {},
    err: (text: string) => {
      said += text;
    },
  };
  const from = path.resolve(import.meta.dirname, '../../fixtures/recorded/exchange');
  expect(await runRecordCommand(['record', file, '--from', from], say)).toBe(0);
  expect(said).toMatch(/recorded\.chain: \d+ steps\n$/);
  expect((await runText(readFileSync(file, 'utf8'))).transactions.length).toBeGreaterThan(10);
  said = '';
  expect(await runRecordCommand(['record', file, '--from', from], say)).toBe(1);
  expect(said).toMatch(/cannot be written: EEXIST/);
  said = '';
  expect(await runRecordCommand(['record', path.join(folder, 'no'), '--from', import.meta.filename], say)).toBe(1);
  expect(said).toMatch(/^error: --from cannot be read: the chain cannot be loaded: it is not a chain file/);
  expect(existsSync(path.join(folder, 'no'))).toBe(false);
});

test('pending transactions at the end of a recording are dropped in it, and a changed refusal is reported', async () => {
  const record = path.join(folder, 'waiting.chain');
  const warned: string[] = [];
  const log = { warn: (text: string) => warned.push(text), error: () => {} };
  const devnet = await createDevnet({ mining: 'manual', record, log });
  const [alice, bob] = [clientOf(devnet, 0), clientOf(devnet, 1)];
  const sent = await alice.transfer(bob.address, 1);
  await alice.broadcast(sent);
  expect(await alice.broadcast(sent)).toMatchObject({ code: 'DUP_TRANSACTION_ERROR' });
  await devnet.close();
  expect(warned).toEqual([expect.stringMatching(/1 transaction waited for a block; .* dropped \(RECORDING_ENDED\)/)]);
  const recording = readFileSync(record, 'utf8');
  const { transactions, end } = await runText(recording);
  expect(transactions.map(({ refusal }) => refusal?.code)).toEqual(['DUP_TRANSACTION_ERROR', 'RECORDING_ENDED']);
  expect(end).toMatchObject({ digest: digestOf(recording), failedExpectations: 0 });
  const other = await runText(recording.replace('"DUP_TRANSACTION_ERROR"', '"TAPOS_ERROR"'));
  expect(other.transactions[0]?.differences).toMatchObject([
    { what: 'code', expected: 'TAPOS_ERROR', actual: 'DUP_TRANSACTION_ERROR' },
  ]);
  expect(other.end.digest).toBe(end.digest);
});

test('an existing file is not overwritten', async () => {
  const record = path.join(folder, 'mine.txt');
  writeFileSync(record, 'mine');
  await expect(createDevnet({ record })).rejects.toThrow(OptionError);
  expect(readFileSync(record, 'utf8')).toBe('mine');
});
