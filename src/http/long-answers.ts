/** Answers that grow with the chain are put together in slices, so that others have their turn between them. */

import { turn } from '../platform/turns.js';
import type { WireRequest } from './wire-request.js';

/** The client has gone: nothing more is done for it, and nobody is left to be told. */
class ClientGone extends Error {
  readonly statusCode = 499;
}

/** `each` of all items, which may be read from the chain as they are asked for. */
export async function inTurns<Item>(
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
