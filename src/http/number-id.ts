/**
 * Reads the number `id` of getproposalbyid and getexchangebyid, and converts it to the eight bytes of the gRPC request.
 */

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

/** Accepts a number or numeric text; a missing `id` is an error. */
export function readIdBody(request: WireRequest): ReadRequest<BytesMessage> {
  const { object, visible } = request.bodyOrForm;
  return { message: { value: bigEndian(exactLongMember(object, 'id', true)) }, visible };
}
