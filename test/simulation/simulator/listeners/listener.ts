/** Somebody who follows a node by one of its interfaces. */

import type { Ledger } from '../../../../src/ledger/ledger.js';

export interface Listener {
  /** Compares what was told with the chain, when nothing is under way. @returns the first difference */
  difference(ledger: Ledger): Promise<string | undefined> | string | undefined;
  /** Leaves, and comes back as this interface's clients do. @param meanwhile what happens between */
  reconnect?(meanwhile: () => Promise<unknown>): Promise<void>;
}

/** What a listener does with its news. */
export interface Hearing {
  /** Its process works, and does not end. */
  readonly isServed: () => boolean;
  /** For the digest. */
  readonly heard: (text: string) => void;
  /** It was told something wrong. */
  readonly fail: (what: string) => void;
}
