/** Asks recorded questions of the interfaces without a socket: nothing of the machine enters the answers. */

import type { Answer, Asker } from '../../../../scripts/verify/asker.js';
import { atRecordedTime } from '../../../../scripts/verify/grpc-answers.js';
import { headersOf, httpServices } from '../../../../scripts/verify/http-answers.js';
import { jsonRpcService } from '../../../../scripts/verify/jsonrpc-answers.js';
import type { AnswerLine } from '../../../../scripts/verify/recording.js';
import { methodsOf } from '../../../../src/grpc/services.js';
import { Status, StatusError, unknownMethod } from '../../../../src/grpc/status.js';
import { startInProcess } from '../../../../src/http/server.js';
import type { Node } from '../../../../src/node/node.js';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.js';
import { fullContext, solidContext } from '../../../../src/wallet/context.js';

export async function inProcessAskers(node: Node): Promise<readonly Asker[]> {
  const { http, solidity } = httpServices(node);
  const [jsonrpc, jsonrpcSolidity] = [jsonRpcService(node, 'full'), jsonRpcService(node, 'solid')];
  const services = { http, solidity, jsonrpc, jsonrpcSolidity };
  const texts = Object.entries(services).map(async ([surface, service]): Promise<Asker> => {
    const { fetch, close } = await startInProcess(service);
    return { surfaces: [surface as keyof typeof services], ask: (line) => askText(fetch, line), close };
  });
  return [...(await Promise.all(texts)), grpcInProcess(node)];
}

async function askText(fetch: typeof globalThis.fetch, line: AnswerLine): Promise<Answer> {
  const { method = 'POST', path, body } = line;
  const answer = await fetch(`http://127.0.0.1${path}`, { method, headers: headersOf(line), body: body ?? null });
  const contentType = answer.headers.get('content-type') ?? undefined;
  return { status: answer.status, contentType, response: await answer.text() };
}

function grpcInProcess(node: Node): Asker {
  const methods = {
    grpc: methodsOf('full', () => fullContext(node)),
    grpcSolidity: methodsOf('solidity', () => solidContext(node)),
  };
  const ask = async ({ surface, path, body }: AnswerLine): Promise<Answer> => {
    try {
      const method = methods[surface as keyof typeof methods].get(path);
      if (method === undefined) throw unknownMethod(path);
      return { status: Status.OK, response: bytesToHex(await method(hexToBytes(body ?? ''))) };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { status: error.code, details: error.details };
    }
  };
  return {
    surfaces: ['grpc', 'grpcSolidity'],
    ask: (line) => atRecordedTime(node, line, () => ask(line)),
    close: async () => {},
  };
}
