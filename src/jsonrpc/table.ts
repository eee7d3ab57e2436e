/** A method of the JSON-RPC table: its names, the parameters it declares, and what answers it. */

import type { Callers } from '../access/access.js';
import type { Filters } from '../node/chain/filters.js';
import type { Requester } from '../node/operations/work.js';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import type { Release } from '../primitives/release.js';
import type { WalletContext } from '../wallet/context.js';
import type { Binder } from './arguments.js';
import type { Dialect } from './dialect.js';
import type { Wanted } from './subscriptions.js';

export type RpcPath = 'jsonrpc' | 'eth' | 'tre';

/** What an endpoint shows: the head, what is solidified, or what PBFT has confirmed. java-tron has a port for each. */
export type RpcView = 'full' | 'solid' | 'pbft';

/** For what goes on from the head. */
export const ONLY_FULL: readonly RpcView[] = ['solid', 'pbft'];

/** What a method is given besides its arguments. */
export interface RpcContext extends Requester {
  /** The view of this moment: to be asked for again after a {@link RpcContext.pause}. */
  readonly wallet: WalletContext;
  /** The path that the request came by. */
  readonly path: RpcPath;
  readonly dialect: Dialect;
  /** Those of this endpoint: an id made on one is unknown on the other. */
  readonly filters: Filters;
  /** The witness whose key makes our blocks. */
  readonly coinbase: Address | undefined;
  /** Keys of the accounts that are this devnet's own, by their addresses. */
  readonly accounts: ReadonlyMap<Address, Hex>;
  /** What the node calls itself. */
  readonly clientVersion: string;
  /** Whether the index of accounts is kept. */
  readonly indexed: boolean;
  /** Who is told of what it subscribes to; undefined where a client can only ask. */
  readonly subscriber: Subscriber | undefined;
  /** How long a result may be, in characters of JSON. What is longer is refused; long ones ask before they are made. */
  readonly roomLeft: number;
  /**
   * Lets others have their turn in the middle of long work.
   *
   * @param isCostly whether what follows may take long
   * @throws ClientGone when nobody waits for the answer
   */
  readonly pause: (isCostly?: boolean) => Promise<void>;
}

/** A client that can be told something without having asked. */
export interface Subscriber {
  /** @returns the id that notifications will have. @throws JsonRpcError for more than one client may subscribe to */
  subscribe(wanted: Wanted): string;
  /** Whether there was such a subscription. */
  unsubscribe(id: string): boolean;
}

/** JSON that is already text. */
export class RawJson {
  constructor(readonly text: string) {}
}

export interface Method {
  readonly name: string;
  /** The release of java-tron that it came with; absent: all have it. Ethereum's tools are not kept from it. */
  readonly since?: Release;
  /** What the friendly dialect does otherwise, and Ethereum's where that has no form of its own. */
  readonly friendly?: FriendlyForm;
  readonly ethereum?: FriendlyForm;
  /** No other dialect has it. */
  readonly onlyEthereum?: true;
  /** java-tron has no such method. */
  readonly onlyFriendly?: true;
  /** Nor has it this one, which both dialects have where developer methods are on. */
  readonly forDevelopers?: true;
  /** Needs a WebSocket; without one java-tron's dialect does not know it, and the friendly one says so. */
  readonly onlySocket?: true;
  /** Views in which the method is refused, whatever it is given. */
  readonly notIn?: readonly RpcView[];
  /** So many of the parameters have to be given, whatever the dialect; absent: all. What is missing is null. */
  readonly required?: number;
  /** Of java-tron's Java method: jsonrpc4j finds it by that name too. Absent for methods that java-tron lacks. */
  readonly javaName?: string;
  /** Whether an answer may take long to make: contracts are executed for it. */
  readonly isCostly?: true;
  /** `anyone` for the network's own methods; `trusted` for what controls this chain. */
  readonly callers: Callers;
  readonly parameters: readonly Binder<unknown>[];
  /** The result, or a promise of it: anything that JSON can say, or {@link RawJson}. */
  readonly answer: (context: RpcContext, ...bound: never[]) => unknown;
}

/** The right column of a method's row in docs/reference/json-rpc.md. */
export interface FriendlyForm {
  readonly notIn?: readonly RpcView[];
  readonly callers?: Callers;
  /** Instead of the method's. */
  readonly parameters?: readonly Binder<unknown>[];
  /** So many of the parameters have to be given; what is missing is null. */
  readonly required?: number;
  /** Parameters that java-tron does not take. */
  readonly further?: readonly Binder<unknown>[];
  readonly answer?: (context: RpcContext, ...bound: never[]) => unknown;
}

/** A method as one dialect has it. */
export interface DialectMethod extends Method {
  readonly required: number;
}

/** A result that is longer than {@link RpcContext.roomLeft}. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/** Thrown out of work whose client has gone, or is cut off; nobody is answered. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** A method from elsewhere, which reads its parameters itself. */
export interface FurtherMethod {
  readonly name: string;
  readonly callers: Callers;
  /** @param parameters plain JSON; whole numbers beyond 2^53 are bigints */
  readonly answer: (parameters: readonly unknown[], requester: Requester) => unknown;
}

/** Methods that are not the network's. */
export interface FurtherMethods {
  /** Asked for a name that no method of the table has. */
  readonly find: (name: string) => Promise<FurtherMethod | undefined>;
  /** Every name that it finds, for who has mistyped one. */
  readonly names: () => Promise<Iterable<string>>;
}

type Bound<Binders extends readonly Binder<unknown>[]> = {
  [Index in keyof Binders]: Binders[Index] extends Binder<infer Value> ? Value : never;
};

/** A method of the network's. @example method('eth_accounts', 'getAccounts', [], () => []) */
export function method<const Binders extends readonly Binder<unknown>[]>(
  name: string,
  javaName: string,
  parameters: Binders,
  answer: (context: RpcContext, ...bound: Bound<Binders>) => unknown,
): Method {
  return { name, javaName, callers: 'anyone', parameters, answer: answer as Method['answer'] };
}

/** The method with what the friendly dialect does otherwise; `further` parameters come behind the others. */
export function withFriendly<
  const Binders extends readonly Binder<unknown>[],
  const Further extends readonly Binder<unknown>[] = readonly [],
>(
  name: string,
  javaName: string,
  parameters: Binders,
  friendly: { readonly required: number; readonly further?: Further },
  answer: (context: RpcContext, ...bound: [...Bound<Binders>, ...Partial<Bound<Further>>]) => unknown,
): Method {
  return { name, javaName, callers: 'anyone', parameters, friendly, answer: answer as unknown as Method['answer'] };
}

/** The method, whose answers may take long to make. @param ethereum what an Ethereum node answers instead */
export function costly(method: Method, ethereum?: Pick<FriendlyForm, 'answer'>): Method {
  return { ...method, isCostly: true, ...(ethereum && { ethereum: { ...method.friendly, ...ethereum } }) };
}
