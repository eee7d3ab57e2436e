/**
 * Answers of the history interface by path. Loaded with the first question: the endpoints bring the decoder of events along,
 * which a start need not wait for.
 */

import findMyWay from 'find-my-way';
import { withRows } from '../node/with-rows.js';
import type { WalletContext } from '../wallet/context.js';
import { historyEndpoints } from './endpoints.js';
import { HistoryError } from './errors.js';
import type { HistoryEndpoint, HistoryRequest } from './table.js';

/** A page turns this often at the most while blocks are taken back under it. */
const MAX_ATTEMPTS = 3;

/**
 * @param found called with the path of the endpoint that answers
 * @throws HistoryError for what is wrong with the request, a path that is none among it
 */
export type Answers = (request: Omit<HistoryRequest, 'params'>, found: (path: string) => void) => Promise<string>;

export function historyAnswers(view: () => WalletContext): Answers {
  const router = findMyWay();
  const unused = (): void => {};
  for (const endpoint of historyEndpoints()) router.on('GET', endpoint.path, unused, endpoint);
  return async (request, found) => {
    const route = router.find('GET', request.path);
    if (route === null) throw new HistoryError(404, 'Not Found');
    const endpoint = route.store as HistoryEndpoint;
    found(endpoint.path);
    const params = route.params as HistoryRequest['params'];
    return unlessTakenBack(view, (context) => endpoint.answer(context, { ...request, params }));
  };
}

/**
 * An answer is read from the index, which may wait, and from the state. Where blocks were taken back in between, the two
 * were not of one chain: it is read again.
 */
async function unlessTakenBack<Answer>(
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
