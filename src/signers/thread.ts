/** Worker thread of `threads.ts`: recovers signers, and sleeps while none are asked for. */

import { workerData } from 'node:worker_threads';
import { signerOrUndefined } from '../protocol/signature.js';
import { type SharedSignatures, SignatureQueue } from './signature-queue.js';

new SignatureQueue(workerData as SharedSignatures, signerOrUndefined).serve();
