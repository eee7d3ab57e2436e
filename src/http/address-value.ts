/** Reads a `value` that is an address: base58 if visible. Some endpoints read it themselves, before the message. */

import { BytesMessage } from '../protocol/generated/api.js';
import { readMessage } from '../protocol/json/message-reader.js';
import { textMember, writeCompact } from '../protocol/json/value.js';
import { addressOrEmpty, type ReadRequest } from './table.js';
import type { WireRequest } from './wire-request.js';

/** For getcontract and the delegation indexes: an invalid address counts as an empty one. */
export function readAddressValue(request: WireRequest): ReadRequest<BytesMessage> {
  const body = request.bodyOrForm;
  if (!body.visible) {
    return { message: readMessage(BytesMessage, body.text, false), visible: false };
  }
  const { object } = body;
  const value = addressOrEmpty(textMember(object, 'value'));
  return { message: readMessage(BytesMessage, writeCompact(new Map(object).set('value', value)), true), visible: true };
}
