/** A failure that the simulator has found: an invariant by its name, and what was seen. */

import type { InvariantName } from '../invariants/invariants.js';

export class Violation extends Error {
  override readonly name = 'Violation';

  constructor(
    readonly invariant: InvariantName,
    what: string,
    options?: ErrorOptions,
  ) {
    super(what, options);
  }
}
