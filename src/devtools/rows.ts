/** The table of developer methods: all rows, by every name. Loaded with the first call of one. */

import { accountRows } from './rows/accounts.js';
import { branchRows } from './rows/branches.js';
import { contractEnergyRows } from './rows/contract-energy.js';
import { costRows } from './rows/costs.js';
import { epochRows } from './rows/epochs.js';
import { impersonationRows } from './rows/impersonation.js';
import { miningRows } from './rows/mining.js';
import { networkRows } from './rows/network.js';
import { nodeRows } from './rows/node.js';
import { poolRows } from './rows/pool.js';
import { snapshotRows } from './rows/snapshots.js';
import { stakeRows } from './rows/stakes.js';
import { stateRows } from './rows/state.js';
import { timeRows } from './rows/time.js';
import { tokenRows } from './rows/tokens.js';
import { type Alias, type DevContext, type DevRow, readParameters } from './table.js';

export const devRows: readonly DevRow[] = [
  ...stateRows,
  ...accountRows,
  ...tokenRows,
  ...costRows,
  ...stakeRows,
  ...contractEnergyRows,
  ...networkRows,
  ...branchRows,
  ...timeRows,
  ...miningRows,
  ...epochRows,
  ...poolRows,
  ...impersonationRows,
  ...snapshotRows,
  ...nodeRows,
];

/** One name of a row. */
export interface DevMethod {
  readonly name: string;
  readonly row: DevRow;
  readonly callers: DevRow['callers'];
  /** @throws OperationError for what the caller can mend */
  readonly answer: (context: DevContext, parameters: readonly unknown[]) => unknown;
}

function methodOf(row: DevRow, { name, parameters, answer }: Alias): DevMethod {
  const call = answer as (context: DevContext, ...values: unknown[]) => unknown;
  return {
    name,
    row,
    callers: row.callers,
    answer: (context, given) => call(context, ...readParameters(parameters, given)),
  };
}

export const devMethods: ReadonlyMap<string, DevMethod> = new Map(
  devRows.flatMap((row) => [row, ...row.aliases].map((named) => [named.name, methodOf(row, named)] as const)),
);
