/**
 * Recovers signers on worker threads ahead of the ledger, and puts them into the cache of `protocol/signature.ts`. The
 * ledger stays synchronous: it recovers itself what the threads have not begun. A recovery is the largest part of the
 * cost of an accepted transfer (50 µs of native code). A thread starts only after enough concurrent work to pay for it.
 */

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { isKnownSigner, rememberSigner, type SignedDigest, signerOrUndefined } from '../protocol/signature.js';
import { SignatureQueue, shareSignatures } from './signature-queue.js';

/** A thread costs about 40 ms of processor time and 10 MB. */
const RECOVERIES_WORTH_A_THREAD = 500;
const MAX_THREADS = 3;
/** Keys of a permission: the ledger refuses more signatures without recovering one. */
const MAX_SIGNATURES = 5;
/** Beside this file in the bundle. In the sources there is none: signers are then recovered by the ledger. */
const THREAD = new URL('./signer-thread.js', import.meta.url);

/** A thread without a processor is not waited for. */
const MAX_WAIT_MS = 1;

/** Asked for at once: signers of one transaction. */
interface Request {
  readonly signed: SignedDigest;
  /** undefined: not asked for. */
  readonly slots: readonly (number | undefined)[];
  /** Absent: nobody waits. */
  answered?: () => void;
  sinceMs: number;
}

export class SignerThreads {
  #workers: Worker[] = [];
  #queue: SignatureQueue | undefined;
  /** Requests that somebody waits for, in order of arrival. */
  #waiting: Request[] = [];
  /** Requests that are not taken. */
  #open = 0;
  #together = 0;
  #asked = 0;
  #askedBefore = 0;
  #closed = false;

  /**
   * Asks for the signers of a transaction.
   *
   * @returns to be called once, when the ledger needs them. Its promise resolves when they are known or the ledger had
   * better recover them itself, never before that of an earlier transaction; undefined: at once. The outer one is
   * undefined if they are known already, or more than the ledger looks at.
   */
  ahead(signed: SignedDigest): (() => Promise<void> | undefined) | undefined {
    const { digest, signatures } = signed;
    if (signatures.length > MAX_SIGNATURES) return undefined;
    if (signatures.every((signature) => isKnownSigner(digest, signature))) return undefined;
    this.#open++;
    this.#asked++;
    // The ledger recovers a single one as fast as a thread.
    const isAlone = this.#open === 1;
    if (!isAlone) this.#count(signatures.length);
    const queue = this.#queue;
    if (queue === undefined) {
      return () => {
        this.#open--;
        return undefined;
      };
    }
    const slots = signatures.map((signature) => queue.ask(digest, signature));
    if (!isAlone) queue.wake();
    const request: Request = { signed, slots, sinceMs: 0 };
    return () => this.#finish(queue, request);
  }

  #finish(queue: SignatureQueue, request: Request): Promise<void> | undefined {
    const isFirst = this.#waiting.length === 0;
    if (isFirst && (this.#open === 1 || isAnswered(queue, request))) {
      this.#take(queue, request);
      return undefined;
    }
    request.sinceMs = performance.now();
    this.#waiting.push(request);
    if (isFirst) setImmediate(this.#look, queue);
    return new Promise((resolve) => (request.answered = resolve));
  }

  /** While threads recover signers, the loop goes round, so that further requests are read. */
  readonly #look = (queue: SignatureQueue): void => {
    const nowMs = performance.now();
    let [first] = this.#waiting;
    while (first !== undefined && (isAnswered(queue, first) || nowMs - first.sinceMs > MAX_WAIT_MS)) {
      this.#waiting.shift();
      this.#take(queue, first);
      first.answered?.();
      [first] = this.#waiting;
    }
    if (first === undefined) return;
    if (this.#asked === this.#askedBefore) queue.help();
    this.#askedBefore = this.#asked;
    setImmediate(this.#look, queue);
  };

  #take(queue: SignatureQueue, { signed: { digest, signatures }, slots }: Request): void {
    this.#open--;
    slots.forEach((slot, index) => {
      const signer = slot === undefined ? undefined : queue.take(slot);
      if (signer !== undefined) rememberSigner(digest, signatures[index] as string, signer);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#queue = undefined;
    await Promise.all(this.#workers.splice(0).map((worker) => worker.terminate()));
  }

  #count(recoveries: number): void {
    if (this.#together >= RECOVERIES_WORTH_A_THREAD) return;
    this.#together += recoveries;
    if (this.#together >= RECOVERIES_WORTH_A_THREAD && !this.#closed) this.#start();
  }

  #start(): void {
    const count = Math.min(availableParallelism() - 1, MAX_THREADS);
    if (count === 0 || !existsSync(fileURLToPath(THREAD))) return;
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const shared = shareSignatures();
    this.#queue = new SignatureQueue(shared, signerOrUndefined);
    for (let i = 0; i < count; i++) {
      const worker = new Worker(THREAD, { workerData: shared });
      worker.unref();
      worker.on('error', () => this.#lose(worker));
      this.#workers.push(worker);
    }
  }

  /** Works without a thread if none can run (no memory, no worker support). */
  #lose(worker: Worker): void {
    this.#workers = this.#workers.filter((other) => other !== worker);
    if (this.#workers.length === 0) this.#queue = undefined;
  }
}

function isAnswered(queue: SignatureQueue, { slots }: Request): boolean {
  return slots.every((slot) => slot === undefined || queue.isAnswered(slot));
}
