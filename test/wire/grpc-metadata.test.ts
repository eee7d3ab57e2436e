/** Metadata of gRPC calls from untrusted clients: chain and key in names and bytes of any kind. */

import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

const PATH = '/protocol.Wallet/GetNowBlock';
const EMPTY_MESSAGE = Buffer.alloc(5);
const PROTOTYPE = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

/** A literal header of HPACK with any bytes. */
function literal(name: string | Buffer, value: string | Buffer): Buffer {
  const text = (bytes: string | Buffer) => {
    const raw = Buffer.from(bytes as string, 'latin1');
    const { length } = raw;
    if (length < 127) return Buffer.concat([Buffer.of(length), raw]);
    const more: number[] = [127];
    let left = length - 127;
    for (; left >= 128; left = Math.floor(left / 128)) more.push(128 + (left % 128));
    return Buffer.concat([Buffer.from([...more, left]), raw]);
  };
  return Buffer.concat([Buffer.of(0), text(name), text(value)]);
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const [DATA, HEADERS, SETTINGS, CONTINUATION] = [0, 1, 4, 9];
const MAX_OF_A_FRAME = 16_384;

/** A call with headers that no client library sends; resolves when the server reacts or closes the connection. */
async function sendRaw(
  url: string,
  headers: readonly (readonly [name: string | Buffer, value: string | Buffer])[],
): Promise<void> {
  const [host = '', port] = url.split(':');
  const socket = connect(Number(port), host);
  socket.on('error', () => {});
  const own = [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', PATH],
    [':authority', url],
    ['content-type', 'application/grpc'],
    ['te', 'trailers'],
  ] as const;
  const block = Buffer.concat([...own, ...headers].map(([name, value]) => literal(name, value)));
  const parts: Buffer[] = [];
  for (let at = 0; at < block.length; at += MAX_OF_A_FRAME) {
    const isLast = at + MAX_OF_A_FRAME >= block.length;
    parts.push(frame(at === 0 ? HEADERS : CONTINUATION, isLast ? 4 : 0, 1, block.subarray(at, at + MAX_OF_A_FRAME)));
  }
  const answered = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.on('data', (bytes: Buffer) => {
      // Anything on the call's stream, or its end: GOAWAY, RST_STREAM.
      for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
        const [type, stream] = [bytes[at + 3], bytes.readUInt32BE(at + 5)];
        if (stream === 1 || type === 7 || type === 3) resolve();
      }
    });
  });
  socket.write(
    Buffer.concat([
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      frame(SETTINGS, 0, 0, Buffer.alloc(0)),
      ...parts,
      frame(DATA, 1, 1, EMPTY_MESSAGE),
    ]),
  );
  await answered;
  socket.destroy();
}

/** The status of a call with additional headers. */
async function statusOf(session: ClientHttp2Session, headers: IncomingHttpHeaders): Promise<string> {
  const stream = session.request({
    ':method': 'POST',
    ':path': PATH,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  let status: unknown;
  stream.on('response', (given) => {
    status = given['grpc-status'] ?? status;
  });
  stream.on('trailers', (given) => {
    status = given['grpc-status'] ?? status;
  });
  stream.on('error', () => {});
  stream.resume();
  stream.end(EMPTY_MESSAGE);
  await once(stream, 'close');
  return String(status ?? `reset ${stream.rstCode}`);
}

describe('any metadata', () => {
  let devnet: Devnet;
  let url: string;
  let session: ClientHttp2Session;
  const failures: string[] = [];

  beforeAll(async () => {
    const log = { info: () => {}, warn: () => {}, error: (text: string) => void failures.push(text) };
    devnet = await createDevnet({ grpcPort: 0, grpcSolidityPort: 0, apiKeys: ['mine'], log } as never);
    url = devnet.grpc!.url.replace(/^\w+:\/\//, '');
    session = connectHttp2(`http://${url}`);
    session.on('error', () => {});
  });
  afterAll(async () => {
    session.destroy();
    await devnet.close();
  });

  const [OK, NOT_FOUND, UNAUTHENTICATED] = ['0', '5', '16'];

  test("a name of JavaScript's object members is not a chain or a key", async () => {
    for (const name of PROTOTYPE) {
      expect([name, await statusOf(session, { 'sunup-chain': name })]).toEqual([name, NOT_FOUND]);
      expect([name, await statusOf(session, { 'tron-pro-api-key': name })]).toEqual([name, UNAUTHENTICATED]);
      expect([name, await statusOf(session, { [name]: 'x' })]).toEqual([name, OK]);
    }
    expect(await statusOf(session, { 'tron-pro-api-key': ['mine', 'other'] as never })).toBe(UNAUTHENTICATED);
    expect(await statusOf(session, { 'tron-pro-api-key': 'mine' })).toBe(OK);
    expect(await statusOf(session, { 'tron-pro-api-key': 'x'.repeat(20_000) })).not.toBe(OK);
    expect(await statusOf(session, { 'sunup-chain': 'x'.repeat(20_000) })).not.toBe(OK);
    expect(failures).toEqual([]);
  });

  test('any bytes in names and values, also many and long ones, end their own call at most', async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((raw) => Buffer.from(raw));
    const name = fc.oneof(
      fc.constantFrom(
        'sunup-chain',
        'sunup-chain-bin',
        'tron-pro-api-key',
        'chain-pro-api-key',
        'tron-pro-api-key-bin',
        'grpc-timeout',
        'grpc-encoding',
        ...PROTOTYPE,
      ),
      bytes,
    );
    const value = fc.oneof(
      bytes,
      fc.constantFrom('', 'mine', 'a'.repeat(20_000), '=!', '\0', '\r\nx: y', ...PROTOTYPE),
    );
    const headers = fc.array(fc.tuple(name, value), { maxLength: 8 });
    // The library writes its warnings about metadata to the terminal.
    const written = [vi.spyOn(process.stderr, 'write'), vi.spyOn(console, 'error')];
    onTestFinished(() => {
      for (const one of written) one.mockRestore();
    });
    for (const some of fc.sample(headers, { numRuns: 150, seed: 22 })) await sendRaw(url, some);
    await sendRaw(
      url,
      Array.from({ length: 2_000 }, (_, at) => [`x-${at}`, 'y'] as const),
    );
    await sendRaw(
      url,
      Array.from({ length: 2_000 }, () => ['tron-pro-api-key', 'mine'] as const),
    );
    await sendRaw(url, [['sunup-chain', Buffer.alloc(1_000_000, 'x')]]);
    expect(await statusOf(session, { 'tron-pro-api-key': 'mine' })).toBe(OK);
    expect(failures).toEqual([]);
    expect(written.map(({ mock }) => mock.calls)).toEqual([[], []]);
  });
});
