/** What the event queue tells of solidified blocks: each with its logs, one after another; nothing says that one is gone. */

import type { Ledger } from '../../../../src/ledger/ledger.js';
import { logsIn } from '../invariants/scan.js';

export class SolidTriggers {
  readonly #logs = new Map<number, readonly string[]>();
  /** Logs that precede their block's trigger. */
  #before: { readonly block: number; readonly text: string }[] = [];
  /** Blocks above it were told, up to `#last`. */
  #from: number;
  #last: number;

  constructor(solidHeight: number) {
    this.#from = solidHeight;
    this.#last = solidHeight;
  }

  log(block: number, text: string): void {
    this.#before.push({ block, text });
  }

  /** A block is solidified. @returns what is wrong with it */
  block(number: number): string | undefined {
    const logs = this.#before;
    this.#before = [];
    const foreign = logs.find(({ block }) => block !== number);
    if (foreign !== undefined) return `a solidified log of block ${foreign.block} is told before block ${number}`;
    if (number > this.#last + 1) return `block ${number} is solidified after block ${this.#last}`;
    for (const later of this.#logs.keys()) if (later > number) this.#logs.delete(later);
    this.#logs.set(
      number,
      logs.map(({ text }) => text),
    );
    this.#last = number;
    this.#from = Math.min(this.#from, number - 1);
    return undefined;
  }

  /** @param solidHeight that was told to others @returns the first difference */
  difference(ledger: Ledger, solidHeight: number): string | undefined {
    // A revert may have taken solidified blocks back, of which nothing is told.
    if (this.#last < solidHeight) return `block ${this.#last} was solidified last, others were told ${solidHeight}`;
    const expected = new Map<number, string[]>();
    for (const { address, topics, data, of } of logsIn(ledger, this.#from + 1, solidHeight)) {
      const text = [of.blockId, of.txId, address, topics.join(), data].join(' ');
      expected.set(of.block, [...(expected.get(of.block) ?? []), text]);
    }
    for (const [number, logs] of this.#logs)
      if (number <= solidHeight && logs.join() !== (expected.get(number) ?? []).join())
        return `block ${number} was solidified with the logs ${logs.join()}, and has ${expected.get(number)?.join()}`;
    return undefined;
  }
}
