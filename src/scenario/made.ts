/** What steps have made and given a name: tokens, proposals, exchanges, orders, by the ids that the network gave them. */

import { UnknownNameError } from './parties.js';

export type MadeThing = 'token' | 'proposal' | 'exchange' | 'order';

export class Made {
  readonly #ids = new Map<string, string>();

  add(of: MadeThing, name: string, id: string): void {
    this.#ids.set(`${of} ${name}`, id);
  }

  /** An id stands for itself. @throws UnknownNameError for what is not made yet */
  id(of: MadeThing, name: string): string {
    if (/^\d+$/.test(name)) return name;
    const id = this.#ids.get(`${of} ${name}`);
    if (id === undefined) throw new UnknownNameError(`the ${of} ${name} has not been made at this point`);
    return id;
  }
}
