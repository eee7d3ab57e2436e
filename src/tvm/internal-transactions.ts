/**
 * Internal transactions: the record of calls, creations, self-destructs and TRON opcodes in receipts
 * (protocol/calls.md#internal-transactions; java-tron InternalTransaction).
 *
 * Recorded for every transaction, because their nonce determines CREATE addresses. Their hashes are computed on first
 * read.
 */

import { bytesToHex, type Hex, hexToBytes } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { keccak } from './keccak.js';

export type TokenAmount = readonly [tokenId: string, amount: bigint];

const NO_DATA = new Uint8Array(0);

/** The origin of a frame: the root transaction, or the internal transaction of the call or creation. */
export interface FrameOrigin {
  readonly hash: Hex;
}

export class InternalTransaction implements FrameOrigin {
  /** Failed itself, belongs to a failed frame, or to a failed transaction. */
  rejected = false;
  /** JSON; only VOTEWITNESS and CANCELALLUNFREEZEV2 set it. */
  extra = '';
  /** In sun. Some operations set it at their end; the hash uses the amount at the time of recording. */
  callValueSun: bigint;
  #hash: Hex | undefined;
  readonly #hashedValueSun: bigint;

  constructor(
    private readonly parent: FrameOrigin,
    readonly nonce: number,
    readonly note: string,
    readonly callerAddress: Address,
    /** Empty only for VOTEWITNESS. */
    readonly transferToAddress: Address | '',
    callValueSun: bigint,
    readonly tokens: readonly TokenAmount[],
    /** Call data or init code; on the wire only as a part of the hash. */
    readonly data: Uint8Array = NO_DATA,
  ) {
    this.callValueSun = callValueSun;
    this.#hashedValueSun = callValueSun;
  }

  /** keccak256(parent's hash ‖ receiver, empty for a creation ‖ data ‖ value ‖ nonce). */
  get hash(): Hex {
    this.#hash ??= this.#computeHash();
    return this.#hash;
  }

  #computeHash(): Hex {
    const receiver = this.note === 'create' ? '' : this.transferToAddress;
    const numbers = Buffer.alloc(16);
    numbers.writeBigInt64BE(this.#hashedValueSun, 0);
    numbers.writeBigInt64BE(BigInt(this.nonce), 8);
    return bytesToHex(keccak(Buffer.concat([hexToBytes(this.parent.hash + receiver), this.data, numbers])));
  }
}
