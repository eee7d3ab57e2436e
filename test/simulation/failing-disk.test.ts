/** A disk that fails in the middle of work, modelled below LevelDB's interface: what is answered, and what is left. */

import { status } from '@grpc/grpc-js';
import { Wallet } from 'ethers';
import { expect, it } from 'vitest';
import { startDevnet } from '../../src/devnet/running/start.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import type { Node } from '../../src/node/node.js';
import type { DevnetOptions } from '../../src/options/declarations.js';
import { settingsForLibrary } from '../../src/options/settings.js';
import { type Machine, thisMachine } from '../../src/platform/machine.js';
import type { TxId } from '../../src/primitives/ids.js';
import { sign } from '../../src/protocol/signature.js';
import { TriggerSource } from '../../src/push/event-queue/trigger-source.js';
import { DamagedStoreError } from '../../src/state/row-checksum.js';
import { type Json, ServiceClient } from '../wire/grpc-client.js';
import { SimulatedClock } from './simulator/clock/simulated-clock.js';
import { type DiskFault, VirtualDisk } from './simulator/disk/virtual-disk.js';
import { virtualFolder } from './simulator/disk/virtual-folder.js';
import { Choices } from './wild-messages.js';

/** When a refused disk is tried again. */
const RETRY_MS = 1_000;
const retries = new Set<() => void>();
const machineWithRetries: Machine = {
  ...thisMachine,
  clock: {
    ...thisMachine.clock,
    inBackground(delayMs, task) {
      if (delayMs !== RETRY_MS) return thisMachine.clock.inBackground(delayMs, task);
      const retry = () => {
        cancel();
        task();
      };
      const stop = thisMachine.clock.inBackground(delayMs, retry);
      const cancel = () => {
        retries.delete(retry);
        stop();
      };
      retries.add(retry);
      return cancel;
    },
  },
};

/** Tries refused disks at once, until something has come of it. */
async function retriedUntil(something: Promise<void>): Promise<void> {
  let isOver = false;
  void something.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const retry of retries) retry();
    await new Promise(setImmediate);
  }
}

/** A devnet on a virtual disk, and its next warning that matches. */
async function started(options: DevnetOptions = {}, disk = new VirtualDisk(), machine = machineWithRetries) {
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
    folder: virtualFolder(disk, { isAlive: true, clock: machine.clock }),
    machine,
    followers: [{ observer: {}, controls: {}, begin, end: () => {} }],
  });
  const warned = (pattern: RegExp) => new Promise<void>((resolve) => waiting.push({ pattern, resolve }));
  return { devnet, disk, warned, node: node as unknown as Node };
}

/** After a run of empty blocks, the last of which has `number`. */
async function startedWithRun() {
  const { devnet, disk, warned } = await started();
  const { number } = await devnet.mine(5);
  /** Of followers, after each branch. */
  const heads: number[] = [];
  devnet.on('branched', (branched) => heads.push(branched.number));
  return { devnet, disk, number, heads, room: warned(/the chain goes on$/) };
}

async function headNumber({ post }: Pick<Devnet, 'post'>): Promise<number> {
  return JSON.parse((await post('/wallet/getnowblock', '{}')).text).block_header.raw_data.number;
}

/** Makes blocks, of which each is a step of its own. @returns the account that changes before each */
async function changedInBlocks(devnet: Devnet, blocks: number) {
  const account = devnet.accounts[0]!;
  for (let i = 0; i < blocks; i++) {
    await devnet.setBalance(account.address, 1_000_000 + i);
    await devnet.mine(1);
  }
  return account;
}

/** @returns the body of its broadcast */
async function signedTransfer({ accounts: [from, to], post }: Devnet): Promise<string> {
  const fields = { owner_address: from!.addressHex, to_address: to!.addressHex, amount: 5 };
  const transaction = JSON.parse((await post('/wallet/createtransaction', JSON.stringify(fields))).text);
  return JSON.stringify({ ...transaction, signature: [sign(transaction.txID, from!.privateKey)] });
}

const FULL = 'the chain is stopped because the disk is full';

it('a rollback in many steps ends when its disk refuses one', async () => {
  const { devnet, disk, warned } = await started();
  await changedInBlocks(devnet, 300);
  const { number } = await devnet.mine(1);
  const snapshot = devnet.snapshot();
  const room = warned(/the chain goes on$/);
  const rows = disk.image().toArray();
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  await expect(devnet.rollback(280)).rejects.toThrow(FULL);
  expect(disk.image().toArray()).toEqual(rows);
  // A revert that did not happen has not used up its snapshot.
  await expect(devnet.revert(snapshot)).rejects.toThrow(FULL);
  await retriedUntil(room);
  await devnet.revert(snapshot);
  await devnet.rollback(280);
  expect((await devnet.mine(1)).number).toBe(number - 279);
  await devnet.close();
});

// Found by the simulator with seed 703026.
it('a chain that was closed in order survives a loss of power', async () => {
  const { devnet, disk } = await started();
  const { number } = await devnet.mine(3);
  await devnet.close();
  disk.losePower(new Choices(3));
  const next = await started({}, disk);
  expect(await headNumber(next.devnet)).toBe(number);
  await next.devnet.close();
});

// Found by the simulator with seed 11.
it('an orderly end makes nothing durable that was refused', async () => {
  const { devnet, disk, warned } = await started();
  const { number } = await devnet.mine(3);
  const full = warned(/is full/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'all' });
  await expect(devnet.mine(1)).rejects.toThrow(FULL);
  await full;
  const refused: (string | undefined)[] = [];
  disk.onCall = () => refused.push(disk.refusedRow());
  await devnet.close();
  expect(new Set(refused)).toEqual(new Set([undefined]));
  const next = await started({}, disk);
  expect(await headNumber(next.devnet)).toBe(number);
  await next.devnet.close();
});

// Found by the simulator with seed 740112.
it('a read that fails while a refused block is taken back is damage', async () => {
  const { devnet, disk } = await started();
  devnet.on('block', () => {});
  await devnet.mine(1);
  const failed = new Promise<Error>((resolve) => devnet.on('failed', resolve));
  disk.faults.push({ what: 'write', error: 'EIO', calls: 1, remains: 'nothing' });
  disk.onRefusal = () => disk.faults.push({ what: 'read', error: 'EIO', calls: 1, remains: 'nothing' });
  await expect(devnet.mine(1)).rejects.toThrow(DamagedStoreError);
  expect((await failed).message).toMatch(/is damaged: row \w+ of table \w+ cannot be read$/);
  await expect(devnet.mine(1)).rejects.toThrow(DamagedStoreError);
  await devnet.close();
});

// Found by the simulator with seed 741103.
it('a reorganisation whose new blocks are refused tells that the old ones are gone', async () => {
  const { devnet, disk, number, heads, room } = await startedWithRun();
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, after: 1, remains: 'nothing' });
  await expect(devnet.reorg(2)).rejects.toThrow(FULL);
  await retriedUntil(room);
  expect(heads).toEqual([await headNumber(devnet)]);
  expect(heads[0]).toBeLessThan(number);
  await devnet.mine(1);
  await devnet.close();
});

// Found by the simulator with seed 372007.
it('the event queue forgets what was solidified with blocks that the disk refused', async () => {
  const { devnet, disk, warned, node } = await started();
  const told: { readonly blockNumber: number; readonly latestSolidifiedBlockNumber: number }[] = [];
  const wanted = new Map([['block', new Set<never>()]] as const);
  new TriggerSource(node, { wanted, contracts: new Set(), topics: new Set() }, (triggers) => {
    for (const { text } of triggers) told.push(JSON.parse(text));
  });
  const room = warned(/the chain goes on$/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  await expect(devnet.mine(50)).rejects.toThrow(FULL);
  await retriedUntil(room);
  const { number } = await devnet.mine(1);
  expect(told).toMatchObject([{ blockNumber: number, latestSolidifiedBlockNumber: number }]);
  await devnet.close();
});

// Found by the simulator with seed 942093.
it('a reorganisation that its disk refused leaves nothing waiting that is in a block', async () => {
  const { devnet, disk, warned } = await started();
  await devnet.mine(3);
  const { number } = await devnet.mine(1);
  const wallet = new Wallet(`0x${devnet.accounts[0]!.privateKey}`);
  const rpc = async (method: string, ...params: unknown[]) => {
    const { text } = await devnet.post('/eth', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    return JSON.parse(text).result;
  };
  const chainId = BigInt(await rpc('eth_chainId'));
  const hashes: string[] = [];
  for (const nonce of [0, 1]) {
    const terms = { to: wallet.address, nonce, gasLimit: 1_000_000n, gasPrice: 420n, chainId };
    hashes.push(await rpc('eth_sendRawTransaction', await wallet.signTransaction(terms)));
  }
  await devnet.mine(1);
  const room = warned(/the chain goes on$/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  // The first one names a block that is gone; without it, the second one waits.
  await expect(devnet.reorg(3)).rejects.toThrow(FULL);
  await retriedUntil(room);
  expect(await rpc('txpool_content')).toEqual({ pending: {}, queued: {} });
  for (const hash of hashes)
    expect(await rpc('eth_getTransactionByHash', hash)).toMatchObject({
      blockNumber: `0x${(number + 1).toString(16)}`,
    });
  await devnet.close();
});

// Found by the simulator with seeds 772003 and 773055.
it('a rollback into a run of empty blocks is one batch', async () => {
  const { devnet, disk, number, heads, room } = await startedWithRun();
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  await expect(devnet.rollback(2)).rejects.toThrow(FULL);
  expect(await headNumber(devnet)).toBe(number);
  await retriedUntil(room);
  // There is no second write that could be refused.
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, after: 1, remains: 'nothing' });
  await devnet.rollback(2);
  disk.faults.length = 0;
  expect(heads).toEqual([number - 2]);
  expect(await headNumber(devnet)).toBe(number - 2);
  await devnet.mine(1);
  await devnet.close();
});

// Found by the simulator with seed 791027.
it('a removal has the id of the block that is left, also if the next step of the rollback is refused', async () => {
  const { devnet, disk, warned } = await started();
  const { body } = await devnet.fetch('http://localhost/sunup/events?events=block,removed');
  for (let i = 0; i < 45; i++) await devnet.mine(1);
  const room = warned(/the chain goes on$/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, after: 1, remains: 'nothing' });
  await expect(devnet.rollback(45)).rejects.toThrow(FULL);
  await retriedUntil(room);
  let events = '';
  for await (const part of body as ReadableStream<Uint8Array>) {
    events += Buffer.from(part).toString();
    if (/event: removed\n.*\n\n/s.test(events)) break;
  }
  const left = (await headNumber(devnet)).toString(16).padStart(16, '0');
  const [, id] = /event: removed\nid: ([0-9a-f]{64})\n/.exec(events) ?? [];
  expect(id?.slice(0, 16)).toBe(left);
  expect(events).toContain(`event: block\nid: ${id}\n`);
  await devnet.close();
});

// Found by the simulator with seed 250076.
it('all transactions of a block are told, also if a rollback of it is refused meanwhile', async () => {
  const { devnet, disk, warned } = await started();
  await changedInBlocks(devnet, 45);
  const { body } = await devnet.fetch('http://localhost/sunup/events?events=block,transaction,removed');
  const [, from, to] = devnet.accounts;
  const sent: string[] = [];
  for (let amount = 1; amount <= 200; amount++) {
    const fields = { owner_address: from!.addressHex, to_address: to!.addressHex, amount };
    const built = JSON.parse((await devnet.post('/wallet/createtransaction', JSON.stringify(fields))).text);
    const signature = [sign(built.txID, from!.privateKey)];
    await devnet.post('/wallet/broadcasttransaction', JSON.stringify({ ...built, signature }));
    sent.push(built.txID);
  }
  const { number } = await devnet.mine(1);
  const room = warned(/the chain goes on$/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  // The rollback takes several turns, in which the reader takes what was not written for want of its attention.
  const rolledBack = devnet.rollback(46);
  let events = '';
  const read = (async () => {
    for await (const part of body as ReadableStream<Uint8Array>) {
      events += Buffer.from(part).toString();
      if (events.includes(`"number":${number + 1},`)) break;
    }
  })();
  await expect(rolledBack).rejects.toThrow(FULL);
  await retriedUntil(room);
  await devnet.mine(1);
  await read;
  const told = Array.from(events.matchAll(/event: transaction\n(?:id: \w+\n)?data: \{"txid":"(\w+)"/g), ([, id]) => id);
  expect(told).toEqual(sent);
  await devnet.close();
});

// Found by the simulator with seed 701059.
it('a revert that its disk refused has not happened', async () => {
  const { devnet, disk, warned, node } = await started({ mining: 'instant' });
  const ask = async (method: string, params: readonly unknown[] = []) =>
    JSON.parse((await devnet.post('/eth', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).text);
  const pending = async () => (await devnet.post('/wallet/gettransactionlistfrompending', '{}')).text;
  const snapshot = devnet.snapshot();
  await devnet.setMining('manual');
  await devnet.mine(2);
  const filter = (await ask('eth_newBlockFilter')).result;
  await devnet.mine(1);
  const later = devnet.snapshot();
  const transfer = await signedTransfer(devnet);
  await devnet.post('/wallet/broadcasttransaction', transfer);
  const { txID } = JSON.parse(transfer);
  const before = [node.chain.headId, node.clock.nowMs(), node.producer.mode, await pending()];
  expect(before[3]).toContain(txID);

  const room = warned(/the chain goes on$/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  await expect(devnet.revert(snapshot)).rejects.toThrow(FULL);
  await retriedUntil(room);
  expect([node.chain.headId, node.clock.nowMs(), node.producer.mode, await pending()]).toEqual(before);
  expect((await ask('eth_getFilterChanges', [filter])).result).toEqual([`0x${node.chain.headId}`]);
  await devnet.revert(later);
  await devnet.revert(snapshot);
  expect(node.producer.mode).toBe('instant');
  await devnet.close();
});

// Found by the simulator with seed 815.
it('a rollback that its disk refused leaves the lists of the past whole', async () => {
  const { devnet, disk, warned } = await started({ parameters: { ALLOW_MARKET_TRANSACTION: 1 } });
  const [owner] = devnet.accounts;
  const ask = async (path: string, fields: object) =>
    JSON.parse((await devnet.post(path, JSON.stringify(fields))).text);
  const send = async (method: string, fields: object) => {
    const transaction = await ask(`/wallet/${method}`, { owner_address: owner!.addressHex, ...fields });
    const signature = [sign(transaction.txID, owner!.privateKey)];
    expect(await ask('/wallet/broadcasttransaction', { ...transaction, signature })).toMatchObject({ result: true });
    return devnet.mine(1);
  };
  const { number: head } = await devnet.mine(1);
  const now = (await ask('/wallet/getblockbynum', { num: head })).block_header.raw_data.timestamp;
  const dates = { start_time: now + 60_000, end_time: now + 600_000 };
  await send('createassetissue', { name: '746f6b656e', total_supply: 100, trx_num: 1, num: 1, ...dates, url: '61' });
  const { number } = await send('marketsellasset', {
    ...{ sell_token_id: '5f', sell_token_quantity: 10, buy_token_id: '31303030303031', buy_token_quantity: 10 },
  });

  const { orders } = await ask('/wallet/getmarketorderbyaccount', { value: owner!.addressHex });
  expect((await send('marketcancelorder', { order_id: orders[0].order_id })).number).toBe(number + 1);

  const room = warned(/the chain goes on$/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  await expect(devnet.rollback(2)).rejects.toThrow(FULL);
  await retriedUntil(room);
  await ask('/tre', { jsonrpc: '2.0', id: 1, method: 'tron_setSolidityLag', params: [1] });
  expect(await ask('/wallet/getmarketpairlist', {})).toEqual({});
  expect((await ask('/walletsolidity/getmarketpairlist', {})).orderPair).toHaveLength(1);
  await devnet.close();
});

it('a reset that its disk refused has not happened', async () => {
  const { devnet, disk, warned, node } = await started({ stateHistory: 256 });
  const account = await changedInBlocks(devnet, 300);
  const questions = [
    ['/wallet/getnowblock', '{}'],
    ['/walletsolidity/getnowblock', '{}'],
    ['/wallet/getaccount', `{"address":"${account.addressHex}"}`],
    ['/wallet/listwitnesses', '{}'],
    ['/eth', '{"id":1,"method":"eth_getBalance","params":["0x0000000000000000000000000000000000000001","0x118"]}'],
  ] as const;
  const answers = async () => Promise.all(questions.map(async ([path, body]) => (await devnet.post(path, body)).text));
  const before = await answers();
  const rows = disk.image().toArray();
  const { headNumber, commits } = node.chain;
  const { stateFrom } = commits;
  expect(stateFrom).toBeGreaterThan(0);
  for (const remains of ['nothing', 'all'] as const) {
    const room = warned(/the chain goes on$/);
    disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains });
    await expect(devnet.reset()).rejects.toThrow(FULL);
    expect(await answers()).toEqual(before);
    await retriedUntil(room);
    expect(disk.image().toArray()).toEqual(rows);
    expect(commits.stateFrom).toBe(stateFrom);
  }
  expect((await devnet.mine(1)).number).toBe(headNumber + 1);
  await devnet.reset();
  expect(node.chain.headNumber).toBeLessThan(headNumber);
  await devnet.close();
});

// Found by the simulator with seed 2.
it('a reset that its disk refused has lost neither snapshots nor time nor settings', async () => {
  const { devnet, disk, warned, node } = await started();
  await devnet.mine(3);
  const snapshot = devnet.snapshot();
  await devnet.setMining('instant');
  const { number } = await devnet.mine(1);
  const now = () => [node.clock.nowMs(), node.producer.mode, node.snapshotHeights, node.instanceId];
  const before = now();
  const room = warned(/the chain goes on$/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  await expect(devnet.reset()).rejects.toThrow(FULL);
  await retriedUntil(room);
  expect(now()).toEqual(before);
  expect(await headNumber(devnet)).toBe(number);
  await devnet.revert(snapshot);
  expect(await headNumber(devnet)).toBe(number - 1);
  await devnet.close();
});

// Found by the simulator with seed 374008.
it.each(['rollback', 'reorg'] as const)('a %s that its disk refused has lost no snapshot', async (way) => {
  const { devnet, disk, warned } = await started();
  await devnet.mine(5);
  const snapshot = devnet.snapshot();
  const { number } = await devnet.mine(1);
  const room = warned(/the chain goes on$/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  await expect(devnet[way](3)).rejects.toThrow(FULL);
  await retriedUntil(room);
  await devnet.revert(snapshot);
  expect(await headNumber(devnet)).toBe(number - 1);
  await devnet.close();
});

it('a snapshot of a block that the disk has refused stays unknown, also when another block has its number', async () => {
  const { devnet, disk, warned, node } = await started();
  await devnet.mine(3);
  const room = warned(/the chain goes on$/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  node.mine(1);
  const snapshot = devnet.snapshot();
  await retriedUntil(room);
  await devnet.mine(2);
  await expect(devnet.revert(snapshot)).rejects.toThrow(`no snapshot ${snapshot}`);
  await devnet.close();
});

it('a snapshot of blocks that a rollback has removed before the disk refused it stays unknown', async () => {
  const { devnet, disk, warned, node } = await started();
  await changedInBlocks(devnet, 60);
  const snapshot = devnet.snapshot();
  const { headNumber } = node.chain;
  const room = warned(/the chain goes on$/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, after: 1, remains: 'nothing' });
  await expect(devnet.rollback(60)).rejects.toThrow(FULL);
  await retriedUntil(room);
  expect(node.chain.headNumber).toBeLessThan(headNumber);
  await devnet.mine(70);
  await expect(devnet.revert(snapshot)).rejects.toThrow(`no snapshot ${snapshot}`);
  await devnet.close();
});

it('a load that its disk refuses leaves the chain of before', async () => {
  const { devnet, disk, warned } = await started();
  const account = await changedInBlocks(devnet, 60);
  const dump = await devnet.dump();
  await devnet.mine(1);
  await devnet.setBalance(account.address, 5);
  const number = await headNumber(devnet);
  let last: { readonly number: number } | undefined;
  devnet.on('branched', (branched) => {
    last = branched;
  });
  // The first steps, those of the loaded chain, and those that bring the old one back.
  for (const after of [0, 1, 40, 120]) {
    const room = warned(/the chain goes on$/);
    disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing', after });
    if (after === 40) disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing', after: 70 });
    await expect(devnet.load(dump)).rejects.toThrow(FULL);
    await retriedUntil(room);
    expect(await headNumber(devnet)).toBe(number);
    expect(last).toMatchObject({ number });
    last = undefined;
  }
  await devnet.load(dump);
  expect(await headNumber(devnet)).toBe(number - 1);
  await devnet.close();
});

it('a chain that a load has kept is not brought back later, although the disk refuses to remove it', async () => {
  const { devnet, disk, warned } = await started();
  const account = await changedInBlocks(devnet, 10);
  const dump = await devnet.dump();
  const loaded = await headNumber(devnet);
  await devnet.setBalance(account.address, 5);
  await devnet.mine(1);
  // Its calls: it is written, gets its name, and is removed.
  const refuse = (after: number, remains: 'nothing' | 'all') =>
    disk.faults.push({ what: 'file', error: 'EIO', calls: 1, after, remains });

  const before = disk.image().toArray();
  const roomBefore = warned(/the chain goes on$/);
  refuse(1, 'all');
  refuse(0, 'nothing');
  await expect(devnet.load(dump)).rejects.toThrow('load: cancelled, because the present chain cannot be kept (EIO: ');
  await retriedUntil(roomBefore);
  expect(disk.beforeLoad).toBeUndefined();
  expect(disk.image().toArray()).toEqual(before);

  const room = warned(/the chain goes on$/);
  refuse(2, 'nothing');
  await devnet.load(dump);
  await retriedUntil(room);
  expect(disk.beforeLoad).toBeUndefined();
  await devnet.setBalance(account.address, 6);
  await devnet.mine(1);
  await devnet.close();
  const again = await started({}, disk);
  expect(await headNumber(again.devnet)).toBe(loaded + 1);
  await again.devnet.close();
});

it('a directory of which a file cannot be removed is refused by name, and can be used later', async () => {
  const { devnet, disk } = await started();
  await devnet.mine(3);
  const { closedMark } = disk;
  await devnet.close();
  expect(closedMark).toBeUndefined();
  disk.faults.push({ what: 'file', error: 'EIO', calls: 1, remains: 'nothing' });
  await expect(started({}, disk)).rejects.toThrow(
    'option db is /simulated/chain, which cannot be used: EIO: Input/output error',
  );
  const again = await started({}, disk);
  expect(await headNumber(again.devnet)).toBe(5);
  await again.devnet.close();
});

it('a node that waits for its disk to bring a chain back can be closed', async () => {
  const { devnet, disk, warned } = await started();
  await changedInBlocks(devnet, 20);
  const dump = await devnet.dump();
  const full = warned(/is full/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: Number.POSITIVE_INFINITY, remains: 'nothing', after: 30 });
  const loaded = expect(devnet.load(dump)).rejects.toThrow('load: stopped, because the node is being closed');
  await full;
  await devnet.close();
  await loaded;
});

// Found by the simulator with seed 803061.
it('a long way back that its disk refuses midway is told as far as it went, and nothing pending is lost', async () => {
  const { devnet, disk, warned, node } = await started();
  const id = devnet.snapshot();
  const { headNumber } = node.chain;
  let transfer = '';
  for (let block = 0; block < 30; block++) {
    // Of a block that stays, and not expired at the end.
    if (block === 15) transfer = await signedTransfer(devnet);
    for (let i = 0; i < 8; i++) await devnet.setBalance(devnet.accounts[2]!.address, 1_000_000 + i);
    await devnet.mine(1);
  }
  await devnet.post('/wallet/broadcasttransaction', transfer);
  const pending = () => node.chain.pool.members().map(({ transaction }) => transaction.txId);
  const before = pending();
  expect(before).toHaveLength(1);
  const heads: number[] = [];
  devnet.on('branched', ({ number }) => heads.push(number));
  for (const goBack of [() => devnet.revert(id), () => devnet.rollback(node.chain.headNumber - headNumber)]) {
    const room = warned(/the chain goes on$/);
    const last = node.chain.headNumber;
    disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing', after: 1 });
    await expect(goBack()).rejects.toThrow(/because the disk is full\. The head is block \d+, and queries still work/);
    expect(node.chain.headNumber).toBeLessThan(last);
    expect(heads.at(-1)).toBe(node.chain.headNumber);
    expect(pending()).toEqual(before);
    await retriedUntil(room);
  }
  await devnet.revert(id);
  expect(node.chain.headNumber).toBe(headNumber);
  await devnet.close();
});

// Found by the simulator with seed 777032.
it('what was refused is not read while the opened database still has it', async () => {
  const { devnet, disk, warned, node } = await started();
  await devnet.mine(3);
  const { store } = node.chain;
  const listed = async (reverse: boolean, limit: number) => {
    const rows: [string, string][] = [];
    for await (const { key, value } of store.rows('', { reverse, limit }))
      rows.push([key, Buffer.from(value).toString('hex')]);
    return rows;
  };
  const lists = async () => [
    await listed(false, 1e6),
    await listed(true, 1e6),
    await listed(false, 3),
    await listed(true, 3),
  ];
  const before = await lists();
  const room = warned(/the chain goes on$/);
  const again: DiskFault = { what: 'write', error: 'ENOSPC', calls: 2, remains: 'nothing' };
  disk.faults.push({ what: 'table', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'all' }, again);
  const restoringFailed = new Promise<void>((resolve) => {
    disk.onCall = () => {
      if (again.calls === 1) resolve();
    };
  });
  await expect(devnet.reset()).rejects.toThrow(FULL);
  await restoringFailed;
  expect(await lists()).toEqual(before);
  // Reads the pre-images of the head, which the reset would have deleted.
  await expect(devnet.rollback(1)).rejects.toThrow(FULL);
  await retriedUntil(room);
  disk.onCall = undefined;
  await devnet.rollback(1);
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
  await retriedUntil(room);
  await devnet.close();
});

// Found by the simulator, once a gRPC call was to end with a status.
it('a gRPC client is told that the disk is full', async () => {
  const { devnet, disk, warned } = await started({ mining: 'instant', httpPort: 0, grpcPort: 0 });
  const client = new ServiceClient('Wallet', devnet.grpc!.url);
  const [from, to] = devnet.accounts.map(({ addressHex }) => Buffer.from(addressHex, 'hex'));
  const fields = { owner_address: from, to_address: to, amount: 5 };
  const { transaction, txid } = await client.call<{ readonly transaction: Json; readonly txid: Buffer }>(
    'CreateTransaction2',
    fields,
  );
  const signature = [Buffer.from(sign(txid.toString('hex') as TxId, devnet.accounts[0]!.privateKey), 'hex')];
  const room = warned(/the chain goes on$/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  const refused = client.call('BroadcastTransaction', { ...transaction, signature });
  await expect(refused).rejects.toMatchObject({ code: status.UNAVAILABLE, details: expect.stringContaining(FULL) });
  await retriedUntil(room);
  client.close();
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
  await retriedUntil(secondAttempt);
  expect((await balance()).text).toMatch(/the chain cannot be read until its disk works again/);
  await retriedUntil(room);
  expect((await balance()).text).toBe(text);
  expect((await devnet.mine(1)).number).toBeGreaterThan(0);
  await devnet.close();
});

// Found by the simulator with seed 938133.
it('a fork by the clock whose database is closed for a while goes on when it is open again', async () => {
  await using network = await createDevnet({ mining: 'manual', accounts: 1, httpPort: false });
  await network.mine(1);
  const time = new SimulatedClock(1_900_000_000_000);
  const clock = time.forProcess(() => true);
  const machine = { ...thisMachine, clock, fetch: (url: string, init: RequestInit) => network.fetch(url, init) };
  const options: DevnetOptions = { mining: 'interval', clock, fork: 'http://network.simulated', accounts: 1 };
  const { devnet, disk } = await started(options, new VirtualDisk(), machine);
  const failures: Error[] = [];
  devnet.on('failed', (failure) => failures.push(failure));
  const pass = async (ms: number) => {
    const untilMs = time.passedMs + ms;
    do for (let round = 0; round < 50; round++) await new Promise(setImmediate);
    while (time.passToNext(untilMs));
  };
  await pass(10_000);
  const before = await headNumber(devnet);
  for (const what of ['table', 'write'] as const)
    disk.faults.push({ what, error: 'EIO', calls: 1, remains: 'nothing' });
  disk.faults.push({ what: 'open', error: 'EIO', calls: 20, remains: 'nothing' });
  await pass(10_000);
  const { text } = await devnet.post('/wallet/getnowblock', '{}');
  expect(text).toMatch(/the chain cannot be read until its disk works again/);
  // This asks for the time of the next block, of which a row cannot be read.
  await devnet.setMining('interval');
  await pass(60_000);
  expect(await headNumber(devnet)).toBeGreaterThan(before);
  expect(failures).toEqual([]);
  await devnet.close();
});

// Found by the simulator with seed 702078.
it('a batch that was written although it was refused is taken back when the node closes', async () => {
  const { devnet, disk } = await started();
  const { number } = await devnet.mine(1);
  disk.faults.push({ what: 'write', error: 'EIO', calls: 1, remains: 'all' });
  await expect(devnet.mine(1)).rejects.toThrow(/cannot be written/);
  await devnet.close();
  const next = await started({}, disk);
  expect(await headNumber(next.devnet)).toBe(number);
  await next.devnet.close();
});

// Found by the simulator with seed 700001.
it("a row of a fork's network that a disk has refused is fetched again", async () => {
  await using network = await createDevnet({ mining: 'manual', accounts: 1 });
  const stranger = `41${'5a'.repeat(20)}`;
  await network.setBalance(stranger, 5_000_000);
  await network.mine(1);
  const { devnet, disk, warned } = await started({ fork: network.http.url, accounts: 1 });
  await devnet.mine(1);
  const balance = async () => (await devnet.post('/wallet/getaccount', JSON.stringify({ address: stranger }))).text;
  const fetched = () => [...disk.image().keys()].some((key) => key.endsWith(`a:${stranger}`));

  const room = warned(/the chain goes on$/);
  disk.faults.push({ what: 'write', error: 'ENOSPC', calls: 1, remains: 'nothing' });
  expect(await balance()).toMatch(/cannot be stored/);
  expect(fetched()).toBe(false);
  await expect(devnet.mine(1)).rejects.toThrow(FULL);
  // Without a block that is refused, too.
  await retriedUntil(room);
  expect(await balance()).toMatch(/5000000/);
  expect(fetched()).toBe(true);
  await devnet.mine(1);

  // Found by the simulator with seed 730014.
  const failed = new Promise<Error>((resolve) => devnet.on('failed', resolve));
  disk.faults.push({ what: 'write', error: 'EMFILE', calls: 1, remains: 'nothing' });
  disk.onRefusal = () => disk.faults.push({ what: 'read', error: 'EMFILE', calls: 1, remains: 'nothing' });
  await devnet.post('/wallet/getaccount', JSON.stringify({ address: `41${'5b'.repeat(20)}` }));
  expect(await failed).toBeInstanceOf(DamagedStoreError);
  await devnet.close();
});

it('a snapshot keeps the state that its solidity view reads', async () => {
  const { devnet } = await started({ stateHistory: 256, solidified: 'network' });
  await devnet.mine(30);
  const solid = async () => (await devnet.post('/walletsolidity/getnowblock', '{}')).text;
  const before = await solid();
  const snapshot = devnet.snapshot();
  await changedInBlocks(devnet, 400);
  await devnet.revert(snapshot);
  expect(await solid()).toBe(before);
  await devnet.close();
});

// Found by the simulator with seed 797032: the process ended with a stack.
it('a start without the history index is refused where its note is', async () => {
  const { devnet, disk } = await started();
  await devnet.mine(2);
  await devnet.close();
  disk.faults.push({ what: 'write', error: 'EIO', calls: 1, remains: 'nothing' });
  await expect(started({ history: false }, disk)).rejects.toThrow(/which cannot hold a database: IO error/);
  const without = await started({ history: false }, disk);
  await without.devnet.post('/wallet/broadcasttransaction', await signedTransfer(without.devnet));
  await without.devnet.mine(1);
  await without.devnet.close();
  const { devnet: indexed } = await started({}, disk);
  const { address } = indexed.accounts[0]!;
  const listed = await indexed.fetch(`http://localhost/v1/accounts/${address}/transactions`);
  expect(((await listed.json()) as { data: unknown[] }).data).toHaveLength(1);
  await indexed.close();
});

it('a reset writes how far the history is indexed with its first block', async () => {
  const batches = async (history: boolean) => {
    const { devnet, disk } = await started({ history, stateHistory: 256 });
    // More than is kept, so that the reset is one batch.
    await changedInBlocks(devnet, 260);
    const { accepted } = disk;
    await devnet.reset();
    const ofTheReset = disk.accepted - accepted;
    await devnet.close();
    return ofTheReset;
  };
  expect(await batches(false)).toBe(await batches(true));
});
