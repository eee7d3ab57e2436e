/** A fork that reads its network over gRPC: from the start to a token transfer, with faults of calls. */

import { createHash } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { utils } from 'tronweb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { grpcAddress } from '../../src/fork/network/grpc-address.js';
import type { RemotePlatform } from '../../src/fork/network/remote-client.js';
import { RemoteError } from '../../src/fork/network/remote-error.js';
import { type OpenRemoteOptions, openRemote, type Remote } from '../../src/fork/start/open-remote.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import type { Address } from '../../src/primitives/ids.js';
import { Account } from '../../src/protocol/generated/tron.js';
import type { WantedRow } from '../../src/state/remote-rows.js';
import { type CallFault, FaultyGrpcProxy } from './grpc-proxy.js';

const TIMEOUT_MS = 54_321;

let devnet: Devnet;
let holder: Address;
let token: string;
let proxy: FaultyGrpcProxy;
let pausesMs: number[];
let timeOut: () => void;

beforeAll(async () => {
  devnet = await createDevnet({ grpcPort: 0 });
  token = (await devnet.deploy('fixtures/contracts/Dollar.json', { args: [10n ** 15n, 'Dollar', 'USD', 6] })).address;
  await devnet.mine(3);
  holder = devnet.accounts[0]?.addressHex as Address;
});
afterAll(() => devnet.close());
beforeEach(async () => {
  pausesMs = [];
  proxy = await FaultyGrpcProxy.open(devnet.grpc?.url as string);
});
afterEach(() => proxy.close());

/** Pauses end at once and are recorded; timeouts occur when a test triggers them. */
function platform(): RemotePlatform {
  const timeouts = new Set<() => void>();
  timeOut = () => {
    for (const task of timeouts) task();
  };
  return {
    fetch: (url, init) => fetch(url, init),
    random: { bytes: (length) => new Uint8Array(length).fill(255) },
    clock: {
      nowMs: () => 0n,
      after: (delayMs, task) => {
        if (delayMs === TIMEOUT_MS) {
          timeouts.add(task);
          return () => timeouts.delete(task);
        }
        pausesMs.push(delayMs);
        setImmediate(task);
        return () => {};
      },
    },
  };
}

async function withRemote<Result>(
  options: Partial<OpenRemoteOptions>,
  work: (remote: Remote) => Promise<Result>,
): Promise<Result> {
  const { url } = devnet.http;
  const remote = await openRemote({ url, grpc: proxy.address, timeoutMs: TIMEOUT_MS, ...options }, platform());
  try {
    return await work(remote);
  } finally {
    await remote.close();
  }
}

const account: WantedRow = { table: 'accounts', key: '' };
const wanted = (): WantedRow[] => [{ ...account, key: holder }];

async function balanceOf(remote: Remote): Promise<bigint> {
  const rows = await remote.rows.fetch(wanted());
  return Account.decode(rows.find(({ table }) => table === 'accounts')?.value as Uint8Array).balance;
}

async function refusal(work: Promise<unknown>): Promise<RemoteError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RemoteError);
  return error as RemoteError;
}

/** Faults of consecutive calls for an account. */
function inTurn(...faults: CallFault[]): typeof proxy.fault {
  return ({ method }) => (method === 'GetAccount' ? (faults.shift() ?? 'pass') : 'pass');
}

describe('a devnet', () => {
  it('uses gRPC for everything except storage words, with its key, and reads nothing twice', async () => {
    const { url } = devnet.http;
    await using fork = await createDevnet({
      fork: url,
      forkGrpc: `grpc://${proxy.address}`,
      forkApiKey: 'a-key',
      forkHeader: ['x-team: fees'],
    });
    expect(fork.fork?.url).toBe(url);
    const dollar = await fork.contractAt('fixtures/contracts/Dollar.json', token);
    const [owner, to] = devnet.accounts;
    const { txid } = await dollar.write.transfer!([to!.address, 5n], { from: owner! });
    expect((await fork.explain(txid)).energy!.total).toBeGreaterThan(10_000);
    const asked = proxy.seen.length;
    await dollar.write.transfer!([to!.address, 5n], { from: owner! });
    expect(proxy.seen.length).toBe(asked);
    for (const { metadata } of proxy.seen) {
      expect(metadata).toMatchObject({ 'tron-pro-api-key': 'a-key', 'x-team': 'fees' });
    }
  });

  it('names the option of an invalid address', async () => {
    await expect(createDevnet({ fork: devnet.http.url, forkGrpc: 'tron:99999' })).rejects.toThrow(
      /forkGrpc is "tron:99999", which is not the address/,
    );
  });
});

describe('older blocks', () => {
  const asked = async (chain: Devnet, path: string, body: object) =>
    (await chain.fetch(path, { method: 'POST', body: JSON.stringify(body) })).text();

  /** Results and unknown fields are part of its id. */
  async function strangeTransaction(): Promise<string> {
    const [from, to] = devnet.accounts;
    const transfer = { owner_address: from!.addressHex, to_address: to!.addressHex, amount: 3 };
    const { raw_data_hex } = JSON.parse(await asked(devnet, '/wallet/createtransaction', transfer));
    const raw = Buffer.from(`${raw_data_hex}c03e01`, 'hex');
    const txid = createHash('sha256').update(raw).digest();
    const signature = utils.crypto.ECKeySign([...txid], [...Buffer.from(from!.privateKey, 'hex')]);
    const hex = `0a${lengthOf(raw)}${raw.toString('hex')}1241${signature.replace(/^0x/, '')}`;
    const answer = await asked(devnet, '/wallet/broadcasthex', { transaction: hex });
    expect(answer).toContain(txid.toString('hex'));
    return txid.toString('hex');
  }

  const lengthOf = ({ length }: Buffer): string =>
    Buffer.from(length < 128 ? [length] : [(length & 127) | 128, length >> 7]).toString('hex');

  it('are the same as over HTTP, with ids of the signed bytes', async () => {
    const txid = await strangeTransaction();
    const { url } = devnet.http;
    await using fork = await createDevnet({ fork: url, forkGrpc: proxy.address });
    const number = fork.fork?.blockNumber;
    for (const [path, body] of [
      ['/wallet/gettransactionbyid', { value: txid }],
      ['/wallet/gettransactioninfobyid', { value: txid }],
      ['/wallet/getblockbynum', { num: number }],
      ['/wallet/getblockbynum', { num: 2 }],
      ['/wallet/gettransactioninfobyblocknum', { num: number }],
    ] as const) {
      const answer = await asked(fork, path, body);
      expect(answer, path).toBe(await asked(devnet, path, body));
      expect(answer.length).toBeGreaterThan(100);
    }
    expect(new Set(proxy.seen.map(({ method }) => method))).toContain('GetTransactionInfoByBlockNum');
  });
});

describe('temporary faults are retried', () => {
  it.each<[string, CallFault[], number[]]>([
    ['a node that is not available', [{ code: status.UNAVAILABLE, details: 'upstream' }], [400]],
    [
      'too many calls, then with a time',
      [
        { code: status.RESOURCE_EXHAUSTED, details: '' },
        { code: status.RESOURCE_EXHAUSTED, details: 'slow', metadata: { 'grpc-retry-pushback-ms': '7000' } },
      ],
      [400, 100, 7_000, 200, 197],
    ],
    ['a deadline of a gateway', [{ code: status.DEADLINE_EXCEEDED, details: 'gateway' }], [400]],
  ])('%s', async (_, faults, pauses) => {
    await withRemote({}, async (remote) => {
      proxy.fault = inTurn(...faults);
      expect(await balanceOf(remote)).toBeGreaterThan(0n);
      expect(pausesMs).toEqual(pauses);
    });
  });

  it('a missing answer, until the last attempt', async () => {
    await withRemote({ attempts: 3 }, async (remote) => {
      proxy.fault = ({ method }) => {
        if (method !== 'GetAccount') return 'pass';
        setImmediate(() => timeOut());
        return 'never';
      };
      const { message } = await refusal(remote.rows.fetch(wanted()));
      expect(message).toContain(`account ${devnet.accounts[0]?.address} from grpc://${proxy.address} (GetAccount)`);
      expect(message).toContain(`no complete answer within ${TIMEOUT_MS} ms (3 attempts). Try again`);
      proxy.fault = () => 'pass';
      expect(await balanceOf(remote)).toBeGreaterThan(0n);
    });
  });

  it('a missing node, with the reason', async () => {
    await withRemote({ attempts: 2 }, async (remote) => {
      proxy.close();
      const { message } = await refusal(remote.rows.fetch(wanted()));
      expect(message).toMatch(/UNAVAILABLE, ".*(ECONNREFUSED|dropped|No connection).*\(2 attempts\)/);
    });
  });
});

describe('permanent faults are reported at once', () => {
  it.each<[string, CallFault, RegExp]>([
    ['an invalid key', { code: status.UNAUTHENTICATED, details: 'no key' }, /UNAUTHENTICATED.*--fork-api-key/],
    ['another service', { code: status.UNIMPLEMENTED, details: '' }, /UNIMPLEMENTED.*grpc\.trongrid\.io:50051/],
    ['a disabled method', { code: status.UNAVAILABLE, details: 'this API is closed' }, /another node/],
    [
      'an hour to wait',
      { code: status.RESOURCE_EXHAUSTED, details: '', metadata: { 'grpc-retry-pushback-ms': '3600000' } },
      /3600 s.*--fork-api-key/,
    ],
    ['an error of java-tron', { code: status.UNKNOWN, details: 'Application error' }, /UNKNOWN, "Application error"/],
    [
      'another account',
      { instead: () => Account.encode(Account.create({ address: `41${'1'.repeat(40)}` })) },
      /another account/,
    ],
    ['an invalid message', { instead: () => Buffer.from([0xff, 0xff]) }, /cannot be read/],
    ['megabytes', { instead: () => new Uint8Array(70_000) }, /longer than 65536 bytes/],
  ])('%s', async (_, fault, says) => {
    await withRemote({ maxAnswerBytes: 65_536 }, async (remote) => {
      proxy.fault = inTurn(fault);
      const error = await refusal(remote.rows.fetch(wanted()));
      expect(error.message).toMatch(says);
      expect(error.url).toBe(`grpc://${proxy.address} (GetAccount)`);
      expect(pausesMs).toEqual([]);
    });
  });

  it('no server at the address', async () => {
    const error = await refusal(withRemote({ grpc: '127.0.0.1:1' }, async () => {}));
    expect(error.message).toMatch(/from grpc:\/\/127\.0\.0\.1:1 \(GetBlock\): UNAVAILABLE.*Check the address/);
    expect(pausesMs).toEqual([]);
  });

  it('an HTTP interface instead of gRPC', async () => {
    const error = await refusal(withRemote({ grpc: new URL(devnet.http.url).host }, async () => {}));
    expect(error.message).toMatch(/GetBlock\): (UNAVAILABLE|INTERNAL)/);
  });

  it('an interface without TLS that is addressed with TLS', async () => {
    const error = await refusal(
      withRemote({ grpc: `grpcs://${proxy.address.replace('127.0.0.1', 'localhost')}` }, async () => {}),
    );
    expect(error.message).toMatch(/grpcs:\/\/.*UNAVAILABLE.*(SSL|TLS|EPROTO|disconnected|ECONNRESET|wrong version)/i);
  });
});

describe('an address', () => {
  it.each([
    ['grpc.trongrid.io:50051', 'grpc.trongrid.io:50051', false],
    ['grpc.trongrid.io', 'grpc.trongrid.io:50051', false],
    ['grpcs://node.example', 'node.example:443', true],
    ['node.example:443', 'node.example:443', true],
    ['https://node.example:8443/', 'node.example:8443', true],
    ['[::1]:50051', '[::1]:50051', false],
  ])('%s', (text, target, isSecure) => {
    expect(grpcAddress(text)).toMatchObject({ target, isSecure });
  });

  it.each(['', 'http://', 'node:port', 'a b', 'ftp://node', 'node:1:2', 'node/path'])('%j is invalid', (text) => {
    expect(grpcAddress(text)).toBeUndefined();
  });
});
