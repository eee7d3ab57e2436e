/** All names that a file defines, to report undefined names before the run. */

import * as v from 'valibot';
import { closest } from '../../primitives/closest-name.js';
import { addressFault } from '../../protocol/address-fault.js';
import type { Fields } from '../format/check-object.js';
import { isAddressText, type Named } from '../format/fields.js';
import type { Path, Problem } from '../format/problems.js';

/** Kinds of objects that an account field can name: contracts have addresses, too. */
const FITTING: Readonly<Record<Named, readonly Named[]>> = {
  account: ['account', 'contract'],
  contract: ['contract'],
  token: ['token'],
  proposal: ['proposal'],
  exchange: ['exchange'],
  order: ['order'],
  snapshot: ['snapshot'],
};

export class Names {
  readonly #known: Record<Named, Set<string>> = {
    account: new Set(),
    contract: new Set(),
    token: new Set(['TRX', 'trx']),
    proposal: new Set(),
    exchange: new Set(),
    order: new Set(),
    snapshot: new Set(),
  };
  readonly #groups = new Map<string, number>();

  add(of: Named, name: string): void {
    this.#known[of].add(name);
  }

  addGroup(name: string, size: number): void {
    this.#groups.set(name, size);
  }

  groupSize(name: string): number | undefined {
    return this.#groups.get(name);
  }

  /** Whether the name is taken. Accounts and contracts share one namespace. */
  has(name: string): boolean {
    return this.#groups.has(name) || this.#known.account.has(name) || this.#known.contract.has(name);
  }

  /** Checks names in the values of fields that refer to objects. */
  check(fields: Fields, values: Readonly<Record<string, unknown>>, path: Path, problems: Problem[]): void {
    for (const [field, schema] of Object.entries(fields))
      if (values[field] !== undefined) this.#checkValue(schema, values[field], [...path, field], problems);
  }

  #checkValue(schema: v.GenericSchema<unknown, unknown>, value: unknown, path: Path, problems: Problem[]): void {
    const { names } = v.getMetadata(schema) as { readonly names?: Named | 'payer' };
    if (names !== undefined) {
      const given = typeof value === 'object' && value !== null ? Object.keys(value) : [String(value)];
      const ofKeys = typeof value === 'object';
      for (const name of given) {
        const problem = this.problemOf(names, name);
        if (problem !== undefined)
          problems.push({ path: ofKeys ? [...path, name] : path, ofName: ofKeys, message: problem });
      }
      return;
    }
    const { wrapped, item, entries, pipe } = schema as {
      wrapped?: v.GenericSchema;
      item?: v.GenericSchema;
      entries?: Fields;
      pipe?: readonly unknown[];
    };
    const first = pipe?.[0] as v.GenericSchema | undefined;
    if (wrapped !== undefined) this.#checkValue(wrapped, value, path, problems);
    else if (item !== undefined && Array.isArray(value)) {
      for (const [at, one] of value.entries()) this.#checkValue(item, one, [...path, at], problems);
    } else if (entries !== undefined) this.check(entries, value as Record<string, unknown>, path, problems);
    else if (first !== undefined && first !== schema) this.#checkValue(first, value, path, problems);
  }

  /** A sentence, if the name is undefined. */
  problemOf(of: Named | 'payer', name: string): string | undefined {
    if (of === 'payer') return this.#groups.has(name) ? undefined : this.problemOf('account', name);
    const fitting = FITTING[of].flatMap((one) => [...this.#known[one]]);
    if (fitting.includes(name)) return undefined;
    const member = /^(.*)\.(\d+)$/.exec(name);
    const size = member === null ? undefined : this.#groups.get(member[1] as string);
    if (of === 'account' && size !== undefined) {
      return Number(member?.[2]) < size
        ? undefined
        : `${name}: the group has ${size} accounts, from ${member?.[1]}.0 to ${member?.[1]}.${size - 1}`;
    }
    if ((of === 'account' || of === 'contract') && isAddressText(name)) return undefined;
    if (/^(\d+|[\da-f]{64})$/.test(name) && of !== 'account' && of !== 'contract') return undefined;
    if (of === 'account' && this.#groups.has(name))
      return `${name} is a group: use a member, ${name}.0, or { oneOf: ${name} }`;
    const close = closest(name, [...fitting, ...(of === 'account' ? this.#groups.keys() : [])]);
    if (close !== undefined) return `no ${of} is called ${name}; did you mean ${close}?`;
    const fault = of === 'account' || of === 'contract' ? addressFault(name) : '';
    return fault === '' ? `no ${of} is called ${name}` : `${name} is not a valid address${fault}`;
  }
}
