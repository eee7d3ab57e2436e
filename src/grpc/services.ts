/**
 * Which services a port has, and their rows as methods that take and give bytes
 * (protocol/grpc.md#what-is-served-where). Owns what all rows share: decoding and encoding, exceptions to
 * statuses.
 */

import { JavaException } from '../errors/java-exception.js';
import { OperationError } from '../errors/operation-error.js';
import { withRows } from '../node/with-rows.js';
import { isSince } from '../primitives/release.js';
import { Database_service, Wallet_service, WalletSolidity_service } from '../protocol/generated/services.js';
import type { Sent } from '../protocol/message-type.js';
import type { MethodType, ServiceType } from '../protocol/service-type.js';
import { SignedTransaction } from '../protocol/transaction.js';
import type { WalletContext } from '../wallet/context.js';
import { noting } from '../wallet/known-blocks.js';
import { Encoded } from './encoded.js';
import type { UnaryMethod } from './endpoint.js';
import { hasTooManyValues, MAX_VALUES } from './request-values.js';
import { databaseRows, pbftRows, solidityRows, walletRows } from './rows.js';
import { applicationError, methodUnimplemented, Status, StatusError, tooManyValues, unknownMethod } from './status.js';
import type { GrpcRow } from './table.js';

/**
 * `full`: Wallet and Database, as on 50051. `solidity`: WalletSolidity and Database, as on 50052 and 50061. `pbft`: the
 * same, as on 50071.
 */
export type GrpcPort = 'full' | 'solidity' | 'pbft';

interface ServedService {
  readonly type: ServiceType;
  readonly rows: Readonly<Record<string, GrpcRow<unknown, unknown> | undefined>>;
}

/** Row types are bound to the service's messages where they are written; here any row meets any message. */
function served(type: ServiceType, rows: object): ServedService {
  return { type, rows: rows as ServedService['rows'] };
}

const PORTS: Readonly<Record<GrpcPort, readonly ServedService[]>> = {
  full: [served(Wallet_service, walletRows), served(Database_service, databaseRows)],
  solidity: [served(WalletSolidity_service, solidityRows), served(Database_service, databaseRows)],
  pbft: [served(WalletSolidity_service, pbftRows), served(Database_service, databaseRows)],
};

/** Full names of a port's services. */
export function servicesOf(port: GrpcPort): readonly string[] {
  return PORTS[port].map(({ type }) => type.fullName);
}

/** Paths of a port's methods whose answers may take long to make. */
export function costlyMethodsOf(port: GrpcPort): ReadonlySet<string> {
  return new Set(
    PORTS[port].flatMap(({ type, rows }) =>
      Object.entries(rows).flatMap(([name, row]) => (row?.isCostly ? [`/${type.fullName}/${name}`] : [])),
    ),
  );
}

/**
 * Every method of a port by its path, those included that only say that nobody has written them.
 *
 * @param view the view of the chain that a call reads, made anew for each
 */
export function methodsOf(port: GrpcPort, view: (chain?: string) => WalletContext): ReadonlyMap<string, UnaryMethod> {
  const methods = new Map<string, UnaryMethod>();
  for (const { type, rows } of PORTS[port]) {
    for (const [name, messages] of Object.entries(type.methods)) {
      const row = rows[name];
      const path = `/${type.fullName}/${name}`;
      methods.set(
        path,
        row === undefined
          ? () => {
              throw methodUnimplemented(path);
            }
          : unary(path, row, messages as MethodType<unknown, unknown>, view),
      );
    }
  }
  return methods;
}

function unary<Q, A>(
  path: string,
  row: GrpcRow<Sent<Q>, A>,
  { request: requestCodec, response }: MethodType<Q, A>,
  view: (chain?: string) => WalletContext,
): UnaryMethod {
  const call = (bytes: Uint8Array, seen: WalletContext) => {
    // Chains behind one port may be of several releases.
    if (!isSince(row.since, seen.node.chain.config.release)) throw unknownMethod(path);
    return row.request === 'transaction'
      ? row.answer(
          seen,
          decoded(() => SignedTransaction.decode(bytes)),
        )
      : row.answer(
          seen,
          decoded(() => requestCodec.decode(bytes)),
        );
  };
  const encoded = (answer: A | Encoded | undefined): Uint8Array =>
    answer instanceof Encoded ? answer.bytes : answer === undefined ? NOTHING : response.encode(answer);
  const failed = (error: unknown): Uint8Array => {
    // Of the network of a fork, which says what it could not be asked for.
    if (error instanceof OperationError) throw new StatusError(Status.UNAVAILABLE, error.message);
    if (!(error instanceof JavaException)) throw error;
    const outcome = row.failed(error);
    if (outcome instanceof StatusError) throw outcome;
    return encoded(outcome);
  };
  return (bytes, chain, marked = () => {}) => {
    if (hasTooManyValues(requestCodec.type, bytes)) throw tooManyValues(MAX_VALUES);
    let answer: ReturnType<typeof call>;
    try {
      answer = withRows(() => {
        const seen = view(chain);
        return noting(seen, () => call(bytes, seen), marked);
      });
    } catch (error) {
      return failed(error);
    }
    // Encoded before anything else can happen to the chain.
    return answer instanceof Promise ? answer.then(encoded, failed) : encoded(answer);
  };
}

const NOTHING = new Uint8Array(0);

/** Bytes that are not the message are nobody's exception: java-tron's handler never sees them. */
function decoded<M>(decode: () => M): M {
  try {
    return decode();
  } catch (error) {
    throw error instanceof JavaException ? applicationError() : error;
  }
}
