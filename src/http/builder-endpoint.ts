/**
 * Endpoints that build a transaction from a contract message: parse it, validate it against the pending state, apply
 * the options, print with `visible` (protocol/http.md#transaction-builders-post-under-wallet,
 * protocol/http-endpoints.md#common-behaviour-of-builders).
 */

import { JavaException } from '../errors/java-exception.js';
import { type Hex, utf8ToHex } from '../primitives/hex.js';
import { type ContractMessage, contractCodec } from '../protocol/contract-types.js';
import { Transaction, Transaction_Contract_ContractType } from '../protocol/generated/tron.js';
import { readHex } from '../protocol/json/hex-text.js';
import { readMessage } from '../protocol/json/message-reader.js';
import { printBuiltTransaction } from '../protocol/json/transaction-json.js';
import { intMember, type JsonObject, textMember } from '../protocol/json/value.js';
import type { WalletContext } from '../wallet/context.js';
import { createTransaction } from '../wallet/transactions.js';
import type { JsonBody } from './json-body.js';
import { type BodyKind, type HttpEndpoint, jsonBody, WALLET } from './table.js';

export interface BuilderEndpointDefinition {
  readonly name: string;
  readonly type: keyof typeof Transaction_Contract_ContractType;
  readonly body: Exclude<BodyKind, 'ignored'>;
  /** Whether `extra_data` becomes the memo; most builders ignore it. */
  readonly extraData?: boolean;
  /** Set if GET is refused with 405; otherwise GET returns an empty body. */
  readonly servlet?: string;
}

export function builderEndpoint(definition: BuilderEndpointDefinition): HttpEndpoint<WalletContext> {
  const type = Transaction_Contract_ContractType[definition.type];
  const codec = contractCodec(type)!;
  return {
    name: definition.name,
    services: WALLET,
    get: definition.servlet === undefined ? 'empty' : 'refused',
    post: 'answers',
    callers: 'anyone',
    ...(definition.servlet === undefined ? {} : { servlet: definition.servlet }),
    request: codec.type,
    response: Transaction.type,
    answer: (view, request) => {
      const body = jsonBody(request, definition.body);
      const message = readMessage(codec, body.text, body.visible);
      return buildTransaction(view, type, message, body, definition.extraData === true);
    },
  };
}

/** The common part of all builders, and of createCommonTransaction. */
export function buildTransaction(
  view: WalletContext,
  type: number,
  message: ContractMessage,
  { object, visible }: JsonBody,
  readsExtraData: boolean,
): string {
  // java-tron reads the options after validation: their errors only appear for a valid contract.
  let options: { permissionId?: number; extraData?: Hex } = {};
  let objection: JavaException | undefined;
  try {
    options = { ...permissionOption(object), ...(readsExtraData ? extraDataOption(object, visible) : {}) };
  } catch (error) {
    if (!(error instanceof JavaException)) {
      throw error;
    }
    objection = error;
  }
  const transaction = createTransaction(view, type, message, options);
  if (objection !== undefined) {
    throw objection;
  }
  return `${printBuiltTransaction(transaction, visible)}\n`;
}

/** `Permission_id`, if set: 0 and negative values count as unset. */
export function permissionOption(body: JsonObject): { permissionId?: number } {
  const permissionId = intMember(body, 'Permission_id');
  return permissionId > 0 ? { permissionId } : {};
}

/** The memo: text when visible, otherwise hex. */
export function extraDataOption(body: JsonObject, visible: boolean): { extraData?: Hex } {
  const text = textMember(body, 'extra_data');
  return text === undefined ? {} : { extraData: visible ? utf8ToHex(text) : readHex(text) };
}
