/**
 * What a transaction changed on accounts: the rows of accounts that the journal has, before and after, and transfers of
 * TRC-20 and TRC-721 tokens by their events. Usages of Energy and Bandwidth are recovered to the same moment on both
 * sides, as nodes answer them, so that a difference is what the transaction used.
 */

import { tokenEventOf } from '../../ledger/history/token-events.js';
import type { Ledger } from '../../ledger/ledger.js';
import { nameAt, namesOn } from '../../ledger/smart-contracts/names.js';
import {
  accountResourceOf,
  acquiredV1,
  acquiredV2,
  delegatedV1,
  delegatedV2,
  stakesV1,
} from '../../ledger/stake/stakes.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { ResourceCode } from '../../protocol/generated/resource-code.js';
import type { Account, TransactionInfo } from '../../protocol/generated/tron.js';
import { stakeV2Of } from '../../resources/limits.js';
import type { StakedResource } from '../../resources/metered-account.js';
import type { Mark } from '../../state/state.js';
import { recoveredAccount } from '../../wallet/accounts.js';
import type { ContractRef } from '../model/explanation.js';
import { contractRef } from '../outcome/action.js';

export interface Changes {
  /** In the order of their first change. */
  readonly accounts: readonly AccountChange[];
  /** In the order of their events. */
  readonly tokenTransfers: readonly TokenTransfer[];
}

export interface AccountChange {
  readonly address: string;
  /** The name of a contract. */
  readonly name?: string;
  /** Whether the transaction created or removed the account. */
  readonly lifecycle?: 'created' | 'removed';
  readonly values: readonly ValueChange[];
}

export interface ValueChange {
  /** `token`: a TRC-10 token, with its id in `token`. Stakes and delegations are those of Stake 1.0 and 2.0. */
  readonly name:
    | 'balance'
    | 'energyUsed'
    | 'bandwidthUsed'
    | 'freeBandwidthUsed'
    | 'stakedForEnergy'
    | 'stakedForBandwidth'
    | 'stakedForVotes'
    | 'unstaking'
    | 'delegatedEnergy'
    | 'delegatedBandwidth'
    | 'receivedEnergy'
    | 'receivedBandwidth'
    | 'votes'
    | 'reward'
    | 'token';
  readonly unit: 'sun' | 'energy' | 'bytes' | 'votes' | 'token';
  readonly token?: string;
  readonly before: bigint;
  readonly after: bigint;
}

export interface TokenTransfer {
  readonly standard: 'trc20' | 'trc721';
  readonly token: ContractRef;
  readonly from: string;
  readonly to: string;
  /** Base units; for TRC-721 the token's id. */
  readonly value: bigint;
}

const { BANDWIDTH, ENERGY, TRON_POWER } = ResourceCode;

const stakedFor = (account: Account, resource: StakedResource): bigint =>
  stakeV2Of(account, resource) +
  stakesV1(account, resource).reduce((sum, { frozen_balance }) => sum + frozen_balance, 0n);

type Measure = Pick<ValueChange, 'name' | 'unit'> & { readonly of: (account: Account) => bigint };

const MEASURES: readonly Measure[] = [
  { name: 'balance', unit: 'sun', of: ({ balance }) => balance },
  { name: 'energyUsed', unit: 'energy', of: (account) => accountResourceOf(account).energy_usage },
  { name: 'bandwidthUsed', unit: 'bytes', of: ({ net_usage }) => net_usage },
  { name: 'freeBandwidthUsed', unit: 'bytes', of: ({ free_net_usage }) => free_net_usage },
  { name: 'stakedForEnergy', unit: 'sun', of: (account) => stakedFor(account, ENERGY) },
  { name: 'stakedForBandwidth', unit: 'sun', of: (account) => stakedFor(account, BANDWIDTH) },
  { name: 'stakedForVotes', unit: 'sun', of: (account) => stakedFor(account, TRON_POWER) },
  {
    name: 'unstaking',
    unit: 'sun',
    of: ({ unfrozenV2 }) => unfrozenV2.reduce((sum, { unfreeze_amount }) => sum + unfreeze_amount, 0n),
  },
  {
    name: 'delegatedEnergy',
    unit: 'sun',
    of: (account) => delegatedV1(account, ENERGY) + delegatedV2(account, ENERGY),
  },
  {
    name: 'delegatedBandwidth',
    unit: 'sun',
    of: (account) => delegatedV1(account, BANDWIDTH) + delegatedV2(account, BANDWIDTH),
  },
  { name: 'receivedEnergy', unit: 'sun', of: (account) => acquiredV1(account, ENERGY) + acquiredV2(account, ENERGY) },
  {
    name: 'receivedBandwidth',
    unit: 'sun',
    of: (account) => acquiredV1(account, BANDWIDTH) + acquiredV2(account, BANDWIDTH),
  },
  { name: 'votes', unit: 'votes', of: ({ votes }) => votes.reduce((sum, { vote_count }) => sum + vote_count, 0n) },
  { name: 'reward', unit: 'sun', of: ({ allowance }) => allowance },
];

/** Call it on the state after the transaction. @param start mark from before it */
export function changesSince(ledger: Ledger, start: Mark, info: TransactionInfo): Changes {
  const { accounts } = ledger.state.tables;
  const before = new Map<Address, Account | undefined>();
  for (const { table, key, previous } of ledger.state.journal.since(start)) {
    if (table.spec !== accounts.spec || before.has(key as Address)) continue;
    before.set(key as Address, previous as Account | undefined);
  }
  const changed = [...before].map(([address, was]) => accountChange(ledger, address, was, accounts.get(address)));
  return {
    accounts: changed.filter(({ lifecycle, values }) => lifecycle !== undefined || values.length > 0),
    tokenTransfers: info.log.flatMap((log) => {
      const event = tokenEventOf(log);
      if (event?.type !== 'Transfer') return [];
      const { standard, token, from, to, value } = event;
      return { standard, token: contractRef(namesOn(ledger), token), from: toBase58(from), to: toBase58(to), value };
    }),
  };
}

function accountChange(
  ledger: Ledger,
  address: Address,
  was: Account | undefined,
  is: Account | undefined,
): AccountChange {
  const before = was && recoveredAccount(ledger, was);
  const after = is && recoveredAccount(ledger, is);
  const name = nameAt(ledger, address);
  const measured = MEASURES.map(
    ({ of, ...measure }): ValueChange => ({
      ...measure,
      before: before === undefined ? 0n : of(before),
      after: after === undefined ? 0n : of(after),
    }),
  );
  const values = [...measured, ...tokenChanges(before, after)];
  return {
    address: toBase58(address),
    ...(name !== '' && { name }),
    ...(was === undefined && { lifecycle: 'created' as const }),
    ...(is === undefined && { lifecycle: 'removed' as const }),
    values: values.filter((value) => value.before !== value.after),
  };
}

/** While the network identifies TRC-10 tokens by name, `asset` has them; the ids of `assetV2` are there from the start. */
function tokenChanges(before: Account | undefined, after: Account | undefined): readonly ValueChange[] {
  const ids = new Set([...(before?.assetV2.keys() ?? []), ...(after?.assetV2.keys() ?? [])]);
  return [...ids].map((token) => ({
    ...{ name: 'token', unit: 'token', token },
    before: before?.assetV2.get(token) ?? 0n,
    after: after?.assetV2.get(token) ?? 0n,
  }));
}
