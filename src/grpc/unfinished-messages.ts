/**
 * Limits the memory of incomplete request messages. grpc-js collects the parts of a message without any event before it
 * is complete, so the data of each stream are observed. A connection may have a hundred streams with a message of 4 MB
 * each; above the limit for all clients together, the connection with the most data is cut.
 */

import type { Readable } from 'node:stream';
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { type Held, heldFor } from '../access/held-answers.js';

/** Of one connection. */
export class UnfinishedMessages {
  readonly #held: Held;
  #bytes = 0;

  /** @param cut ends the connection, if all connections together exceed the limit */
  constructor(cut: () => void) {
    this.#held = heldFor(cut);
  }

  /** Observes the data of a call until its stream closes. */
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

/** The HTTP/2 stream of a call, a private member of grpc-js: there is no other way to see parts of messages. */
function streamOf(call: ServerInterceptingCallInterface): Readable {
  const { stream } = call as unknown as { readonly stream?: Readable };
  if (stream === undefined) throw new Error('a call of @grpc/grpc-js has no stream any more');
  return stream;
}

/** A flag and the length of the message. */
const HEADER_BYTES = 5;

/** Position in a stream's messages: each message follows its header. */
class MessageFrame {
  #header = 0;
  #length = 0;
  #body = 0;

  /** @returns bytes of the incomplete message */
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
