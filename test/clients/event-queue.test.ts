/** java-tron's native event queue, received by ZeroMQ's own subscriber (protocol/events.md). */

import { afterEach, describe, expect, test } from 'vitest';
import { Subscriber } from 'zeromq';
import type { DevnetOptions } from '../../src/index.js';
import { createDevnet } from '../../src/index.js';
import { compile, TRX, TronWebDevnet } from './tronweb-devnet.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Token {
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Note(string text, bytes32 mark);
  function transfer(address to, uint256 value) external { emit Transfer(msg.sender, to, value); }
  function note() external { emit Note("noted", bytes32(uint256(7))); }
}
contract Silent {
  function speak(bytes calldata data) external { assembly { log1(data.offset, 0, 42) } }
}`;

type Told = { readonly topic: string } & Readonly<Record<string, unknown>>;

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

class Listener {
  readonly #told: Told[] = [];
  #wake: (() => void) | undefined;

  constructor(readonly socket: Subscriber) {
    void this.#listen();
  }

  async #listen(): Promise<void> {
    for await (const [topic, text] of this.socket) {
      this.#told.push({ topic: String(topic), ...JSON.parse(String(text)) });
      this.#wake?.();
    }
  }

  get heard(): boolean {
    return this.#told.length > 0;
  }

  /** Messages up to and including the first match. */
  async until(last: (told: Told) => boolean): Promise<Told[]> {
    for (;;) {
      const at = this.#told.findIndex(last);
      if (at >= 0) return this.#told.splice(0, at + 1);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** A chain with a queue, a token, and a subscriber. */
async function start(options: DevnetOptions = {}, topic = '') {
  const chain = await TronWebDevnet.start({ ...options, eventQueue: 'tcp://127.0.0.1:*' });
  const { devnet } = chain;
  open.push(devnet);
  const deploy = async (name: string) => {
    const built = chain
      .client(0)
      .transactionBuilder.createSmartContract(
        { ...compile(SOURCE, name), feeLimit: 1_000 * TRX, name, userFeePercentage: 100 } as never,
        chain.address(0),
      );
    return (await chain.send(0, built)).contract_address!;
  };
  const token = await deploy('Token');
  const silent = await deploy('Silent');
  const socket = new Subscriber();
  open.push(socket);
  socket.connect(devnet.eventQueue!);
  socket.subscribe(topic);
  const listener = new Listener(socket);
  // A subscription takes effect some time later: makes blocks until the first one is received.
  if (topic === '') {
    while (!listener.heard) await devnet.mine(1);
    const { number } = await devnet.mine(1);
    await listener.until((told) => told.blockNumber === number || told.latestSolidifiedBlockNumber === number);
  }
  const call = (contract: string, method: string, parameters: { type: string; value: unknown }[] = [], from = 0) =>
    chain.send(
      from,
      chain
        .client(from)
        .transactionBuilder.triggerSmartContract(
          contract,
          method,
          { feeLimit: 100 * TRX },
          parameters,
          chain.address(from),
        )
        .then(({ transaction }) => transaction),
    );
  const transfer = (value: number, from = 0) =>
    call(
      token,
      'transfer(address,uint256)',
      [
        { type: 'address', value: chain.address(1) },
        { type: 'uint256', value },
      ],
      from,
    );
  return { chain, devnet, listener, token, silent, call, transfer };
}

const base58 = (chain: TronWebDevnet, address: string) => chain.client(0).address.fromHex(address);

test('each block of an empty run names the block that was solidified with it', async () => {
  const { devnet, listener } = await start();
  const { number } = await devnet.mine(20);
  const all = await listener.until(
    (one) => one.topic === 'solidityTrigger' && one.latestSolidifiedBlockNumber === number,
  );
  const blocks = all.filter((one) => one.topic === 'blockTrigger' && (one.blockNumber as number) > number - 20);
  expect(blocks.map((one) => one.blockNumber)).toEqual(Array.from({ length: 20 }, (_, i) => number - 19 + i));
  for (const one of blocks) expect(one.latestSolidifiedBlockNumber).toBe(one.blockNumber);
});

test('a call with an event: the event, its block, its transaction, and their solidified triggers', async () => {
  const { chain, listener, token, transfer } = await start();
  const info = await transfer(1000, 1);
  const number = info.blockNumber;
  const block = await chain.client(0).trx.getBlock(number);
  const timeStamp = block.block_header.raw_data.timestamp;
  const all = await listener.until((one) => one.topic === 'solidityTrigger' && one.timeStamp === timeStamp);
  const told = all.filter((one) => one.timeStamp === timeStamp);
  const [from, to] = [chain.address(1), chain.address(1)];
  const log = {
    timeStamp,
    uniqueId: `${info.id}_1`,
    transactionId: info.id,
    contractAddress: base58(chain, token),
    callerAddress: '',
    originAddress: from,
    creatorAddress: chain.address(0),
    blockNumber: number,
    blockHash: block.blockID,
    removed: false,
    logInfo: null,
    rawData: info.log![0],
    abi: null,
    eventSignature: 'Transfer(address,address,uint256)',
    eventSignatureFull: 'Transfer(address from,address to,uint256 value)',
    eventName: 'Transfer',
    topicMap: { 0: from, from, 1: to, to },
    dataMap: { 2: '1000', value: '1000' },
  };
  const { receipt } = info;
  expect(told).toEqual([
    {
      topic: 'contractEventTrigger',
      triggerName: 'contractEventTrigger',
      ...log,
      latestSolidifiedBlockNumber: number - 1,
    },
    {
      topic: 'blockTrigger',
      triggerName: 'blockTrigger',
      timeStamp,
      blockNumber: number,
      blockHash: block.blockID,
      transactionSize: 1,
      latestSolidifiedBlockNumber: number,
      transactionList: [info.id],
    },
    {
      topic: 'transactionTrigger',
      triggerName: 'transactionTrigger',
      timeStamp,
      transactionId: info.id,
      blockHash: block.blockID,
      blockNumber: number,
      energyUsage: receipt.energy_usage ?? 0,
      energyFee: receipt.energy_fee ?? 0,
      originEnergyUsage: receipt.origin_energy_usage ?? 0,
      energyUsageTotal: receipt.energy_usage_total,
      netUsage: receipt.net_usage ?? 0,
      netFee: receipt.net_fee ?? 0,
      result: 'SUCCESS',
      contractAddress: base58(chain, token),
      contractType: 'TriggerSmartContract',
      feeLimit: 100 * TRX,
      contractCallValue: 0,
      contractResult: null,
      fromAddress: from,
      toAddress: base58(chain, token),
      assetName: null,
      assetAmount: 0,
      latestSolidifiedBlockNumber: number,
      internalTransactionList: [],
      data: '',
      transactionIndex: 0,
      cumulativeEnergyUsed: 0,
      preCumulativeLogCount: 0,
      logList: null,
      energyUnitPrice: 0,
      extMap: null,
    },
    {
      topic: 'solidityEventTrigger',
      triggerName: 'solidityEventTrigger',
      ...log,
      latestSolidifiedBlockNumber: number,
    },
    {
      topic: 'solidityTrigger',
      triggerName: 'solidityTrigger',
      timeStamp,
      latestSolidifiedBlockNumber: number,
    },
  ]);
});

test('a transfer of TRX has sender, recipient, amount, and memo', async () => {
  const { chain, listener } = await start({ eventTriggers: ['transaction', 'solidity'] });
  const { transactionBuilder } = chain.client(0);
  const plain = await transactionBuilder.sendTrx(chain.address(2), 5, chain.address(0));
  const { id } = await chain.send(0, transactionBuilder.addUpdateData(plain, 'Miete', 'utf8'));
  const [told] = await listener.until(({ topic }) => topic === 'transactionTrigger');
  expect(told).toMatchObject({
    transactionId: id,
    contractType: 'TransferContract',
    contractAddress: null,
    fromAddress: chain.address(0),
    toAddress: chain.address(2),
    assetName: 'trx',
    assetAmount: 5,
    data: Buffer.from('Miete').toString('hex'),
    feeLimit: 0,
  });
});

test("with ethCompatible a transaction has the fields of Ethereum's receipts", async () => {
  const { chain, devnet, listener, token } = await start({
    eventTriggers: ['transaction:ethCompatible', 'solidity'],
  });
  await devnet.setMining('manual');
  const built = async (from: number, value: number) => {
    const { transaction } = await chain.client(from).transactionBuilder.triggerSmartContract(
      token,
      'transfer(address,uint256)',
      { feeLimit: 100 * TRX },
      [
        { type: 'address', value: chain.address(3) },
        { type: 'uint256', value },
      ],
      chain.address(from),
    );
    const { trx } = chain.client(from);
    await trx.sendRawTransaction((await trx.sign(transaction)) as never);
  };
  await built(0, 1);
  await built(1, 2);
  await devnet.mine(1);
  const told = (await listener.until(({ topic }) => topic === 'solidityTrigger')).filter(
    ({ topic }) => topic === 'transactionTrigger',
  );
  const [first, second] = told as [Told, Told];
  expect(first).toMatchObject({ transactionIndex: 0, preCumulativeLogCount: 0, contractAddress: null });
  expect(second).toMatchObject({
    transactionIndex: 1,
    preCumulativeLogCount: 1,
    energyUnitPrice: 100,
    cumulativeEnergyUsed: (first.energyUsageTotal as number) + (second.energyUsageTotal as number),
    logList: [
      {
        address: token.slice(2),
        blockHash: second.blockHash,
        blockNumber: second.blockNumber,
        logIndex: 1,
        transactionHash: second.transactionId,
        transactionIndex: 1,
        topicList: [expect.any(String), expect.any(String), expect.any(String)],
        data: '2'.padStart(64, '0'),
      },
    ],
  });
});

test('a log without an ABI is a contract log; with redundancy an event is one, too', async () => {
  const { listener, silent, call, transfer } = await start({
    eventTriggers: ['contractevent', 'contractlog:redundancy', 'block'],
  });
  const spoken = await call(silent, 'speak(bytes)', [{ type: 'bytes', value: '0x' }]);
  const moved = await transfer(7);
  const told = await listener.until((one) => one.topic === 'blockTrigger' && one.blockNumber === moved.blockNumber);
  const logs = told.filter(({ topic }) => topic !== 'blockTrigger');
  expect(logs.map(({ topic, uniqueId }) => [topic, uniqueId])).toEqual([
    ['contractLogTrigger', `${spoken.id}_1`],
    ['contractEventTrigger', `${moved.id}_1`],
    ['contractLogTrigger', `${moved.id}_1`],
  ]);
  expect(logs[0]).toMatchObject({ topicList: ['2a'.padStart(64, '0')], data: '' });
  expect(logs[2]).toMatchObject({ topicList: moved.log![0]!.topics, data: moved.log![0]!.data });
});

test('values of other types: a string and bytes', async () => {
  const { listener, token, call } = await start({ eventTriggers: ['contractevent', 'block'] });
  await call(token, 'note()');
  const told = await listener.until(({ topic }) => topic === 'contractEventTrigger');
  expect(told.at(-1)).toMatchObject({
    eventSignatureFull: 'Note(string text,bytes32 mark)',
    topicMap: {},
    dataMap: { 0: 'noted', text: 'noted', 1: '7'.padStart(64, '0'), mark: '7'.padStart(64, '0') },
  });
});

describe('filters', () => {
  test('by a topic', async () => {
    const account = await topicOfAccount0();
    const { listener, call, token, silent, transfer } = await start({
      eventTriggers: ['contractevent', 'contractlog', 'block'],
      eventTopics: [account],
    });
    await call(token, 'note()');
    await call(silent, 'speak(bytes)', [{ type: 'bytes', value: '0x' }]);
    const { id, blockNumber } = await transfer(1);
    const told = await listener.until((one) => one.topic === 'blockTrigger' && one.blockNumber === blockNumber);
    expect(told.filter(({ topic }) => topic !== 'blockTrigger').map(({ uniqueId }) => uniqueId)).toEqual([`${id}_1`]);
  });

  test('by contract', async () => {
    // The first contract of account 0 has the same address on each chain.
    const first = await start();
    const token = first.token;
    const { listener, silent, call, transfer } = await start({
      eventTriggers: ['contractevent', 'contractlog', 'block'],
      eventContracts: [base58(first.chain, token)],
    });
    await call(silent, 'speak(bytes)', [{ type: 'bytes', value: '0x' }]);
    const { id, blockNumber } = await transfer(1);
    const told = await listener.until((one) => one.topic === 'blockTrigger' && one.blockNumber === blockNumber);
    expect(told.filter(({ topic }) => topic !== 'blockTrigger').map(({ uniqueId }) => uniqueId)).toEqual([`${id}_1`]);
  });
});

test('events of removed blocks are sent again, as removed', async () => {
  const { devnet, listener, transfer } = await start({ eventTriggers: ['contractevent', 'block'] });
  const snapshot = devnet.snapshot();
  const { id, blockNumber } = await transfer(3);
  await devnet.revert(snapshot);
  const { number } = await devnet.mine(1);
  expect(number).toBe(blockNumber);
  const told = await listener.until(({ topic, transactionSize }) => topic === 'blockTrigger' && transactionSize === 0);
  expect(told.map(({ topic, uniqueId, removed }) => [topic, uniqueId, removed])).toEqual([
    ['contractEventTrigger', `${id}_1`, false],
    ['blockTrigger', undefined, undefined],
    ['contractEventTrigger', `${id}_1`, true],
    ['blockTrigger', undefined, undefined],
  ]);
});

test('4.8.2: blocks and transactions are also sent again as removed, the newest first', async () => {
  const { devnet, listener, transfer } = await start({
    nodeVersion: '4.8.2',
    eventTriggers: ['contractevent', 'block', 'transaction'],
  });
  const snapshot = devnet.snapshot();
  const { id, blockNumber: number } = await transfer(3);
  await devnet.mine(1_500);
  await devnet.revert(snapshot);
  await devnet.mine(1);
  const told = await listener.until(
    ({ topic, transactionSize, blockNumber }) =>
      topic === 'blockTrigger' && transactionSize === 0 && blockNumber === number,
  );
  const said = told.map(({ topic, blockNumber, removed, uniqueId, transactionId }) => [
    ...[topic, blockNumber, removed],
    ...(topic === 'blockTrigger' ? [] : [uniqueId ?? transactionId]),
  ]);
  const blocks = Array.from({ length: 1_500 }, (_, i) => number + 1 + i);
  const ofTransfer = (removed: boolean) => [
    ['contractEventTrigger', number, removed, `${id}_1`],
    ['blockTrigger', number, removed],
    ['transactionTrigger', number, removed, id],
  ];
  expect(said).toEqual([
    ...ofTransfer(false),
    ...blocks.map((block) => ['blockTrigger', block, false]),
    ...blocks.reverse().map((block) => ['blockTrigger', block, true]),
    ...ofTransfer(true),
    ['blockTrigger', number, false],
  ]);
});

test('with solidified, blocks and transactions are sent when they are solidified', async () => {
  const { chain, devnet, listener } = await start({
    eventTriggers: ['block:solidified', 'transaction:solidified', 'solidity'],
  });
  await devnet.setSolidityLag(2);
  const { txid } = await chain.client(0).trx.sendTransaction(chain.address(1), 5);
  const { number } = await devnet.mine(2);
  const told = await listener.until(({ topic }) => topic === 'transactionTrigger');
  const blockNumber = number - 2;
  expect(told.at(-1)).toMatchObject({ transactionId: txid, blockNumber });
  expect(told.at(-2)).toMatchObject({ topic: 'blockTrigger', blockNumber });
});

test('thousands of empty blocks are sent one by one', async () => {
  const { devnet, listener } = await start({ eventTriggers: ['block'] });
  const { number } = await devnet.mine(3_000);
  const told = await listener.until(({ blockNumber }) => blockNumber === number);
  expect(told.map(({ blockNumber }) => blockNumber)).toEqual(
    Array.from({ length: 3_000 }, (_, at) => number - 2_999 + at),
  );
});

test.for([
  [{ eventQueue: 'localhost:5555' }, 'option eventQueue is "localhost:5555", which is not a ZeroMQ endpoint'],
  [{ eventTriggers: ['blocks'] }, 'option eventTriggers has "blocks", which is not a trigger'],
  [{ eventTriggers: ['solidity:redundancy'] }, 'option eventTriggers has "redundancy" of solidity'],
  [{ eventContracts: ['T123'] }, 'option eventContracts is "T123", which is not a valid address'],
  [{ eventTopics: ['0x12'] }, 'option eventTopics is "0x12", which is not a topic'],
] as [DevnetOptions, string][])('%j is refused', async ([options, message]) => {
  await expect(createDevnet(options)).rejects.toThrow(message);
});

test('an endpoint that is in use is refused', async () => {
  const { devnet } = await start({ eventTriggers: ['block'] });
  await expect(createDevnet({ eventQueue: devnet.eventQueue! })).rejects.toThrow(
    /option eventQueue is .*cannot be bound/,
  );
});

/** The topic of account 0 in a Transfer. */
async function topicOfAccount0(): Promise<string> {
  const devnet = await createDevnet({ httpPort: false });
  open.push(devnet);
  return devnet.accounts[0]!.addressHex.slice(2).padStart(64, '0');
}

test('a subscriber with an overlong topic is disconnected, and others are not affected', async () => {
  const { devnet, listener } = await start();
  const long = new Subscriber();
  open.push(long);
  const disconnected = new Promise<void>((resolve) => long.events.on('disconnect', () => resolve()));
  long.connect(devnet.eventQueue!);
  long.subscribe(Buffer.alloc(1_000_000, 'x'));
  await disconnected;
  const { number } = await devnet.mine(1);
  await listener.until((told) => told.blockNumber === number);
});
