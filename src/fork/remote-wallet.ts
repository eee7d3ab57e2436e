/** A node's Wallet service, over whichever interface it is asked. */

import type { Asked } from './answers.js';
import type { WalletQuestion } from './wallet-questions.js';

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
   * @throws RemoteError
   */
  abstract find<Parameters, Answer>(
    question: WalletQuestion<Parameters, Answer>,
    parameters: Parameters,
    what: string,
  ): Promise<Answer | undefined>;

  /** Who answers a question, for errors about what was answered. */
  abstract asked(question: Pick<WalletQuestion<never, unknown>, 'path' | 'method'>, what: string): Asked;

  close(): void {}
}
