/** A devnet of the same process as an EIP-1193 provider, for viem (`custom`) and ethers (`BrowserProvider`). */

import type { Post } from '../platform/fetch.js';

export interface Eip1193Provider {
  /** @throws ProviderError for an error of the node */
  request(asked: {
    readonly method: string;
    readonly params?: readonly unknown[] | object | undefined;
  }): Promise<unknown>;
}

/** The error of a JSON-RPC answer. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';

  constructor(
    message: string,
    readonly code: number,
    readonly data: unknown,
  ) {
    super(message);
  }
}

export interface Eip1193Options {
  /** Default `/eth`, compatible with Ethereum tools; `/jsonrpc` answers as the network does. */
  readonly path?: '/eth' | '/jsonrpc';
}

/**
 * @example createPublicClient({ transport: custom(eip1193Provider(devnet)) }) // viem
 * @example new BrowserProvider(eip1193Provider(devnet)) // ethers
 */
export function eip1193Provider(
  { post }: { readonly post: Post },
  { path = '/eth' }: Eip1193Options = {},
): Eip1193Provider {
  let id = 0;
  return {
    async request({ method, params = [] }) {
      id++;
      const { text } = await post(path, JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      const { result, error } = JSON.parse(text) as {
        readonly result?: unknown;
        readonly error?: { readonly message: string; readonly code: number; readonly data?: unknown };
      };
      if (error !== undefined) throw new ProviderError(error.message, error.code, error.data);
      if (result === undefined) throw new Error(`${method} was answered ${text}`);
      return result;
    },
  };
}
