/**
 * Reads untrusted files and streams up to a size limit: a larger input is refused at the limit, before it fills the
 * memory.
 */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** The input is larger than the limit. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

const MEGABYTE = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

function inMegabytes(bytes: number): string {
  return `${bytes / MEGABYTE} MB`;
}

/**
 * Reads a file.
 *
 * @param file its name, or a descriptor: 0 is the standard input
 * @throws TooLargeError; errors of the file system
 */
export function readBytesUpTo(file: string | 0, mostBytes: number): Buffer {
  const tooLarge = new TooLargeError(`it is larger than ${inMegabytes(mostBytes)}`);
  const descriptor = file === 0 ? file : openSync(file, 'r');
  try {
    if (fstatSync(descriptor).size > mostBytes) throw tooLarge;
    const parts: Buffer[] = [];
    // A device or a pipe has no size.
    for (let bytes = 0; ; ) {
      const part = Buffer.allocUnsafe(CHUNK_BYTES);
      const read = readSync(descriptor, part);
      if (read === 0) return Buffer.concat(parts, bytes);
      bytes += read;
      if (bytes > mostBytes) throw tooLarge;
      parts.push(part.subarray(0, read));
    }
  } finally {
    if (descriptor !== 0) closeSync(descriptor);
  }
}

/** As {@link readBytesUpTo}, as text. */
export function readTextUpTo(file: string | 0, mostBytes: number): string {
  return readBytesUpTo(file, mostBytes).toString('utf8');
}

export interface LineBounds {
  /** Total characters of all lines. */
  readonly text: number;
  /** Characters of one line. */
  readonly line: number;
}

/**
 * The lines of a text stream, without newlines. A last line without a newline counts if it is not empty.
 *
 * @throws TooLargeError
 */
export async function* linesUpTo(texts: AsyncIterable<string>, most: LineBounds): AsyncIterable<string> {
  let size = 0;
  let number = 1;
  let begun: string[] = [];
  let begunLength = 0;
  for await (const text of texts) {
    size += text.length;
    if (size > most.text) throw new TooLargeError(`it holds more than ${inMegabytes(most.text)}`);
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) {
        yield begun.join('');
        number++;
        begun = [];
        begunLength = 0;
      }
      begun.push(part);
      begunLength += part.length;
      if (begunLength > most.line) throw new TooLargeError(`line ${number} is longer than ${inMegabytes(most.line)}`);
    }
  }
  const last = begun.join('');
  if (last !== '') yield last;
}

/** Bytes in parts of any size. */
export type Parts = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The lines of a gzip file. @throws TooLargeError; an error of zlib, whose code begins with `Z_` */
export async function* gunzippedLines(parts: Parts, most: LineBounds): AsyncIterable<string> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES }).setEncoding('utf8');
  // Its errors reach the reader of the lines.
  pipeline(Readable.from(parts), gunzip).catch(() => {});
  yield* linesUpTo(gunzip, most);
}

/** The lines of bytes, which are text in UTF-8. @throws TooLargeError */
export async function* linesOf(parts: Parts, most: LineBounds): AsyncIterable<string> {
  yield* linesUpTo(textsOf(parts), most);
}

async function* textsOf(parts: Parts): AsyncIterable<string> {
  const decoder = new TextDecoder();
  for await (const part of parts) yield decoder.decode(part, { stream: true });
}

/** Bytes in memory, in parts. */
export function* partsOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
