/**
 * Who shares the pools of Energy and Bandwidth: accounts by the stake that counts for them, own and received. Without
 * pending transactions. Sunup's own.
 */

import { phantomStake } from '../ledger/stake/phantom-stake.js';
import { rulesOf } from '../ledger/stake/staking.js';
import type { Chain } from '../node/chain/chain.js';
import type { Address, Sun } from '../primitives/ids.js';
import { toBase58 } from '../protocol/address.js';
import { ResourceCode } from '../protocol/generated/resource-code.js';
import { bandwidthOfStake, energyOfStake, stakeOf } from '../resources/limits.js';
import { type ResourceTotals, resourceTotals } from '../resources/rules.js';
import { TABLES } from '../state/tables.js';
import type { WalletContext } from './context.js';
import { FollowedRows, ownRow } from './followed-rows.js';

export interface PoolShares {
  /** The head. */
  readonly block: number;
  readonly energy: Pool;
  readonly bandwidth: Pool;
  /** On a fork: the last block of its network. Of its accounts, only those that the fork has read are known. */
  readonly forkBlock?: number;
}

export interface Pool {
  /** Units that all stakes share in a day. */
  readonly dailyLimit: bigint;
  /** Staked TRX of all: the sum of the stakes, and `othersTrx`. */
  readonly stakedTrx: bigint;
  /** TRX in the total that belong to no account of this chain: the stake of a network's others. */
  readonly othersTrx: bigint;
  /** Number of accounts with a share. */
  readonly holders: number;
  /** The largest shares first. */
  readonly largest: readonly PoolShare[];
}

export interface PoolShare {
  readonly account: string;
  /** Own stake that is not delegated, and stake received from others. */
  readonly stakeSun: Sun;
  /** Units a day. */
  readonly dailyLimit: bigint;
}

interface Stakes {
  readonly energy: Sun;
  readonly bandwidth: Sun;
}

const followed = new WeakMap<Chain, FollowedRows<Stakes>>();

function stakesOf(chain: Chain): FollowedRows<Stakes> {
  let rows = followed.get(chain);
  if (rows === undefined) {
    rows = new FollowedRows(chain, TABLES.accounts, new Set(['accounts'] as const), async (address) => {
      const account = await ownRow(chain, TABLES.accounts, address);
      if (account === undefined) return undefined;
      const energy = stakeOf(account, ResourceCode.ENERGY);
      const bandwidth = stakeOf(account, ResourceCode.BANDWIDTH);
      return energy + bandwidth > 0n ? { energy, bandwidth } : undefined;
    });
    followed.set(chain, rows);
  }
  return rows;
}

/** @param limit of each list */
export async function poolShares({ ledger, node }: WalletContext, limit: number): Promise<PoolShares> {
  const stakes = await stakesOf(node.chain).all(node.yieldTurn);
  const totals = resourceTotals((name) => ledger.long(name));
  const rules = rulesOf(ledger);
  const pool = (resource: keyof Stakes, limitOf: (stakeSun: Sun) => bigint): Omit<Pool, PoolTotal> => {
    const shares = [...stakes].filter(([, stake]) => stake[resource] > 0n);
    return {
      holders: shares.length,
      largest: largest(shares, resource, limit).map(([account, { [resource]: stakeSun }]) => ({
        account: toBase58(account),
        stakeSun,
        dailyLimit: limitOf(stakeSun),
      })),
    };
  };
  return {
    block: ledger.headNumber,
    energy: {
      ...totalsOf(totals.energyLimit, totals.energyWeight, phantomStake(ledger, 'TOTAL_ENERGY_WEIGHT')),
      ...pool('energy', (stakeSun) => energyOfStake(stakeSun, totals, rules)),
    },
    bandwidth: {
      ...totalsOf(totals.netLimit, totals.netWeight, phantomStake(ledger, 'TOTAL_NET_WEIGHT')),
      ...pool('bandwidth', (stakeSun) => bandwidthOfStake(stakeSun, totals, rules)),
    },
    ...(node.fork !== undefined && { forkBlock: node.fork.blockNumber }),
  };
}

type PoolTotal = 'dailyLimit' | 'stakedTrx' | 'othersTrx';

const totalsOf = (
  dailyLimit: ResourceTotals['netLimit'],
  stakedTrx: bigint,
  othersTrx: bigint,
): Pick<Pool, PoolTotal> => ({ dailyLimit, stakedTrx, othersTrx });

function largest(
  shares: readonly (readonly [Address, Stakes])[],
  resource: keyof Stakes,
  limit: number,
): readonly (readonly [Address, Stakes])[] {
  return [...shares]
    .sort(([a, one], [b, other]) =>
      one[resource] === other[resource] ? (a < b ? -1 : 1) : one[resource] < other[resource] ? 1 : -1,
    )
    .slice(0, limit);
}
