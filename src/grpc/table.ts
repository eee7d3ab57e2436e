/**
 * Definition of a gRPC method: the wallet operation of its HTTP twin, and the form of its failures
 * (protocol/grpc.md#principle: three styles, fixed per method). The service's descriptor defines the messages. Methods
 * are data in `methods/`, one file for each topic.
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
 * Result of an operation: `undefined` becomes the empty message, which means that the object does not exist
 * (protocol/grpc.md#not-found).
 */
type Answer<A> = A | Encoded | undefined | Promise<A | Encoded | undefined>;

interface Method<Q, A> {
  /** The first java-tron release with the method; absent: all releases. */
  readonly since?: Release;
  /** Whether an answer may take long: it executes a contract. */
  readonly isCostly?: true;
  readonly answer: (view: WalletContext, request: Q) => Answer<A>;
  /** Converts an exception of the operation to an answer, or to the StatusError to throw. */
  readonly failed: (exception: JavaException) => A | undefined | StatusError;
}

/** A method with a decoded message. */
export interface MessageMethod<Q, A> extends Method<Q, A> {
  readonly request: 'message';
  /** The message is this contract; the answer is a transaction with it. */
  readonly contractType?: ContractTypeName;
}

/** A method with a transaction, including its original bytes, which determine its id. */
export interface TransactionMethod<A> extends Method<SignedTransaction, A> {
  readonly request: 'transaction';
}

export type GrpcMethod<Q, A> = MessageMethod<Q, A> | TransactionMethod<A>;

/** The implemented methods of a service, by name. */
export type MethodsOf<Service extends ServiceType> = {
  readonly [Method in keyof Service['methods']]?: Service['methods'][Method] extends MethodType<infer Q, infer A>
    ? [Q] extends [Transaction]
      ? GrpcMethod<Sent<Q>, Sent<A>>
      : MessageMethod<Sent<Q>, Sent<A>>
    : never;
};

/** For uncaught exceptions: the client does not get their text. */
export function uncaught(): StatusError {
  return applicationError();
}

/** INTERNAL with the exception's message. */
export function internal(exception: JavaException): StatusError {
  return new StatusError(Status.INTERNAL, exception.javaMessage ?? '');
}

/** java-tron passes the exception itself to the client, which receives only UNKNOWN. */
export function unknown(): StatusError {
  return new StatusError(Status.UNKNOWN, '');
}

/** For every failure the answer is the empty message. */
export function empty(): undefined {
  return undefined;
}

export function query<Q, A>(
  answer: (view: WalletContext, request: Q) => Answer<A>,
  failed: MessageMethod<Q, A>['failed'] = uncaught,
): MessageMethod<Q, A> {
  return { request: 'message', answer, failed };
}

/** A query whose result, if any, is encoded by `encode`. */
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

/** Marks a method whose answers may take long. */
export function costly<Of extends Method<never, unknown>>(method: Of): Of {
  return { ...method, isCostly: true };
}

export type ContractTypeName = keyof typeof ContractType;

const isRefusal = ({ code }: JavaException) => code === 'CONTRACT_VALIDATE';

/** Builds an unsigned transaction; for a refused contract the answer is an empty one. */
export function builder<Q extends ContractMessage>(contractType: ContractTypeName): MessageMethod<Q, Transaction> {
  const method = query<Q, Transaction>(
    (view, contract) => createTransaction(view, ContractType[contractType], contract),
    (exception) => (isRefusal(exception) ? undefined : uncaught()),
  );
  return { ...method, contractType };
}

/** The same in a `TransactionExtention`, which contains the error. */
export function extentionBuilder<Q extends ContractMessage>(
  contractType: ContractTypeName,
): MessageMethod<Q, TransactionExtention> {
  const method = query<Q, TransactionExtention>(
    (view, contract) => extentionOf(createTransaction(view, ContractType[contractType], contract)),
    extentionFailure,
  );
  return { ...method, contractType };
}

/** A built transaction with its id. */
export function extentionOf(transaction: Transaction): TransactionExtention {
  const { txId } = SignedTransaction.of(transaction);
  return TransactionExtention.create({ transaction, txid: txId, result: SUCCESS });
}

/** Code 2 for a refused contract, 20 for other failures. */
export function extentionFailure(exception: JavaException): TransactionExtention {
  return TransactionExtention.create({ result: failure(exception, Return_response_code.OTHER_ERROR) });
}

/** The `Return` of an exception: a refusal's own code; for others this code and the exception's class. */
export function failure(exception: JavaException, otherwise: number): Return {
  return isRefusal(exception)
    ? Return.create({
        code: Return_response_code.CONTRACT_VALIDATE_ERROR,
        message: utf8ToHex(`Contract validate error : ${exception.javaMessage}`),
      })
    : Return.create({ code: otherwise, message: utf8ToHex(exception.wireText) });
}
