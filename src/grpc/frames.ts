/**
 * gRPC's framing of messages in an HTTP/2 stream: a byte that says whether the message is compressed, four of length,
 * then the message. Owns the limit on a message's size and the one compression that clients use.
 */

import { gunzipSync } from 'node:zlib';
import { Status, StatusError } from './status.js';

const PREFIX_BYTES = 5;
const COMPRESSED = 1;

/** A request longer than the node accepts. java-tron's Netty cuts such a stream off, and so do we (grpc.md 3.2). */
export class MessageTooLong extends Error {
  override readonly name = 'MessageTooLong';
}

export type Compression = 'identity' | 'gzip';

/** Collects chunks as they arrive and gives out whole messages. */
export class FrameReader {
  #chunks: Uint8Array[] = [];
  #size = 0;
  /** How many bytes the message that is being received takes with its prefix; known once the prefix is here. */
  #needed = PREFIX_BYTES;

  constructor(
    private readonly limitBytes: number,
    private readonly compression: Compression,
  ) {}

  /** Whether the stream stopped in the middle of a message. */
  get incomplete(): boolean {
    return this.#size > 0;
  }

  /**
   * The messages that this chunk completes.
   *
   * @throws MessageTooLong, before the message has been received
   * @throws StatusError for what cannot be decompressed
   */
  push(chunk: Uint8Array): readonly Uint8Array[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: Uint8Array[] = [];
    while (this.#size >= this.#needed) {
      const bytes = this.#joined();
      const length = bytes.readUInt32BE(1);
      if (length > this.limitBytes) throw new MessageTooLong(`${length} bytes, the limit is ${this.limitBytes}`);
      this.#needed = PREFIX_BYTES + length;
      if (bytes.length < this.#needed) break;
      messages.push(this.#message(bytes.readUInt8(0), bytes.subarray(PREFIX_BYTES, this.#needed)));
      const rest = bytes.subarray(this.#needed);
      this.#chunks = rest.length === 0 ? [] : [rest];
      this.#size = rest.length;
      this.#needed = PREFIX_BYTES;
    }
    return messages;
  }

  #joined(): Buffer {
    const first = this.#chunks[0];
    const bytes = this.#chunks.length === 1 && Buffer.isBuffer(first) ? first : Buffer.concat(this.#chunks, this.#size);
    this.#chunks = [bytes];
    return bytes;
  }

  #message(flag: number, bytes: Uint8Array): Uint8Array {
    if (flag !== COMPRESSED) return bytes;
    if (this.compression === 'identity') {
      throw new StatusError(Status.INTERNAL, "Can't decode compressed gRPC message as compression not configured");
    }
    try {
      return gunzipSync(bytes, { maxOutputLength: this.limitBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new MessageTooLong('decompressed');
      throw new StatusError(Status.INTERNAL, "Can't decompress the gRPC message");
    }
  }
}

/** One uncompressed message, ready to be sent. */
export function frame(message: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  bytes.writeUInt8(0, 0);
  bytes.writeUInt32BE(message.length, 1);
  bytes.set(message, PREFIX_BYTES);
  return bytes;
}
