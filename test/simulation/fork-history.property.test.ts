/**
 * Every list of the history interface of a fork against a chain that has the whole history itself: a random history,
 * forked over sockets, then both do the same, and every page of what both are asked must be the same, record by record;
 * while blocks are taken back, and after the network has gone on by itself.
 *
 * SUNUP_FORK_RUNS and SUNUP_FORK_SEED: how many histories, and which; without them always the same few.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { historyRoutes } from '../../src/history/routes.js';
import { endpointRoutes } from '../../src/http/endpoint-routes.js';
import { httpEndpoints } from '../../src/http/endpoints.js';
import { type HttpServer, startHttpServer } from '../../src/http/server.js';
import { jsonRpcRoute } from '../../src/jsonrpc/endpoint.js';
import { blockTimeMs } from '../../src/ledger/blocks/blocks.js';
import type { Node } from '../../src/node/node.js';
import type { SolidityLag } from '../../src/node/views/solidity-view.js';
import { withRows } from '../../src/node/with-rows.js';
import { Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import { fullContext } from '../../src/wallet/context.js';
import { openForkedNode } from './forked-node.js';
import { BEGINNING, contractCall, EVENTFUL, type Operation, operation, perform, refusable } from './operations.js';
import { allAddresses } from './portrait.js';
import { openNode, SimulatedChain } from './simulated-chain.js';

// biome-ignore lint/suspicious/noExplicitAny: JSON as a client reads it
type Json = any;

function serve(node: Node): Promise<HttpServer> {
  const view = () => fullContext(node);
  return startHttpServer({
    port: 0,
    plugins: [
      endpointRoutes({ endpoints: httpEndpoints, views: { wallet: view }, release: node.chain.config.release }),
      jsonRpcRoute({ node, view: 'full' }),
      historyRoutes({ view, indexed: true }),
    ],
  });
}

interface Question {
  readonly list: string;
  readonly who: number;
  readonly flags: readonly string[];
  readonly state: string;
  readonly order: string;
  readonly limit: number;
  /** Places in the blocks of the chain, in per mille. */
  readonly min: number | undefined;
  readonly max: number | undefined;
}

const ACCOUNT_LISTS = ['transactions', 'transactions/trc20', 'internal-transactions'];
const CONTRACT_LISTS = ['transactions', 'internal-transactions', 'events', 'events?event_name=Transfer'];
const LISTS = [
  ...ACCOUNT_LISTS.map((list) => `accounts/${list}`),
  ...CONTRACT_LISTS.map((list) => `contracts/${list}`),
];

const bound = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(999) });

const question: fc.Arbitrary<Question> = fc.record({
  list: fc.constantFrom(...LISTS),
  who: fc.nat(999),
  flags: fc.subarray(['only_from', 'only_to', 'search_internal', 'get_detail']),
  state: fc.constantFrom('', '', 'only_confirmed', 'only_unconfirmed'),
  order: fc.constantFrom('asc', 'desc'),
  limit: fc.constantFrom(1, 2, 3, 7, 200),
  min: bound,
  max: bound,
});

/** Calls log, pay and create: what lists are made of. */
const busy: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 2, arbitrary: operation },
  { weight: 3, arbitrary: contractCall },
  { weight: 1, arbitrary: fc.constant({ what: 'mine', blocks: 1 } as const) },
);
const some = fc.array(busy, { minLength: 8, maxLength: 25, size: 'max' });

async function pagesOf(url: string, path: string): Promise<Json[][]> {
  const pages: Json[][] = [];
  for (let next: string | undefined = url + path; next !== undefined; ) {
    const response: Response = await fetch(next);
    const answer: Json = await response.json();
    expect(answer, next).toMatchObject({ success: true, meta: { page_size: answer.data.length } });
    pages.push(answer.data);
    next = answer.meta.links?.next;
    if (pages.length > 5_000) throw new Error(`a list without an end: ${path}`);
  }
  return pages;
}

/** What an assumption of forks can make another history of (forks-over-sockets.property.test.ts). */
const ASSUMED: readonly Operation['what'][] = ['rename', 'sell', 'cancelOrder', 'withdrawReward'];

const LAGS: readonly SolidityLag[] = ['none', 'network'];
const seen = { records: 0, crossing: 0, lists: new Set<string>() };

it('a fork answers lists as the chain that has the whole history', { timeout: 0 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...LAGS),
      fc.boolean(),
      some,
      fc.array(fc.tuple(some, fc.boolean()), { minLength: 1, maxLength: 2 }),
      fc.array(question, { minLength: 100, maxLength: 120, size: 'max' }),
      async (solidityLag, goesOn, before, steps, questions) => {
        const options = { parameters: EVENTFUL, witnessVotes: [100, 50], solidityLag, release: '4.8.2' } as const;
        const chain = await SimulatedChain.open(options);
        for (const one of [...BEGINNING, ...before]) perform(chain, one);
        chain.node.mine(1);
        await chain.node.chain.durable();
        const copy = new MemoryStore();
        for await (const { key, value } of chain.store.rows('')) await copy.write([{ key, value }]);
        const network = await openNode(chain.genesis, chain.witnessKeys, copy, options);
        const remote = await serve(network);
        const { genesis, witnessKeys } = chain;
        const fork = await openForkedNode({ url: remote.url, genesis, witnessKeys, solidityLag });
        const servers = [await serve(chain.node), await serve(fork.node)] as const;
        const base = network.chain.headNumber;
        const both = async (one: Operation): Promise<void> => {
          const count = chain.sent.length;
          perform(chain, one);
          if (one.what === 'mine') await fork.node.mining.mine({ blocks: one.blocks });
          else if (one.what === 'advance') await fork.node.mining.mine({ advanceMs: one.byMs });
          const sent = chain.sent[count];
          if (sent !== undefined) await withRows(() => refusable(() => fork.node.broadcast(sent)));
        };
        // Until transactions refer to a block that both have.
        do await both({ what: 'mine', blocks: 1 });
        while (chain.ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM') <= base);
        // For the network, which goes on by itself.
        const late = chain.transaction(ContractType.TransferContract, {
          owner_address: chain.address(0),
          to_address: chain.address(1),
          amount: 7n,
        });
        if (goesOn) network.mine(chain.node.chain.headNumber - base);
        for (const [operations, isTakenBack] of steps) {
          const ids = [chain.node.snapshot(), fork.node.snapshot()] as const;
          for (const one of operations) if (!ASSUMED.includes(one.what)) await both(one);
          await both({ what: 'mine', blocks: 1 });
          if (!isTakenBack) continue;
          chain.node.revert(ids[0]);
          fork.node.revert(ids[1]);
        }
        await both({ what: 'mine', blocks: 1 });
        expect(fork.node.chain.headId).toBe(chain.node.chain.headId);
        if (goesOn) {
          network.broadcast(late);
          network.mine(2);
        }

        const forkedAtMs = blockTimeMs(chain.ledger, base)!;
        const { accounts, contracts } = await everybody(chain);
        const timeMs = (place: number) => fullTimeMs(chain, Math.floor((place * chain.node.chain.headNumber) / 999));
        for (const { list, who, flags, state, order, limit, min, max } of questions) {
          const [kind, ...more] = list.split('/');
          const tail = more.join('/');
          const people = kind === 'accounts' ? accounts : contracts;
          const parameters = new URLSearchParams([
            ['order_by', `block_timestamp,${order}`],
            ['limit', String(limit)],
            ...flags.map((flag): [string, string] => [flag, 'true']),
            ...(state === '' ? [] : [[state, 'true'] as [string, string]]),
            ...(min === undefined ? [] : [['min_timestamp', timeMs(min)] as [string, string]]),
            ...(max === undefined ? [] : [['max_timestamp', timeMs(max)] as [string, string]]),
          ]);
          const path = `/v1/${kind}/${people[who % people.length]}/${tail}${tail.includes('?') ? '&' : '?'}${parameters}`;
          const [expected, joined] = [await pagesOf(servers[0].url, path), await pagesOf(servers[1].url, path)];
          expect(joined.flat(), path).toEqual(expected.flat());
          for (const page of joined.slice(0, -1)) expect(page, path).toHaveLength(limit);
          if (joined.length > 1) expect(joined.at(-1), path).not.toHaveLength(0);
          tally(list, joined.flat(), forkedAtMs);
        }
        for (const server of [...servers, remote]) await server.close();
        await fork.close();
        await network.close();
        await chain.close();
      },
    ),
    {
      endOnFailure: true,
      numRuns: Number(process.env.SUNUP_FORK_RUNS ?? 6),
      seed: Number(process.env.SUNUP_FORK_SEED ?? 13),
    },
  );
  // Empty lists would prove nothing, and neither would lists of one side.
  expect(seen.lists.size).toBe(LISTS.length);
  expect(seen.records).toBeGreaterThan(150);
  expect(seen.crossing).toBeGreaterThan(10);
});

function tally(list: string, records: readonly Json[], forkedAtMs: number): void {
  if (records.length === 0) return;
  seen.lists.add(list);
  seen.records += records.length;
  const ofNetwork = records.filter(({ block_timestamp }) => block_timestamp <= forkedAtMs).length;
  if (ofNetwork > 0 && ofNetwork < records.length) seen.crossing++;
}

async function everybody(chain: SimulatedChain) {
  const addresses = await allAddresses(chain);
  const { contracts } = chain.ledger.state.tables;
  const deployed = addresses.filter((address) => contracts.has(address));
  const senders = chain.accounts.map(({ addressHex }) => addressHex);
  // Those who do things more often than those to whom they are done.
  return { accounts: [...senders, ...senders, ...deployed, ...addresses], contracts: deployed };
}

function fullTimeMs(chain: SimulatedChain, block: number): string {
  return String(blockTimeMs(chain.ledger, block) ?? 0);
}
