/** The search for logs against a scan of every receipt, and the turns that a long one leaves to others. */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { strictDialect } from '../../../src/jsonrpc/dialect.js';
import { logMethods } from '../../../src/jsonrpc/methods/logs.js';
import type { RawJson, RpcContext } from '../../../src/jsonrpc/table.js';
import { SmartContract } from '../../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../src/protocol/generated/tron.js';
import { getBlockOutline } from '../../../src/wallet/blocks.js';
import { fullContext, type WalletContext } from '../../../src/wallet/context.js';
import { blockIdsAfter, type FoundLog, findLogs, TooManyLogsError } from '../../../src/wallet/logs.js';
import { getTransactionInfoById } from '../../../src/wallet/transactions.js';
import { SimulatedChain } from '../../simulation/simulated-chain.js';

/** Logs the first word that it is called with as its topic; with two words, both, in two places. */
const ONE_TOPIC = '60098060093d393df3' + '60003560006000a100';
const TWO_TOPICS = '600c8060093d393df3' + '60203560003560006000a200';

let chain: SimulatedChain;
let wallet: WalletContext;
let contracts: string[];

const topic = (i: number) => i.toString(16).padStart(64, '0');

beforeAll(async () => {
  chain = await SimulatedChain.open();
  wallet = fullContext(chain.node);
  const owner_address = chain.address(0);
  const feeLimitSun = 1_000_000_000n;
  contracts = [ONE_TOPIC, TWO_TOPICS].map((bytecode) => {
    const new_contract = SmartContract.create({ origin_address: owner_address, bytecode, origin_energy_limit: 1n });
    return chain.send(ContractType.CreateSmartContract, { owner_address, new_contract }, { feeLimitSun }).info
      .contract_address;
  });
  chain.node.mine(1);
  for (let i = 0; i < 90; i++) {
    const contract_address = contracts[i % 2];
    const data = topic(i % 3) + topic(i % 5);
    chain.send(ContractType.TriggerSmartContract, { owner_address, contract_address, data }, { feeLimitSun });
    if (i % 4 === 0) chain.node.mine(1);
    if (i % 30 === 0) chain.node.mine(200);
  }
  chain.node.mine(3);
});
afterAll(() => chain.close());

const found = (...[criteria, from, to]: [{ addresses: string[]; topics: string[][] }, bigint, bigint]) =>
  [...findLogs(() => wallet, criteria, from, to)].flatMap(({ logs }) => logs);

/** Every log of the chain, receipt by receipt. */
function everyLog(): FoundLog[] {
  const logs: FoundLog[] = [];
  for (let number = 0; number <= wallet.ledger.headNumber; number++) {
    const { id, transactionIds, header } = getBlockOutline(wallet, number)!;
    let logIndex = 0;
    for (const [transactionIndex, txId] of transactionIds.entries()) {
      for (const log of getTransactionInfoById(wallet, { value: txId })?.log ?? []) {
        const place = { blockNumber: number, blockId: id, blockTimestampMs: header.timestamp, txId, transactionIndex };
        logs.push({ ...log, ...place, logIndex: logIndex++ });
      }
    }
  }
  return logs;
}

test('finds what a scan of every receipt finds', () => {
  const all = everyLog();
  expect(all).toHaveLength(90);
  const head = BigInt(wallet.ledger.headNumber);
  const places = fc.array(fc.array(fc.integer({ min: 0, max: 5 }).map(topic), { maxLength: 3 }), { maxLength: 3 });
  const addresses = fc.subarray([...contracts.map((address) => address.slice(2)), 'ee'.repeat(20)]);
  const bound = fc.bigInt({ min: -3n, max: head + 3n });
  fc.assert(
    fc.property(addresses, places, bound, bound, (some, topics, from, to) => {
      const expected = all.filter(
        (log) =>
          BigInt(log.blockNumber) >= from &&
          BigInt(log.blockNumber) <= to &&
          (some.length === 0 || some.includes(log.address)) &&
          log.topics.length >= topics.length &&
          topics.every((wanted, at) => wanted.length === 0 || wanted.includes(log.topics[at]!)),
      );
      expect(found({ addresses: some, topics }, from, to)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('of a block that goes while the search runs nothing is told', () => {
  const snapshot = chain.node.snapshot();
  const owner_address = chain.address(0);
  const [contract_address] = contracts;
  const first = wallet.ledger.headNumber + 1;
  for (const data of [topic(7), topic(7)]) {
    chain.send(
      ContractType.TriggerSmartContract,
      { owner_address, contract_address, data },
      { feeLimitSun: 1_000_000_000n },
    );
    chain.node.mine(1);
  }
  const criteria = { addresses: [], topics: [[topic(7)]] };
  const search = findLogs(() => wallet, criteria, BigInt(first), BigInt(first + 1));
  expect(search.next().value).toMatchObject({ logs: [{ blockNumber: first }], work: 2 });
  chain.node.revert(snapshot);
  expect([...search].flatMap(({ logs }) => logs)).toEqual([]);
});

test('without any criteria ten thousand blocks are too many', () => {
  const nothing = { addresses: [], topics: [] };
  expect(() => found(nothing, 0n, 9_998n)).not.toThrow();
  chain.node.mine(10_000);
  expect(() => found(nothing, 0n, 9_999n)).toThrow(TooManyLogsError);
  expect(found({ addresses: [contracts[0]!.slice(2)], topics: [] }, 0n, 10n ** 12n)).toHaveLength(45);
  expect(() => blockIdsAfter(wallet, 0)).toThrow(TooManyLogsError);
  const ids = blockIdsAfter(wallet, wallet.ledger.headNumber - 5_000);
  expect(ids.map((id) => Number.parseInt(id.slice(0, 16), 16))).toEqual(
    Array.from({ length: 5_000 }, (_, i) => wallet.ledger.headNumber - 4_999 + i),
  );
});

test('eth_getLogs lets others have their turn each 500 transactions or blocks, and stops at what an answer may hold', async () => {
  const big = await SimulatedChain.open({ poolSize: 600 });
  const owner_address = big.address(0);
  const feeLimitSun = 1_000_000_000n;
  const new_contract = SmartContract.create({
    origin_address: owner_address,
    bytecode: ONE_TOPIC,
    origin_energy_limit: 1n,
  });
  const { contract_address } = big.send(
    ContractType.CreateSmartContract,
    { owner_address, new_contract },
    { feeLimitSun },
  ).info;
  big.node.mine(1);
  for (let i = 0; i < 1_100; i++) {
    const call = { owner_address, contract_address, data: topic(i) };
    big.send(ContractType.TriggerSmartContract, call, { feeLimitSun });
    if (i % 100 === 99) big.node.mine(1);
  }
  const [getLogs] = logMethods.filter(({ name }) => name === 'eth_getLogs');
  const ask = async (roomLeft: number, address = `0x${contract_address.slice(2)}`) => {
    let turns = 0;
    const context: RpcContext = {
      path: 'jsonrpc',
      wallet: fullContext(big.node),
      filters: big.node.filters.full,
      coinbase: undefined,
      dialect: strictDialect('4.8.0'),
      accounts: new Map(),
      clientVersion: '',
      indexed: true,
      subscriber: undefined,
      roomLeft,
      pause: async () => void turns++,
      isGone: () => false,
    };
    const filter = {
      address,
      topics: null,
      fromBlock: '0x0',
      toBlock: null,
      blockHash: null,
    };
    const answer = getLogs!.answer as (context: RpcContext, filter: unknown) => Promise<RawJson>;
    const text = await answer(context, filter).then(
      (result) => result.text,
      (error: Error) => error.name,
    );
    return { turns, text };
  };
  const { turns, text } = await ask(10_000_000);
  expect(turns).toBe(2);
  expect(JSON.parse(text)).toHaveLength(1_100);
  expect(await ask(text.length - 2)).toMatchObject({ text: 'AnswerTooLong' });
  expect(await ask(1_000)).toEqual({ turns: 0, text: 'AnswerTooLong' });

  for (let i = 0; i < 1_100; i++) big.node.mine(1);
  expect(await ask(1_000, `0x${'ee'.repeat(20)}`)).toEqual({ turns: 2, text: '[]' });
  await big.close();
});
