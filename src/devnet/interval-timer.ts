/** The timer of an interval chain: its blocks are made when the wall clock has reached their slots. */

import { ShiftedClock } from '../node/clock.js';
import type { Node } from '../node/node.js';
import type { WallClock } from '../platform/clock.js';

export class IntervalTimer {
  #cancel: (() => void) | undefined;

  /** @param wall Undefined: time is virtual, and nothing is ever due. */
  constructor(
    private readonly node: Node,
    private readonly wall: WallClock | undefined,
  ) {}

  /** Waits for the next slot as it is now; to be called whenever head, time or mode have changed. */
  schedule(): void {
    const { clock, producer } = this.node;
    if (this.wall === undefined || producer.mode !== 'interval' || !(clock instanceof ShiftedClock)) return;
    this.#cancel?.();
    this.#cancel = this.wall.at(clock.wallTimeMs(producer.nextSlotTimeMs()), () => {
      producer.mineDue();
      this.schedule();
    });
  }

  stop(): void {
    this.#cancel?.();
  }
}
