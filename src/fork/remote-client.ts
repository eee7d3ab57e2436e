/**
 * Asks a node over HTTP, politely and suspiciously: so many questions at once, each with a time, again with growing pauses
 * where asking again can help, as late as the node says with 429, and nothing is believed that is not whole JSON.
 *
 * Time, chance and sockets are handed in. Libraries that retry wait by the machine's timers, which tests would have to
 * sit through.
 */

import pLimit, { type LimitFunction } from 'p-limit';
import type { WallClock } from '../platform/clock.js';
import type { Random } from '../platform/random.js';
import { readValue } from '../protocol/json/lenient-reader.js';
import type { JsonValue } from '../protocol/json/value.js';
import { RemoteError } from './remote-error.js';

export interface RemoteOptions {
  /** Of a node's HTTP interface: `https://api.trongrid.io`. Paths below it are java-tron's. */
  readonly url: string;
  /** Of its JSON-RPC; by default `jsonrpc` below `url`. */
  readonly jsonRpcUrl?: string | undefined;
  /** Sent as `TRON-PRO-API-KEY`. */
  readonly apiKey?: string | undefined;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** For one answer, to its last byte. Default 20,000. */
  readonly timeoutMs?: number;
  /** How often one thing is asked at most. Default 6. */
  readonly attempts?: number;
  /** Questions under way at once. Default 8. */
  readonly concurrency?: number;
  /** Of one answer. Default 64 MiB. */
  readonly maxAnswerBytes?: number;
}

/** The machine, as a remote needs it. */
export interface RemotePlatform {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: WallClock;
  readonly random: Random;
}

const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 15_000;
/** A node that wants longer than this is not waited for. */
const LONGEST_RETRY_AFTER_MS = 60_000;

interface Failure {
  readonly why: string;
  readonly advice: string;
  /** Whether asking again may help, and when the node says so. */
  readonly again: boolean;
  readonly afterMs?: number | undefined;
}

const isFailure = (outcome: Failure | { readonly json: JsonValue }): outcome is Failure => 'why' in outcome;

export class RemoteClient {
  /** HTTP requests that were sent, those that failed too. */
  requests = 0;
  readonly url: string;
  readonly jsonRpcUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #limit: LimitFunction;
  readonly #timeoutMs: number;
  readonly #attempts: number;
  readonly #maxAnswerBytes: number;
  #hasAnswered = false;

  constructor(
    options: RemoteOptions,
    private readonly platform: RemotePlatform,
  ) {
    this.url = options.url.replace(/\/+$/, '');
    this.jsonRpcUrl = options.jsonRpcUrl ?? `${this.url}/jsonrpc`;
    this.#headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(options.apiKey !== undefined && { 'TRON-PRO-API-KEY': options.apiKey }),
      ...options.headers,
    };
    this.#limit = pLimit(options.concurrency ?? 8);
    this.#timeoutMs = options.timeoutMs ?? 20_000;
    this.#attempts = options.attempts ?? 6;
    this.#maxAnswerBytes = options.maxAnswerBytes ?? 64 * 1024 * 1024;
  }

  /**
   * The answer of `/wallet/…`.
   *
   * @param body a JSON text
   * @param what is asked for, for the error
   * @throws RemoteError
   */
  wallet(method: string, body: string, what: string): Promise<JsonValue> {
    return this.post(`${this.url}/wallet/${method}`, body, what);
  }

  /** @throws RemoteError */
  post(url: string, body: string, what: string): Promise<JsonValue> {
    return this.#limit(async () => {
      for (let attempt = 1; ; attempt++) {
        const outcome = await this.#ask(url, body);
        if (!isFailure(outcome)) return outcome.json;
        if (!outcome.again || attempt >= this.#attempts) {
          const tries = attempt === 1 ? '' : ` (asked ${attempt} times)`;
          throw new RemoteError(url, what, `${outcome.why}${tries}`, outcome.advice);
        }
        await this.#pause(outcome.afterMs ?? this.#backOffMs(attempt));
      }
    });
  }

  nowMs(): number {
    return Number(this.platform.clock.nowMs());
  }

  /** Waits as long as before asking for the next time. */
  backOff(times: number): Promise<void> {
    return this.#pause(this.#backOffMs(times));
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.platform.clock.after(ms, resolve));
  }

  /** Doubles each time; between half and all of it, so that many forks do not come back together. */
  #backOffMs(attempt: number): number {
    const full = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
    const chance = (this.platform.random.bytes(1)[0] ?? 0) / 255;
    return Math.round(full / 2 + (full / 2) * chance);
  }

  async #ask(url: string, body: string): Promise<Failure | { readonly json: JsonValue }> {
    this.requests++;
    const abort = new AbortController();
    let late = false;
    const disarm = this.platform.clock.after(this.#timeoutMs, () => {
      late = true;
      abort.abort();
    });
    try {
      const answer = await this.platform.fetch(url, {
        method: 'POST',
        body,
        headers: { ...this.#headers },
        signal: abort.signal,
        redirect: 'follow',
      });
      this.#hasAnswered = true;
      const text = await this.#textOf(answer);
      if (text === undefined) {
        abort.abort();
        return {
          why: `its answer is longer than ${this.#maxAnswerBytes} bytes`,
          advice: 'Is this the address of a node?',
          again: false,
        };
      }
      return answer.status === 200 ? readAnswer(text) : this.#refused(answer, text);
    } catch (error) {
      if (late) {
        return {
          why: `there was no whole answer within ${this.#timeoutMs} ms`,
          advice: 'Try again, or fork another node of the network.',
          again: true,
        };
      }
      // Where nobody has ever answered the address is wrong, and nobody wants to wait to be told so.
      const again = this.#hasAnswered;
      return { why: reasonOf(error), advice: 'Check the address and the network, and try again.', again };
    } finally {
      disarm();
    }
  }

  /** Undefined where it is too long. */
  async #textOf(answer: Response): Promise<string | undefined> {
    if (answer.body === null) return '';
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += part.length;
      if (bytes > this.#maxAnswerBytes) return undefined;
      parts.push(part);
    }
    return Buffer.concat(parts).toString('utf8');
  }

  #refused({ status, headers }: Response, text: string): Failure {
    const said = `HTTP ${status}${inWords(text)}`;
    // TronGrid says 403 to whoever asks too often without a key, with a text about the frequency.
    if (status === 429 || (status === 403 && /frequency|rate limit|too many/i.test(text))) {
      const afterMs = retryAfterMs(headers.get('retry-after'), this.nowMs());
      const patient = afterMs === undefined || afterMs <= LONGEST_RETRY_AFTER_MS;
      return {
        why: patient ? said : `${said}, asking to come back in ${Math.ceil((afterMs ?? 0) / 1000)} s`,
        advice: 'It limits how often it is asked: give an API key of it (--fork-api-key), or fork another node.',
        again: patient,
        afterMs,
      };
    }
    if (status === 401 || status === 403)
      return { why: said, advice: 'Give a valid API key of it (--fork-api-key or --fork-header).', again: false };
    if (status === 404 || status === 405) {
      return { why: said, advice: "Give the address of a node's HTTP interface, without /wallet.", again: false };
    }
    return {
      why: said,
      advice: 'Try again, or fork another node of the network.',
      again: status >= 500 || status === 408,
    };
  }
}

/** JSON, whole: what is cut off is asked for again. Java prints characters raw that JSON wants escaped. */
function readAnswer(text: string): Failure | { readonly json: JsonValue } {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
  const printable = text.replace(/[\u0000-\u001f]/g, ' ');
  try {
    JSON.parse(printable);
    return { json: readValue(printable) };
  } catch {
    const html = /^\s*</.test(text);
    return {
      why: html ? `it answered with a page${inWords(text)}` : `its answer is no whole JSON${inWords(text)}`,
      advice: html
        ? "Give the address of a node's HTTP interface, such as https://api.trongrid.io."
        : 'Try again, or fork another node of the network.',
      again: !html,
    };
  }
}

/** The beginning of a text, of a page its words. */
function inWords(text: string): string {
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
