/**
 * Where the answers of a node are kept, for both interfaces: a question is a text, an answer is its bytes. The files are
 * in `cache/kept-answers.ts`.
 */

import type { Outcome } from './retry-policy.js';

export interface Question {
  /** The same for every node of the network: without a host, and without keys. */
  readonly text: string;
  readonly form: 'json' | 'protobuf';
}

export interface AnswerStore {
  /** Whether no network is asked. */
  readonly isOffline: boolean;
  /** In errors: the folder. */
  readonly place: string;
  /** Empty: the node has none. Undefined: the question was not asked. @throws FolderError */
  find(question: Question): Promise<Buffer | undefined>;
  /** @throws FolderError */
  keep(question: Question, answer: Uint8Array): Promise<void>;
}

/**
 * One attempt at a question, through a store if there is one. Only answers that can be read are kept.
 *
 * @param read an answer of the node; an answer from the store is read in the same way
 * @throws FolderError
 */
export async function attemptThrough<Answer>(
  store: AnswerStore | undefined,
  question: Question,
  ask: () => Promise<Outcome<Buffer>>,
  read: (bytes: Buffer) => Outcome<Answer>,
): Promise<Outcome<Answer>> {
  if (store?.isOffline) {
    const kept = await store.find(question);
    return kept === undefined ? notKept(store.place) : read(kept);
  }
  const answered = await ask();
  if (!('answer' in answered)) return answered;
  const outcome = read(answered.answer);
  if ('answer' in outcome) await store?.keep(question, answered.answer);
  return outcome;
}

function notKept(place: string) {
  return {
    why: `the answer is not in ${place}, and --fork-offline asks no network`,
    advice: 'Run the command once without --fork-offline.',
    again: false,
  };
}
