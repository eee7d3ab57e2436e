/**
 * Recovers signers on other threads before the ledger asks for them, and leaves them in the cache of
 * `protocol/signature.ts`. The ledger stays synchronous: what it does not find there it recovers itself.
 *
 * A recovery is most of what an accepted transfer costs (80 µs of native code). One that comes alone is not sent away,
 * because the way there and back takes as long; and no thread is started before there was enough company to pay for it.
 */

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { isKnownSigner, rememberSigner } from '../protocol/signature.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import type { Recovered } from './thread.js';

/** A thread costs about 40 ms of processor time and 10 MB. */
const RECOVERIES_WORTH_A_THREAD = 500;
const MOST_THREADS = 3;
/** A message to a thread costs about what a recovery costs: fewer than this stay together. */
const LEAST_SHARE = 4;
/** Beside this file in the bundle; in the sources there is none, and everything is recovered where it is needed. */
const THREAD = new URL('./signer-thread.js', import.meta.url);

interface Waiting {
  readonly transaction: SignedTransaction;
  readonly resolve: () => void;
}

interface Thread {
  readonly worker: Worker;
  readonly batches: (readonly Waiting[])[];
}

export class SignerThreads {
  #waiting: Waiting[] = [];
  #threads: Thread[] = [];
  #next = 0;
  #together = 0;
  #closed = false;

  /** Resolves when the signers of `transaction` are known, or when the caller is better off recovering them itself. */
  ahead(transaction: SignedTransaction): Promise<void> | undefined {
    const { txId, signatures } = transaction;
    if (signatures.every((signature) => isKnownSigner(txId, signature))) return undefined;
    return new Promise((resolve) => {
      // Whatever else arrives in this turn of the event loop goes along.
      if (this.#waiting.push({ transaction, resolve }) === 1) setImmediate(() => this.#send());
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  #send(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    if (!this.#worthSending(batch.length)) {
      for (const { resolve } of batch) resolve();
      return;
    }
    const share = Math.max(LEAST_SHARE, Math.ceil(batch.length / this.#threads.length));
    for (let from = 0; from < batch.length; from += share) {
      const part = batch.slice(from, from + share);
      const thread = this.#threads[this.#next++ % this.#threads.length] as Thread;
      thread.batches.push(part);
      thread.worker.postMessage(part.flatMap(wantedOf));
    }
  }

  #worthSending(recoveries: number): boolean {
    if (this.#threads.length > 0) return recoveries > 1 || this.#threads.some(({ batches }) => batches.length > 0);
    if (recoveries > 1) this.#together += recoveries;
    if (this.#together >= RECOVERIES_WORTH_A_THREAD && !this.#closed) this.#start();
    return false;
  }

  #start(): void {
    if (!existsSync(fileURLToPath(THREAD))) return;
    const count = Math.min(availableParallelism() - 1, MOST_THREADS);
    for (let i = 0; i < count; i++) {
      const thread: Thread = { worker: new Worker(THREAD), batches: [] };
      thread.worker.unref();
      thread.worker.on('message', (recovered: Recovered) => settle(thread.batches.shift() ?? [], recovered));
      thread.worker.on('error', () => this.#lose(thread));
      this.#threads.push(thread);
    }
  }

  /** A thread that cannot run (no memory, no worker support) is done without. */
  #lose(thread: Thread): void {
    this.#threads = this.#threads.filter((other) => other !== thread);
    for (const batch of thread.batches.splice(0)) for (const { resolve } of batch) resolve();
  }
}

function wantedOf({ transaction: { txId, signatures } }: Waiting): Hex[] {
  return signatures.flatMap((signature) => [txId, signature]);
}

function settle(batch: readonly Waiting[], recovered: Recovered): void {
  let at = 0;
  for (const { transaction, resolve } of batch) {
    for (const signature of transaction.signatures) {
      const signer = recovered[at++] ?? '';
      if (signer !== '') rememberSigner(transaction.txId, signature, signer as Address);
    }
    resolve();
  }
}
