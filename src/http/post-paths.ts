/**
 * Paths that take a document by POST and answer one: the rows of the table, and other text interfaces (JSON-RPC).
 *
 * A request to one of them does not go through the framework: a contract call is answered in a fraction of the time that
 * routing, hooks and reply objects take (measured: 15,000 against 23,000 answers a second on one core). What is not POST
 * goes the common way and is refused there.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';

export interface PostPath {
  /** Exact, with the leading slash. */
  readonly path: string;
  /** Full class name of the servlet that java-tron's page names when another method is refused. */
  readonly servlet: string;
  readonly contentType: string;
  /** The whole body of the answer, which may be empty. The status is 200 whatever it says. */
  readonly answer: (body: Buffer, request: IncomingMessage) => string | Promise<string>;
  /** What a body over the limit is answered with status 200; without it, 413 and nothing. */
  readonly tooBig?: () => string;
}

export interface PostSettings {
  readonly limitBytes: number;
  /** Put into every answer: name, value, name, value. */
  readonly headers: readonly string[];
  /** Awaited before an answer leaves. */
  readonly durable: (() => Promise<void>) | undefined;
  readonly onInternalError: ((error: unknown, path: string) => void) | undefined;
}

/** A body this many times the limit is not even read to its end. */
const DRAIN_FACTOR = 16;

/** Reads the request to its end and answers it. */
export function answerPost(
  post: PostPath,
  request: IncomingMessage,
  response: ServerResponse,
  settings: PostSettings,
): void {
  let chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > settings.limitBytes) {
      chunks = [];
      if (size > settings.limitBytes * DRAIN_FACTOR) request.destroy();
    } else chunks.push(chunk);
  });
  request.on('end', () => {
    if (size <= settings.limitBytes) {
      respond(post, request, response, settings, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    } else if (post.tooBig === undefined) send(response, 413, post, settings, '');
    else send(response, 200, post, settings, post.tooBig());
  });
  // A client that has gone is not answered, and not waited for.
  request.on('error', () => response.destroy());
}

function respond(
  post: PostPath,
  request: IncomingMessage,
  response: ServerResponse,
  settings: PostSettings,
  body: Buffer,
): void {
  const failed = (error: unknown): void => {
    settings.onInternalError?.(error, post.path);
    send(response, 500, post, settings, '');
  };
  const answered = (text: string): void => {
    if (settings.durable === undefined) send(response, 200, post, settings, text);
    else settings.durable().then(() => send(response, 200, post, settings, text), failed);
  };
  try {
    const text = post.answer(body, request);
    if (typeof text === 'string') answered(text);
    else text.then(answered, failed);
  } catch (error) {
    failed(error);
  }
}

function send(
  response: ServerResponse,
  status: number,
  { contentType }: PostPath,
  { headers }: PostSettings,
  text: string,
): void {
  response.writeHead(status, [
    ...headers,
    'content-type',
    contentType,
    'content-length',
    String(Buffer.byteLength(text)),
  ]);
  response.end(text);
}
