/**
 * The Wallet service over gRPC: @grpc/grpc-js transports bytes, and Sunup's codec reads and writes them. Loaded when a
 * fork uses it, connected on the first request.
 */

import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { JavaException } from '../../errors/java-exception.js';
import { Wallet_service } from '../../protocol/generated/services.js';
import { type AnswerStore, attemptThrough, type Question } from './answer-store.js';
import { badAnswer, type RequestContext } from './answers.js';
import type { GrpcAddress } from './grpc-address.js';
import { MAX_ANSWER_BYTES, type RemoteOptions } from './remote-client.js';
import { RemoteWallet } from './remote-wallet.js';
import {
  CLOSED,
  closed,
  type Failure,
  keyRefused,
  type Outcome,
  type RetryPolicy,
  rateLimited,
  tooLong,
  unreachable,
} from './retry-policy.js';
import type { WalletRequest } from './wallet-requests.js';

const same = (bytes: Buffer): Buffer => bytes;

export class GrpcWallet extends RemoteWallet {
  readonly #client: Client;
  readonly #metadata: Metadata;
  readonly #maxAnswerBytes: number;
  #hasAnswered = false;

  constructor(
    private readonly at: GrpcAddress,
    { apiKey, headers = {}, maxAnswerBytes = MAX_ANSWER_BYTES }: RemoteOptions,
    private readonly retryPolicy: RetryPolicy,
    private readonly answers: AnswerStore | undefined,
  ) {
    super();
    this.#maxAnswerBytes = maxAnswerBytes;
    this.#client = new Client(at.target, at.isSecure ? credentials.createSsl() : credentials.createInsecure(), {
      'grpc.max_receive_message_length': maxAnswerBytes,
      // The retry policy decides about retries, not the library.
      'grpc.enable_retries': 0,
    });
    this.#metadata = new Metadata();
    if (apiKey !== undefined) this.#metadata.set('TRON-PRO-API-KEY', apiKey);
    for (const [name, text] of Object.entries(headers)) this.#metadata.set(name, text);
  }

  get address(): string {
    return this.at.shown;
  }

  protected async answerTo<Parameters, Answer>(
    question: WalletRequest<Parameters, Answer>,
    parameters: Parameters,
    what: string,
  ): Promise<Answer | undefined> {
    const asked = this.asked(question, what);
    const path = `/${Wallet_service.fullName}/${question.method}`;
    const request = Buffer.from(question.request(parameters));
    const kept: Question = { text: `${path}\n${request.toString('hex')}`, form: 'protobuf' };
    const bytes = await this.retryPolicy.ask(asked.url, what, (tooLate) =>
      attemptThrough(
        this.answers,
        kept,
        () => this.#call(path, request, tooLate, question.saysNone),
        (answer) => ({ answer }),
      ),
    );
    if (bytes.length === 0) return undefined;
    try {
      return question.ofBytes(bytes);
    } catch (error) {
      if (error instanceof JavaException) throw badAnswer(asked, `its answer cannot be read (${error.message})`);
      throw error;
    }
  }

  asked({ method }: { readonly method: string }, what: string): RequestContext {
    return { url: `${this.at.shown} (${method})`, what };
  }

  override close(): void {
    this.#client.close();
  }

  /** An empty answer: the node has none. */
  #call(
    path: string,
    request: Buffer,
    tooLate: AbortSignal,
    saysNone: ((text: string) => boolean) | undefined,
  ): Promise<Outcome<Buffer>> {
    return new Promise((resolve) => {
      const call = this.#client.makeUnaryRequest(path, same, same, request, this.#metadata, {}, (error, bytes) => {
        if (error === null) {
          this.#hasAnswered = true;
          resolve({ answer: bytes ?? Buffer.alloc(0) });
        } else if (saysNone?.(error.details)) resolve({ answer: Buffer.alloc(0) });
        else resolve(this.#refused(error));
      });
      tooLate.addEventListener('abort', () => call.cancel(), { once: true });
    });
  }

  #refused({ code, details, metadata }: ServiceError): Failure {
    // The library appends the result of the name lookup, which is rarely useful.
    const text = details.replace(/\.? ?Resolution note: *$/, '');
    const said = `${status[code] ?? code}${text === '' ? '' : `, "${text}"`}`;
    const elsewhere = { why: said, advice: 'Use another node of the network (--fork-grpc).' };
    switch (code) {
      case status.RESOURCE_EXHAUSTED: {
        if (/larger than max/.test(details)) return tooLong(this.#maxAnswerBytes);
        const [pushback] = metadata.get('grpc-retry-pushback-ms');
        return rateLimited(said, details, pushback === undefined ? undefined : Number(pushback));
      }
      case status.UNAUTHENTICATED:
      case status.PERMISSION_DENIED:
        return keyRefused(said);
      case status.UNAVAILABLE:
        if (CLOSED.test(details)) return closed(said);
        return unreachable(said, this.#hasAnswered);
      case status.DEADLINE_EXCEEDED:
      case status.ABORTED:
        return { ...elsewhere, again: true };
      case status.UNIMPLEMENTED:
        return {
          why: said,
          advice:
            "Give the address of a node's gRPC interface with its Wallet service, such as grpc.trongrid.io:50051.",
          again: false,
        };
      default:
        // A reset stream comes from the connection, not from the node.
        return { ...elsewhere, again: /RST_STREAM/.test(details) };
    }
  }
}
