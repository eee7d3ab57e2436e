/**
 * Behaviour of Java's arrays and numbers in precompiled contracts that trust given lengths: which lengths are possible,
 * and the exceptions for others. Nothing is allocated: bytes beyond the input are zero.
 *
 * The heap size depends on the node's operator. java-tron's manual starts nodes of the main network with 24 GB
 * (`-Xmx24g`), which is assumed here. A transaction that needs more ends with `Unknown Throwable`.
 */

import { javaFailure, unknownThrowable } from '../errors.js';

/** Java's virtual machine refuses longer arrays with any heap. */
const MAX_ARRAY_LENGTH = 0x7fff_fffd;
const HEAP_BYTES = 24 * 1024 ** 3;
const REFERENCE_BYTES = 4;

/** The heap available to one call of a contract. */
export class JavaHeap {
  #left = HEAP_BYTES;

  /** @throws the exception that ends the transaction if the heap is full */
  bytes(length: number): void {
    this.#take(length, length);
  }

  /** An array of arrays. @throws as {@link bytes} */
  references(length: number): void {
    this.#take(length, length * REFERENCE_BYTES);
  }

  #take(length: number, bytes: number): void {
    this.#left -= bytes;
    if (length > MAX_ARRAY_LENGTH || this.#left < 0) throw unknownThrowable();
  }
}

/** A copy of a range of the input, with the given length. */
export class JavaBytes {
  /** The part that the input contains; the rest is zero. */
  readonly #held: Uint8Array;

  constructor(
    input: Uint8Array,
    from: number,
    readonly length: number,
  ) {
    this.#held = input.subarray(from, from + length);
  }

  head(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    bytes.set(this.#held.subarray(0, length));
    return bytes;
  }

  equals(other: JavaBytes): boolean {
    if (this.length !== other.length) return false;
    const held = Math.max(this.#held.length, other.#held.length);
    return Buffer.compare(this.head(held), other.head(held)) === 0;
  }

  /**
   * The bytes as an unsigned number, computed on request.
   *
   * @throws the exception of Java's BigInteger for more than 2^31−1 bits
   */
  number(): () => bigint {
    const held = this.#held;
    let first = 0;
    while (held[first] === 0) first++;
    if (first === held.length) return () => 0n;
    const bits = 8 * (this.length - first) - (Math.clz32(held[first] as number) - 24);
    if (bits > 0x7fff_ffff) {
      throw javaFailure('java.lang.ArithmeticException', 'BigInteger would overflow supported range');
    }
    const { buffer, byteOffset, length } = held;
    return () =>
      BigInt(`0x${Buffer.from(buffer, byteOffset, length).toString('hex')}`) << BigInt(8 * (this.length - length));
  }
}
