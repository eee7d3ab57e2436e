/**
 * The public interfaces of a simulated node, each as a function from a question to an answer: HTTP, JSON-RPC in its three
 * dialects, `/v1`, gRPC over a connection in memory, the library. Every question and answer is part of the digest.
 */

import { JavaException } from '../../../../src/errors/java-exception.js';
import { NotExplainableError } from '../../../../src/explanation/model/not-explainable.js';
import { statusOfRefusal } from '../../../../src/grpc/status.js';
import { MiningStoppedError, UnknownSnapshotError } from '../../../../src/node/control.js';
import { toJson } from '../../../../src/primitives/amount-json.js';
import { bytesToHex } from '../../../../src/primitives/hex.js';
import { DamagedStoreError } from '../../../../src/state/row-checksum.js';
import { Violation } from '../run/violation.js';
import type { World } from '../run/world.js';

/** Undefined: the process ended before the answer. */
export type Answer = string | undefined;

export type Dialect = '/jsonrpc' | '/tre' | '/eth';
export const DIALECTS: readonly Dialect[] = ['/jsonrpc', '/tre', '/eth'];

/** Questions whose answer names blocks of the chain. */
export const TELLS = /^POST \/wallet\/getnowblock|^POST \/wallet\/getblock|^library (mine|increaseTime)/;

/** The result of an answer of JSON-RPC. Undefined: an error, a refusal, or no answer. */
export function resultOf<Result>(answer: Answer): Result | undefined {
  if (!answer?.startsWith('200 ')) return undefined;
  return (JSON.parse(answer.slice(4)) as { readonly result?: Result }).result;
}

const NO_INDEX = /This node keeps no history/;

export class Asker {
  constructor(private readonly world: World) {}

  /** `POST /wallet/…` */
  post(path: string, body: object): Promise<Answer> {
    return this.postText(path, JSON.stringify(body));
  }

  /** The same with a body that may be no JSON. */
  postText(path: string, text: string): Promise<Answer> {
    return this.#posted(`POST ${path} ${text}`, () => this.world.devnet.post(path, text));
  }

  /** A node without its index answers no list: that is no answer. */
  async get(path: string): Promise<Answer> {
    const answer = await this.#ask(`GET ${path}`, async () => {
      const answer = await this.world.devnet.fetch(`http://localhost${path}`);
      return `${answer.status} ${await answer.text()}`;
    });
    return this.world.withoutHistory && answer?.startsWith('503 ') && NO_INDEX.test(answer) ? undefined : answer;
  }

  rpc(dialect: Dialect, method: string, params: readonly unknown[]): Promise<Answer> {
    return this.post(dialect, { jsonrpc: '2.0', id: 1, method, params });
  }

  /** @param path `/protocol.Wallet/GetNowBlock` @returns the bytes of the answer as hex, or `status CODE TEXT` */
  grpc(path: string, request: Uint8Array): Promise<Answer> {
    return this.#ask(`gRPC ${path} ${bytesToHex(request)}`, async () => {
      const answer = await this.world.process.grpc.call(path, request);
      return bytesToHex(answer);
    });
  }

  /** The same over a connection of its own. @param metadata of the call */
  grpcTo(
    serves: 'full' | 'solidity',
    path: string,
    request: Uint8Array,
    metadata: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    return this.#ask(`gRPC ${serves} ${path} ${bytesToHex(request)} ${JSON.stringify(metadata)}`, async () => {
      const client = this.world.process.newGrpc(serves);
      try {
        return bytesToHex(await client.call(path, request, metadata));
      } finally {
        client.close();
      }
    });
  }

  /** @param port of which the digest speaks */
  postTo(port: string, post: World['devnet']['post'], path: string, body: object): Promise<Answer> {
    const text = JSON.stringify(body);
    return this.#posted(`POST ${port} ${path} ${text}`, () => post(path, text));
  }

  #posted(question: string, post: () => ReturnType<World['devnet']['post']>): Promise<Answer> {
    return this.#ask(question, async () => {
      const { status, text } = await post();
      return `${status} ${text}`;
    });
  }

  /** A method of the library. */
  library(
    what: string,
    work: () => Promise<unknown> | unknown,
    options: { readonly usesThreads?: boolean } = {},
  ): Promise<Answer> {
    return this.#ask(`library ${what}`, async () => toJson((await work()) ?? null) as unknown as string, options);
  }

  async #ask(
    question: string,
    work: () => Promise<unknown>,
    options: { readonly usesThreads?: boolean } = {},
  ): Promise<Answer> {
    const { world } = this;
    world.counts.requests++;
    world.digest.add('ask', question);
    const outcome = await world.settle(work(), { ...options, what: question });
    if ('ended' in outcome) {
      world.digest.add('answer', 'none');
      return undefined;
    }
    const answer =
      'value' in outcome
        ? typeof outcome.value === 'string'
          ? outcome.value
          : JSON.stringify(outcome.value)
        : `refused ${this.#named(question, outcome.refusal)}`;
    if ('refusal' in outcome) world.counts.refusals++;
    if (TELLS.test(question)) world.told.hear(answer);
    world.digest.add('answer', answer);
    return answer;
  }

  /** @throws Violation an error that no user could understand */
  #named(question: string, error: Error): string {
    // Over gRPC, what has no status is an internal error.
    const isNamed =
      error instanceof DamagedStoreError ||
      statusOfRefusal(error) !== undefined ||
      (!question.startsWith('gRPC ') &&
        (error instanceof JavaException ||
          error instanceof UnknownSnapshotError ||
          error instanceof MiningStoppedError ||
          error instanceof NotExplainableError ||
          (error instanceof RangeError && /^mine: /.test(error.message))));
    if (!isNamed) throw new Violation('no error without a name', `${question}: ${error.stack}`, { cause: error });
    return `${error.name} ${error.message}`;
  }
}
