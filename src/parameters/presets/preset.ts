/** A preset: named values of chain parameters. `presets.ts` lists and applies them. */

import type { Release } from '../../primitives/release.js';
import type { ParameterName } from '../definitions.js';

export interface Preset {
  /** `network@date`, or `none`. */
  readonly name: string;
  readonly description: string;
  /** The node release whose rules belong to the values. */
  readonly release: Release;
  /** Values as `getchainparameters` reports them; absent ones are as on a new chain. */
  readonly values: Readonly<Partial<Record<ParameterName, bigint>>>;
}
