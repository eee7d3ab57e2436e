/** Names the network blocks of the rows that a fork's transaction read. */

import type { AssumptionReport, NetworkRow, NetworkRows } from '../explanation/model/explanation.js';
import { formatUnits } from './amounts.js';

/** Number of rows that are named for each block. */
const MAX_NAMED = 12;

const WORDS: Readonly<Record<string, string>> = {
  accounts: 'account',
  abis: 'ABI',
  codes: 'code',
  contracts: 'contract record',
  contractStates: 'Energy state',
  delegationLists: 'delegations',
  marketAccounts: 'orders',
  voterSettlements: 'voting reward',
  witnessRewards: 'block reward',
};

/** @example ['It read rows of the network at different blocks. …', '  block 81,004,113: …'] */
export function networkRowLines({ begunAtBlock, count, rows }: NetworkRows): readonly string[] {
  const blocks = new Map<number, string[]>([[begunAtBlock, ['parameters, prices, totals and witnesses']]]);
  for (const row of rows) {
    const named = blocks.get(row.readAtBlock);
    if (named === undefined) blocks.set(row.readAtBlock, [rowText(row)]);
    else named.push(rowText(row));
  }
  const unnamed = count > rows.length ? ` (the first ${formatUnits(rows.length)} of ${formatUnits(count)} rows)` : '';
  return [
    `It read rows of the network at different blocks${unnamed}. Changes between these blocks may make the result inexact:`,
    ...[...blocks]
      .sort(([one], [other]) => one - other)
      .map(([block, named]) => `  block ${formatUnits(block)}: ${listed(named)}`),
  ];
}

/** @example ['The network may get another result here, because nodes do not serve all data (docs/background/fork-assumptions.md):', …] */
export function assumptionLines(assumptions: readonly AssumptionReport[]): readonly string[] {
  return [
    'The network may get another result here, because nodes do not serve all data (docs/background/fork-assumptions.md):',
    ...assumptions.map(({ name, effect, of }) => `  ${name} of ${listed(of)}: ${effect}`),
  ];
}

function listed(named: readonly string[]): string {
  const more = named.length - MAX_NAMED;
  return more > 1 ? `${named.slice(0, MAX_NAMED).join(', ')} and ${more} more` : named.join(', ');
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
