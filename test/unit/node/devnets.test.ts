import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { TronWeb } from 'tronweb';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../../scripts/build.mjs';
import { type BlockReport, createDevnet, type Devnet } from '../../../src/index.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-devnets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function tronWebOf(devnet: Devnet): TronWeb {
  return new TronWeb({ fullHost: devnet.http.url, privateKey: devnet.accounts[0]!.privateKey });
}

/** Whether anybody listens there. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

describe('devnets in one process', () => {
  it('share nothing but the keys of their accounts', async () => {
    await using a = await createDevnet();
    await using b = await createDevnet();
    await using c = await createDevnet({ db: path.join(folder, 'c') });
    expect(new Set([a.http.port, b.http.port, c.http.port]).size).toBe(3);
    expect(new Set([a.genesisId, b.genesisId, c.genesisId]).size).toBe(1);
    const receiver = a.accounts[1]!.address;
    const balances = () => Promise.all([a, b, c].map((devnet) => tronWebOf(devnet).trx.getBalance(receiver)));
    const before = await balances();
    await tronWebOf(a).trx.sendTransaction(receiver, 5);
    await tronWebOf(c).trx.sendTransaction(receiver, 7);
    expect(await balances()).toEqual([before[0]! + 5, before[1], before[2]! + 7]);
    const snapshot = a.snapshot();
    await b.mine(10);
    await expect(b.revert(snapshot)).rejects.toThrow('no snapshot');
    await a.revert(snapshot);
    expect((await tronWebOf(b).trx.getCurrentBlock()).block_header.raw_data.number).toBe(12);
  });

  it('differ by what they were asked for', async () => {
    await using a = await createDevnet({ accounts: 2, balance: 5, parameters: { getEnergyFee: 210 } });
    await using b = await createDevnet({ genesisTime: '2024-06-01T00:00:00Z' });
    expect(a.genesisId).not.toBe(b.genesisId);
    expect(a.chainId).not.toBe(b.chainId);
    expect([a.accounts.length, b.accounts.length]).toEqual([2, 10]);
    expect(await tronWebOf(a).trx.getBalance(a.accounts[0]!.address)).toBe(5_000_000);
    expect(await tronWebOf(a).trx.getEnergyPrices()).toBe('0:210');
  });
});

describe('a devnet that is closed', () => {
  it('frees its ports', async () => {
    const devnet = await createDevnet({ clock: 'wall', mining: 'interval', grpcPort: 0, grpcSolidityPort: 0 });
    const ports = [devnet.http, devnet.grpc!, ...devnet.grpcSolidity].map(({ port }) => port);
    await tronWebOf(devnet).trx.getCurrentBlock();
    expect(await Promise.all(ports.map(answers))).toEqual(ports.map(() => true));
    await devnet.close();
    expect(await Promise.all(ports.map(answers))).toEqual(ports.map(() => false));
  });

  it('lets its process end, which had nothing else to do', async () => {
    await buildIfStale();
    const library = pathToFileURL(path.resolve(import.meta.dirname, '../../../dist/index.js')).href;
    const script = `
      import { createDevnet } from ${JSON.stringify(library)};
      const options = [{}, { db: ${JSON.stringify(path.join(folder, 'child'))} }, { clock: 'wall', mining: 'interval', grpcPort: 0, grpcSolidityPort: 0 }];
      for (const one of options) {
        const devnet = await createDevnet(one);
        await (await fetch(devnet.http.url + '/wallet/getnowblock')).json();
        await devnet.mine(2);
        devnet.snapshot();
        await devnet.close();
      }
      console.log('ended');`;
    const file = path.join(folder, 'child.mjs');
    writeFileSync(file, script);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout).toBe('ended\n');
  });

  it('may be closed twice, and leaves a database that can be gone on with at once', async () => {
    const db = path.join(folder, 'again');
    const devnet = await createDevnet({ db });
    const { txid } = await tronWebOf(devnet).trx.sendTransaction(devnet.accounts[1]!.address, 5);
    await Promise.all([devnet.close(), devnet.close()]);
    await devnet.close();
    expect(existsSync(db)).toBe(true);
    await using again = await createDevnet({ db });
    expect((await tronWebOf(again).trx.getTransaction(txid)).txID).toBe(txid);
  });

  it('is closed at the end of its block of code', async () => {
    let port: number;
    {
      await using devnet = await createDevnet();
      port = devnet.http.port;
      expect(await answers(port)).toBe(true);
    }
    expect(await answers(port)).toBe(false);
  });

  it('has answered what it was asked', async () => {
    const devnet = await createDevnet({ db: path.join(folder, 'asked') });
    const tronWeb = tronWebOf(devnet);
    const built = await tronWeb.transactionBuilder.sendTrx(devnet.accounts[1]!.address, 5, devnet.accounts[0]!.address);
    const signed = await tronWeb.trx.sign(built);
    const asked = fetch(`${devnet.http.url}/wallet/broadcasttransaction`, {
      method: 'POST',
      body: JSON.stringify(signed),
    });
    const [answer] = await Promise.allSettled([asked, devnet.close()]);
    // Either it was not taken, or it was and the answer says so: never taken without an answer.
    await using again = await createDevnet({ db: path.join(folder, 'asked') });
    const taken = await tronWebOf(again)
      .trx.getTransaction(built.txID)
      .then(
        () => true,
        () => false,
      );
    expect(taken).toBe(answer!.status === 'fulfilled');
  });
});

describe('mining', () => {
  it.each([Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY])(
    'of %d blocks is refused, and so is such a jump',
    async (number) => {
      await using devnet = await createDevnet();
      await expect(devnet.mine(number)).rejects.toThrow('must be a whole number');
      await expect(devnet.mine({ advanceMs: number })).rejects.toThrow('must be a whole number');
      expect((await devnet.mine(0)).number).toBe(2);
    },
  );
});

describe('events', () => {
  it('tell of the last of many empty blocks', async () => {
    await using devnet = await createDevnet({ mining: 'manual' });
    const numbers: number[] = [];
    const head = new Promise((resolve) =>
      devnet.on('block', ({ number }) => (number === 103 ? resolve(number) : numbers.push(number))),
    );
    await devnet.mine();
    await devnet.mine(100);
    expect(await head).toBe(103);
    expect(numbers).toEqual([3]);
  });

  it('tell of what was done to the chain from outside, and of what was refused', async () => {
    await using devnet = await createDevnet({ mining: 'manual' });
    const told: unknown[] = [];
    for (const name of ['mined', 'snapshot', 'reverted', 'refused'] as const) {
      devnet.on(name, (report: object) => told.push({ name, ...report }));
    }
    const tronWeb = tronWebOf(devnet);
    const [owner, receiver] = devnet.accounts.map(({ address }) => address) as [string, string];
    const built = await tronWeb.transactionBuilder.sendTrx(receiver, 5, owner);
    await devnet.mine(3);
    const id = devnet.snapshot();
    await devnet.mine({ advanceMs: 3_000 });
    await devnet.revert(id);
    const unsigned = { ...built, signature: ['00'.repeat(65)] };
    await fetch(`${devnet.http.url}/wallet/broadcasttransaction`, { method: 'POST', body: JSON.stringify(unsigned) });
    await devnet.mine(0);
    expect(told).toMatchObject([
      { name: 'mined', asked: { blocks: 3 }, blocks: 3, number: 5 },
      { name: 'snapshot', snapshot: id, number: 5 },
      { name: 'mined', asked: { advanceMs: 3_000 }, blocks: 1, number: 6 },
      { name: 'reverted', snapshot: id, number: 5 },
      { name: 'refused', txid: built.txID, type: 'TransferContract', owner, reason: expect.stringMatching(/\w/) },
      { name: 'mined', blocks: 0 },
    ]);
  });

  it('have told of everything when mining is over, also of what takes longer to be put into words', async () => {
    await using devnet = await createDevnet({ mining: 'manual', trace: true });
    const told: string[] = [];
    devnet.on('block', ({ transactions }) => told.push(`block of ${transactions.length}`));
    devnet.on('mined', () => told.push('mined'));
    await tronWebOf(devnet).trx.sendTransaction(devnet.accounts[1]!.address, 5);
    await devnet.mine();
    expect(told).toEqual(['block of 1', 'mined']);
  });

  it('tell of blocks in their order, with what everything cost', async () => {
    await using devnet = await createDevnet({ mining: 'manual' });
    const seen: BlockReport[] = [];
    const listen = (block: BlockReport) => seen.push(block);
    devnet.on('block', listen);
    const { txid } = await tronWebOf(devnet).trx.sendTransaction(devnet.accounts[1]!.address, 5);
    await devnet.mine();
    await devnet.mine();
    expect(seen.map(({ number, transactions }) => [number, transactions.length])).toEqual([
      [3, 1],
      [4, 0],
    ]);
    expect(seen[0]!.transactions[0]).toMatchObject({
      txid,
      type: 'TransferContract',
      owner: devnet.accounts[0]!.address,
      result: 'SUCCESS',
      charges: [{ resource: 'bandwidth', source: 'free' }],
    });
    expect((await devnet.explain(txid)).charges).toEqual(seen[0]!.transactions[0]!.charges);
    await devnet.increaseTime(7 * 86_400);
    await devnet.setMining('instant');
    await tronWebOf(devnet).trx.sendTransaction(devnet.accounts[1]!.address, 5);
    await devnet.mine(0);
    expect(seen.map(({ epochs, asked }) => ({ epochs, asked }))).toEqual([
      { epochs: 0, asked: true },
      { epochs: 0, asked: true },
      { epochs: 28, asked: false },
    ]);
    devnet.off('block', listen);
    await devnet.mine();
    expect(seen.length).toBe(3);
    await expect(devnet.explain('00'.repeat(32))).rejects.toThrow('transaction 0000');
  });
});
