/** The client of a running node: its address, and requests to Sunup's endpoints. */

import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, Readable } from 'node:stream';

/** The node refused or does not answer: exit code 1. An invalid argument: 2. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
  }
}

/** Parses an argument as JSON. @throws RemoteError */
export function readJson(typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch (error) {
    throw new RemoteError(`${typed} is not JSON: ${(error as Error).message}`, 2);
  }
}

/**
 * The address of a node: from the argument, or from the variables that set the address of a node.
 *
 * @example nodeUrl('localhost:9091', {}).href // 'http://localhost:9091/'
 * @throws RemoteError for an invalid address
 */
export function nodeUrl(typed: string | undefined, environment: Readonly<Record<string, string | undefined>>): URL {
  const given = typed ?? environment.SUNUP_URL;
  if (given !== undefined && given !== '') return readUrl(given);
  const { SUNUP_HOST: host, SUNUP_HTTP_PORT: port } = environment;
  // A node that listens on all addresses is reached by the loopback address.
  const name = host === undefined || host === '' || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return readUrl(`${name.includes(':') ? `[${name}]` : name}:${port === undefined || port === '' ? 9090 : port}`);
}

function readUrl(text: string): URL {
  // A port alone is on this machine.
  const full = /^:?\d+$/.test(text) ? `127.0.0.1:${text.replace(':', '')}` : text;
  const written = /^[a-z]+:\/\//i.test(full) ? full : `http://${full}`;
  if (!URL.canParse(written) || !/^https?:\/\//i.test(written)) {
    throw new RemoteError(
      `"${text}" is not the address of a node\n(Write http://127.0.0.1:9090, localhost:9090 or 9090)`,
      2,
    );
  }
  return new URL(written);
}

/** Not fetch, which times out after five minutes: mining millions of blocks may take longer. */
function post(url: URL, body: object | Readable, signal: AbortSignal | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const isUpload = body instanceof Readable;
    const type = isUpload ? 'application/octet-stream' : 'application/json';
    const options = { method: 'POST', headers: { 'content-type': type }, ...(signal && { signal }) };
    const sent = request(url, options, resolve).on('error', reject);
    if (isUpload) pipeline(body, sent, (error) => error && reject(error));
    else sent.end(JSON.stringify(body));
  });
}

/**
 * The answer to `POST /sunup/NAME`.
 *
 * @param signal aborts the request
 * @throws RemoteError if the node refuses or is not reachable
 */
export function ask(node: URL, name: string, body: object, signal?: AbortSignal): Promise<Record<string, unknown>> {
  return answerTo(node, `/sunup/${name}`, body, signal);
}

/**
 * The same with the content of a file.
 *
 * @throws RemoteError; errors of the file
 */
export function upload(
  node: URL,
  name: string,
  file: Readable,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  return answerTo(node, `/sunup/${name}`, file, signal);
}

/** The answer to `POST /wallet/NAME`. @throws RemoteError */
export function askWallet(node: URL, name: string, body: object): Promise<Record<string, unknown>> {
  return answerTo(node, `/wallet/${name}`, body);
}

/** The result of a JSON-RPC method. @throws RemoteError if the node refuses or is not reachable */
export async function askRpc(node: URL, method: string, params: readonly unknown[]): Promise<unknown> {
  const { result, error } = await answerTo(node, '/tre', { jsonrpc: '2.0', id: 1, method, params });
  if (error !== undefined) throw new RemoteError((error as { readonly message: string }).message);
  return result;
}

async function answerTo(
  node: URL,
  path: string,
  body: object | Readable,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const answer = await openAnswer(node, path, body, signal);
  let text = '';
  for await (const part of answer.texts) text += part;
  return answer.read(text);
}

/** An answer of which the body is read by the caller. */
export interface OpenAnswer {
  /** The body. @throws RemoteError if it is cut off */
  readonly texts: AsyncGenerator<string>;
  /** The members of a whole body. @throws RemoteError if it is no answer of a node, or an error */
  readonly read: (body: string) => Record<string, unknown>;
  readonly cutOff: () => RemoteError;
}

/** @throws RemoteError if the node is not reachable */
export async function openAnswer(
  node: URL,
  path: string,
  body: object | Readable,
  signal?: AbortSignal,
): Promise<OpenAnswer> {
  const { origin } = node;
  const cutOff = () => new RemoteError(`${origin} closed the connection: was the node stopped?`);
  const lost = ({ code }: NodeJS.ErrnoException): RemoteError =>
    code === 'ECONNRESET'
      ? cutOff()
      : new RemoteError(
          `no answer from ${origin}: is a node running there?\n(Use --url or SUNUP_URL for another node)`,
        );
  const response = await post(new URL(path, node), body, signal).catch((error) => {
    throw lost(error);
  });
  async function* texts(): AsyncGenerator<string> {
    try {
      yield* response.setEncoding('utf8') as AsyncIterable<string>;
    } catch (error) {
      throw lost(error as Error);
    }
  }
  const status = response.statusCode ?? 0;
  const read = (text: string): Record<string, unknown> => {
    let members: Record<string, unknown>;
    try {
      members = JSON.parse(text) as Record<string, unknown>;
    } catch {
      throw new RemoteError(
        `${origin} answers ${status} to ${path}: is it a Sunup node, started without --no-dev-methods?`,
      );
    }
    // Refusals by access rules or request limits have this form on every path.
    if (typeof members.Error === 'string') throw new RemoteError(members.Error.replace(/^class [\w.$]+ : /, ''));
    if (status !== 200) throw new RemoteError(`${origin} answers ${status}: ${text.trim()}`);
    return members;
  };
  return { texts: texts(), read, cutOff };
}
