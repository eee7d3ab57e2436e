/** Builds large answers in slices, so that other requests get their turn in between. */

import { turn } from '../platform/turns.js';
import type { WireRequest } from './wire-request.js';

/** The client has disconnected: the work stops, and no answer is sent. */
class ClientGone extends Error {
  readonly statusCode = 499;
}

/** Applies `each` to all items, which may be read lazily from the chain. */
export async function inSlices<Item>(
  items: Iterable<Item>,
  each: (item: Item) => string | Promise<string>,
  request: WireRequest,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const item of items) {
    const text = each(item);
    texts.push(typeof text === 'string' ? text : await text);
    const own = turn(request.caller);
    if (own === undefined) continue;
    await own;
    if (request.isAbandoned) throw new ClientGone('the client has gone');
  }
  return texts;
}
