/**
 * Recovers signers on worker threads ahead of the ledger, and puts them into the cache of `protocol/signature.ts`. The
 * ledger stays synchronous: it recovers itself what the cache lacks. A recovery is the largest part of the cost of an
 * accepted transfer (70 µs of native code). A single one is not sent to a thread, because that takes longer. A thread
 * starts only after enough concurrent work to pay for it.
 */

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { othersWait } from '../platform/turns.js';
import type { Hex } from '../primitives/hex.js';
import { isKnownSigner, rememberSigner } from '../protocol/signature.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import type { Recovered } from './thread.js';

/** A thread costs about 40 ms of processor time and 10 MB. */
const RECOVERIES_WORTH_A_THREAD = 500;
const MAX_THREADS = 3;
/** A message to a thread costs about as much as a recovery: fewer signatures than this are not split. */
const LEAST_SHARE = 4;
/** Beside this file in the bundle. In the sources there is none: signers are then recovered by the ledger. */
const THREAD = new URL('./signer-thread.js', import.meta.url);

interface Waiting {
  readonly transaction: SignedTransaction;
  readonly resolve: () => void;
}

interface Thread {
  readonly worker: Worker;
  /** The batch in progress. The next follows its answer, because a message costs a good part of a recovery. */
  batch: readonly Waiting[] | undefined;
}

export class SignerThreads {
  #waiting: Waiting[] = [];
  #threads: Thread[] = [];
  #together = 0;
  #closed = false;

  /** Resolves when the signers of `transaction` are known, or when the caller had better recover them itself. */
  ahead(transaction: SignedTransaction): Promise<void> | undefined {
    const { txId, signatures } = transaction;
    if (signatures.every((signature) => isKnownSigner(txId, signature))) return undefined;
    return new Promise((resolve) => {
      if (this.#waiting.push({ transaction, resolve }) > 1) return;
      // Requests that arrive together are answered together (platform/turns.ts), so they form a batch. After a long
      // turn
      // they get their turns one by one, and form a batch only in the next round of the event loop.
      if (othersWait()) setImmediate(() => this.#send());
      else queueMicrotask(() => this.#send());
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  #send(): void {
    const idle = this.#threads.filter(({ batch }) => batch === undefined);
    if (this.#threads.length > 0 && idle.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (!this.#worthSending(waiting.length)) {
      for (const { resolve } of waiting) resolve();
      return;
    }
    const share = Math.max(LEAST_SHARE, Math.ceil(waiting.length / idle.length));
    for (const [index, thread] of idle.entries()) {
      const batch = waiting.slice(index * share, (index + 1) * share);
      if (batch.length === 0) break;
      thread.batch = batch;
      thread.worker.postMessage(batch.flatMap(wantedOf));
    }
  }

  #worthSending(recoveries: number): boolean {
    if (recoveries < 2 || this.#closed) return false;
    if (this.#threads.length > 0) return true;
    this.#together += recoveries;
    if (this.#together >= RECOVERIES_WORTH_A_THREAD) this.#start();
    return false;
  }

  #start(): void {
    if (!existsSync(fileURLToPath(THREAD))) return;
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const count = Math.min(availableParallelism() - 1, MAX_THREADS);
    for (let i = 0; i < count; i++) {
      const thread: Thread = { worker: new Worker(THREAD), batch: undefined };
      thread.worker.unref();
      thread.worker.on('message', (recovered: Recovered) => {
        const { batch = [] } = thread;
        thread.batch = undefined;
        this.#send();
        settle(batch, recovered);
      });
      thread.worker.on('error', () => this.#lose(thread));
      this.#threads.push(thread);
    }
  }

  /** Works without a thread if none can run (no memory, no worker support). */
  #lose(thread: Thread): void {
    this.#threads = this.#threads.filter((other) => other !== thread);
    for (const { resolve } of thread.batch ?? []) resolve();
    this.#send();
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
      if (signer !== '') rememberSigner(transaction.txId, signature, signer);
    }
    resolve();
  }
}
