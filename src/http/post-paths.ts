/**
 * Paths that take a document by POST and answer one: the rows of the table, and other text interfaces (JSON-RPC).
 *
 * A request to one of them does not go through the framework, whose routing, hooks and reply objects would cost as much
 * as a contract call. Requests that have arrived on several connections are answered together at the end of the turn of
 * the event loop: between them the machine would lose what it holds of the virtual machine to that of sockets and HTTP.
 * That is 15,000 calls of a token a second over 8 connections rather than 10,000, and 46 µs of processor time for each
 * rather than 70 (Node 20, 2 cores with the client). What is not POST goes the common way and is refused there.
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

/** Reads a request to its end and answers it. */
export type AnswerPost = (post: PostPath, request: IncomingMessage, response: ServerResponse) => void;

/** For one server. */
export function answerPosts(settings: PostSettings): AnswerPost {
  let arrived: Arrived[] = [];
  const answerAll = (): void => {
    const requests = arrived;
    arrived = [];
    const answered: Answered[] = [];
    for (const request of requests) answer(request, settings, answered);
    if (answered.length > 0) sendDurable(answered, settings);
  };
  return (post, request, response) => {
    readPost(post, request, response, settings, (body) => {
      if (arrived.push({ post, request, response, body }) === 1) setImmediate(answerAll);
    });
  };
}

interface Arrived {
  readonly post: PostPath;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
}

interface Answered {
  readonly post: PostPath;
  readonly response: ServerResponse;
  readonly text: string;
}

function readPost(
  post: PostPath,
  request: IncomingMessage,
  response: ServerResponse,
  settings: PostSettings,
  arrived: (body: Buffer) => void,
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
    if (size <= settings.limitBytes) arrived(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    else if (post.tooBig === undefined) send(response, 413, post, settings, '');
    else send(response, 200, post, settings, post.tooBig());
  });
  // A client that has gone is not answered, and not waited for.
  request.on('error', () => response.destroy());
}

/** What is answered at once goes into `answered`; what takes its time is sent when it is there. */
function answer({ post, request, response, body }: Arrived, settings: PostSettings, answered: Answered[]): void {
  const failed = (error: unknown): void => {
    settings.onInternalError?.(error, post.path);
    send(response, 500, post, settings, '');
  };
  try {
    const text = post.answer(body, request);
    if (typeof text === 'string') answered.push({ post, response, text });
    else text.then((later) => sendDurable([{ post, response, text: later }], settings), failed);
  } catch (error) {
    failed(error);
  }
}

function sendDurable(answered: readonly Answered[], settings: PostSettings): void {
  const sendAll = (): void => {
    for (const { post, response, text } of answered) send(response, 200, post, settings, text);
  };
  if (settings.durable === undefined) {
    sendAll();
    return;
  }
  settings.durable().then(sendAll, (error: unknown) => {
    for (const { post, response } of answered) {
      settings.onInternalError?.(error, post.path);
      send(response, 500, post, settings, '');
    }
  });
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
