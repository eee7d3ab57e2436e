/** The type of the global `fetch` where it has one: whoever uses the package may have neither Node's types nor the DOM's. */
export type Fetch = typeof globalThis extends { readonly fetch: infer Own extends (...asked: never[]) => unknown }
  ? Own
  : (request: string) => Promise<unknown>;

/**
 * A POST of this process, with a JSON text as its body and no HTTP around it.
 *
 * @param path as in a URL, with its first slash
 * @throws TypeError when the devnet is closed
 */
export type Post = (path: string, body: string) => Promise<PostAnswer>;

export interface PostAnswer {
  /** Of HTTP. */
  readonly status: number;
  readonly text: string;
}
