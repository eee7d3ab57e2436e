/** Costs of an account, read through a proxy with the faults of a managed service: nothing is missed or counted twice. */

import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TronWeb } from 'tronweb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { RemotePlatform } from '../../src/fork/network/remote-client.js';
import { connect } from '../../src/fork/start/connect.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import type { Address } from '../../src/primitives/ids.js';
import { CostSums, type CostTotals } from '../../src/traffic/costs/cost-sums.js';
import { CostsError } from '../../src/traffic/costs/costs-error.js';
import { type CostReading, NetworkCosts } from '../../src/traffic/costs/read-costs.js';
import { FaultyProxy } from './fork-proxy.js';

const FEE_LIMIT = 1_000_000_000;
const TIMEOUT_MS = 54_321;
const DAY_MS = 86_400_000;
/** Calls that share a block with others need one receipt request for all of them. */
const CALLS = 24;
const CALLS_A_BLOCK = 3;
/** More than two pages. */
const TRANSFERS = 430;
const TRANSFERS_A_BLOCK = 43;

/** Pauses are over at once; no request is too late. */
const PLATFORM: RemotePlatform = {
  fetch,
  clock: {
    nowMs: () => 0n,
    after: (delayMs, task) => {
      if (delayMs !== TIMEOUT_MS) setImmediate(task);
      return () => {};
    },
  },
  random: { bytes: (length) => new Uint8Array(length) },
};

let devnet: Devnet;
let account: Address;
let proxy: FaultyProxy;

beforeAll(async () => {
  devnet = await createDevnet({ mining: 'manual', predeploy: ['usdt'] });
  const [payer, receiver] = devnet.accounts as [Devnet['accounts'][0], Devnet['accounts'][0]];
  account = payer.addressHex as Address;
  const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: payer.privateKey });
  const send = async (transaction: unknown) => {
    const { result, code } = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction as never));
    if (result !== true) throw new Error(String(code));
  };
  for (let at = 1; at <= CALLS; at++) {
    const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
      devnet.predeployed[0]!.address,
      'transfer(address,uint256)',
      { feeLimit: FEE_LIMIT },
      [
        { type: 'address', value: receiver.address },
        { type: 'uint256', value: at },
      ],
      payer.address,
    );
    await send(transaction);
    // The last one is alone in its block.
    if (at % CALLS_A_BLOCK === 0 || at === CALLS - 1) await devnet.mine(1);
    if (at % 6 === 0) await devnet.mine({ advanceMs: DAY_MS });
  }
  for (let at = 1; at <= TRANSFERS; at++) {
    await send(await tronWeb.transactionBuilder.sendTrx(receiver.address, at, payer.address));
    if (at % TRANSFERS_A_BLOCK === 0) await devnet.mine(1);
  }
  await devnet.mine({ advanceMs: DAY_MS });
  await devnet.mine(150);
}, 120_000);
afterAll(() => devnet.close());
beforeEach(async () => {
  proxy = await FaultyProxy.open(devnet.http.url);
});
afterEach(() => proxy.close());

async function open(reading: Partial<CostReading> = {}, url = proxy.url) {
  const connection = await connect({ url, timeoutMs: TIMEOUT_MS }, PLATFORM);
  return NetworkCosts.open(connection, { maxBlocks: 10, ...reading });
}

async function totals(reading: Partial<CostReading> = {}, limit?: number): Promise<CostTotals> {
  const costs = await open(reading);
  const sums = new CostSums();
  for await (const paid of costs.of(account, { fromMs: 0, toMs: costs.head.timestampMs, limit })) sums.add(paid);
  return sums.get();
}

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'sunup-costs-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

const questions = (name: RegExp) => proxy.seen.filter(({ path: asked }) => name.test(asked)).length;
const RECEIPT = /gettransactioninfo/;
const LIST = /\/v1\/accounts/;

describe('lists and receipts', () => {
  test('one question for the receipts of a block, none for transfers', async () => {
    const { transactions, feeSun } = await totals();
    expect(transactions).toBe(CALLS + TRANSFERS);
    expect(feeSun).toBeGreaterThan(0n);
    const blocksWithCalls = CALLS / CALLS_A_BLOCK + 1;
    expect(questions(RECEIPT)).toBe(blocksWithCalls);
    expect(questions(/gettransactioninfobyid/)).toBe(1);
    // Solidified block, first block, and one parent before the first transaction: no price changes later.
    expect(questions(/getblock/)).toBeLessThan(6);
  });

  test('limits of the request rate', async () => {
    const expected = await totals();
    let refused = 0;
    proxy.fault = (_, count) => {
      if (count % 3 !== 0) return 'pass';
      refused++;
      return { status: 429, text: '{"Error":"request rate exceeded the allowed_rps(3)"}' };
    };
    expect(await totals()).toEqual(expected);
    expect(refused).toBeGreaterThan(3);
  });

  test('pages with repeated entries, and a list that ends early', async () => {
    const expected = await totals();
    const edited = (change: (page: { data: unknown[]; meta: { fingerprint?: string } }) => void) => () => ({
      instead: (text: string) => {
        if (!text.includes('"page_size"')) return text;
        const page = JSON.parse(text);
        change(page);
        return JSON.stringify(page);
      },
    });
    proxy.fault = edited((page) => page.data.push(...page.data.slice(-50)));
    expect(await totals()).toEqual(expected);
    let pages = 0;
    proxy.fault = edited(({ meta }) => {
      if (meta.fingerprint !== undefined && ++pages % 2 === 0) delete meta.fingerprint;
    });
    expect(await totals()).toEqual(expected);
  });

  test('a limit counts the newest', async () => {
    const all: string[] = [];
    const costs = await open();
    const range = { fromMs: 0, toMs: costs.head.timestampMs };
    for await (const { txid } of costs.of(account, range)) all.push(txid);
    const newest: string[] = [];
    for await (const { txid } of costs.of(account, { ...range, limit: 250 })) newest.push(txid);
    expect(newest).toEqual(all.slice(-250));
    expect((await totals({}, 100_000)).transactions).toBe(all.length);
  });

  test('a missing receipt: its figures are those of the list, and the folder does not keep the day', async () => {
    const expected = await totals();
    const directory = folder();
    proxy.fault = ({ path: asked }) =>
      asked.includes('gettransactioninfobyid') ? { status: 200, text: '{}' } : 'pass';
    const { withoutReceipt, ...others } = await totals({ folder: directory });
    expect(withoutReceipt).toBe(1);
    expect(others).toEqual({ ...expected, withoutReceipt: undefined, ...others });
    expect(others.feeSun).toBe(expected.feeSun);
    expect(others.boughtEnergy).toBe(expected.boughtEnergy);
    proxy.fault = () => 'pass';
    proxy.seen.length = 0;
    expect(await totals({ folder: directory })).toEqual(expected);
    expect(questions(RECEIPT)).toBeGreaterThan(0);
  });

  test('without /v1: by blocks, or refused with their number', async () => {
    proxy.fault = ({ path: asked }) => (asked.startsWith('/v1') ? { status: 404, text: 'Not Found' } : 'pass');
    const { number } = (await open()).head;
    await expect(totals()).rejects.toThrow(CostsError);
    await expect(totals()).rejects.toThrow(`--max-blocks ${number}`);
    const { transactions, feeSun } = await totals({ maxBlocks: number });
    proxy.fault = () => 'pass';
    const expected = await totals();
    expect({ transactions, feeSun }).toEqual({ transactions: expected.transactions, feeSun: expected.feeSun });
  });
});

describe('the folder', () => {
  test('a second run asks for nothing that was read', async () => {
    const directory = folder();
    const first = await totals({ folder: directory });
    const files = () =>
      readdirSync(path.join(directory, 'costs'), { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('json'))
        .map((name) => readFileSync(path.join(directory, 'costs', name), 'utf8'));
    const written = files();
    proxy.seen.length = 0;
    expect(await totals({ folder: directory })).toEqual(first);
    expect(questions(RECEIPT)).toBe(0);
    expect(files()).toEqual(written);
  });

  test('a stopped run goes on: no receipt is asked twice, nothing is counted twice', async () => {
    const expected = await totals();
    const receipts = questions(RECEIPT);
    for (const stopAfter of [1, 7, 20, 210, 430]) {
      const directory = folder();
      proxy.seen.length = 0;
      const costs = await open({ folder: directory });
      let read = 0;
      for await (const _ of costs.of(account, { fromMs: 0, toMs: costs.head.timestampMs }))
        if (++read === stopAfter) break;
      // A killed process may leave half a line.
      const [first] = readdirSync(path.join(directory, 'costs'));
      const days = path.join(directory, 'costs', first!);
      const last = readdirSync(days)
        .filter((name) => name.endsWith('.ndjson'))
        .at(-1);
      if (last !== undefined) appendFileSync(path.join(days, last), '{"txid":"00ab');
      expect(await totals({ folder: directory })).toEqual(expected);
      expect(questions(RECEIPT)).toBe(receipts);
    }
  });

  test('a folder of another network is refused', async () => {
    const directory = folder();
    await totals({ folder: directory });
    await using other = await createDevnet({ genesisTime: 1_600_000_000_000 });
    proxy.target = other.http.url;
    await expect(totals({ folder: directory })).rejects.toThrow('another network');
  });
});

test('a page is read when the one before is summed', async () => {
  const costs = await open();
  proxy.seen.length = 0;
  const paid = costs.of(account, { fromMs: 0, toMs: costs.head.timestampMs });
  await paid.next();
  // One of them asks whether the network has lists at all.
  expect(questions(LIST)).toBe(2);
  await paid.return(undefined);
});

describe('an account with many transactions', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = () => {
    // Buffers that one collection finds unused are counted until the next one has swept them.
    collect();
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return (heapUsed + arrayBuffers) / 2 ** 20;
  };

  test('memory does not grow with them', { timeout: 120_000 }, async () => {
    const served = await manyTransactions(40_000);
    onTestFinished(() => new Promise<void>((resolve) => void served.close(() => resolve())));
    const costs = await open({}, `http://127.0.0.1:${(served.address() as AddressInfo).port}`);
    const sums = new CostSums();
    const heldMb: number[] = [];
    let read = 0;
    for await (const paid of costs.of(account, { fromMs: 0, toMs: costs.head.timestampMs })) {
      sums.add(paid);
      if (++read % (40_000 / 5) === 0) heldMb.push(held());
    }
    expect(sums.get().transactions).toBe(40_000);
    expect(heldMb.at(-1)! - heldMb[0]!).toBeLessThan(5);
  });
});

/** Pages of transfers in front of the devnet: each entry is a transfer of its own. */
async function manyTransactions(most: number): Promise<Server> {
  const { url } = devnet.http;
  const address = devnet.accounts[0]!.address;
  const { SignedTransaction } = await import('../../src/protocol/transaction.js');
  const { hexToBytes } = await import('../../src/primitives/hex.js');
  const list = `${url}/v1/accounts/${address}/transactions?only_from=true&limit=1`;
  const [entry] = ((await (await fetch(list)).json()) as { data: { raw_data_hex: string; blockNumber: number }[] })
    .data;
  const firstMs = (await open()).head.timestampMs - 1_000_000;
  const page = (from: number) =>
    Array.from({ length: Math.min(200, most - from) }, (_, at) => {
      const count = from + at;
      // The expiration and so the id differ.
      const raw = `${entry!.raw_data_hex}${`9803${(0x80 | (count & 0x7f)).toString(16)}${(0x80 | ((count >> 7) & 0x7f)).toString(16)}${((count >> 14) & 0x7f).toString(16).padStart(2, '0')}`}`;
      const { txId } = SignedTransaction.ofParts(hexToBytes(raw as never), [], []);
      return {
        ...entry,
        raw_data_hex: raw,
        txID: txId,
        blockNumber: entry!.blockNumber + count,
        block_timestamp: firstMs + count,
      };
    });
  const server = createServer(async (request, response) => {
    const asked = new URL(request.url ?? '', url);
    if (asked.pathname.startsWith('/v1')) {
      const startMs = Number(asked.searchParams.get('min_timestamp'));
      const from = Number(asked.searchParams.get('fingerprint') ?? (startMs < firstMs ? 0 : startMs - firstMs));
      const meta = from + 200 < most ? { fingerprint: String(from + 200) } : {};
      response.end(JSON.stringify({ data: page(from), success: true, meta }));
      return;
    }
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const answer = await fetch(asked, { method: 'POST', body: Buffer.concat(parts) });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
