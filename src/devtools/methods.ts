/** The table of developer methods, by all of their names. Loaded on the first call. */

import { accountMethods } from './methods/accounts.js';
import { branchMethods } from './methods/branches.js';
import { contractEnergyMethods } from './methods/contract-energy.js';
import { epochMethods } from './methods/epochs.js';
import { impersonationMethods } from './methods/impersonation.js';
import { miningMethods } from './methods/mining.js';
import { networkMethods } from './methods/network.js';
import { nodeMethods } from './methods/node.js';
import { poolMethods } from './methods/pool.js';
import { previewMethods } from './methods/preview.js';
import { snapshotMethods } from './methods/snapshots.js';
import { stakeMethods } from './methods/stakes.js';
import { stateMethods } from './methods/state.js';
import { timeMethods } from './methods/time.js';
import { tokenMethods } from './methods/tokens.js';
import { type Alias, type DevContext, type DevMethod, readParameters } from './table.js';

export const devMethodTable: readonly DevMethod[] = [
  ...stateMethods,
  ...accountMethods,
  ...tokenMethods,
  ...previewMethods,
  ...stakeMethods,
  ...contractEnergyMethods,
  ...networkMethods,
  ...branchMethods,
  ...timeMethods,
  ...miningMethods,
  ...epochMethods,
  ...poolMethods,
  ...impersonationMethods,
  ...snapshotMethods,
  ...nodeMethods,
];

/** A name of a method: its own, or an alias. */
export interface NamedMethod {
  readonly name: string;
  readonly method: DevMethod;
  readonly callers: DevMethod['callers'];
  /** @throws OperationError for mistakes of the caller */
  readonly answer: (context: DevContext, parameters: readonly unknown[]) => unknown;
}

function named(method: DevMethod, { name, parameters, answer }: Alias): NamedMethod {
  const call = answer as (context: DevContext, ...values: unknown[]) => unknown;
  return {
    name,
    method,
    callers: method.callers,
    answer: (context, given) => call(context, ...readParameters(parameters, given)),
  };
}

export const devMethods: ReadonlyMap<string, NamedMethod> = new Map(
  devMethodTable.flatMap((method) =>
    [method, ...method.aliases].map((name) => [name.name, named(method, name)] as const),
  ),
);
