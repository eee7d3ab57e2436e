/** The thread of `threads.ts`: recovers signers, answers with their addresses, '' where there is none. */

import { parentPort } from 'node:worker_threads';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { recoverUncached } from '../protocol/signature.js';

/** Digest, signature, digest, signature, … */
export type Wanted = readonly Hex[];
export type Recovered = readonly (Address | '')[];

parentPort?.on('message', (wanted: Wanted) => {
  const recovered: (Address | '')[] = [];
  for (let at = 0; at < wanted.length; at += 2) {
    recovered.push(signerOf(wanted[at] as Hex, wanted[at + 1] as Hex));
  }
  parentPort?.postMessage(recovered satisfies Recovered);
});

function signerOf(digest: Hex, signature: Hex): Address | '' {
  try {
    return recoverUncached(digest, signature);
  } catch {
    // The ledger recovers it again at the place where it has to be refused, and says why.
    return '';
  }
}
