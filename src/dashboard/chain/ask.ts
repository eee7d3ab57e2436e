/**
 * Requests to the node that serves this page: java-tron's endpoints, Sunup's own, JSON-RPC. Paths are relative to the
 * page, so the dashboard of a further chain (`/~id/`) asks that chain.
 */

import type { ProtocolNames } from './answers.js';

/** Where the chain is served: with a slash at its end. */
export const base = new URL('.', location.href.replace(/[?#].*$/s, '')).href;

/** The node answered, but not what was asked for. */
export class AnswerError extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** JSON-RPC error code. */
    readonly code?: number,
  ) {
    super(message);
  }
}

/** Whole numbers that JavaScript cannot read exactly become digits in a string, as in Sunup's own JSON. */
function exact(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && context?.source !== undefined ? context.source : value;
}

async function ask(path: string, init?: RequestInit): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(base + path, init);
  return { status: answer.status, text: await answer.text() };
}

/** @throws AnswerError for text that is no JSON */
export function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text, exact as (name: string, value: unknown) => unknown);
  } catch {
    throw new AnswerError(status === 404 ? 'The node does not serve this method.' : text.slice(0, 200), status);
  }
}

/** What the node serves to this page. */
export interface NodeSettings {
  readonly version: string;
  /** Whether `/sunup` and developer methods answer this page. */
  readonly devMethods: boolean;
  /** Whether `/v1` does. */
  readonly history: boolean;
  readonly slotMs: number;
  /** On a fork: its network, and the last block of the network. */
  readonly fork?: { readonly network?: string; readonly block: number };
}

export async function nodeSettings(): Promise<NodeSettings> {
  const { status, text } = await ask('dashboard/settings.json');
  return parse(text, status) as NodeSettings;
}

/** Names and meanings of the protocol's constants. */
export async function protocolNames(): Promise<ProtocolNames> {
  const { status, text } = await ask('dashboard/protocol.json');
  return parse(text, status) as ProtocolNames;
}

/** A POST request with a JSON body. */
export const posted = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/**
 * A method below `/wallet`, with addresses as base58check.
 *
 * @throws AnswerError with java-tron's text
 * @example await wallet<BlockAnswer>('getblockbynum', { num: 5 })
 */
export async function wallet<Answer>(method: string, body: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const { status, text } = await ask(`wallet/${method}`, posted({ visible: true, ...body }));
  const answer = parse(text, status) as { readonly Error?: string };
  if (typeof answer?.Error === 'string') throw new AnswerError(answer.Error, status);
  return answer as Answer;
}

/** A path below `/v1`. @throws AnswerError if the history index is off, or the question is refused */
export async function history<Entry>(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): Promise<{ readonly data: readonly Entry[]; readonly meta: { readonly fingerprint?: string } }> {
  const words = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(words.map(([name, value]) => [name, String(value)]));
  const { status, text } = await ask(`v1/${path}?${search}`);
  const answer = parse(text, status) as {
    readonly success?: boolean;
    readonly error?: string;
    readonly data: readonly Entry[];
    readonly meta: { readonly fingerprint?: string };
  };
  if (answer.success !== true) throw new AnswerError(answer.error ?? 'The history is not available.', status);
  return answer;
}

/** A method below `/sunup`. @throws AnswerError with the node's text, also where developer methods are off */
export async function sunup<Answer>(method: string, body: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const { status, text } = await ask(`sunup/${method}`, posted(body));
  const answer = parse(text, status) as { readonly Error?: string };
  if (status !== 200 || typeof answer?.Error === 'string')
    throw new AnswerError(answer?.Error ?? `The node answered with status ${status}.`, status);
  return answer as Answer;
}

/** @throws AnswerError with the code of JSON-RPC */
export async function rpc<Result>(method: string, params: readonly unknown[] = [], path = 'tre'): Promise<Result> {
  const { status, text } = await ask(path, posted({ jsonrpc: '2.0', id: 1, method, params }));
  const answer = parse(text, status) as {
    readonly result?: Result;
    readonly error?: { readonly message: string; readonly code: number };
  };
  if (answer.error !== undefined) throw new AnswerError(answer.error.message, status, answer.error.code);
  return answer.result as Result;
}
