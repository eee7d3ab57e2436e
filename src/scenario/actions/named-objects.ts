/** Objects that steps created and named: tokens, proposals, exchanges, orders and snapshots, with their ids. */

import { UnknownNameError } from '../parties.js';

export type NamedObjectKind = 'token' | 'proposal' | 'exchange' | 'order' | 'snapshot';

export class NamedObjects {
  readonly #ids = new Map<string, string>();

  add(of: NamedObjectKind, name: string, id: string): void {
    this.#ids.set(`${of} ${name}`, id);
  }

  /** An id is returned unchanged. @throws UnknownNameError if no earlier step created the name */
  id(of: NamedObjectKind, name: string): string {
    if (/^(\d+|[\da-f]{64})$/.test(name)) return name;
    const id = this.#ids.get(`${of} ${name}`);
    if (id === undefined) throw new UnknownNameError(`no earlier step has created the ${of} ${name}`);
    return id;
  }
}
