/** What steps have made and given a name: tokens, proposals, exchanges, orders, snapshots, by the ids that they were given. */

import { UnknownNameError } from '../parties.js';

export type MadeThing = 'token' | 'proposal' | 'exchange' | 'order' | 'snapshot';

export class Made {
  readonly #ids = new Map<string, string>();

  add(of: MadeThing, name: string, id: string): void {
    this.#ids.set(`${of} ${name}`, id);
  }

  /** An id stands for itself. @throws UnknownNameError for what is not made yet */
  id(of: MadeThing, name: string): string {
    if (/^(\d+|[\da-f]{64})$/.test(name)) return name;
    const id = this.#ids.get(`${of} ${name}`);
    if (id === undefined) throw new UnknownNameError(`the ${of} ${name} has not been made at this point`);
    return id;
  }
}
