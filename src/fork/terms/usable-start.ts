/**
 * Checks the start data of a fork from a file. Anybody may have written the file, and missing or impossible data would
 * stop the node later, in an unrelated block.
 */

import { activeWitnesses, standbyWitnesses } from '../../ledger/schedule/schedule.js';
import { PARAMETERS, type ParameterDefinition } from '../../parameters/definitions.js';
import { LONG_PROPERTIES, type LongProperty } from '../../parameters/properties.js';
import { isAddress } from '../../primitives/ids.js';
import { LAST_MOMENT_MS } from '../../primitives/moment.js';
import type { Table } from '../../state/table.js';
import type { ForkStart } from './fork-start.js';
import { emptyLedger, START_TABLES } from './start-ledger.js';

/** The check depends on no time: any slot time does. */
const ANY_SLOT_MS = 3_000n;

/**
 * The first chain parameter with an impossible value. Values are not negative, except those of parameters that accept
 * any value, and -1 of one parameter that is switched off.
 *
 * @returns its key and value: `getTransactionFee is -1`
 */
export function unusableParameter(read: (parameter: ParameterDefinition) => bigint | undefined): string | undefined {
  for (const parameter of PARAMETERS) {
    const value = read(parameter);
    if (value === undefined || parameter.rule?.accepts === 'anything') continue;
    const lowest =
      parameter.property === 'REMOVE_THE_POWER_OF_THE_GR'
        ? -1n
        : parameter.property === 'MAINTENANCE_TIME_INTERVAL'
          ? 1n
          : 0n;
    if (value < lowest) return `${parameter.key} is ${value}`;
  }
  return undefined;
}

/** @throws Error with the reason */
export function requireUsable({ head, genesis, rows }: ForkStart): void {
  const raw = head.header.raw_data;
  if (raw === undefined || Number(raw.number) !== head.number || raw.timestamp !== head.timestampMs)
    throw new Error('its "header" does not belong to its "head"');
  for (const [name, timeMs] of Object.entries({ head: head.timestampMs, genesis: genesis.timestampMs }))
    if (timeMs > LAST_MOMENT_MS) throw new Error(`the time of its "${name}" is ${timeMs} ms`);

  const ledger = emptyLedger(genesis, ANY_SLOT_MS);
  const { tables } = ledger.state;
  const known: ReadonlySet<string> = new Set(START_TABLES);
  for (const { table, key, value } of rows) {
    if (!known.has(table)) throw new Error(`it has a row of ${table}, which is not start data of a fork`);
    const into = tables[table] as unknown as Table<string, unknown>;
    if (value !== undefined) into.set(key, into.spec.decode(value));
  }

  const missing = LONG_PROPERTIES.find(({ name }) => !tables.longs.has(name));
  if (missing !== undefined) throw new Error(`it has no ${missing.name}`);
  const parameter = unusableParameter(({ property }) => ledger.long(property as LongProperty));
  if (parameter !== undefined) throw new Error(`its ${parameter}`);
  const nextMs = ledger.long('NEXT_MAINTENANCE_TIME');
  if (nextMs < head.timestampMs || nextMs > LAST_MOMENT_MS) throw new Error(`its NEXT_MAINTENANCE_TIME is ${nextMs}`);

  const scheduled = activeWitnesses(ledger);
  if (scheduled.length === 0) throw new Error('it has no active witnesses');
  const listed = [...scheduled, ...standbyWitnesses(ledger).map(({ address }) => address)];
  const unknownWitness = listed.find((address) => !isAddress(address) || !tables.witnesses.has(address));
  if (unknownWitness !== undefined) throw new Error(`it lists ${unknownWitness}, which is not a witness`);
}
