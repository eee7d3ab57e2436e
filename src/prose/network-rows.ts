/** Where what a transaction of a fork read is of different blocks of its network, in words. */

import type { AssumptionReport, NetworkRow, NetworkRows } from '../explanation/model/explanation.js';
import { formatUnits } from './amounts.js';

/** So many of a block are named. */
const MOST_NAMED = 12;

const WORDS: Readonly<Record<string, string>> = {
  accounts: 'account',
  abis: 'interface',
  codes: 'code',
  contracts: 'record',
  contractStates: 'Energy state',
  delegationLists: 'delegations',
  marketAccounts: 'orders',
  voterSettlements: 'what its votes have earned',
  witnessRewards: 'what its blocks earn',
};

/** @example ['It read rows of the network as they were at different blocks: …', '  block 81,004,113: …'] */
export function networkRowLines({ begunAtBlock, count, rows }: NetworkRows): readonly string[] {
  const blocks = new Map<number, string[]>([[begunAtBlock, ['parameters, prices, totals and witnesses']]]);
  for (const row of rows) {
    const named = blocks.get(row.readAtBlock);
    if (named === undefined) blocks.set(row.readAtBlock, [rowText(row)]);
    else named.push(rowText(row));
  }
  const unnamed = count > rows.length ? ` (the first ${formatUnits(rows.length)} of ${formatUnits(count)} rows)` : '';
  return [
    `It read rows of the network as they were at different blocks${unnamed}; what changed there in between may not fit together:`,
    ...[...blocks]
      .sort(([one], [other]) => one - other)
      .map(([block, named]) => `  block ${formatUnits(block)}: ${listed(named)}`),
  ];
}

/** @example ['Its network may charge otherwise, because nodes do not tell everything (docs/background/fork-assumptions.md):', …] */
export function assumptionLines(assumptions: readonly AssumptionReport[]): readonly string[] {
  return [
    'Its network may come to something else here, because nodes do not tell everything (docs/background/fork-assumptions.md):',
    ...assumptions.map(({ name, effect, of }) => `  ${name} of ${listed(of)}: ${effect}`),
  ];
}

function listed(named: readonly string[]): string {
  const more = named.length - MOST_NAMED;
  return more > 1 ? `${named.slice(0, MOST_NAMED).join(', ')} and ${more} more` : named.join(', ');
}

function rowText({ table, key, of, slot }: NetworkRow): string {
  if (of === undefined) return `${table} ${key}`;
  if (slot !== undefined) return `slot ${shortWord(slot)} of ${of}`;
  return table === 'accounts' ? `account ${of}` : `${WORDS[table] ?? table} of ${of}`;
}

/** Slots of arrays and structs are small numbers; those of mappings are hashes. */
function shortWord(slot: string): string {
  const digits = slot.slice(2).replace(/^0+(?=.)/, '');
  return digits.length <= 16 ? `0x${digits}` : slot;
}
