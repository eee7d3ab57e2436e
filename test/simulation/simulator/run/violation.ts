/** A failure that the simulator has found: an invariant by its name, and what was seen. */

export class Violation extends Error {
  override readonly name = 'Violation';

  constructor(
    readonly invariant: string,
    what: string,
    options?: ErrorOptions,
  ) {
    super(what, options);
  }
}
