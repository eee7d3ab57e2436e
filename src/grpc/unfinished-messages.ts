/**
 * What is kept of request messages that have not come to their end. grpc-js collects the parts of a message and tells
 * nobody until it is complete, so the data of each stream is watched for it. A connection may have a hundred streams
 * with a message of 4 MB each; above the bound for all clients together, the connection with the most is cut.
 */

import type { Readable } from 'node:stream';
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { type Held, heldFor } from '../access/held-answers.js';

/** Of one connection. */
export class UnfinishedMessages {
  readonly #held: Held;
  #bytes = 0;

  /** @param cut ends the connection, when too much is kept for all of them together */
  constructor(cut: () => void) {
    this.#held = heldFor(cut);
  }

  /** Follows the data of a call until its stream is closed. */
  watch(call: ServerInterceptingCallInterface): void {
    const stream = streamOf(call);
    const message = new MessageFrame();
    let kept = 0;
    const change = (bytes: number) => {
      if (bytes === kept) return;
      this.#bytes += bytes - kept;
      kept = bytes;
      this.#held.set(this.#bytes);
    };
    stream.on('data', (chunk: Uint8Array) => change(message.keptAfter(chunk)));
    stream.once('close', () => change(0));
  }
}

/** The stream of HTTP/2 below a call, which grpc-js has as a private member: nothing else tells of parts of messages. */
function streamOf(call: ServerInterceptingCallInterface): Readable {
  const { stream } = call as unknown as { readonly stream?: Readable };
  if (stream === undefined) throw new Error('a call of @grpc/grpc-js has no stream any more');
  return stream;
}

/** A flag and the length of the message. */
const HEADER_BYTES = 5;

/** Where in a message the data of a stream is: each message follows its header. */
class MessageFrame {
  #header = 0;
  #length = 0;
  #body = 0;

  /** @returns bytes of the message that has begun and not ended */
  keptAfter(chunk: Uint8Array): number {
    for (let at = 0; at < chunk.length; ) {
      if (this.#header < HEADER_BYTES) {
        // The flag is shifted out of the length.
        this.#length = ((this.#length << 8) | (chunk[at++] as number)) >>> 0;
        this.#header++;
      } else {
        const part = Math.min(this.#length - this.#body, chunk.length - at);
        this.#body += part;
        at += part;
      }
      if (this.#header === HEADER_BYTES && this.#body === this.#length) {
        this.#header = 0;
        this.#length = 0;
        this.#body = 0;
      }
    }
    return this.#body;
  }
}
