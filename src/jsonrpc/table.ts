/** What a row of the JSON-RPC table is: a method's name, the parameters it declares, and what answers it. */

import type { Callers } from '../access/access.js';
import type { Filters } from '../node/filters.js';
import type { Address } from '../primitives/ids.js';
import type { WalletContext } from '../wallet/context.js';
import type { Binder } from './arguments.js';

/** What a method is given besides its arguments. Made anew for every request. */
export interface RpcContext {
  readonly wallet: WalletContext;
  /** Those of this endpoint: an id made on one is unknown on the other. */
  readonly filters: Filters;
  /** The witness whose key makes our blocks. */
  readonly coinbase: Address | undefined;
  readonly methods: ReadonlyMap<string, Method>;
  /** Why whoever sent the request may not call the method; undefined: it may. */
  readonly refusal: (method: Method) => string | undefined;
}

/** JSON that is already text. */
export class RawJson {
  constructor(readonly text: string) {}
}

export interface Method {
  readonly name: string;
  /** `anyone` for the network's own methods; `trusted` for what controls this chain. */
  readonly callers: Callers;
  readonly parameters: readonly Binder<unknown>[];
  /** The result: anything that JSON can say, or {@link RawJson}. */
  readonly answer: (context: RpcContext, ...bound: never[]) => unknown;
}

type Bound<Binders extends readonly Binder<unknown>[]> = {
  [Index in keyof Binders]: Binders[Index] extends Binder<infer Value> ? Value : never;
};

/** A method of the network's. @example method('eth_getBalance', [text, text], ({ wallet }, address, block) => …) */
export function method<const Binders extends readonly Binder<unknown>[]>(
  name: string,
  parameters: Binders,
  answer: (context: RpcContext, ...bound: Bound<Binders>) => unknown,
): Method {
  return { name, callers: 'anyone', parameters, answer: answer as Method['answer'] };
}
