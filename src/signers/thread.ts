/** Worker thread of `threads.ts`: recovers signers and returns their addresses, '' for an invalid signature. */

import { parentPort } from 'node:worker_threads';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { recoverUncached } from '../protocol/signature.js';

/** Digest, signature, digest, signature, … */
export type SignedDigests = readonly Hex[];
export type Recovered = readonly (Address | '')[];

parentPort?.on('message', (wanted: SignedDigests) => {
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
    // The ledger recovers it again where it refuses the transaction, and reports the reason.
    return '';
  }
}
