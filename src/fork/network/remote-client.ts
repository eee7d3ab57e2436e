/** HTTP client for a node: retries by policy (`retry-policy.ts`), and accepts only complete JSON. */

import type { WallClock } from '../../platform/clock.js';
import type { Random } from '../../platform/random.js';
import { readValue } from '../../protocol/json/lenient-reader.js';
import type { JsonValue } from '../../protocol/json/value.js';
import { type AnswerStore, attemptThrough, type Question } from './answer-store.js';
import { withoutCredentials } from './credentials.js';
import {
  CLOSED,
  closed,
  type Failure,
  isRateLimitText,
  keyRefused,
  type Outcome,
  type RetryOptions,
  RetryPolicy,
  rateLimited,
  tooLong,
  unreachable,
} from './retry-policy.js';

export interface RemoteOptions extends RetryOptions {
  /** URL of a node's HTTP interface: `https://api.trongrid.io`. java-tron's paths are below it. */
  readonly url: string;
  /** URL of its JSON-RPC; by default `jsonrpc` below `url`. */
  readonly jsonRpcUrl?: string | undefined;
  /** Address of its gRPC, used instead of `/wallet`: `grpc.trongrid.io:50051`. */
  readonly grpc?: string | undefined;
  /** Sent as `TRON-PRO-API-KEY`. */
  readonly apiKey?: string | undefined;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Maximum size of an answer. Default 32 MiB. */
  readonly maxAnswerBytes?: number;
}

/** The list of all tokens of the main network has some MB. Reading 60 MB of JSON objects took 2 GB. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

const NO_NODE = "Set the URL of a node's HTTP interface, without /wallet or /jsonrpc.";
/** java-tron nodes serve JSON-RPC only if enabled, on its own port. */
const NO_JSON_RPC =
  'Contract storage is read over JSON-RPC (java-tron: node.jsonrpc.httpFullNodeEnable). Set the URL of a node that serves it (--fork-jsonrpc).';

/** Platform services for a remote. */
export interface RemotePlatform {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: WallClock;
  readonly random: Random;
  /** Keeps the answers of the node, or gives them without asking it. */
  readonly answers?: AnswerStore | undefined;
}

export class RemoteClient {
  readonly url: string;
  readonly jsonRpcUrl: string;
  readonly retryPolicy: RetryPolicy;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #authorization: (url: string) => string | undefined;
  readonly #maxAnswerBytes: number;
  #hasAnswered = false;

  constructor(
    options: RemoteOptions,
    private readonly platform: RemotePlatform,
  ) {
    const node = withoutCredentials(options.url);
    this.url = node.url.replace(/\/+$/, '');
    const { jsonRpcUrl } = options;
    const jsonRpc = jsonRpcUrl === undefined ? { ...node, url: `${this.url}/jsonrpc` } : withoutCredentials(jsonRpcUrl);
    this.jsonRpcUrl = jsonRpc.url;
    this.#authorization = (url) => (url === jsonRpc.url ? jsonRpc : node).authorization;
    const hosts = [hostOf(this.url), hostOf(this.jsonRpcUrl), options.grpc === undefined ? '' : hostOf(options.grpc)];
    this.retryPolicy = new RetryPolicy(options, hosts, platform.clock, platform.random);
    this.#headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(options.apiKey !== undefined && { 'TRON-PRO-API-KEY': options.apiKey }),
      ...options.headers,
    };
    this.#maxAnswerBytes = options.maxAnswerBytes ?? MAX_ANSWER_BYTES;
  }

  /**
   * The answer of `/wallet/…`.
   *
   * @param body a JSON text
   * @param what the request in words, for the error
   * @throws RemoteError
   */
  wallet(method: string, body: string, what: string): Promise<JsonValue> {
    return this.post(`${this.url}/wallet/${method}`, body, what);
  }

  /** @throws RemoteError */
  post(url: string, body: string, what: string): Promise<JsonValue> {
    return this.retryPolicy.ask(url, what, (tooLate) =>
      this.#ask(url, { method: 'POST', body }, tooLate, (text) => readText(text, readValue)),
    );
  }

  /** JSON of an interface other than the node's own; undefined if the path does not exist. @throws RemoteError */
  get(url: string, what: string): Promise<unknown> {
    return this.retryPolicy.ask(url, what, (tooLate) =>
      this.#ask<unknown>(url, { method: 'GET' }, tooLate, (text) => readText(text, JSON.parse), { answer: undefined }),
    );
  }

  /** @param absent the result for a missing path; undefined: an error */
  #ask<Answer>(
    url: string,
    request: Pick<RequestInit, 'method' | 'body'>,
    tooLate: AbortSignal,
    read: (text: string) => Outcome<Answer>,
    absent?: Outcome<Answer>,
  ): Promise<Outcome<Answer>> {
    return attemptThrough(
      this.platform.answers,
      this.#questionOf(url, request),
      () => this.#fetch(url, request, tooLate, absent !== undefined),
      (bytes) => {
        if (absent !== undefined && bytes.length === 0) return absent;
        const text = bytes.toString('utf8');
        return refusalIn(text) ?? read(text);
      },
    );
  }

  /** The base of the URL is no part of it: it may have a key. */
  #questionOf(url: string, { body }: Pick<RequestInit, 'body'>): Question {
    const path = url.startsWith(`${this.url}/`) ? url.slice(this.url.length) : '/jsonrpc';
    return { text: `${path}\n${body ?? ''}`, form: 'json' };
  }

  /** @returns an empty answer for a path that is missing, if it may be missing */
  async #fetch(
    url: string,
    request: Pick<RequestInit, 'method' | 'body'>,
    tooLate: AbortSignal,
    mayBeAbsent: boolean,
  ): Promise<Outcome<Buffer>> {
    const authorization = this.#authorization(url);
    try {
      const answer = await this.platform.fetch(url, {
        ...request,
        headers: { ...this.#headers, ...(authorization !== undefined && { authorization }) },
        signal: tooLate,
        // A redirected POST becomes a GET without a body, and the key would be sent to another host.
        redirect: 'manual',
      });
      this.#hasAnswered = true;
      const bytes = await this.#bytesOf(answer);
      if (bytes === undefined) return tooLong(this.#maxAnswerBytes);
      if (answer.status === 200) return { answer: bytes };
      const text = bytes.toString('utf8');
      if (mayBeAbsent && isAbsent(answer.status, text)) return { answer: Buffer.alloc(0) };
      return this.#refused(url, answer, text);
    } catch (error) {
      // If a host has never answered, its address is probably wrong: fail quickly.
      return unreachable(reasonOf(error), this.#hasAnswered);
    }
  }

  /** Undefined if it is too long: leaving the loop ends the connection. */
  async #bytesOf(answer: Response): Promise<Buffer | undefined> {
    if (answer.body === null) return Buffer.alloc(0);
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += part.length;
      if (bytes > this.#maxAnswerBytes) return undefined;
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  #refused(url: string, { status, headers }: Response, text: string): Failure {
    const said = `HTTP ${status}${excerpt(text)}`;
    if (status === 429 || isRateLimitText(text)) {
      return rateLimited(said, text, retryAfterMs(headers.get('retry-after'), this.retryPolicy.nowMs()));
    }
    if (status === 401 || status === 403) return keyRefused(said);
    const elsewhere = status >= 300 && status < 400 ? headers.get('location') : null;
    if (elsewhere !== null) return redirected(said, url, elsewhere);
    if (CLOSED.test(text)) return closed(said);
    if (status === 404 || status === 405) {
      return { why: said, advice: url === this.jsonRpcUrl ? NO_JSON_RPC : NO_NODE, again: false };
    }
    return {
      why: said,
      advice: 'Try again, or use another node of the network (--fork).',
      again: status >= 500 || status === 408,
    };
  }
}

/** For example a redirection from `http` to `https`. */
function redirected(said: string, url: string, location: string): Failure {
  const to = URL.canParse(location, url) ? new URL(location, url) : undefined;
  const { pathname, search } = new URL(url);
  const base = to?.href.endsWith(pathname + search)
    ? to.href.slice(0, -(pathname + search).length)
    : (to?.href ?? location);
  return {
    why: `${said}: it redirects to ${to?.href ?? location}`,
    advice: `Set its new URL: ${base}`,
    again: false,
  };
}

/** The answer of a Sunup with --no-history. */
function isAbsent(status: number, text: string): boolean {
  return status === 404 || (status === 503 && /keeps no history/.test(text));
}

/** Refusals with HTTP 200; other `{"Error":…}` are for the caller. */
function refusalIn(text: string): Failure | undefined {
  if (text.length > 1_000) return undefined;
  if (/^"?this API is closed/.test(text)) return closed(`it says "${text.trim()}"`);
  return /"error" ?:/i.test(text) && isRateLimitText(text) ? rateLimited(`it says ${text.trim()}`, text) : undefined;
}

/**
 * Parses complete JSON; a truncated answer is requested again. Java prints characters unescaped that JSON must escape.
 */
function readText<Answer>(text: string, read: (printable: string) => Answer): Outcome<Answer> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
  const printable = text.replace(/[\u0000-\u001f]/g, ' ');
  try {
    JSON.parse(printable);
    return { answer: read(printable) };
  } catch {
    const html = /^\s*</.test(text);
    return {
      why: html ? `it answered with an HTML page${excerpt(text)}` : `its answer is incomplete JSON${excerpt(text)}`,
      advice: html
        ? "Set the URL of a node's HTTP interface, such as https://api.trongrid.io."
        : 'Try again, or use another node of the network (--fork).',
      again: !html,
    };
  }
}

/** The start of a text; of an HTML page, its words. */
function excerpt(text: string): string {
  const words = text
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (words === '') return '';
  return `, "${words.length > 120 ? `${words.slice(0, 120)}…` : words}"`;
}

function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
}

function hostOf(address: string): string {
  const url = /^[a-z]+:\/\//i.test(address) ? address : `http://${address}`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}
