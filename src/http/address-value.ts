/** How endpoints read a `value` that is an address: base58 when visible, in an own way, before the message is read. */

import { BytesMessage } from '../protocol/generated/api.js';
import { readMessage } from '../protocol/json/message-reader.js';
import { textMember, writeCompact } from '../protocol/json/value.js';
import { addressOrNothing, type ReadRequest } from './table.js';
import type { WireRequest } from './wire-request.js';

/** For getcontract and the delegation indexes: what is no address is as if it were empty. */
export function readAddressValue(request: WireRequest): ReadRequest<BytesMessage> {
  const body = request.bodyOrForm;
  if (!body.visible) {
    return { message: readMessage(BytesMessage, body.text, false), visible: false };
  }
  const { object } = body;
  const value = addressOrNothing(textMember(object, 'value'));
  return { message: readMessage(BytesMessage, writeCompact(new Map(object).set('value', value)), true), visible: true };
}
