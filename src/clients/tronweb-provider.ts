/** TronWeb over a devnet of the same process: its own `HttpProvider`, without sockets. */

import type { Fetch, Post, PostAnswer } from '../platform/fetch.js';

/** An HTTP error in axios's form: TronWeb and its users read `response`. */
class AnswerError extends Error {
  constructor(readonly response: { readonly status: number; readonly data: unknown }) {
    super(`Request failed with status code ${response.status}`);
  }
}

type Request = (url: string, payload?: object, method?: string) => Promise<unknown>;

/**
 * A provider for `new TronWeb({ fullHost })`. TronWeb accepts only instances of its own class, which is passed in, so
 * that no second TronWeb is loaded.
 *
 * @example
 * import { providers, TronWeb } from 'tronweb';
 * const tronWeb = new TronWeb({ fullHost: tronWebProvider(devnet, providers.HttpProvider), privateKey });
 */
export function tronWebProvider<Provider>(
  { fetch, post }: { readonly fetch: Fetch; readonly post: Post },
  HttpProvider: new (host: string) => Provider,
): Provider {
  const request: Request = async (url, payload = {}, method = 'get') => {
    const path = url.startsWith('/') ? url : `/${url}`;
    const fields = Object.entries(payload);
    const { status, text } = await (method.toLowerCase() === 'post'
      ? post(path, fields.length === 0 ? '' : JSON.stringify(payload))
      : got(fetch, fields.length === 0 ? path : `${path}?${new URLSearchParams(fields.map(queryField))}`));
    const data = parsed(text);
    if (status < 200 || status > 299) throw new AnswerError({ status, data });
    return data;
  };
  return Object.assign(new HttpProvider('http://127.0.0.1') as Provider & object, { request });
}

async function got(fetch: Fetch, path: string): Promise<PostAnswer> {
  const answer = await fetch(path);
  return { status: answer.status, text: await answer.text() };
}

function queryField([name, value]: [string, unknown]): [string, string] {
  return [name, String(value)];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
