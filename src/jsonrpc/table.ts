/** Definition of a JSON-RPC method: its names, its parameters, and its function. */

import type { Callers } from '../access/access.js';
import type { Filters } from '../node/chain/filters.js';
import type { Requester } from '../node/operations/work.js';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import type { Release } from '../primitives/release.js';
import type { WalletContext } from '../wallet/context.js';
import type { Binder } from './arguments.js';
import type { Dialect } from './dialect.js';
import type { SubscriptionTarget } from './subscriptions.js';

export type RpcPath = 'jsonrpc' | 'eth' | 'tre';

/**
 * The view of an endpoint: the head, the solidified block, or PBFT's confirmed block. java-tron has a port for each.
 */
export type RpcView = 'full' | 'solid' | 'pbft';

/** Views without methods that follow the head. */
export const ONLY_FULL: readonly RpcView[] = ['solid', 'pbft'];

/** The context of a method call. */
export interface RpcContext extends Requester {
  /** The current view. Read it again after {@link RpcContext.pause}. */
  readonly wallet: WalletContext;
  /** The path of the request. */
  readonly path: RpcPath;
  readonly dialect: Dialect;
  /** Filters of this endpoint; their ids are unknown at others. */
  readonly filters: Filters;
  /** The witness whose key signs this node's blocks. */
  readonly coinbase: Address | undefined;
  /** Keys of the devnet's own accounts, by address. */
  readonly accounts: ReadonlyMap<Address, Hex>;
  /** The node's version text. */
  readonly clientVersion: string;
  /** Whether the account index exists. */
  readonly indexed: boolean;
  /** The client's subscriptions; undefined if it cannot receive notifications. */
  readonly subscriber: Subscriber | undefined;
  /**
   * Maximum length of a result, in characters of JSON. Longer results are errors; long ones are checked before they are
   * built.
   */
  readonly roomLeft: number;
  /**
   * Gives others a turn during long work.
   *
   * @param isCostly whether the following work may take long
   * @throws ClientGone if the client has disconnected
   */
  readonly pause: (isCostly?: boolean) => Promise<void>;
}

/** A client that can receive notifications. */
export interface Subscriber {
  /**
   * @returns the id for notifications.
   * @throws JsonRpcError if the client has too many subscriptions
   */
  subscribe(target: SubscriptionTarget): string;
  /** Whether the subscription existed. */
  unsubscribe(id: string): boolean;
}

/** JSON that is already text. */
export class RawJson {
  constructor(readonly text: string) {}
}

export interface Method {
  readonly name: string;
  /** The first java-tron release with the method; absent: all. Does not apply to the friendly dialect. */
  readonly since?: Release;
  /** Differences in the friendly dialect, and in Ethereum's if it has no form of its own. */
  readonly friendly?: FriendlyForm;
  readonly ethereum?: FriendlyForm;
  /** Only the Ethereum dialect has it. */
  readonly onlyEthereum?: true;
  /** java-tron has no such method. */
  readonly onlyFriendly?: true;
  /** A developer method, which both dialects have if developer methods are on; java-tron does not have it. */
  readonly forDevelopers?: true;
  /** Needs a WebSocket. Without one, java-tron's dialect does not know it, and the friendly one returns an error. */
  readonly onlySocket?: true;
  /** Views that always refuse the method. */
  readonly notIn?: readonly RpcView[];
  /** Number of required parameters, in all dialects; absent: all. Missing ones are null. */
  readonly required?: number;
  /** Name of java-tron's Java method: jsonrpc4j accepts it, too. Absent if java-tron does not have the method. */
  readonly javaName?: string;
  /** Whether an answer may take long: it executes contracts. */
  readonly isCostly?: true;
  /** `anyone` for java-tron's methods; `trusted` for methods that control the chain. */
  readonly callers: Callers;
  readonly parameters: readonly Binder<unknown>[];
  /** The result, or a promise of it: any JSON value, or {@link RawJson}. */
  readonly answer: (context: RpcContext, ...bound: never[]) => unknown;
}

/** The right column of the method in docs/reference/json-rpc.md. */
export interface FriendlyForm {
  readonly notIn?: readonly RpcView[];
  readonly callers?: Callers;
  /** Instead of the method's parameters. */
  readonly parameters?: readonly Binder<unknown>[];
  /** Number of required parameters; missing ones are null. */
  readonly required?: number;
  /** Additional parameters, unknown to java-tron. */
  readonly further?: readonly Binder<unknown>[];
  readonly answer?: (context: RpcContext, ...bound: never[]) => unknown;
}

/** A method in one dialect. */
export interface DialectMethod extends Method {
  readonly required: number;
}

/** A result is longer than {@link RpcContext.roomLeft}. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/** Ends work whose client has disconnected; no answer is sent. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** A method from outside of the table. It reads its parameters itself. */
export interface FurtherMethod {
  readonly name: string;
  readonly callers: Callers;
  /** @param parameters plain JSON; whole numbers beyond 2^53 are bigints */
  readonly answer: (parameters: readonly unknown[], requester: Requester) => unknown;
}

/** Methods from outside of the table. */
export interface FurtherMethods {
  /** Called for names that no method of the table has. */
  readonly find: (name: string) => Promise<FurtherMethod | undefined>;
  /** All its names, for suggestions. */
  readonly names: () => Promise<Iterable<string>>;
}

type Bound<Binders extends readonly Binder<unknown>[]> = {
  [Index in keyof Binders]: Binders[Index] extends Binder<infer Value> ? Value : never;
};

/**
 * A method of the network.
 *
 * @example method('eth_accounts', 'getAccounts', [], () => [])
 */
export function method<const Binders extends readonly Binder<unknown>[]>(
  name: string,
  javaName: string,
  parameters: Binders,
  answer: (context: RpcContext, ...bound: Bound<Binders>) => unknown,
): Method {
  return { name, javaName, callers: 'anyone', parameters, answer: answer as Method['answer'] };
}

/** Adds the friendly dialect's differences; `further` parameters follow the others. */
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

/**
 * Marks a method whose answers may take long.
 *
 * @param ethereum the Ethereum dialect's answer
 */
export function costly(method: Method, ethereum?: Pick<FriendlyForm, 'answer'>): Method {
  return { ...method, isCostly: true, ...(ethereum && { ethereum: { ...method.friendly, ...ethereum } }) };
}
