/**
 * Services of each port, with their methods over bytes (protocol/grpc.md#what-is-served-where). Owns the common parts
 * of all methods: decoding and encoding, and the conversion of exceptions to statuses.
 */

import { JavaException } from '../errors/java-exception.js';
import { withRows } from '../node/with-rows.js';
import { isSince } from '../primitives/release.js';
import { Database_service, Wallet_service, WalletSolidity_service } from '../protocol/generated/services.js';
import type { Sent } from '../protocol/message-type.js';
import type { MethodType, ServiceType } from '../protocol/service-type.js';
import { SignedTransaction } from '../protocol/transaction.js';
import type { WalletContext } from '../wallet/context.js';
import { withMarks } from '../wallet/known-blocks.js';
import { Encoded } from './encoded.js';
import type { UnaryMethod } from './endpoint.js';
import { databaseMethods, pbftMethods, solidityMethods, walletMethods } from './methods.js';
import { hasTooManyValues, MAX_VALUES } from './request-values.js';
import { applicationError, methodUnimplemented, StatusError, tooManyValues, unknownMethod } from './status.js';
import type { GrpcMethod } from './table.js';

/**
 * `full`: Wallet and Database, as on 50051. `solidity`: WalletSolidity and Database, as on 50052 and 50061. `pbft`: the
 * same as `solidity`, as on 50071.
 */
export type GrpcPort = 'full' | 'solidity' | 'pbft';

interface ServedService {
  readonly type: ServiceType;
  readonly methods: Readonly<Record<string, GrpcMethod<unknown, unknown> | undefined>>;
}

/** A method's type is bound to its messages where it is defined; here all methods have one type. */
function served(type: ServiceType, methods: object): ServedService {
  return { type, methods: methods as ServedService['methods'] };
}

const PORTS: Readonly<Record<GrpcPort, readonly ServedService[]>> = {
  full: [served(Wallet_service, walletMethods), served(Database_service, databaseMethods)],
  solidity: [served(WalletSolidity_service, solidityMethods), served(Database_service, databaseMethods)],
  pbft: [served(WalletSolidity_service, pbftMethods), served(Database_service, databaseMethods)],
};

/** Full names of a port's services. */
export function servicesOf(port: GrpcPort): readonly string[] {
  return PORTS[port].map(({ type }) => type.fullName);
}

/** Paths of a port's methods whose answers may take long. */
export function costlyMethodsOf(port: GrpcPort): ReadonlySet<string> {
  return new Set(
    PORTS[port].flatMap(({ type, methods }) =>
      Object.entries(methods).flatMap(([name, method]) => (method?.isCostly ? [`/${type.fullName}/${name}`] : [])),
    ),
  );
}

/**
 * All methods of a port by path, including declared ones that are not implemented.
 *
 * @param view returns the current view of the chain for each call
 */
export function methodsOf(port: GrpcPort, view: (chain?: string) => WalletContext): ReadonlyMap<string, UnaryMethod> {
  const methods = new Map<string, UnaryMethod>();
  for (const { type, methods: answered } of PORTS[port]) {
    for (const [name, messages] of Object.entries(type.methods)) {
      const method = answered[name];
      const path = `/${type.fullName}/${name}`;
      methods.set(
        path,
        method === undefined
          ? () => {
              throw methodUnimplemented(path);
            }
          : unary(path, method, messages as MethodType<unknown, unknown>, view),
      );
    }
  }
  return methods;
}

function unary<Q, A>(
  path: string,
  method: GrpcMethod<Sent<Q>, A>,
  { request: requestCodec, response }: MethodType<Q, A>,
  view: (chain?: string) => WalletContext,
): UnaryMethod {
  const call = (bytes: Uint8Array, seen: WalletContext) => {
    // Chains on one port may have different releases.
    if (!isSince(method.since, seen.node.chain.config.release)) throw unknownMethod(path);
    return method.request === 'transaction'
      ? method.answer(
          seen,
          decoded(() => SignedTransaction.decode(bytes)),
        )
      : method.answer(
          seen,
          decoded(() => requestCodec.decode(bytes)),
        );
  };
  const encoded = (answer: A | Encoded | undefined): Uint8Array =>
    answer instanceof Encoded ? answer.bytes : answer === undefined ? NOTHING : response.encode(answer);
  const failed = (error: unknown): Uint8Array => {
    if (!(error instanceof JavaException)) throw error;
    const outcome = method.failed(error);
    if (outcome instanceof StatusError) throw outcome;
    return encoded(outcome);
  };
  return (bytes, chain, marked = () => {}) => {
    if (hasTooManyValues(requestCodec.type, bytes)) throw tooManyValues(MAX_VALUES);
    let answer: ReturnType<typeof call>;
    try {
      answer = withRows(() => {
        const seen = view(chain);
        return withMarks(seen, () => call(bytes, seen), marked);
      });
    } catch (error) {
      return failed(error);
    }
    // Encoded before the chain can change.
    return answer instanceof Promise ? answer.then(encoded, failed) : encoded(answer);
  };
}

const NOTHING = new Uint8Array(0);

/** Undecodable bytes have no exception: java-tron's handler never sees them. */
function decoded<M>(decode: () => M): M {
  try {
    return decode();
  } catch (error) {
    throw error instanceof JavaException ? applicationError() : error;
  }
}
