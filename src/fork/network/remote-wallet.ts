/** A node's Wallet service, over whichever interface it is asked. */

import { negativeIn } from '../../chain-file/negative-numbers.js';
import { type Asked, badAnswer } from './answers.js';
import type { WalletQuestion } from './wallet-requests.js';

export abstract class RemoteWallet {
  /** Of what is named in errors: `https://api.trongrid.io`, `grpc.trongrid.io:50051`. */
  abstract readonly address: string;

  /** @throws RemoteError for what it does not answer with the question's message; an empty one is an answer */
  async ask<Parameters, Answer>(
    question: WalletQuestion<Parameters, Answer>,
    parameters: Parameters,
    what: string,
  ): Promise<Answer> {
    return (await this.find(question, parameters, what)) ?? question.empty;
  }

  /**
   * @returns undefined where there is nothing of what is asked for
   * @throws RemoteError also for numbers that no node can have
   */
  async find<Parameters, Answer>(
    question: WalletQuestion<Parameters, Answer>,
    parameters: Parameters,
    what: string,
  ): Promise<Answer | undefined> {
    const answer = await this.answerTo(question, parameters, what);
    const negative = negativeIn(answer, question.negatives);
    if (negative !== undefined) throw badAnswer(this.asked(question, what), `its ${negative}, which is negative`);
    return answer;
  }

  /** As it was answered. */
  protected abstract answerTo<Parameters, Answer>(
    question: WalletQuestion<Parameters, Answer>,
    parameters: Parameters,
    what: string,
  ): Promise<Answer | undefined>;

  /** Who answers a question, for errors about what was answered. */
  abstract asked(question: Pick<WalletQuestion<never, unknown>, 'path' | 'method'>, what: string): Asked;

  close(): void {}
}
