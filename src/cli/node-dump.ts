/** The dump of a running node as a stream: it may be larger than the memory. */

import { type OpenAnswer, openAnswer } from './node-client.js';

export interface NodeDump {
  /** The members of the head. */
  readonly head: Record<string, unknown>;
  /** The chain file. @throws RemoteError if the answer is cut off */
  readonly parts: AsyncIterable<Uint8Array>;
}

const BEGIN = '"dump":"';
/** The members of the head are shorter. */
const MOST_BEFORE = 4_096;
const MOST_REFUSAL = 1_048_576;

/** @throws RemoteError if the node refuses or is not reachable */
export async function dumpOf(node: URL, signal?: AbortSignal): Promise<NodeDump> {
  const answer = await openAnswer(node, '/sunup/dump', {}, signal);
  try {
    return await begun(answer);
  } catch (error) {
    await answer.texts.return(undefined);
    throw error;
  }
}

/** Reads the head. @throws RemoteError if it is no dump */
async function begun(answer: OpenAnswer): Promise<NodeDump> {
  const { texts } = answer;
  let text = '';
  let at = -1;
  while (at < 0 && text.length < MOST_BEFORE) {
    const { done, value } = await texts.next();
    if (done) break;
    text += value;
    at = text.indexOf(BEGIN);
  }
  if (at < 0) {
    // An error, or no node.
    for (let next = await texts.next(); !next.done && text.length < MOST_REFUSAL; next = await texts.next())
      text += next.value;
    answer.read(text);
    throw answer.cutOff();
  }
  const head = answer.read(`${text.slice(0, at).replace(/,$/, '')}}`);
  return { head, parts: decoded(text.slice(at + BEGIN.length), texts, answer) };
}

/**
 * Decodes the base64 up to the quote after it. The rest is read, too, or given up if the reader stops before: an answer
 * that is open keeps the command running until the node closes the connection, after 72 s.
 */
async function* decoded(
  first: string,
  texts: AsyncGenerator<string>,
  { cutOff }: OpenAnswer,
): AsyncGenerator<Uint8Array> {
  try {
    let left = '';
    for (let text: string | undefined = first; text !== undefined; ) {
      const end = text.indexOf('"');
      const base64 = left + (end < 0 ? text : text.slice(0, end));
      // Four characters are three bytes.
      const whole = end < 0 ? base64.length - (base64.length % 4) : base64.length;
      yield Buffer.from(base64.slice(0, whole), 'base64');
      if (end >= 0) {
        while (!(await texts.next()).done);
        return;
      }
      left = base64.slice(whole);
      const next: IteratorResult<string> = await texts.next();
      text = next.done ? undefined : next.value;
    }
    throw cutOff();
  } finally {
    await texts.return(undefined);
  }
}
