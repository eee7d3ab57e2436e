/** Names of rows for a fork's errors and files. */

import { isAddress } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { WantedRow } from '../../state/remote-rows.js';

const address = (text: string): string => (isAddress(text) ? toBase58(text) : text);

/** @example 'account TR7N… and 3 further' */
export function rowsInWords([first, ...others]: readonly WantedRow[]): string {
  const further = others.length > 0 ? ` and ${others.length} more` : '';
  return first === undefined ? 'nothing' : rowInWords(first) + further;
}

/** @example rowInWords({ table: 'accounts', key: '41a614…' }) // 'account TR7N…' */
export function rowInWords({ table, key, slot }: WantedRow): string {
  switch (table) {
    case 'storage':
      return slot === undefined
        ? `storage row ${key}`
        : `slot 0x${slot.slot.toString(16)} of ${toBase58(slot.contract)}`;
    case 'earlierBlockIds':
      return `the id of block ${Number.parseInt(key, 16)}`;
    case 'blocks':
      return `block ${Number.parseInt(key, 16)}`;
    case 'transactions':
      return `transaction ${key}`;
    case 'accounts':
      return `account ${address(key)}`;
    case 'contracts':
    case 'abis':
    case 'codes':
    case 'contractStates':
      return `contract ${address(key)} (${table})`;
    default: {
      const named = key.replace(/41[0-9a-f]{40}/g, (hex) => ` ${toBase58(hex)} `).trim();
      return `row ${named} of ${table}`;
    }
  }
}
