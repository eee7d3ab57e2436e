/**
 * Asks recorded gRPC questions of our gRPC ports with the client of @grpc/grpc-js, and compares the replies to the byte,
 * but for java-tron's flush mark. Also those that a recording says vary: they are asked at the recorded time.
 */

import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { startGrpcServer } from '../../src/grpc/server.js';
import type { Node } from '../../src/node/node.js';
import { hexToBytes } from '../../src/primitives/hex.js';
import { Database_service, Wallet_service, WalletSolidity_service } from '../../src/protocol/generated/services.js';
import {
  Transaction_Contract_ContractType as ContractType,
  type Transaction,
} from '../../src/protocol/generated/tron.js';
import type { MessageCodec } from '../../src/protocol/message-type.js';
import type { MethodType, ServiceType } from '../../src/protocol/service-type.js';
import { fullContext, solidContext } from '../../src/wallet/context.js';
import type { Answer, Asker } from './asker.js';
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
    ask: (line) => atRecordedTime(node, line, () => askGrpc(clients[line.surface as keyof typeof clients], line)),
    close: async () => {
      for (const client of Object.values(clients)) client.close();
      await Promise.all([full.close(), solidity.close()]);
    },
  };
}

/** A transaction that a node builds holds the time at which it was asked; with that time ours is the same. */
export async function atRecordedTime(node: Node, line: AnswerLine, ask: () => Promise<Answer>): Promise<Answer> {
  const now = node.clock.save();
  const askedAtMs = builtAtMs(line);
  if (askedAtMs !== undefined && askedAtMs > 0n) node.clock.setTo(askedAtMs);
  const answer = await ask();
  node.clock.restore(now);
  return answer;
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

type Fields = Readonly<Record<string, unknown>>;

/** When the recorded node built the transaction that this reply holds. */
function builtAtMs({ path, response }: AnswerLine): bigint | undefined {
  const reply = response === undefined ? undefined : (replyCodec(path)?.decodeHex(response) as Fields);
  const transaction = (reply?.transaction ?? reply) as Partial<Transaction> | undefined;
  return transaction?.raw_data?.timestamp;
}

function isTriedDeployment({ transaction, constant_result }: Fields): boolean {
  const [contract] = (transaction as Transaction | undefined)?.raw_data?.contract ?? [];
  return constant_result !== undefined && contract?.type === ContractType.CreateSmartContract;
}

/**
 * Of a method that no service of ours declares, the library speaks and not we: the same status in other words. Of one
 * that came with a later release than the chain's, we say java-tron's own.
 */
function expectedDetails(recorded: string | undefined, answered: string | undefined): string | undefined {
  const librarys = recorded?.replace(/^Method not found: /, 'The server does not implement the method /');
  return librarys === answered ? librarys : recorded;
}

export function compareGrpcAnswers(line: AnswerLine, answer: Answer): Difference[] {
  const found = differences(line.status, answer.status, 'status');
  found.push(...differences(expectedDetails(line.details, answer.details), answer.details, 'details'));
  if (line.response === answer.response) return found;
  const codec = replyCodec(line.path);
  if (codec === undefined || line.response === undefined || answer.response === undefined) {
    return [...found, ...differences(line.response, answer.response, 'response')];
  }
  const comparable = (hex: string): Fields => {
    const message = codec.decodeHex(hex) as Fields;
    // When java-tron flushes a row to its disk, and how it walks its pool, is not part of the protocol.
    if ('asset_optimized' in message) return { ...message, asset_optimized: false };
    // A deployment that is only tried has the id of a second transaction, which java-tron built a moment earlier.
    if (isTriedDeployment(message)) return { ...message, txid: '' };
    if ('txId' in message) return { ...message, txId: [...(message.txId as string[])].sort() };
    return message;
  };
  const expected = comparable(line.response);
  const actual = comparable(answer.response);
  const fields = differences(expected, actual, 'response');
  // What decoding does not show: order, fields of no message.
  if (fields.length === 0) fields.push(...differences(codec.encodeHex(expected), codec.encodeHex(actual), 'bytes'));
  return [...found, ...fields];
}
