/** Limits of gRPC clients: idle streams, unread answers, bytes that are not gRPC. */

import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  type SessionOptions,
} from 'node:http2';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_HELD_BYTES } from '../../src/access/held-answers.js';
import { createEndpoint, type Endpoint, MAX_CONCURRENT_CALLS, MAX_REQUEST_BYTES } from '../../src/grpc/endpoint.js';
import { MAX_UNREAD_BYTES } from '../../src/grpc/unread-replies.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import { callBytes, ServiceClient, statusOf } from './grpc-client.js';

const EMPTY_MESSAGE = Buffer.alloc(5);

function call(session: ClientHttp2Session, path: string): ClientHttp2Stream {
  const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc' });
  stream.on('error', () => {});
  return stream;
}

async function open(url: string, options: SessionOptions = {}): Promise<ClientHttp2Session> {
  const session = connectHttp2(`http://${url}`, options);
  session.on('error', () => {});
  // The server's settings have arrived.
  await once(session, 'remoteSettings');
  return session;
}

describe('replies that a client does not read', () => {
  const REPLY_BYTES = 1_048_576;
  const MAX_UNREAD = MAX_UNREAD_BYTES / REPLY_BYTES;
  let answered = 0;
  let endpoint: Endpoint;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    const big = () => {
      answered++;
      return new Uint8Array(REPLY_BYTES);
    };
    const methods = new Map([
      ['/test.Service/Big', big],
      ['/test.Service/Small', () => new Uint8Array(1)],
    ]);
    endpoint = createEndpoint({ methods, services: [] });
    server = createServer((socket) => endpoint.accept(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    answered = 0;
  });
  afterAll(async () => {
    server.close();
    await endpoint.close();
  });

  test('are not built while earlier ones are unread, and other clients are answered', async () => {
    const session = await open(url, { settings: { initialWindowSize: 0 } });
    const replies = Array.from({ length: MAX_CONCURRENT_CALLS }, () => {
      const stream = call(session, '/test.Service/Big');
      stream.end(EMPTY_MESSAGE);
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      return once(stream, 'end').then(() => bytes);
    });
    const other = new ServiceClient('Wallet', url);
    while (answered < MAX_UNREAD) await callBytes(other.client, '/test.Service/Small', Buffer.alloc(0));
    for (let i = 0; i < 100; i++) await callBytes(other.client, '/test.Service/Small', Buffer.alloc(0));
    expect(answered).toBe(MAX_UNREAD);

    session.settings({ initialWindowSize: REPLY_BYTES });
    expect(await Promise.all(replies)).toEqual(replies.map(() => REPLY_BYTES + EMPTY_MESSAGE.length));
    expect(answered).toBe(MAX_CONCURRENT_CALLS);
    session.close();
    other.close();
  });

  test('are not built for a disconnected client', async () => {
    const session = await open(url, { settings: { initialWindowSize: 0 } });
    for (let i = 0; i < MAX_CONCURRENT_CALLS; i++) call(session, '/test.Service/Big').end(EMPTY_MESSAGE);
    const other = new ServiceClient('Wallet', url);
    while (answered < MAX_UNREAD) await callBytes(other.client, '/test.Service/Small', Buffer.alloc(0));
    session.destroy();
    for (let i = 0; i < 100; i++) await callBytes(other.client, '/test.Service/Small', Buffer.alloc(0));
    // Some replies, while its streams end.
    expect(answered).toBeLessThan(MAX_CONCURRENT_CALLS);
    other.close();
  });
});

describe('incomplete messages', () => {
  const MESSAGE_BYTES = MAX_REQUEST_BYTES - 1;
  const STREAMS = 20;
  /** Of the client, which holds all messages. Node 24 counts them, and its limit is 10 MB. */
  const SESSION_MB = 1_000;
  let devnet: Devnet;

  beforeAll(async () => {
    devnet = await createDevnet({ mining: 'manual', grpcPort: 0 });
  });
  afterAll(() => devnet.close());

  /** A connection whose calls each lack the last byte of a message. */
  async function unfinished(path: string): Promise<{ session: ClientHttp2Session; streams: ClientHttp2Stream[] }> {
    const session = await open(devnet.grpc!.url, { maxSessionMemory: SESSION_MB });
    const message = Buffer.alloc(EMPTY_MESSAGE.length + MESSAGE_BYTES - 1);
    message.writeUInt32BE(MESSAGE_BYTES, 1);
    const streams = Array.from({ length: STREAMS }, () => call(session, path));
    for (const stream of streams) stream.write(message);
    return { session, streams };
  }

  test.each(['/protocol.Wallet/GetNowBlock', '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo'])(
    '%s: some connections are cut, others are answered',
    async (path) => {
      const many = Math.ceil(MAX_HELD_BYTES / (STREAMS * (MESSAGE_BYTES - 1))) + 1;
      const connections = await Promise.all(Array.from({ length: many }, () => unfinished(path)));
      // `once` of node:events fails if the reset comes first.
      const closed = connections.map(({ session }) => new Promise((resolve) => session.once('close', resolve)));
      await Promise.race(closed);
      const other = new ServiceClient('Wallet', devnet.grpc!.url);
      await other.call('GetNowBlock', {});
      other.close();
      expect(connections.filter(({ session }) => session.destroyed).length).toBeLessThan(many);
      for (const { session } of connections) session.destroy();
    },
  );

  test('of one connection are answered when the last bytes come', async () => {
    const { session, streams } = await unfinished('/protocol.Wallet/GetNowBlock');
    const ends = streams.map((stream) => once(stream.resume(), 'end'));
    for (const stream of streams) stream.end(Buffer.of(0));
    await Promise.all(ends);
    expect(session.destroyed).toBe(false);
    session.close();
  });
});

describe('a devnet', () => {
  let devnet: Devnet;
  let wallet: ServiceClient;
  const failures: string[] = [];

  beforeAll(async () => {
    const log = { warn: () => {}, error: (text: string) => failures.push(text) };
    devnet = await createDevnet({ mining: 'manual', grpcPort: 0, log });
    wallet = new ServiceClient('Wallet', devnet.grpc!.url);
  });
  afterAll(async () => {
    wallet.close();
    await devnet.close();
    expect(failures).toEqual([]);
  });

  test('answers while thousands of streams are idle', async () => {
    const idle = await Promise.all(Array.from({ length: 30 }, () => open(devnet.grpc!.url)));
    for (const session of idle) {
      expect(session.remoteSettings.maxConcurrentStreams).toBe(MAX_CONCURRENT_CALLS);
      for (let i = 0; i < MAX_CONCURRENT_CALLS; i++) call(session, '/protocol.Wallet/GetNowBlock').write(Buffer.of(0));
    }
    expect(await wallet.call('GetPendingSize')).toEqual({});
    for (const session of idle) session.destroy();
    expect(await wallet.call('GetPendingSize')).toEqual({});
  });

  test('survives bytes that are not HTTP/2 or gRPC', async () => {
    const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 400 }).map((junk) => Buffer.from(junk)),
      fc.uint8Array({ minLength: 1, maxLength: 400 }).map((junk) => Buffer.concat([preface, junk])),
    );
    for (const junk of fc.sample(bytes, { seed: 50_051, numRuns: 100 })) {
      const { host, port } = devnet.grpc!;
      const socket = connect({ host, port });
      socket.on('error', () => {});
      socket.resume();
      socket.end(junk);
      await once(socket, 'close');
    }
    for (const message of fc.sample(fc.uint8Array({ maxLength: 60 }), { seed: 50_051, numRuns: 100 })) {
      const session = await open(devnet.grpc!.url);
      const stream = call(session, '/protocol.Wallet/GetAccount');
      stream.end(message);
      stream.resume();
      await once(stream, 'close');
      session.close();
    }
    expect(await wallet.call('GetPendingSize')).toEqual({});
  });

  test('refuses requests with too many values before it reads them', async () => {
    const many = (count: number, field: string) => Buffer.alloc((count * field.length) / 2, Buffer.from(field, 'hex'));
    const within = (tag: number, bytes: Uint8Array) => {
      const length: number[] = [];
      for (let left = bytes.length; ; left >>>= 7) {
        length.push(left > 127 ? (left & 127) | 128 : left);
        if (left <= 127) break;
      }
      return Buffer.concat([Buffer.from([tag, ...length]), bytes]);
    };
    const votes = Buffer.from('type.googleapis.com/protocol.VoteWitnessContract');
    const anyOf = (value: Buffer) => Buffer.concat([within(0x0a, votes), within(0x12, value)]);
    const inTransaction = (value: Buffer) => within(0x0a, within(0x5a, within(0x12, anyOf(value))));
    const requests: readonly [method: string, request: (count: number) => Buffer][] = [
      ['VoteWitnessAccount2', (count) => many(count, '1200')],
      ['DeployContract', (count) => within(0x12, within(0x1a, many(count, '0a00')))],
      ['BroadcastTransaction', (count) => many(count, '1200')],
      ['GetTransactionSignWeight', (count) => within(0x0a, many(count, '5a00'))],
      ['BroadcastTransaction', (count) => inTransaction(many(count, '1200'))],
      ['GetAccount', (count) => many(count, 'f80701')],
    ];
    for (const [method, request] of requests) {
      const call = (count: number) => statusOf(callBytes(wallet.client, `/protocol.Wallet/${method}`, request(count)));
      const tooMany = ['RESOURCE_EXHAUSTED', 'Request holds more than 200000 values'];
      expect([method, await call(1_390_000)]).toEqual([method, tooMany]);
      expect([method, await call(200_001)]).toEqual([method, tooMany]);
      expect([method, ...(await call(199_990))]).toEqual([method, 'OK', '']);
    }
    // A long value is a single value.
    const bytes = within(0x0a, Buffer.alloc(4_000_000));
    expect(await statusOf(callBytes(wallet.client, '/protocol.Wallet/GetTransactionById', bytes))).toEqual(['OK', '']);
    const garbage = callBytes(wallet.client, '/protocol.Wallet/GetAccount', Buffer.alloc(4_000_000, 0xff));
    expect(await statusOf(garbage)).toEqual(['UNKNOWN', 'Application error processing RPC']);
  });

  test('does not read requests of a client that does not read its answers', async () => {
    const session = await open(devnet.grpc!.url);
    const stream = call(session, '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo');
    const text = Buffer.concat([Buffer.of(0x22, 15), Buffer.from('protocol.Wallet')]);
    const question = Buffer.concat([Buffer.of(0, 0, 0, 0, text.length), text]);
    // Each answer has 75 kB, all of them would have 7.5 GB.
    const questions = Buffer.concat(Array.from({ length: 1_000 }, () => question));
    let taken = 0;
    for (let i = 0; i < 100; i++) stream.write(questions, () => taken++);
    await once(stream, 'readable');
    for (let i = 0; i < 100; i++) await wallet.call('GetPendingSize');
    expect(taken).toBeLessThan(20);
    session.destroy();
    expect(await wallet.call('GetPendingSize')).toEqual({});
  });
});
