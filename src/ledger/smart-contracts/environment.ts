/** The block environment of opcodes. */

import type { Address, BlockId } from '../../primitives/ids.js';
import type { BlockEnvironment } from '../../tvm/host.js';
import type { BlockPlace } from '../blocks/block-place.js';
import type { Ledger } from '../ledger.js';

/** Reads fields of the header lazily. */
class EnvironmentInPlace implements BlockEnvironment {
  constructor(
    private readonly place: BlockPlace,
    readonly genesisId: BlockId,
    readonly energyPriceSun: bigint,
  ) {}

  get number(): number {
    return this.place.number;
  }

  get timestampMs(): bigint {
    return this.place.timestampMs;
  }

  get producer(): Address | undefined {
    return this.place.producer;
  }
}

export function blockEnvironment(ledger: Ledger, place: BlockPlace): BlockEnvironment {
  return new EnvironmentInPlace(place, ledger.config.genesisId, ledger.long('ENERGY_FEE'));
}
