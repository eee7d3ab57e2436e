/** How getproposalbyid and getexchangebyid are asked: a number `id`, which becomes the eight bytes that gRPC takes. */

import type { Hex } from '../primitives/hex.js';
import type { BytesMessage } from '../protocol/generated/api.js';
import { numberFormatException, parseJavaLong } from '../protocol/json/java-numbers.js';
import { exactLongMember } from '../protocol/json/value.js';
import type { ReadRequest } from './table.js';
import type { WireRequest } from './wire-request.js';

function bigEndian(id: bigint): Hex {
  return BigInt.asUintN(64, id).toString(16).padStart(16, '0');
}

export function readIdQuery(request: WireRequest): ReadRequest<BytesMessage> {
  const text = request.parameter('id');
  if (text === undefined) {
    throw numberFormatException('Cannot parse null string');
  }
  return { message: { value: bigEndian(parseJavaLong(text)) }, visible: request.visibleParameter };
}

/** Numeric text is taken as well as a number; a missing `id` is refused. */
export function readIdBody(request: WireRequest): ReadRequest<BytesMessage> {
  const { object, visible } = request.bodyOrForm;
  return { message: { value: bigEndian(exactLongMember(object, 'id', true)) }, visible };
}
