/**
 * Every developer method under all names on all paths: it answers, refuses invalid parameters with a text, keeps the
 * ledger consistent, and a revert undoes it completely. Generated from the table, so new methods are included.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { devMethodsOf } from '../../src/devnet/control/dev-methods.js';
import { devMethods, devMethodTable, type NamedMethod } from '../../src/devtools/methods.js';
import { startHttpServer } from '../../src/http/server.js';
import { createDevnet } from '../../src/index.js';
import { jsonRpcRoute } from '../../src/jsonrpc/endpoint.js';
import { ownNumber } from '../../src/ledger/operations/own-numbers.js';
import { booksOf, expectSound } from '../simulation/books.js';
import { allAddresses, rowsThatDifferFromTheStore } from '../simulation/portrait.js';
import { SimulatedChain } from '../simulation/simulated-chain.js';
import { storeDigest } from '../simulation/store-digest.js';

/** For each method: too many parameters, and parameters of wrong types. */
const WRONG = [['nonsense', {}, []], Array(12).fill('0x')];
const PATHS = ['tre', 'jsonrpc', 'eth'] as const;

let chain: SimulatedChain;
let server: Awaited<ReturnType<typeof startHttpServer>>;

beforeAll(async () => {
  chain = await SimulatedChain.open({});
  chain.node.mine(2);
  const { node } = chain;
  const further = devMethodsOf(node);
  server = await startHttpServer({
    port: 0,
    plugins: [jsonRpcRoute({ node, view: 'full', further })],
    durable: () => node.chain.durability(),
  });
});
afterAll(async () => {
  await server.close();
  await chain.close();
});

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

async function call(path: string, method: string, params: unknown, url = server.url): Promise<Answer> {
  const answer = await fetch(`${url}/${path}`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await answer.json()) as Answer;
}

/** Total supply minus TRX created by operations. */
async function coin(): Promise<bigint> {
  const { due, pools, ...books } = booksOf(chain.ledger, await allAddresses(chain));
  const total = [...Object.values(books), due].reduce((sum, one) => sum + one, 0n);
  return total - ownNumber(chain.ledger, 'grantedSun');
}

const isKept = ({ method }: NamedMethod) => !method.usesUpSnapshots;

describe.each([...devMethods.values()].filter(isKept))('$name', ({ name, method }) => {
  it.each(PATHS)('works at /%s, and can be reverted', async (path) => {
    const { node, store } = chain;
    await node.chain.durable();
    const [digest, coins, head] = [await storeDigest(store), await coin(), node.chain.headNumber];
    const snapshot = node.snapshot();
    if (name === method.name && method.example !== undefined) {
      for (const [earlier, ...params] of method.exampleAfter) {
        expect((await call(path, earlier, params)).error).toBeUndefined();
      }
      expect((await call(path, name, method.example)).error).toBeUndefined();
      expectSound(chain.ledger, await allAddresses(chain), 0);
      // A block pays rewards.
      if (node.chain.headNumber === head) expect(await coin()).toBe(coins);
    }
    for (const wrong of WRONG) {
      const { error, result } = await call(path, name, wrong);
      expect([error?.message, result]).toEqual([expect.stringMatching(/expected|has to|should/), undefined]);
    }
    node.revert(snapshot);
    await node.chain.durable();
    expect(await storeDigest(store)).toBe(digest);
  });
});

describe.each([...devMethods.values()].filter((named) => !isKept(named)))('$name', ({ name, method }) => {
  it('works, and leaves a consistent chain', async () => {
    const other = await SimulatedChain.open({});
    for (let i = 0; i < 3; i++) {
      other.transfer(0, other.address(1), 5n);
      other.node.mine(1);
    }
    const { answer } = devMethods.get(name)!;
    const context = { node: other.node, path: 'tre' } as const;
    const dump = await devMethods.get('tron_dump')!.answer(context, []);
    for (const wrong of WRONG) await expect(async () => answer(context, wrong)).rejects.toThrow(/expected/);
    await answer(context, method.name === 'tron_load' ? [dump] : name === method.name ? (method.example ?? []) : []);
    await other.node.chain.durable();
    expect(await rowsThatDifferFromTheStore(other)).toEqual([]);
    await other.close();
  });
});

describe('the table', () => {
  it('refuses objects of tens of thousands of members, and shows the start of a refused value', async () => {
    const values = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`p${i}`, 1]));
    expect((await call('eth', 'tron_setChainParameters', [values])).error?.message).toBe(
      'values: expected at most 10000 members or elements',
    );
    expect((await call('eth', 'tron_setChainParameters', [Array(10_001).fill(1)])).error?.message).toBe(
      'values: expected at most 10000 members or elements',
    );
    const list = Array.from({ length: 10_000 }, () => ({ name: 'x'.repeat(20) }));
    expect((await call('eth', 'tron_setBalance', [list, 1])).error?.message).toMatch(
      /^address: expected an address .*, got \[\{"name":"x{20}"\},\{"name":"x{20}"\},[^…]{1,40}…$/,
    );
  });

  it('has each name once', () => {
    const names = devMethodTable.flatMap((method) => [method.name, ...method.aliases.map((alias) => alias.name)]);
    expect(names).toHaveLength(new Set(names).size);
  });

  it('is not available without developer methods', async () => {
    const devnet = await createDevnet({ devMethods: false });
    try {
      const { name } = devMethodTable[0]!;
      expect((await call('jsonrpc', name, [], devnet.http.url)).error).toEqual({
        code: -32_601,
        message: 'method not found',
      });
      // Like all paths with GET only.
      expect((await fetch(`${devnet.http.url}/tre`, { method: 'POST', body: '{}' })).status).toBe(405);
    } finally {
      await devnet.close();
    }
  });

  it.each([
    ['eth', 'tron_setBalanc', 'tron_setBalance'],
    ['tre', 'tron_setBalanc', 'tron_setBalance'],
    ['tre', 'tre_setAccountBalances', 'tre_setAccountBalance'],
    ['eth', 'anvil_setbalance', 'anvil_setBalance'],
    ['eth', 'eth_blocknumber', 'eth_blockNumber'],
    ['eth', 'tron_blockNumber', 'eth_blockNumber'],
    ['eth', 'setBalance', 'tron_setBalance'],
    ['eth', 'ethh_cal', 'eth_call'],
    ['eth', 'eth_getBlockTraces', undefined],
    ['eth', '\u001b[2Jnothing', undefined],
  ])('at /%s suggests a method for %s', async (path, name, meant) => {
    const hint = meant === undefined ? '' : `: did you mean ${meant}?`;
    expect((await call(path, name, [])).error).toEqual({
      code: -32_601,
      message: `the method ${name} does not exist/is not available${hint}`,
    });
    expect((await call('jsonrpc', name, [])).error).toEqual({ code: -32_601, message: 'method not found' });
  });

  it('refuses a missing method name, and shortens an invalid one', async () => {
    expect((await call('eth', '', [])).error?.message).toBe('method not found');
    expect((await call('eth', 'x'.repeat(100_000), [])).error?.message).toHaveLength(124);
  });

  it('requires a list of parameters', async () => {
    const { error } = await call('eth', 'anvil_setBalance', { address: 1 });
    expect(error).toEqual({
      code: -32_602,
      message: 'anvil_setBalance: expected its parameters as a list: "params":[…]',
    });
  });

  it('is not available to pages of other origins', async () => {
    const answer = await fetch(`${server.url}/jsonrpc`, {
      method: 'POST',
      headers: { origin: 'https://example.com' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tron_setBalance', params: devMethodTable[0]?.example }),
    });
    expect(((await answer.json()) as Answer).error?.code).toBe(4_100);
  });
});
