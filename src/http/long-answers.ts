/** Answers that grow with the chain are put together in slices, so that others have their turn between them. */

import type { WireRequest } from './wire-request.js';

/** A slice ends with the item in which this time has passed. */
const SLICE_MS = 20;

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
  let began = performance.now();
  for (const item of items) {
    const text = each(item);
    texts.push(typeof text === 'string' ? text : await text);
    if (performance.now() - began < SLICE_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    if (request.isAbandoned) throw new ClientGone('the client has gone');
    began = performance.now();
  }
  return texts;
}
