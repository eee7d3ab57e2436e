/** Unread answers and incomplete bodies: the memory for all of them together is limited. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_HELD_BYTES, maxHeldBytes } from '../../src/access/held-answers.js';
import { type HttpServer, startHttpServer } from '../../src/http/server.js';
import { jsonRpcRoute } from '../../src/jsonrpc/endpoint.js';
import { methods } from '../../src/jsonrpc/methods.js';
import { type Method, method, RawJson } from '../../src/jsonrpc/table.js';
import { SimulatedChain } from '../simulation/simulated-chain.js';
import { SocketClient } from './socket-client.js';

const ANSWER_BYTES = 16_777_216;
/** One more than the limit allows, including the kernel's buffers. */
const CLIENTS = MAX_HELD_BYTES / ANSWER_BYTES + 8;

let chain: SimulatedChain;
let server: HttpServer;
const answer = new RawJson(JSON.stringify('a'.repeat(ANSWER_BYTES)));

beforeAll(async () => {
  chain = await SimulatedChain.open();
  const table = new Map<string, Method>([...methods, ['long', method('long', 'long', [], () => answer)]]);
  server = await startHttpServer({
    port: 0,
    plugins: [jsonRpcRoute({ node: chain.node, view: 'full', methods: table })],
  });
});
afterAll(async () => {
  await server.close();
  await chain.close();
});

const LONG = JSON.stringify({ id: 1, method: 'long', params: [] });

async function reads(): Promise<number> {
  const response = await fetch(`${server.url}/jsonrpc`, { method: 'POST', body: LONG });
  return (await response.text()).length;
}

async function isAnswered(): Promise<void> {
  const body = JSON.stringify({ id: 1, method: 'eth_chainId' });
  await (await fetch(`${server.url}/jsonrpc`, { method: 'POST', body })).text();
}

test('over HTTP some non-readers are disconnected, and readers are answered', async () => {
  const clients: Socket[] = [];
  let cut = 0;
  for (let i = 0; i < CLIENTS; i++) {
    const socket = connect({ host: '127.0.0.1', port: server.port });
    socket.on('error', () => {}).on('close', () => cut++);
    await once(socket, 'connect');
    // Its first bytes are read, to know that it is answered.
    socket.write(`POST /jsonrpc HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${LONG.length}\r\n\r\n${LONG}`);
    await once(socket, 'readable');
    clients.push(socket);
  }
  expect(await reads()).toBeGreaterThan(ANSWER_BYTES);
  // A disconnected client notices it when it reads to the end.
  for (const socket of clients) socket.resume();
  const ends = await Promise.all(
    clients.map(async (socket) => {
      let bytes = 0;
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > ANSWER_BYTES) socket.end();
      });
      if (!socket.closed) await once(socket, 'close');
      return bytes > ANSWER_BYTES;
    }),
  );
  expect(ends.filter((whole) => !whole).length).toBeGreaterThan(0);
  expect(ends.filter((whole) => whole).length).toBeGreaterThan(0);
});

test('the same over WebSockets', async () => {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => SocketClient.connect(`${server.url}/jsonrpc`)),
  );
  const first = clients.map(({ socket }) => socket);
  for (const socket of first) {
    socket.pause();
    socket.send(LONG);
    await isAnswered();
  }
  const closed = Promise.all(clients.map((client) => client.closed));
  for (const socket of first) {
    socket.resume();
    socket.close();
  }
  const codes = (await closed).map(({ code }) => code);
  expect(codes).toContain(1006);
  expect(codes.filter((code) => code !== 1006).length).toBeGreaterThan(0);
});

/** Memory after a garbage collection. */
function kept(): { readonly asText: number; readonly asBytes: number } {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { asText: heapUsed, asBytes: arrayBuffers };
}

describe('a waiting answer is stored once, as bytes', () => {
  const WAITING = 8;

  async function expectOnce(ask: () => Promise<() => void>): Promise<void> {
    await reads();
    const before = kept();
    const ends = [];
    for (let i = 0; i < WAITING; i++) ends.push(await ask());
    await isAnswered();
    const after = kept();
    expect(after.asText - before.asText).toBeLessThan(ANSWER_BYTES);
    expect(after.asBytes - before.asBytes).toBeLessThan((WAITING + 1) * ANSWER_BYTES);
    for (const end of ends) end();
  }

  test('over HTTP', () =>
    expectOnce(async () => {
      const socket = connect({ host: '127.0.0.1', port: server.port });
      socket.on('error', () => {});
      socket.write(`POST /jsonrpc HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${LONG.length}\r\n\r\n${LONG}`);
      await once(socket, 'readable');
      return () => socket.destroy();
    }));

  test('over WebSockets', () =>
    expectOnce(async () => {
      const { socket } = await SocketClient.connect(`${server.url}/jsonrpc`);
      socket.pause();
      socket.send(LONG);
      await isAnswered();
      return () => socket.terminate();
    }));
});

describe('some clients with incomplete bodies are disconnected, and others are answered', () => {
  const BODY_BYTES = 4_194_304;
  const MANY = Math.ceil(MAX_HELD_BYTES / (BODY_BYTES - 1)) + 2;
  const body = Buffer.alloc(BODY_BYTES - 1, ' ');

  /** @param begin the data before the body, whose last byte never comes */
  async function expectCut(begin: (socket: Socket) => Promise<void>): Promise<void> {
    const sockets: Socket[] = [];
    let cut = 0;
    const firstCut = new Promise<void>((resolve) => {
      for (let i = 0; i < MANY; i++) {
        const socket = connect({ host: '127.0.0.1', port: server.port });
        socket
          .on('error', () => {})
          .on('close', () => {
            cut++;
            resolve();
          });
        sockets.push(socket);
      }
    });
    for (const socket of sockets) {
      await begin(socket);
      socket.resume().write(body);
    }
    await firstCut;
    await isAnswered();
    expect(cut).toBeLessThan(MANY / 2);
    for (const socket of sockets) socket.destroy();
  }

  test('over HTTP', () =>
    expectCut(async (socket) => {
      socket.write(`POST /jsonrpc HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${BODY_BYTES}\r\n\r\n`);
    }));

  test('over WebSockets', () =>
    expectCut(async (socket) => {
      const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13';
      socket.write(
        `GET /jsonrpc HTTP/1.1\r\nhost: localhost\r\n${upgrade}\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      );
      await once(socket, 'readable');
      const head = Buffer.alloc(14);
      head.writeUInt16BE(0x81ff);
      head.writeUInt32BE(BODY_BYTES, 6);
      socket.write(head);
    }));
});

test('a container reserves a share of its memory for clients, at most 256 MB', () => {
  expect(maxHeldBytes(0)).toBe(268_435_456);
  expect(maxHeldBytes(536_870_912)).toBe(134_217_728);
  expect(maxHeldBytes(2 ** 64)).toBe(268_435_456);
});
