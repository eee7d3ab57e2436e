/** What a precompiled contract is: a price and a function of its input, found by the 32 bytes of its address. */

import type { Address } from '../../primitives/ids.js';
import type { Frame } from '../frame.js';

export interface PrecompileCall {
  /** The calling frame; most contracts only want its machine's host. */
  readonly frame: Frame;
  readonly input: Uint8Array;
  /** Who calls: the frame's context, or for a DELEGATECALL the frame's own caller. */
  readonly caller: Address;
  readonly isDelegate: boolean;
}

export interface Precompile {
  /** Energy; compared with what was forwarded before anything runs. */
  energy(call: PrecompileCall): number;
  /** The output, or `undefined`: the call fails and its Energy is gone. May throw what ends the calling frame. */
  run(call: PrecompileCall): Uint8Array | undefined;
  /** What a failed run writes to the caller's memory all the same; nobody sees it as return data. */
  readonly failureOutput?: Uint8Array;
}

/** A contract with a fixed price. */
export function priced(energy: number, run: (call: PrecompileCall) => Uint8Array | undefined): Precompile {
  return { energy: () => energy, run };
}
