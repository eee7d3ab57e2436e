/** A node's Wallet service over either interface. */

import { negativeIn } from '../../chain-file/negative-numbers.js';
import { badAnswer, type RequestContext } from './answers.js';
import type { WalletRequest } from './wallet-requests.js';

export abstract class RemoteWallet {
  /** Name in errors: `https://api.trongrid.io`, `grpc.trongrid.io:50051`. */
  abstract readonly address: string;

  /** @throws RemoteError if the answer is not the request's message; an empty one is valid */
  async ask<Parameters, Answer>(
    question: WalletRequest<Parameters, Answer>,
    parameters: Parameters,
    what: string,
  ): Promise<Answer> {
    return (await this.find(question, parameters, what)) ?? question.empty;
  }

  /**
   * @returns undefined if the object does not exist
   * @throws RemoteError also for numbers that no node can have
   */
  async find<Parameters, Answer>(
    question: WalletRequest<Parameters, Answer>,
    parameters: Parameters,
    what: string,
  ): Promise<Answer | undefined> {
    const answer = await this.answerTo(question, parameters, what);
    const negative = negativeIn(answer, question.negatives);
    if (negative !== undefined) throw badAnswer(this.asked(question, what), `its ${negative}, which is negative`);
    return answer;
  }

  /** The raw answer. */
  protected abstract answerTo<Parameters, Answer>(
    question: WalletRequest<Parameters, Answer>,
    parameters: Parameters,
    what: string,
  ): Promise<Answer | undefined>;

  /** Request and URL for errors about an answer. */
  abstract asked(question: Pick<WalletRequest<never, unknown>, 'path' | 'method'>, what: string): RequestContext;

  close(): void {}
}
