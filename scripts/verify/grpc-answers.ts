/**
 * Asks recorded gRPC questions of our gRPC ports with the client of @grpc/grpc-js, and compares the replies: to the byte,
 * but for the time that a node puts into the transactions it builds and for java-tron's flush mark.
 */

import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { startGrpcServer } from '../../src/grpc/server.js';
import type { Node } from '../../src/node/node.js';
import { hexToBytes } from '../../src/primitives/hex.js';
import type { MessageCodec } from '../../src/protocol/message-type.js';
import { Database_service, Wallet_service, WalletSolidity_service } from '../../src/protocol/messages/services.js';
import type { MethodType, ServiceType } from '../../src/protocol/service-type.js';
import { fullContext, solidContext } from '../../src/wallet/context.js';
import type { Answer, Asker } from './answers.js';
import { type Difference, differences } from './difference.js';
import type { AnswerLine } from './recording.js';

/** Both gRPC ports of a node, on free ports. */
export async function grpcAsker(node: Node): Promise<Asker> {
  const failed = (error: unknown, path: string) => process.stderr.write(`${path}: ${(error as Error).stack}\n`);
  const common = { port: 0, onInternalError: failed };
  const full = await startGrpcServer({ ...common, serves: 'full', view: () => fullContext(node) });
  const solidity = await startGrpcServer({ ...common, serves: 'solidity', view: () => solidContext(node) });
  const clients = {
    grpc: new Client(full.url, credentials.createInsecure()),
    grpcSolidity: new Client(solidity.url, credentials.createInsecure()),
  };
  return {
    surfaces: ['grpc', 'grpcSolidity'],
    ask: (line) => askGrpc(clients[line.surface as keyof typeof clients], line),
    close: async () => {
      for (const client of Object.values(clients)) client.close();
      await Promise.all([full.close(), solidity.close()]);
    },
  };
}

const identity = (bytes: Buffer) => bytes;

function askGrpc(client: Client, { path, body }: AnswerLine): Promise<Answer> {
  const request = Buffer.from(hexToBytes(body ?? ''));
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, identity, identity, request, (error: ServiceError | null, reply?: Buffer) => {
      if (error !== null) resolve({ status: error.code, details: error.details });
      else resolve({ status: 0, response: reply?.toString('hex') });
    });
  });
}

const SERVICES: readonly ServiceType[] = [Wallet_service, WalletSolidity_service, Database_service];

/** Of the method with this path; recorded replies to other paths have no message. */
function replyCodec(path: string): MessageCodec<unknown> | undefined {
  const [, service, name = ''] = path.split('/');
  const method = SERVICES.find(({ fullName }) => fullName === service)?.methods[name];
  return (method as MethodType<unknown, unknown> | undefined)?.response;
}

type Fields = Record<string, unknown>;

/** Where the clock of the recorded node shows in a transaction that it built, and in what is derived from that. */
function withoutTime(value: unknown, enclosedIn?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTime(item, enclosedIn));
  if (typeof value !== 'object' || value === null || value instanceof Map) return value;
  const masked: Fields = {};
  for (const [name, field] of Object.entries(value as Fields)) {
    if (name === 'txid') masked[name] = '';
    else if (name === 'timestamp' && enclosedIn === 'raw_data') masked[name] = 0n;
    else if (name === 'hash' && enclosedIn === 'internal_transactions') masked[name] = '';
    else masked[name] = withoutTime(field, name);
  }
  return masked;
}

export function compareGrpcAnswers(line: AnswerLine, answer: Answer): Difference[] {
  const found = differences(line.status, answer.status, 'status');
  found.push(...differences(line.details, answer.details, 'details'));
  if (line.response === answer.response) return found;
  const codec = replyCodec(line.path);
  if (codec === undefined || line.response === undefined || answer.response === undefined) {
    return [...found, ...differences(line.response, answer.response, 'response')];
  }
  const varies = line.note?.startsWith('varies') || /Trigger(Constant)?Contract$/.test(line.path);
  const comparable = (hex: string) => {
    let message = codec.decodeHex(hex) as Fields;
    if ('asset_optimized' in message) message = { ...message, asset_optimized: false };
    if ('txId' in message) message = { ...message, txId: [...(message.txId as string[])].sort() };
    return varies ? (withoutTime(message) as Fields) : message;
  };
  const expected = comparable(line.response);
  const actual = comparable(answer.response);
  found.push(...differences(expected, actual, 'response'));
  // What decoding does not show: order, fields of no message.
  if (found.length === 0) found.push(...differences(codec.encodeHex(expected), codec.encodeHex(actual), 'bytes'));
  return found;
}
