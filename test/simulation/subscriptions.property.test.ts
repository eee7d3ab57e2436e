/**
 * Whoever follows a chain through `eth_subscribe` knows what somebody knows who reads it: blocks are made one by one and
 * many at once, and taken back, and what a client has put together from heads, logs and removed logs is the chain.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startHttpServer } from '../../src/http/server.js';
import { jsonRpcRoute } from '../../src/jsonrpc/endpoint.js';
import { SmartContract } from '../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import { type Answer, type Notification, SocketClient } from '../wire/socket-client.js';
import { SimulatedChain, type SimulationOptions } from './simulated-chain.js';

/** Logs the first two words that it is called with, each as a topic. */
const LOGGER = `60158060093d393df3${'60003560206000a1'}${'60203560206000a1'}${'00'.repeat(5)}`;
const TOPICS = [1n, 2n, 3n].map((topic) => topic.toString(16).padStart(64, '0'));

const hex = (number: number) => `0x${number.toString(16)}`;

type Step =
  | { readonly what: 'mine'; readonly blocks: number }
  | { readonly what: 'log'; readonly topics: readonly [number, number] }
  | { readonly what: 'snapshot' }
  | { readonly what: 'revert'; readonly which: number }
  | { readonly what: 'rollback' | 'reorg'; readonly depth: number };

const topic = fc.nat({ max: TOPICS.length - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ what: fc.constant('mine' as const), blocks: fc.constantFrom(1, 1, 1, 2, 30) }),
  fc.record({ what: fc.constant('log' as const), topics: fc.tuple(topic, topic) }),
  fc.record({ what: fc.constant('log' as const), topics: fc.tuple(topic, topic) }),
  fc.constant({ what: 'snapshot' as const }),
  fc.record({ what: fc.constant('revert' as const), which: fc.nat({ max: 5 }) }),
  fc.record({ what: fc.constantFrom('rollback', 'reorg'), depth: fc.integer({ min: 1, max: 12 }) }),
);

const shape: fc.Arbitrary<SimulationOptions> = fc.record({
  mining: fc.constantFrom('manual', 'instant'),
  solidityLag: fc.constantFrom('none', 'network'),
  witnessVotes: fc.constantFrom([100], [100, 90, 80]),
});

interface Counts {
  removed: number;
  logs: number;
  runs: number;
  rollback: number;
  reorg: number;
}

/** What a client knows that has read nothing but notifications. */
class Follower {
  readonly #heads = new Map<number, Answer>();
  readonly logs: Answer[] = [];
  #head: number;

  constructor(
    head: number,
    private readonly counts: Counts,
  ) {
    this.#head = head;
  }

  head(result: Answer): void {
    const number = Number(result.number);
    // One for each block, and none for what is taken back: a lower one says that it was.
    expect(number).toBeLessThanOrEqual(this.#head + 1);
    const parent = this.#heads.get(number - 1);
    if (parent !== undefined) expect(result.parentHash).toBe(parent.hash);
    this.#head = number;
    this.#heads.set(number, result);
  }

  log(result: Answer): void {
    if (!result.removed) {
      this.counts.logs++;
      this.logs.push(result);
      return;
    }
    this.counts.removed++;
    expect(this.logs.pop()).toEqual({ ...result, removed: false });
  }

  /** From the first block that it was told of. */
  get heads(): readonly Answer[] {
    const known = [...this.#heads.values()].filter(({ number }) => Number(number) <= this.#head);
    return known.sort((one, other) => Number(one.number) - Number(other.number));
  }
}

async function follow(chain: SimulatedChain, view: 'full' | 'solid', counts: Counts) {
  const server = await startHttpServer({ port: 0, plugins: [jsonRpcRoute({ node: chain.node, view })] });
  const client = await SocketClient.connect(`${server.url}/eth`);
  const from = Number(await client.ask('eth_blockNumber'));
  const heads = await client.ask('eth_subscribe', 'newHeads');
  const filters = [{}, { topics: [`0x${TOPICS[0]}`] }, { topics: [[`0x${TOPICS[1]}`, `0x${TOPICS[2]}`]] }];
  const logs: string[] = [];
  for (const filter of filters) logs.push(await client.ask('eth_subscribe', 'logs', filter));
  return {
    async check(): Promise<void> {
      // All that was told has come when nothing more comes between two answers.
      for (let come = -1; come !== client.notifications.length; ) {
        come = client.notifications.length;
        await client.ask('eth_chainId');
      }
      await compare(client.notifications);
    },
    close: () => server.close(),
  };

  async function compare(told: readonly Notification[]): Promise<void> {
    const followers = filters.map(() => new Follower(from, counts));
    const [first] = followers as [Follower];
    for (const { subscription, result } of told) {
      if (subscription === heads) first.head(result);
      else followers[logs.indexOf(subscription)]!.log(result);
    }
    for (const [index, filter] of filters.entries()) {
      const onChain = await client.ask('eth_getLogs', { ...filter, fromBlock: hex(from + 1) });
      expect(followers[index]!.logs).toEqual(onChain);
    }
    // That a view has fewer blocks than before is told by the next one.
    const head = Number(await client.ask('eth_blockNumber'));
    const known = first.heads.filter(({ number }) => Number(number) <= head);
    const blocks = await Promise.all(
      Array.from({ length: head - from }, (_, i) => client.ask('eth_getBlockByNumber', hex(from + 1 + i), false)),
    );
    expect(known).toEqual(blocks.map(({ size, transactions, uncles, ...header }) => header));
  }
}

test('heads, logs and removed logs, put together, are the chain', async () => {
  const counts: Counts = { removed: 0, logs: 0, runs: 0, rollback: 0, reorg: 0 };
  await fc.assert(
    fc.asyncProperty(shape, fc.array(step, { minLength: 5, maxLength: 30 }), async (options, steps) => {
      const chain = await SimulatedChain.open(options);
      const owner_address = chain.address(0);
      const deployed = chain.send(
        ContractType.CreateSmartContract,
        {
          owner_address,
          new_contract: SmartContract.create({
            origin_address: owner_address,
            bytecode: LOGGER,
            origin_energy_limit: 1n,
          }),
        },
        { feeLimitSun: 1_000_000_000n },
      );
      const contract_address = deployed.info.contract_address;
      chain.node.mine(3);
      const full = await follow(chain, 'full', counts);
      const solid = await follow(chain, 'solid', counts);
      const begun = chain.node.chain.headNumber;
      let snapshots = [{ id: chain.node.snapshot(), height: begun }];
      const remember = () => snapshots.push({ id: chain.node.snapshot(), height: chain.node.chain.headNumber });
      for (const one of steps) {
        if (one.what === 'mine') {
          chain.node.mine(one.blocks);
          if (one.blocks > 10) counts.runs++;
        } else if (one.what === 'log') {
          const data = one.topics.map((index) => TOPICS[index]).join('');
          const call = { owner_address, contract_address, data };
          chain.send(ContractType.TriggerSmartContract, call, { feeLimitSun: 1_000_000_000n });
        } else if (one.what === 'snapshot') remember();
        else if (one.what === 'revert') {
          const [snapshot] = snapshots.splice(one.which % snapshots.length);
          chain.node.revert(snapshot!.id);
          remember();
        } else {
          const depth = Math.min(one.depth, chain.node.chain.headNumber - begun);
          const height = chain.node.chain.headNumber - depth;
          await chain.node.branches[one.what](depth);
          snapshots = snapshots.filter((snapshot) => snapshot.height <= height);
          if (depth > 0) counts[one.what]++;
        }
        // Sometimes what has happened is told in between, sometimes all at once.
        if (one.what === 'snapshot') await chain.node.chain.durable();
      }
      chain.node.mine(1);
      await full.check();
      await solid.check();
      await full.close();
      await solid.close();
      await chain.close();
    }),
    { numRuns: 30, seed: 7 },
  );
  // A chain on which nothing is taken back would prove little.
  expect(counts.removed).toBeGreaterThan(40);
  expect(counts.logs).toBeGreaterThan(150);
  expect(counts.runs).toBeGreaterThan(5);
  expect(counts.rollback).toBeGreaterThan(3);
  expect(counts.reorg).toBeGreaterThan(3);
});
