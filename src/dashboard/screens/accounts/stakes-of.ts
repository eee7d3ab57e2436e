/** Stakes of an account by what they are for. */

import type { AccountAnswer } from '../../chain/account-answers.js';
import type { Amount } from '../../chain/answers.js';

export interface Stake {
  readonly resource: 'ENERGY' | 'BANDWIDTH' | 'TRON_POWER';
  /** Not delegated. */
  readonly own: bigint;
  readonly stake1: bigint;
  readonly delegated: bigint;
  readonly received: bigint;
}

/** Each kind of stake, also those that the account does not have. */
export function stakesOf(account: AccountAnswer): readonly Stake[] {
  const { account_resource: energy = {}, frozen = [], frozenV2 = [] } = account;
  const own = (resource: string) =>
    frozenV2
      .filter(({ type = 'BANDWIDTH' }) => type === resource)
      .reduce((sum, { amount = 0 }) => sum + BigInt(amount), 0n);
  return [
    {
      resource: 'ENERGY',
      own: own('ENERGY'),
      stake1: BigInt(energy.frozen_balance_for_energy?.frozen_balance ?? 0),
      delegated: total(energy.delegated_frozen_balance_for_energy, energy.delegated_frozenV2_balance_for_energy),
      received: total(
        energy.acquired_delegated_frozen_balance_for_energy,
        energy.acquired_delegated_frozenV2_balance_for_energy,
      ),
    },
    {
      resource: 'BANDWIDTH',
      own: own('BANDWIDTH'),
      stake1: frozen.reduce((sum, { frozen_balance = 0 }) => sum + BigInt(frozen_balance), 0n),
      delegated: total(
        account.delegated_frozen_balance_for_bandwidth,
        account.delegated_frozenV2_balance_for_bandwidth,
      ),
      received: total(
        account.acquired_delegated_frozen_balance_for_bandwidth,
        account.acquired_delegated_frozenV2_balance_for_bandwidth,
      ),
    },
    {
      resource: 'TRON_POWER',
      own: own('TRON_POWER'),
      stake1: 0n,
      delegated: 0n,
      received: 0n,
    },
  ];
}

const total = (...amounts: readonly (Amount | undefined)[]): bigint =>
  amounts.reduce<bigint>((sum, amount) => sum + BigInt(amount ?? 0), 0n);
