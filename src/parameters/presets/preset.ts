/** What a preset is: values of chain parameters under a name. `presets.ts` lists them and says how a chain is given one. */

import type { Release } from '../../primitives/release.js';
import type { ParameterName } from '../definitions.js';

export interface Preset {
  /** `network@date`, or `none`. */
  readonly name: string;
  readonly description: string;
  /** The node release whose rules go with the values. */
  readonly release: Release;
  /** Values as `getchainparameters` reports them; what is not named is as on a fresh chain. */
  readonly values: Readonly<Partial<Record<ParameterName, bigint>>>;
}
