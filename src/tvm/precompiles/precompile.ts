/**
 * Definition of a precompiled contract: a price and a function of its input, selected by the 32 bytes of its address.
 */

import type { Address } from '../../primitives/ids.js';
import type { Frame } from '../frame.js';

export interface PrecompileCall {
  /** The calling frame; most contracts only need its host. */
  readonly frame: Frame;
  readonly input: Uint8Array;
  /** The caller: the frame's context, or for a DELEGATECALL the frame's own caller. */
  readonly caller: Address;
  readonly isDelegate: boolean;
}

export interface Precompile {
  /** Energy; compared with the forwarded Energy before the contract runs. */
  energy(call: PrecompileCall): number;
  /**
   * The output, or `undefined` if the call fails and consumes its Energy. May throw an exception that ends the calling
   * frame.
   */
  run(call: PrecompileCall): Uint8Array | undefined;
  /** Written to the caller's memory by a failed run, but not part of the return data. */
  readonly failureOutput?: Uint8Array;
}

/** A contract with a fixed price. */
export function priced(energy: number, run: (call: PrecompileCall) => Uint8Array | undefined): Precompile {
  return { energy: () => energy, run };
}
