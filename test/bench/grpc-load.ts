/**
 * gRPC of the network's own client library in processes of their own: one that keeps calls of `BroadcastTransaction`
 * open, and a bare server that answers them with a constant.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, credentials, Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js';

const PATH = '/protocol.Wallet/BroadcastTransaction';
/** A `Return` with `result: true`, as every accepted transaction gets it. */
const ACCEPTED = new Uint8Array([0x08, 0x01]);
const asBytes = (bytes: Uint8Array) => Buffer.from(bytes);

export interface GrpcLoad {
  readonly port: number;
  readonly transactions: readonly Uint8Array[];
  /** Each with a call at a time. */
  readonly connections: number;
}

export interface GrpcLoadResult {
  /** By the machine's clock, when the first call left. */
  readonly startedAtMs: number;
  readonly seconds: number;
}

/** Broadcasts each transaction once. @throws Error if one is refused */
export async function broadcastElsewhere(load: GrpcLoad): Promise<GrpcLoadResult> {
  const child = ownProcess('send');
  child.send(load);
  const [result] = (await once(child, 'message')) as [GrpcLoadResult | { readonly refused: string }];
  child.kill();
  if ('refused' in result) throw new Error(`not accepted: ${result.refused}`);
  return result;
}

/** Starts the bare server. */
export async function plainGrpcServer(): Promise<{ readonly port: number; readonly process: ChildProcess }> {
  const child = ownProcess('serve');
  const kill = () => child.kill();
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const [port] = (await once(child, 'message')) as [number];
  return { port, process: child };
}

function ownProcess(task: 'send' | 'serve'): ChildProcess {
  return fork(fileURLToPath(new URL('./grpc-load.js', import.meta.url)), [task], {
    execArgv: [],
    serialization: 'advanced',
  });
}

async function send({ port, transactions, connections }: GrpcLoad): Promise<GrpcLoadResult> {
  // Without the option, all clients of an address share a connection.
  const clients = Array.from(
    { length: connections },
    () => new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 }),
  );
  let next = 0;
  const started = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let at = next++; at < transactions.length; at = next++) await broadcast(client, transactions[at]!);
    }),
  );
  return { startedAtMs: performance.timeOrigin + started, seconds: (performance.now() - started) / 1000 };
}

function broadcast(client: Client, transaction: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(PATH, asBytes, asBytes, transaction, (error, answer) => {
      if (error) reject(error);
      else if (answer === undefined || Buffer.compare(answer, ACCEPTED) !== 0)
        reject(new Error(answer?.toString('latin1') ?? 'no answer'));
      else resolve();
    });
  });
}

async function serve(): Promise<number> {
  const server = new Server();
  const method = {
    path: PATH,
    requestStream: false,
    responseStream: false,
    requestSerialize: asBytes,
    requestDeserialize: asBytes,
    responseSerialize: asBytes,
    responseDeserialize: asBytes,
  };
  const service: ServiceDefinition = { [PATH]: method };
  server.addService(service, {
    [PATH]: (_call: unknown, answer: (error: null, value: Uint8Array) => void) => answer(null, ACCEPTED),
  });
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
}

if (process.argv[2] === 'serve') process.send?.(await serve());
if (process.argv[2] === 'send')
  process.once('message', (load: GrpcLoad) => {
    send(load).then(
      (result) => process.send?.(result),
      (error: Error) => process.send?.({ refused: error.message }),
    );
  });
