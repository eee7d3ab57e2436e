/**
 * What a method of the gRPC API is: a method of a service and the wallet operation that answers it, the same one as its
 * HTTP twin's. What the messages are the service's descriptor says; a method adds how its failures show
 * (protocol/grpc.md#principle: three styles, fixed per method). Methods are data, in `methods/`, one file a topic.
 */

import type { JavaException } from '../errors/java-exception.js';
import { utf8ToHex } from '../primitives/hex.js';
import type { Release } from '../primitives/release.js';
import type { ContractMessage } from '../protocol/contract-types.js';
import { Return, Return_response_code, TransactionExtention } from '../protocol/generated/api.js';
import { Transaction_Contract_ContractType as ContractType, type Transaction } from '../protocol/generated/tron.js';
import type { Sent } from '../protocol/message-type.js';
import type { MethodType, ServiceType } from '../protocol/service-type.js';
import { SignedTransaction } from '../protocol/transaction.js';
import type { WalletContext } from '../wallet/context.js';
import { createTransaction } from '../wallet/transactions.js';
import { type Encoded, SUCCESS } from './encoded.js';
import { applicationError, Status, StatusError } from './status.js';

/**
 * Of an operation: `undefined` is the empty message, which says that there is no such thing
 * (protocol/grpc.md#not-found).
 */
type Answer<A> = A | Encoded | undefined | Promise<A | Encoded | undefined>;

interface Method<Q, A> {
  /** The release of java-tron that it came with; absent: all have it. */
  readonly since?: Release;
  /** Whether an answer may take long to make: a contract is executed for it. */
  readonly isCostly?: true;
  readonly answer: (view: WalletContext, request: Q) => Answer<A>;
  /** What an exception of the operation becomes: another answer, or the StatusError to throw. */
  readonly failed: (exception: JavaException) => A | undefined | StatusError;
}

/** A method that is given its message. */
export interface MessageMethod<Q, A> extends Method<Q, A> {
  readonly request: 'message';
  /** The message is this contract, and the answer a transaction around it. */
  readonly builds?: ContractTypeName;
}

/** A method that is given a transaction, with the bytes that its id is the hash of. */
export interface TransactionMethod<A> extends Method<SignedTransaction, A> {
  readonly request: 'transaction';
}

export type GrpcMethod<Q, A> = MessageMethod<Q, A> | TransactionMethod<A>;

/** What answers the methods of a service, by their names; without those that nobody has written. */
export type MethodsOf<Service extends ServiceType> = {
  readonly [Method in keyof Service['methods']]?: Service['methods'][Method] extends MethodType<infer Q, infer A>
    ? [Q] extends [Transaction]
      ? GrpcMethod<Sent<Q>, Sent<A>>
      : MessageMethod<Sent<Q>, Sent<A>>
    : never;
};

/** Nobody catches the exception: the client is not told what it was. */
export function uncaught(): StatusError {
  return applicationError();
}

/** INTERNAL with the exception's message. */
export function internal(exception: JavaException): StatusError {
  return new StatusError(Status.INTERNAL, exception.javaMessage ?? '');
}

/** The exception goes to a client as it is, and on the wire nothing of it is left but UNKNOWN. */
export function unknown(): StatusError {
  return new StatusError(Status.UNKNOWN, '');
}

/** Whatever is wrong, the answer is the empty message. */
export function empty(): undefined {
  return undefined;
}

export function query<Q, A>(
  answer: (view: WalletContext, request: Q) => Answer<A>,
  failed: MessageMethod<Q, A>['failed'] = uncaught,
): MessageMethod<Q, A> {
  return { request: 'message', answer, failed };
}

/** A query whose answer, if there is one, is put into bytes by `encode`. */
export function encodedQuery<Q, Found>(
  operation: (view: WalletContext, request: Q) => Found | undefined,
  encode: (found: Found) => Encoded,
  failed: (exception: JavaException) => StatusError = uncaught,
): MessageMethod<Q, never> {
  return query<Q, never>((view, request) => {
    const found = operation(view, request);
    return found === undefined ? undefined : encode(found);
  }, failed);
}

export function transactionQuery<A>(
  answer: (view: WalletContext, transaction: SignedTransaction) => Answer<A>,
  failed: TransactionMethod<A>['failed'] = uncaught,
): TransactionMethod<A> {
  return { request: 'transaction', answer, failed };
}

/** The method, whose answers may take long to make. */
export function costly<Of extends Method<never, unknown>>(method: Of): Of {
  return { ...method, isCostly: true };
}

export type ContractTypeName = keyof typeof ContractType;

const isRefusal = ({ code }: JavaException) => code === 'CONTRACT_VALIDATE';

/** Builds an unsigned transaction; a contract that is refused leaves the client with an empty one. */
export function builder<Q extends ContractMessage>(builds: ContractTypeName): MessageMethod<Q, Transaction> {
  const method = query<Q, Transaction>(
    (view, contract) => createTransaction(view, ContractType[builds], contract),
    (exception) => (isRefusal(exception) ? undefined : uncaught()),
  );
  return { ...method, builds };
}

/** The same inside a `TransactionExtention`, which says what was wrong. */
export function extentionBuilder<Q extends ContractMessage>(
  builds: ContractTypeName,
): MessageMethod<Q, TransactionExtention> {
  const method = query<Q, TransactionExtention>(
    (view, contract) => extentionOf(createTransaction(view, ContractType[builds], contract)),
    extentionFailure,
  );
  return { ...method, builds };
}

/** A transaction that the node has built, with its id. */
export function extentionOf(transaction: Transaction): TransactionExtention {
  const { txId } = SignedTransaction.of(transaction);
  return TransactionExtention.create({ transaction, txid: txId, result: SUCCESS });
}

/** Code 2 for a contract that is refused, 20 for everything else. */
export function extentionFailure(exception: JavaException): TransactionExtention {
  return TransactionExtention.create({ result: failure(exception, Return_response_code.OTHER_ERROR) });
}

/** The `Return` of an exception: a refusal as such, anything else with this code and the exception's class. */
export function failure(exception: JavaException, otherwise: number): Return {
  return isRefusal(exception)
    ? Return.create({
        code: Return_response_code.CONTRACT_VALIDATE_ERROR,
        message: utf8ToHex(`Contract validate error : ${exception.javaMessage}`),
      })
    : Return.create({ code: otherwise, message: utf8ToHex(exception.wireText) });
}
