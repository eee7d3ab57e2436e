import { once } from 'node:events';
import { get } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2, type OutgoingHttpHeaders } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { BlockReq, BytesMessage, NumberMessage } from '../../src/protocol/generated/api.js';
import { TriggerSmartContract } from '../../src/protocol/generated/smart-contract.js';
import { callBytes, ServiceClient, statusOf } from './grpc-client.js';

let devnet: Devnet;
let wallet: ServiceClient;

beforeEach(async () => {
  devnet = await createDevnet({ grpcPort: 0 });
  wallet = new ServiceClient('Wallet', devnet.grpc!.url);
});
afterEach(async () => {
  wallet.close();
  await devnet.close();
});

const NUMBER = '/protocol.Wallet/GetBlockByNum';

function framed(message: Uint8Array, flag = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(flag, 0);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

interface RawReply {
  readonly headers: OutgoingHttpHeaders;
  readonly trailers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** A call as raw bytes on an HTTP/2 stream, for what no client library sends. */
async function raw(chunks: readonly Uint8Array[], headers: OutgoingHttpHeaders = {}): Promise<RawReply> {
  const session: ClientHttp2Session = connectHttp2(`http://${devnet.grpc!.url}`);
  const sent = { ':method': 'POST', ':path': NUMBER, 'content-type': 'application/grpc', te: 'trailers', ...headers };
  const stream = session.request(sent);
  const reply = { headers: {}, trailers: {}, body: [] as Uint8Array[] };
  stream.on('response', (received) => Object.assign(reply.headers, received));
  stream.on('trailers', (received) => Object.assign(reply.trailers, received));
  stream.on('data', (chunk: Uint8Array) => reply.body.push(chunk));
  stream.on('error', () => {});
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await once(stream, 'close');
  session.close();
  return { ...reply, body: Buffer.concat(reply.body) };
}

const statusIn = ({ headers, trailers }: RawReply) => {
  const from = 'grpc-status' in headers ? headers : trailers;
  return [from['grpc-status'], from['grpc-message'] ?? ''];
};

describe('requests', () => {
  test('can be the first data of the first connection, and long', async () => {
    // The services are loaded while this waits in the socket.
    const call = TriggerSmartContract.create({
      owner_address: '41'.padEnd(42, '1'),
      contract_address: '41'.padEnd(42, '2'),
      data: 'ab'.repeat(1_000_000),
    });
    const reply = await callBytes(
      wallet.client,
      '/protocol.Wallet/TriggerConstantContract',
      TriggerSmartContract.encode(call),
    );
    expect(reply.toString('latin1')).toContain('Smart contract is not exist.');
  });

  test('can be compressed', async () => {
    const message = NumberMessage.encode({ num: 1n });
    const compressed = await raw([framed(gzipSync(message), 1)], { 'grpc-encoding': 'gzip' });
    expect(compressed.body).toEqual((await raw([framed(message)])).body);
    expect(compressed.body.length).toBeGreaterThan(100);
    expect(statusIn(await raw([framed(Buffer.from('junk'), 1)], { 'grpc-encoding': 'gzip' }))[0]).toBe('13');
    expect(statusIn(await raw([framed(message, 1)], { 'grpc-encoding': 'snappy' }))[0]).toBe('12');
  });

  test('can come in pieces', async () => {
    const bytes = framed(NumberMessage.encode({ num: 2n }));
    const pieces = [...bytes].map((byte) => Uint8Array.of(byte));
    expect((await raw(pieces)).body).toEqual((await raw([bytes])).body);
  });

  test('above 4 MiB are refused before they have arrived', async () => {
    const path = '/protocol.Wallet/GetTransactionById';
    const at = (length: number) => callBytes(wallet.client, path, BytesMessage.encode({ value: '00'.repeat(length) }));
    expect(await at(4_194_304 - 5)).toEqual(Buffer.alloc(0));
    expect((await statusOf(at(4_194_304)))[0]).toBe('RESOURCE_EXHAUSTED');
    const announced = Buffer.from([0, 0xff, 0xff, 0xff, 0xff]);
    expect(statusIn(await raw([announced], { ':path': path }))[0]).toBe('8');
    const bomb = framed(gzipSync(Buffer.alloc(20_000_000)), 1);
    expect(statusIn(await raw([bomb], { ':path': path, 'grpc-encoding': 'gzip' }))[0]).toBe('8');
  });

  test('that violate the protocol are refused', async () => {
    const message = framed(NumberMessage.encode({ num: 1n }));
    expect(statusIn(await raw([]))[0]).toBe('12');
    expect(statusIn(await raw([message, message]))[0]).toBe('12');
    expect(statusIn(await raw([message.subarray(0, 6)]))[0]).toBe('12');
    expect((await raw([message], { 'content-type': 'application/json' })).headers[':status']).toBe(415);
    expect((await raw([message], { 'content-type': 'application/grpc+proto' })).headers[':status']).toBe(200);
    expect(statusIn(await raw([], { ':path': '/protocol.Wallet/Nöpe%' }))[0]).toBe('12');
    expect(await wallet.call('GetPendingSize')).toEqual({});
  });

  test('status texts are percent-encoded', async () => {
    const reply = await raw([framed(BlockReq.encode({ id_or_num: '-1', detail: true }))], {
      ':path': '/protocol.Wallet/GetBlock',
    });
    expect(statusIn(reply)).toEqual(['3', 'num%20must%20be%20non-positive%20number.']);
  });

  test('of one connection are answered concurrently', async () => {
    await devnet.mine(200);
    const numbers = Array.from({ length: 200 }, (_, num) => num);
    const blocks = await Promise.all(numbers.map((num) => wallet.call('GetBlockByNum2', { num })));
    const found = blocks.map(({ blockid }) => Number((blockid as Buffer).readBigUInt64BE(0)));
    expect(found).toEqual(numbers);
  });
});

describe('connections', () => {
  async function open(): Promise<Socket> {
    const socket = connect({ host: devnet.grpc!.host, port: devnet.grpc!.port });
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  }

  test('without HTTP/2 are closed without harm', async () => {
    const socket = await open();
    socket.end('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
    await new Promise((resolve) => get(`http://${devnet.grpc!.url}/`).on('error', resolve).on('response', resolve));
    expect(await wallet.call('GetPendingSize')).toEqual({});
  });

  test('can end at once', async () => {
    for (let i = 0; i < 20; i++) (await open()).resetAndDestroy();
    expect(await wallet.call('GetPendingSize')).toEqual({});
  });

  test('can end during a call', async () => {
    const session = connectHttp2(`http://${devnet.grpc!.url}`);
    session.on('error', () => {});
    const stream = session.request({ ':method': 'POST', ':path': NUMBER, 'content-type': 'application/grpc' });
    stream.on('error', () => {});
    stream.write(Buffer.of(0, 0, 0));
    await once(session, 'connect');
    session.destroy();
    expect(await wallet.call('GetPendingSize')).toEqual({});
  });

  test('do not delay closing', async () => {
    const silent = await open();
    expect(await wallet.call('GetPendingSize')).toEqual({});
    await devnet.close();
    expect((await statusOf(wallet.call('GetPendingSize')))[0]).toBe('UNAVAILABLE');
    silent.destroy();
  });
});
