/**
 * The endpoint that checks an address in any form (protocol/http-endpoints.md#validateaddress). It does not read the
 * chain.
 */

import { JavaException } from '../errors/java-exception.js';
import { bytesToHex, type Hex } from '../primitives/hex.js';
import { isAddress } from '../primitives/ids.js';
import { readBase58Address, readHex } from '../protocol/json/hex-text.js';
import { asObject } from '../protocol/json/lenient-reader.js';
import { compactObject } from '../protocol/json/message-printer.js';
import { fastjsonString, textMember } from '../protocol/json/value.js';
import type { WireRequest } from './wire-request.js';

/** The body of the answer; empty if java-tron's servlet fails with an uncaught exception. */
export function validateAddress(request: WireRequest): string {
  if (request.method === 'GET') {
    return verdictOf(request.parameter('address'));
  }
  try {
    const object = asObject(request.body.value);
    return object === null ? '' : verdictOf(textMember(object, 'address'));
  } catch (error) {
    if (error instanceof JavaException) {
      return '';
    }
    throw error;
  }
}

function verdictOf(text: string | undefined): string {
  if (text === undefined) {
    return verdict(false);
  }
  try {
    const { address, form } = readAddress(text);
    return address !== null && isAddress(address) ? verdict(true, form) : verdict(false, 'Invalid address');
  } catch (error) {
    if (error instanceof JavaException) {
      return verdict(false, error.javaMessage ?? 'null');
    }
    throw error;
  }
}

class LengthError extends JavaException {
  constructor() {
    super('java.lang.IllegalArgumentException', 'Length error');
  }
}

/** The length of the text determines its form. */
function readAddress(text: string): { address: Hex | null; form: string } {
  switch (text.length) {
    case 42:
      return { address: readHex(text), form: 'Hex string format' };
    case 34:
      return { address: readBase58Address(text), form: 'Base58check format' };
    case 28:
      return { address: readBase64(text), form: 'Base64 format' };
    default:
      throw new LengthError();
  }
}

function readBase64(text: string): Hex {
  const bad = /[^A-Za-z0-9+/=]/.exec(text)?.[0];
  if (bad !== undefined) {
    throw new JavaException(
      'java.lang.IllegalArgumentException',
      `Illegal base64 character ${bad.charCodeAt(0).toString(16)}`,
    );
  }
  return bytesToHex(Buffer.from(text, 'base64'));
}

function verdict(result: boolean, message?: string): string {
  const text = String(result);
  return `${
    message === undefined
      ? compactObject([['result', text]])
      : compactObject([
          ['result', text],
          ['message', fastjsonString(message)],
        ])
  }\n`;
}
