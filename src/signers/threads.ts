/**
 * Recovers signers on other threads before the ledger asks for them, and leaves them in the cache of
 * `protocol/signature.ts`. The ledger stays synchronous: what it does not find there it recovers itself.
 *
 * A recovery is the largest single part of what an accepted transfer costs (70 µs of native code). One that comes alone
 * is not sent away: that would only take longer. And no thread is started before there was enough company to pay for it.
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
  /** What it is working on. The next goes when it is done, because a message costs a good part of a recovery. */
  batch: readonly Waiting[] | undefined;
}

export class SignerThreads {
  #waiting: Waiting[] = [];
  #threads: Thread[] = [];
  #together = 0;
  #closed = false;

  /** Resolves when the signers of `transaction` are known, or when the caller is better off recovering them itself. */
  ahead(transaction: SignedTransaction): Promise<void> | undefined {
    const { txId, signatures } = transaction;
    if (signatures.every((signature) => isKnownSigner(txId, signature))) return undefined;
    return new Promise((resolve) => {
      if (this.#waiting.push({ transaction, resolve }) > 1) return;
      // Requests that have arrived together are answered together (platform/turns.ts), so they go along. After a long turn
      // they have their turns one by one, and are together only when the loop goes round.
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
    const count = Math.min(availableParallelism() - 1, MOST_THREADS);
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

  /** A thread that cannot run (no memory, no worker support) is done without. */
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
