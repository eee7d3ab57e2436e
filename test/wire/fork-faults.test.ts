/**
 * A fork whose network is slow, cut, busy, corrupt, replaced or gone: errors name the URL, the request and advice, no
 * operation is half done, and the fork continues when the network is back.
 */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { type Fault, FaultyProxy } from './fork-proxy.js';

const TRX = 1_000_000;
/** An account whose key nobody has. */
const HOLDER = `41${'5e'.repeat(20)}`;
const STRANGER = `41${'7f'.repeat(20)}`;
const TIMEOUT_MS = 20_000;
const DEADLINE_MS = 10_000;

let network: Devnet;
let other: Devnet;
let token: string;
let proxy: FaultyProxy;
let time: TestTime;

const hex20 = (address: string): string => `0x${address.slice(2)}`;
const word = (value: string): string => value.padStart(64, '0');
const transferData = `0xa9059cbb${word(STRANGER.slice(2))}${word('5')}`;
const balanceData = `0x70a08231${word(HOLDER.slice(2))}`;

beforeAll(async () => {
  network = await createDevnet();
  other = await createDevnet({ accounts: 3 });
  const terms = { args: [10n ** 15n, 'Dollar', 'USD', 6] };
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', terms);
  token = `0x${dollar.addressHex.slice(2)}`;
  await dollar.write.transfer!([HOLDER, 1_000_000n]);
  await network.setBalance(HOLDER, 1_000 * TRX);
  await network.mine(3);
});
afterAll(async () => {
  await network.close();
  await other.close();
});
beforeEach(async () => {
  proxy = await FaultyProxy.open(network.http.url);
  time = new TestTime();
});
afterEach(() => proxy.close());

/** Pauses end at once; timeouts of answers and callers occur when a test triggers them. */
class TestTime {
  readonly #timeouts = new Set<() => void>();
  readonly #deadlines = new Set<() => void>();
  #nowMs = 1_800_000_000_000n;

  readonly clock = {
    nowMs: () => this.#nowMs,
    after: (delayMs: number, task: () => void) => {
      if (delayMs === TIMEOUT_MS || delayMs === DEADLINE_MS) {
        const waiting = delayMs === TIMEOUT_MS ? this.#timeouts : this.#deadlines;
        waiting.add(task);
        return () => void waiting.delete(task);
      }
      let isOff = false;
      setImmediate(() => isOff || task());
      return () => {
        isOff = true;
      };
    },
  };

  pass(ms: number): void {
    this.#nowMs += BigInt(ms);
  }

  timeOut(): void {
    for (const task of this.#timeouts) task();
  }

  /** Of all waiting callers. */
  endWaiting(): void {
    const waiting = [...this.#deadlines];
    this.#deadlines.clear();
    for (const task of waiting) task();
  }
}

async function opened(fork = proxy.url): Promise<Devnet> {
  const devnet = await createDevnet({ fork, accounts: 1, clock: time.clock, mining: 'instant' });
  await devnet.impersonate(HOLDER);
  return devnet;
}

async function rpc(devnet: Devnet, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const answer = await (await devnet.fetch('/eth', { method: 'POST', headers, body })).json();
  const { result, error } = answer as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  return result;
}

async function wallet(devnet: Devnet, method: string, body: object): Promise<Record<string, unknown>> {
  const answer = await devnet.fetch(`/wallet/${method}`, { method: 'POST', body: JSON.stringify(body) });
  const json = (await answer.json()) as Record<string, unknown>;
  if (json.Error !== undefined) throw new Error(String(json.Error));
  return json;
}

/** The visible state of a fork without its network. */
async function seenOf(devnet: Devnet): Promise<unknown> {
  const [account] = devnet.accounts;
  return Promise.all([
    rpc(devnet, 'eth_getBlockByNumber', 'latest', true),
    wallet(devnet, 'getpendingsize', {}),
    wallet(devnet, 'getaccount', { address: account!.addressHex }),
    wallet(devnet, 'getaccountresource', { address: account!.addressHex }),
    wallet(devnet, 'listwitnesses', {}),
    wallet(devnet, 'getnextmaintenancetime', {}),
  ]);
}

type Moment = (devnet: Devnet) => Promise<unknown>;

const MOMENTS: Readonly<Record<string, Moment>> = {
  'a transaction': (devnet) =>
    rpc(devnet, 'eth_sendTransaction', { from: hex20(HOLDER), to: token, data: transferData, gas: '0x186a0' }),
  'an eth_call': (devnet) => rpc(devnet, 'eth_call', { to: token, data: balanceData }, 'latest'),
  'an estimate': (devnet) => rpc(devnet, 'eth_estimateGas', { from: hex20(HOLDER), to: token, data: transferData }),
  'an account': (devnet) => wallet(devnet, 'getaccount', { address: HOLDER }),
  'an operation': (devnet) => devnet.setStake(HOLDER, { energy: 10 * TRX }),
};

const always =
  (fault: Fault | (() => Fault)): FaultyProxy['fault'] =>
  () =>
    typeof fault === 'function' ? fault() : fault;

const FAULTS: Readonly<Record<string, readonly [fault: () => FaultyProxy['fault'], says: RegExp]>> = {
  'that never answers': [
    () =>
      always(() => {
        setImmediate(() => time.timeOut());
        return 'never';
      }),
    /no complete answer within 20000 ms \(6 attempts\)\. Try again/,
  ],
  'that cuts its answers': [() => always('cut'), /6 attempts\)\. Check the address and the network/],
  'that ends its JSON too early': [
    () => always({ instead: (text) => text.slice(0, -9) }),
    /incomplete JSON.*6 attempts\)\. Try again/,
  ],
  'with a rate limit': [() => always({ status: 429, text: '{}' }), /HTTP 429.*6 attempts.*--fork-api-key/],
  'that wants to be left alone for an hour': [
    () => always({ status: 429, headers: { 'retry-after': '3600' }, text: '' }),
    /retry after 3600 s.*--fork-api-key/,
  ],
  'that fails': [() => always({ status: 500, text: 'Oops' }), /HTTP 500, "Oops" \(6 attempts\)\. Try again/],
  'that is an HTML page': [() => always({ status: 200, text: '<title>Sign in</title>' }), /an HTML page, "Sign in"/],
  'that answers with lists': [() => always({ status: 200, text: '[]' }), /.+/],
};

/** Result of an operation without faults, and the visible state of the fork afterwards. */
async function done(devnet: Devnet, work: Moment): Promise<unknown> {
  const result = await work(devnet);
  return [result, await seenOf(devnet)];
}

const unharmed = new Map<Moment, unknown>();
async function doneUnharmed(work: Moment): Promise<unknown> {
  if (!unharmed.has(work)) {
    await using fork = await opened(network.http.url);
    unharmed.set(work, await done(fork, work));
  }
  return unharmed.get(work);
}

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'it was done',
    (thrown: Error) => thrown.message,
  );
}

const SENT = MOMENTS['a transaction'] as Moment;

async function expectRefusedAndLater(work: Moment, fault: FaultyProxy['fault'], says: RegExp): Promise<void> {
  await using fork = await opened();
  const before = await seenOf(fork);
  proxy.fault = fault;
  const message = await refusal(work(fork));
  expect(message).toMatch(says);
  expect(message).toMatch(/The fork could not read .+ from http:\/\/127\.0\.0\.1:\d+/);
  expect(await seenOf(fork)).toEqual(before);
  proxy.fault = () => 'pass';
  expect(await done(fork, work)).toEqual(await doneUnharmed(work));
}

describe.each(Object.entries(FAULTS))('a network %s', (_, [fault, says]) => {
  it('for a transaction', () => expectRefusedAndLater(SENT, fault(), says));

  it('for a start', async () => {
    proxy.fault = fault();
    // If a host has never answered, its address may be wrong: the error comes at once.
    expect(await refusal(opened())).toMatch(/option '?fork'? does not give .+: .+/s);
    proxy.fault = () => 'pass';
    await using fork = await opened();
    expect(await done(fork, SENT)).toEqual(await doneUnharmed(SENT));
  });
});

describe.each(Object.entries(MOMENTS))('for %s', (_moment, work) => {
  it('a failing network is reported', () => {
    const [fault, says] = FAULTS['that fails'] as (typeof FAULTS)[string];
    return expectRefusedAndLater(work, fault(), says);
  });

  it('a restarted network is refused', async () => {
    await using fork = await opened();
    const before = await seenOf(fork);
    proxy.target = other.http.url;
    expect(await refusal(work(fork))).toMatch(/another chain than the one that was forked.*Start a new fork/);
    expect(await seenOf(fork)).toEqual(before);
    proxy.target = network.http.url;
    expect(await done(fork, work)).toEqual(await doneUnharmed(work));
  });

  it('a temporary fault is retried', async () => {
    const once: Fault[] = [
      'cut',
      { status: 503, text: '' },
      { instead: (text) => text.slice(0, 5) },
      { status: 429, text: '' },
    ];
    await using fork = await opened();
    proxy.fault = () => once.shift() ?? 'pass';
    expect(await done(fork, work)).toEqual(await doneUnharmed(work));
    expect(once).toEqual([]);
  });
});

describe('a silent network', () => {
  const CALLERS: Readonly<Record<string, Moment>> = {
    ...MOMENTS,
    'a block with pending transactions': async (fork) => {
      await fork.setMining('manual');
      const [own] = fork.accounts;
      const sent = await rpc(fork, 'eth_sendTransaction', { from: hex20(own!.addressHex), to: token, data: '0x' });
      await fork.mine();
      return sent;
    },
    'an older block': (fork) => rpc(fork, 'eth_getBlockByNumber', '0x1', false),
    'an older transaction': (fork) => wallet(fork, 'gettransactioninfobyid', { value: 'ab'.repeat(32) }),
    'a list of history': async (fork) => (await fork.fetch(`/v1/accounts/${HOLDER}/transactions`)).json(),
  };

  /** Resolves on a request, and leaves all requests unanswered. */
  const silent = (): Promise<void> =>
    new Promise((asked) => {
      proxy.fault = () => {
        asked();
        return 'never';
      };
    });

  it.each(Object.entries(CALLERS))('is reported to the caller of %s, with the row and the URL', async (_, work) => {
    await using fork = await opened();
    const asked = silent();
    const waiting = work(fork).then(
      (answer) => JSON.stringify(answer),
      (thrown: Error) => thrown.message,
    );
    await asked;
    time.endWaiting();
    expect(await waiting).toMatch(
      /The fork could not read .+ from http:\/\/127\.0\.0\.1:\d+\S*: no answer within 10000 ms\. The request is still running\. Try again/,
    );
    // The running request is sent again, and the next call finds the row.
    proxy.fault = () => 'pass';
    time.timeOut();
    expect(await refusal(wallet(fork, 'getaccount', { address: HOLDER }))).toBe('it was done');
  });

  it('is not one that answers other requests, or has announced a pause', async () => {
    await using fork = await opened();
    const asked = silent();
    const first = wallet(fork, 'getaccount', { address: HOLDER });
    await asked;
    const never = proxy.fault;
    proxy.fault = (request, count) => (request.body.includes(HOLDER) ? never(request, count) : 'pass');
    expect(await wallet(fork, 'getaccount', { address: STRANGER })).toEqual({});
    // Another caller has got an answer meanwhile: the caller continues to wait.
    time.endWaiting();
    proxy.fault = () => 'pass';
    time.timeOut();
    expect(await first).toMatchObject({ balance: 1_000 * TRX });
  });

  it('can have a longer timeout, and the error contains the reason of the last failure', async () => {
    await using fork = await createDevnet({
      fork: proxy.url,
      clock: time.clock,
      forkTimeout: 20_000,
      forkRate: 10_000,
    });
    const failing = new Promise<void>((asked) => {
      let count = 0;
      proxy.fault = () => {
        if (count++ === 0) return { status: 502, text: 'nobody there' };
        asked();
        return 'never';
      };
    });
    const waiting = refusal(wallet(fork, 'getaccount', { address: HOLDER }));
    await failing;
    time.timeOut();
    expect(await waiting).toMatch(/no answer within 20000 ms \(HTTP 502, "nobody there"\)/);
  });
});

describe('a network with corrupt answers', () => {
  const about =
    (what: string, instead: (text: string) => string): FaultyProxy['fault'] =>
    ({ path }) =>
      path.endsWith(what) ? { instead } : 'pass';

  it.each<[string, FaultyProxy['fault'], RegExp]>([
    [
      'another account',
      about('/getaccount', (text) => text.replace(/"address": ?"41../, '"address":"4100')),
      /another account/,
    ],
    [
      'another contract',
      about('/getcontractinfo', (text) => text.replace(/"contract_address": ?"41../, '"contract_address":"4100')),
      /another contract/,
    ],
    ['no contract at all', about('/getcontractinfo', () => '[]'), /not a JSON object/],
    [
      'words for numbers',
      about('/getaccount', (text) => text.replace(/"balance": ?\d+/, '"balance":"much"')),
      /cannot be read/,
    ],
    [
      'invalid hex as code',
      about('/getcontractinfo', (text) => text.replace(/"runtimecode": ?"../, '"runtimecode":"zz')),
      /cannot be read/,
    ],
    [
      'another code',
      about('/getcontractinfo', (text) => text.replace(/"runtimecode": ?"60/, '"runtimecode":"61')),
      /code that does not match its code_hash/,
    ],
    [
      'another block as head',
      about('/getblock', (text) => text.replace(/"number": ?\d+/, '"number":99')),
      /returns another block/,
    ],
    ['invalid storage words', about('/jsonrpc', () => '[{"jsonrpc":"2.0","id":1,"result":"0xnone"}]'), /.+/],
  ])('about %s', (_, fault, says) => expectRefusedAndLater(SENT, fault, says));

  it('about a balance below 0 is refused without consequences', async () => {
    await using fork = await opened();
    proxy.fault = about('/getaccount', (text) => text.replace(/"balance": ?\d+/, '"balance":-5'));
    expect(await refusal(SENT(fork))).toMatch(/its balance is -5/);
    expect(await refusal(wallet(fork, 'getaccount', { address: HOLDER }))).toMatch(/its balance is -5/);
    await fork.mine(2);
    proxy.fault = () => 'pass';
    expect(await wallet(fork, 'getaccount', { address: HOLDER })).toMatchObject({ balance: 1_000 * TRX });
  });
});

it('rows that were read need no network: transactions, blocks and epochs continue after its end', async () => {
  await using fork = await opened();
  await SENT(fork);
  await proxy.close();
  await SENT(fork);
  await fork.mine(5);
  await fork.mine({ advanceMs: 13 * 3_600_000 });
  expect(await SENT(fork)).toMatch(/^0x/);
  expect(await refusal(wallet(fork, 'getaccount', { address: `41${'00'.repeat(20)}` }))).toMatch(/ECONNREFUSED/);
  proxy = await FaultyProxy.open(network.http.url);
});

it('clock blocks continue without the network, and operations that need it get an error', async () => {
  await using fork = await createDevnet({ fork: proxy.url, accounts: 1, clock: time.clock, mining: 'interval' });
  await fork.impersonate(HOLDER);
  await proxy.close();
  const height = async () => Number(await rpc(fork, 'eth_blockNumber'));
  const before = await height();
  expect(await refusal(SENT(fork))).toMatch(/The fork could not read .+ECONNREFUSED/);
  while ((await height()) < before + 3) {
    time.pass(500);
    await new Promise(setImmediate);
  }
  proxy = await FaultyProxy.open(network.http.url);
});
