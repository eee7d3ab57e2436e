/** Number of calls by function and data size: geth's `4byteTracer`. */

import { bytesToHex } from '../primitives/hex.js';
import { allFrames, type FrameRecord } from './frames.js';

const SELECTOR_BYTES = 4;

/**
 * By selector and length of the remaining data.
 *
 * @example { '0xa9059cbb-64': 1 }
 */
export function selectorCounts(top: FrameRecord): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  const count = (input: Uint8Array) => {
    if (input.length < SELECTOR_BYTES) return;
    const key = `0x${bytesToHex(input.subarray(0, SELECTOR_BYTES))}-${input.length - SELECTOR_BYTES}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  for (const { isCreation, input, events } of allFrames(top)) {
    if (!isCreation) count(input);
    for (const event of events) {
      // Calls without a program count, but precompiled contracts have no functions.
      if (event.type !== 'call' || event.call.precompile !== undefined || event.call.kind.startsWith('CREATE'))
        continue;
      count(event.call.input);
    }
  }
  return Object.fromEntries(counts);
}
