/** Every contract was created by a transaction that did not fail, or inside one: nothing is left of another creation. */

import { utf8ToHex } from '../../../../src/primitives/hex.js';
import { TABLES } from '../../../../src/state/tables.js';
import type { Cold } from '../disk/stored-rows.js';
import { Violation } from '../run/violation.js';
import type { ScannedTransaction } from './scan.js';

const CREATE = utf8ToHex('create');

/**
 * @param transactions all of the chain, whose genesis has no contracts
 * @param people decrees about storage and code make contracts of their accounts
 */
export function contractsWereCreated(
  transactions: readonly ScannedTransaction[],
  people: Iterable<string>,
  { database }: Cold,
): void {
  const created = new Set(people);
  for (const { info } of transactions) {
    created.add(info.contract_address);
    for (const { note, rejected, transferTo_address: address } of info.internal_transactions)
      if (note === CREATE && !rejected) created.add(address);
  }
  const { prefix } = TABLES.contracts;
  const other = database.keysWith(prefix).find((key) => !created.has(key.slice(prefix.length)));
  if (other !== undefined)
    throw new Violation('an index is a scan', `contract ${other.slice(prefix.length)} was created by no transaction`);
}
