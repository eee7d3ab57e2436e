/**
 * Answers of the history interface by path. Loaded with the first request, because the endpoints load the event
 * decoder, and a start does not wait for it.
 */

import { withRows } from '../node/with-rows.js';
import type { WalletContext } from '../wallet/context.js';
import { historyEndpoints } from './endpoints.js';
import type { HistoryPath } from './paths.js';
import type { HistoryRequest } from './table.js';

/** Maximum attempts for one answer if blocks are rolled back meanwhile. */
const MAX_ATTEMPTS = 3;

/** @throws HistoryError for an invalid request */
export type Answers = (path: HistoryPath, request: HistoryRequest) => Promise<string>;

export function historyAnswers(view: () => WalletContext): Answers {
  const endpoints = new Map(historyEndpoints().map((endpoint) => [endpoint.path, endpoint]));
  return async (path, request) => {
    const endpoint = endpoints.get(path);
    if (endpoint === undefined) throw new Error(`${path} has no endpoint`);
    return unlessRolledBack(view, (context) => endpoint.answer(context, request));
  };
}

/**
 * An answer uses the index, which may wait, and the state. If blocks are rolled back in between, the two belong to
 * different chains, and the answer is read again.
 */
async function unlessRolledBack<Answer>(
  view: () => WalletContext,
  answer: (context: WalletContext) => Answer | Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const context = view();
    const { revision } = context.node.chain.back;
    const answered = await withRows(() => answer(context));
    if (context.node.chain.back.revision === revision || attempt === MAX_ATTEMPTS) return answered;
  }
}
