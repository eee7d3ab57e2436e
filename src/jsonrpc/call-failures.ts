/** Errors of failed calls: java-tron's errors, and a revert with its reason. */

import { JavaException } from '../errors/java-exception.js';
import { bytesToHex, type Hex } from '../primitives/hex.js';
import type { Called } from '../wallet/calls.js';
import type { Dialect } from './dialect.js';
import { internalError, invalidRequest, JsonRpcError } from './errors.js';

type Run = Called['run'];

/** Converts exceptions of java-tron's wallet to errors of its JSON-RPC. */
export function answering<Result>(fallback: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof JsonRpcError) throw internalError(error.text ?? '');
    if (!(error instanceof JavaException)) throw error;
    if (error.code === 'CONTRACT_VALIDATE' || error.code === 'VM_ILLEGAL')
      throw invalidRequest(error.javaMessage ?? fallback);
    throw internalError(error.javaMessage?.replaceAll('"', "'") ?? 'invalid json request');
  }
}

/**
 * Throws for a revert, with the reason if it is Solidity's `Error(string)`.
 *
 * @throws JsonRpcError
 */
export function throwFailure(dialect: Dialect, { runtimeError, output }: Pick<Run, 'runtimeError' | 'output'>): void {
  if (runtimeError === undefined) return;
  const hasReason = output.length > SELECTOR_BYTES && bytesToHex(output.subarray(0, SELECTOR_BYTES)) === ERROR_SELECTOR;
  const reason = () => (hasReason ? abiString(output.subarray(SELECTOR_BYTES)) : undefined);
  throw dialect.reverted({ text: runtimeError, output, reason });
}

const ERROR_SELECTOR: Hex = '08c379a0';
const SELECTOR_BYTES = 4;
const WORD_BYTES = 32;
/** Limit of a length that a contract may claim; java-tron would run out of memory. */
const MAX_REASON_BYTES = 1 << 24;

/** The first ABI argument as a string, cut and padded as in java-tron's event parser. */
function abiString(bytes: Uint8Array): string {
  const start = intAt(bytes, 0);
  const length = intAt(bytes, start);
  if (length === 0) return '';
  return Buffer.from(part(bytes, start + WORD_BYTES, length)).toString('utf8');
}

function intAt(bytes: Uint8Array, at: number): number {
  const word = BigInt.asIntN(256, BigInt(`0x${bytesToHex(part(bytes, at, WORD_BYTES))}`));
  return BigInt.asIntN(32, word) === word ? Number(word) : unreadable();
}

function part(bytes: Uint8Array, start: number, length: number): Uint8Array {
  if (start < 0 || start >= bytes.length || length < 0 || length > MAX_REASON_BYTES) return unreadable();
  const found = new Uint8Array(length);
  found.set(bytes.subarray(start, Math.min(start + length, bytes.length)));
  return found;
}

function unreadable(): never {
  throw new JavaException('java.lang.UnsupportedOperationException', 'unsupported type:string');
}
