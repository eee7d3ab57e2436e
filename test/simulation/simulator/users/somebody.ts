/** An account of which one user makes what is forbidden, and another what is permitted; and what it has lent. */

import type { Address } from '../../../../src/primitives/ids.js';
import type { Account } from '../../../../src/protocol/generated/tron.js';
import type { State } from '../../../../src/state/state.js';
import type { Choices } from '../../wild-messages.js';
import type { People } from './people.js';

export interface Somebody {
  readonly choices: Choices;
  readonly people: People;
  readonly tables: State['tables'];
  readonly nowMs: bigint;
  readonly owner: Address;
  readonly account: Account;
  readonly other: Address;
  /** Bandwidth or Energy. */
  readonly resource: number;
}

export interface Loan {
  /** What may be taken back now. */
  readonly free: bigint;
  readonly locked: bigint;
  /** Of the lock. */
  readonly endsMs: bigint;
}

/** Lent from one to another. @param isLocked whether a lock still holds that ends then */
export function lent(
  { tables, owner, resource }: Pick<Somebody, 'tables' | 'owner' | 'resource'>,
  to: Address,
  isLocked: (endsMs: bigint) => boolean,
): Loan {
  const [unlocked, locked] = ['01', '02'].map((kind) => tables.delegations.get(`${kind}${owner}${to}`));
  const amountOf = (one: typeof locked) =>
    (resource === 0 ? one?.frozen_balance_for_bandwidth : one?.frozen_balance_for_energy) ?? 0n;
  const endsMs = (resource === 0 ? locked?.expire_time_for_bandwidth : locked?.expire_time_for_energy) ?? 0n;
  const [free, held] = [amountOf(unlocked), amountOf(locked)];
  return isLocked(endsMs) ? { free, locked: held, endsMs } : { free: free + held, locked: 0n, endsMs };
}
