/** A method of java-tron's wallet by HTTP and by gRPC, at one moment. */

import { hexToBytes } from '../../../../src/primitives/hex.js';
import { Wallet_service } from '../../../../src/protocol/generated/services.js';
import type { MethodType } from '../../../../src/protocol/service-type.js';
import { Violation } from '../run/violation.js';
import type { Host } from '../users/user.js';

export const SAME_ON_ALL = 'an answer is the same on all interfaces';

export type MethodName = keyof typeof Wallet_service.methods;
export type Fields = Readonly<Record<string, unknown>>;

export interface WalletQuestion {
  readonly method: MethodName;
  readonly fields: Fields;
  /** Of HTTP, if it is not that of the method. */
  readonly path?: string;
  /** The body of HTTP, where it is another one. */
  readonly body?: Fields;
}

interface BothAnswers {
  /** The method and the body. */
  readonly asked: string;
  readonly json: string;
  readonly message: Fields;
}

/**
 * @returns undefined if it is refused, or if something happened in between
 * @throws Violation if one alone refuses it: the interfaces name an error in ways of their own, but both have one
 */
export async function askBoth(
  { world, asker }: Host,
  { method, fields, path = method.toLowerCase(), body = fields }: WalletQuestion,
): Promise<BothAnswers | undefined> {
  const { chain } = world.node;
  const { request, response } = Wallet_service.methods[method] as MethodType<unknown, unknown>;
  const moment = () => `${chain.headId} ${chain.pool.size}`;
  const before = moment();
  const json = await asker.post(`/wallet/${path}`, asJson(body));
  const bytes = await asker.grpc(`/protocol.Wallet/${method}`, request.encode(request.create(fields as never)));
  if (json === undefined || bytes === undefined || !world.isRunning || moment() !== before) return undefined;
  const asked = `${method} ${JSON.stringify(asJson(body))}`;
  const isRefused = [!/^200 [{[]/.test(json) || /^200 \{"Error"/.test(json), bytes.startsWith('refused')];
  // A fork may reach its network for one of them.
  if (isRefused[0] !== isRefused[1] && !world.shape.isFork)
    throw new Violation(SAME_ON_ALL, `${asked}: HTTP ${json}, gRPC ${bytes}`);
  if (isRefused.includes(true)) return undefined;
  return { asked, json: json.slice(4), message: response.decode(hexToBytes(bytes)) as Fields };
}

/** Numbers of a request are JSON numbers. */
function asJson(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
}
