/** A scenario in which the example of every kind of step can be run: docs/reference/scenarios.md is made with it, too. */

import { devMethodTable } from '../../../src/devtools/methods.js';

export const WORLD = {
  seed: 'examples',
  network: { preset: 'mainnet@2025-09', stake: 'mainnet@2025-12', start: '2026-01-01T00:00:00Z' },
  accounts: {
    issuer: { balance: '10_000 TRX', tokens: { coupon: 900_000 } },
    alice: { balance: '10_000 TRX', tokens: { coupon: 1_000 } },
    bob: '100 TRX',
    staker: { balance: '100 TRX', stake: { energy: '1_000 TRX' } },
    leaver: { balance: '100 TRX', stake: { energy: '1_000 TRX' } },
    lender: {
      balance: '100 TRX',
      stake: { energy: '1_000 TRX' },
      delegations: [{ to: 'borrower', energy: '500 TRX' }],
    },
    borrower: '1 TRX',
    rich: '20_000 TRX',
    customers: { count: 5, balance: '10 TRX' },
    newcomer: null,
  },
  tokens: { coupon: { issuer: 'issuer', supply: 1_000_000, freeBandwidth: 1_000, publicFreeBandwidth: 100_000 } },
  contracts: { dollar: { fixture: 'Dollar', deployer: 'issuer', args: ['1_000_000_000_000', 'Dollar', 'USD', 6] } },
} as const;

/** Chain parameters that an example needs: the main network has switched some types off. */
export const PARAMETERS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  sellOnMarket: { getAllowMarketTransaction: 1 },
  cancelOrder: { getAllowMarketTransaction: 1 },
  stakeV1: { getUnfreezeDelayDays: 0 },
  unstakeV1: { getUnfreezeDelayDays: 0 },
};

const POOL = {
  createExchange: {
    from: 'issuer',
    as: 'market',
    first: { token: 'coupon', amount: 10_000 },
    second: { token: 'TRX', amount: 10_000_000 },
  },
};
const PRICES = { createProposal: { from: 'witness', as: 'prices', parameters: { getEnergyFee: 210 } } };
const LEAVES = { unstake: { from: 'leaver', amount: '500 TRX', for: 'energy' } };
const BEFORE: Readonly<Record<string, readonly object[]>> = {
  withdrawUnstaked: [LEAVES, { advance: '15d' }],
  cancelUnstakes: [LEAVES],
  claimRewards: [{ vote: { from: 'staker', votes: { witness: 10 } } }, { advance: '4 epochs' }, { advance: '1d' }],
  approveProposal: [PRICES],
  deleteProposal: [PRICES],
  injectExchange: [POOL],
  withdrawExchange: [POOL],
  exchange: [POOL],
  cancelOrder: [
    {
      sellOnMarket: {
        from: 'issuer',
        as: 'standing',
        sell: { token: 'coupon', amount: 10 },
        buy: { token: 'TRX', amount: 1_000 },
      },
    },
  ],
  participateAsset: [{ advance: '26h' }],
  unfreezeAsset: [
    { issueAsset: { from: 'rich', as: 'held', supply: 1_000, frozen: [{ amount: 10, days: 1 }] } },
    { advance: '3d' },
  ],
  unstakeV1: [{ stakeV1: { from: 'alice', amount: '10 TRX', for: 'energy' } }, { advance: '4d' }],
  revert: [{ snapshot: 'before' }],
  rollback: [{ mine: 3 }],
  reorg: [{ mine: 3 }],
};

export function stepsBefore(name: string): readonly object[] {
  const row = devMethodTable.find((one) => one.name === `tron_${name}`);
  const ofRow = row?.exampleAfter.map(([earlier, ...parameters]) => ({ [earlier.slice('tron_'.length)]: parameters }));
  return BEFORE[name] ?? ofRow ?? [];
}
