/**
 * Signatures in memory that the ledger's thread and the threads that recover signers (`thread.ts`) share. The ledger's
 * thread asks, and takes the signers in the order in which it asked. A thread recovers the oldest that is asked; the
 * ledger's thread helps with the newest if it has nothing else to do. Nothing is sent: a message costs 14 µs on each
 * side, a good part of a recovery.
 */

import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';

/** More requests at once are recovered by the ledger. A power of two. */
const SLOTS = 2_048;

/** A slot is text, one byte a character. */
const DIGEST_CHARACTERS = 64;
/** r, s and v; further bytes of a signature do not matter. */
const SIGNATURE_CHARACTERS = 130;
const SIGNER_CHARACTERS = 42;
const SIGNATURE_AT = DIGEST_CHARACTERS;
const SIGNER_AT = SIGNATURE_AT + SIGNATURE_CHARACTERS;
const SLOT_BYTES = 256;

/** States of a slot. */
const FREE = 0;
const ASKED = 1;
/** Somebody recovers it. */
const TAKEN = 2;
const RECOVERED = 3;
/** It has no signer: the ledger finds the reason where it refuses the transaction. */
const FAILED = 4;
/** Taken back before the thread that recovers it has finished. */
const ABANDONED = 5;

/** Words behind the states. */
const NEXT = SLOTS;
const OLDEST = SLOTS + 1;
/** Changes with each call for sleeping threads. */
const BELL = SLOTS + 2;
const SLEEPING = SLOTS + 3;
const WORDS = SLOTS + 4;

export type SharedSignatures = SharedArrayBuffer;

export function shareSignatures(): SharedSignatures {
  return new SharedArrayBuffer(4 * WORDS + SLOTS * SLOT_BYTES);
}

/** @returns undefined if the signature has no signer */
export type Recover = (digest: Hex, signature: Hex) => Address | undefined;

export class SignatureQueue {
  readonly #words: Int32Array;
  readonly #texts: Buffer;
  readonly #recover: Recover;
  /** Numbers of requests, of which the last bits are the slot. */
  #next = 0;
  #oldest = 0;

  constructor(shared: SharedSignatures, recover: Recover) {
    this.#words = new Int32Array(shared, 0, WORDS);
    this.#texts = Buffer.from(shared, 4 * WORDS);
    this.#recover = recover;
  }

  /** By the ledger's thread. @returns the slot of the answer; undefined if the queue is full or it is no signature */
  ask(digest: Hex, signature: Hex): number | undefined {
    const slot = this.#next & (SLOTS - 1);
    if (signature.length < SIGNATURE_CHARACTERS || Atomics.load(this.#words, slot) !== FREE) return undefined;
    const at = slot * SLOT_BYTES;
    this.#texts.write(digest, at, DIGEST_CHARACTERS, 'latin1');
    this.#texts.write(signature, at + SIGNATURE_AT, SIGNATURE_CHARACTERS, 'latin1');
    Atomics.store(this.#words, slot, ASKED);
    this.#next = (this.#next + 1) | 0;
    Atomics.store(this.#words, NEXT, this.#next);
    return slot;
  }

  /** By the ledger's thread: wakes sleeping threads. */
  wake(): void {
    Atomics.add(this.#words, BELL, 1);
    if (Atomics.load(this.#words, SLEEPING) > 0) Atomics.notify(this.#words, BELL);
  }

  /** By the ledger's thread: whether {@link take} has nothing to do but to read. */
  isAnswered(slot: number): boolean {
    const state = Atomics.load(this.#words, slot);
    return state === RECOVERED || state === FAILED;
  }

  /** By the ledger's thread: recovers the newest that is asked. @returns false if there is none */
  help(): boolean {
    for (let number = this.#next; number !== this.#oldest; ) {
      number = (number - 1) | 0;
      const slot = number & (SLOTS - 1);
      if (!this.#change(slot, ASKED, TAKEN)) continue;
      this.#recoverAt(slot);
      return true;
    }
    return false;
  }

  /**
   * By the ledger's thread, once for each slot of {@link ask}. Does not wait, and recovers nothing: the ledger refuses many
   * transactions without looking at their signatures.
   *
   * @returns undefined if there is no signer, or no answer
   */
  take(slot: number): Address | undefined {
    // In this order: a thread may begin in between.
    if (!this.#change(slot, ASKED, FAILED) && this.#change(slot, TAKEN, ABANDONED)) return undefined;
    const isRecovered = Atomics.load(this.#words, slot) === RECOVERED;
    const at = slot * SLOT_BYTES + SIGNER_AT;
    const signer = isRecovered ? this.#text(at, at + SIGNER_CHARACTERS) : undefined;
    Atomics.store(this.#words, slot, FREE);
    while (this.#oldest !== this.#next && Atomics.load(this.#words, this.#oldest & (SLOTS - 1)) === FREE) {
      this.#oldest = (this.#oldest + 1) | 0;
    }
    Atomics.store(this.#words, OLDEST, this.#oldest);
    return signer as Address | undefined;
  }

  /** By a thread, for ever: recovers what is asked, the oldest first, and sleeps while nothing is. */
  serve(): never {
    let from = 0;
    for (;;) {
      const bell = Atomics.load(this.#words, BELL);
      const oldest = Atomics.load(this.#words, OLDEST);
      const next = Atomics.load(this.#words, NEXT);
      // Those before it were taken, here or elsewhere.
      if (((from - oldest) | 0) < 0) from = oldest;
      while (from !== next && !this.#change(from & (SLOTS - 1), ASKED, TAKEN)) from = (from + 1) | 0;
      if (from !== next) {
        this.#recoverAt(from & (SLOTS - 1));
        continue;
      }
      Atomics.add(this.#words, SLEEPING, 1);
      Atomics.wait(this.#words, BELL, bell);
      Atomics.sub(this.#words, SLEEPING, 1);
    }
  }

  /** Recovers the signer of a slot that this side has taken. */
  #recoverAt(slot: number): void {
    const at = slot * SLOT_BYTES;
    const signer = this.#recover(this.#text(at, at + SIGNATURE_AT), this.#text(at + SIGNATURE_AT, at + SIGNER_AT));
    if (signer !== undefined) this.#texts.write(signer, at + SIGNER_AT, SIGNER_CHARACTERS, 'latin1');
    if (!this.#change(slot, TAKEN, signer === undefined ? FAILED : RECOVERED)) Atomics.store(this.#words, slot, FREE);
  }

  #text(from: number, to: number): string {
    return this.#texts.toString('latin1', from, to);
  }

  #change(slot: number, from: number, to: number): boolean {
    return Atomics.compareExchange(this.#words, slot, from, to) === from;
  }
}
