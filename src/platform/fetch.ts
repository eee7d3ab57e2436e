/** The type of the global `fetch` where it has one: whoever uses the package may have neither Node's types nor the DOM's. */
export type Fetch = typeof globalThis extends { readonly fetch: infer Own extends (...asked: never[]) => unknown }
  ? Own
  : (request: string) => Promise<unknown>;
