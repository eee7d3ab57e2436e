/** The type of the global `fetch`, if it has one: users of the package may have neither Node's types nor the DOM's. */
export type Fetch = typeof globalThis extends { readonly fetch: infer Own extends (...asked: never[]) => unknown }
  ? Own
  : (request: string) => Promise<unknown>;

/**
 * An in-process POST with a JSON body, without HTTP.
 *
 * @param path as in a URL, with a leading slash
 * @throws TypeError when the devnet is closed
 */
export type Post = (path: string, body: string) => Promise<PostAnswer>;

export interface PostAnswer {
  /** HTTP status. */
  readonly status: number;
  readonly text: string;
}
