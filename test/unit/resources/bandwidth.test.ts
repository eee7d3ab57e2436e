import { describe, expect, it } from 'vitest';
import {
  type BandwidthNeed,
  type BandwidthTerms,
  type IssuerGrant,
  payBandwidth,
} from '../../../src/resources/bandwidth.js';
import { BANDWIDTH, type MeteredAccount } from '../../../src/resources/metered-account.js';
import { account, COIN, MAINNET_RULES, totals, usage } from './accounts.js';

const TERMS: BandwidthTerms = {
  totals: totals({ net: 26_000_000_000n }),
  rules: MAINNET_RULES,
  freeLimit: 600n,
  publicLimit: 14_400_000_000n,
  publicUsage: { usage: 0n, lastSlot: 0n },
  bytePriceSun: 1000n,
  accountCreationRate: 1n,
  accountCreationFeeSun: 100_000n,
};

const NOW = 1000n;

function pay(sender: MeteredAccount, need: Partial<BandwidthNeed> = {}, terms: Partial<BandwidthTerms> = {}) {
  return payBandwidth({ bytes: 267n, sender, createsAccount: false, nowSlot: NOW, ...need }, { ...TERMS, ...terms });
}

const poor = account({ balance: 10n * COIN });
/** 1661 bytes a day. */
const staker = account({ balance: 10n * COIN, frozenV2: [{ type: BANDWIDTH, amount: 1000n * COIN }] });

describe('bandwidth of an ordinary transaction', () => {
  it('B1: is free for a fresh account, and uses the public pool', () => {
    expect(pay(poor)).toEqual({
      source: 'free',
      netUsage: 267n,
      freeUsage: { usage: 267n, lastSlot: NOW },
      publicUsage: { usage: 267n, lastSlot: NOW },
      left: { staked: 0n, free: 600n, public: 14_400_000_000n },
    });
  });

  it('B2, B3: twice, then coin, of which nothing is split', () => {
    const once = { ...poor, free_net_usage: 267n, latest_consume_free_time: NOW };
    expect(pay(once)).toMatchObject({ source: 'free', freeUsage: { usage: 534n, lastSlot: NOW } });
    const twice = { ...once, free_net_usage: 534n };
    expect(pay(twice)).toEqual({ source: 'coin', feeSun: 267_000n, left: { staked: 0n, free: 66n } });
  });

  it('B9: is refused one sun short', () => {
    const used = { free_net_usage: 600n, latest_consume_free_time: NOW };
    expect(pay(account({ ...used, balance: 266_999n }))).toMatchObject({ source: 'none', feeSun: 267_000n });
    expect(pay(account({ ...used, balance: 267_000n }))).toMatchObject({ source: 'coin' });
  });

  it('B13: six times from stake, then free', () => {
    let sender = staker;
    for (let i = 1; i <= 6; i++) {
      const payment = pay(sender);
      expect(payment).toMatchObject({ source: 'staked', netUsage: 267n, window: usage(BigInt(267 * i), NOW) });
      if (payment.source !== 'staked') return;
      sender = {
        ...sender,
        net_usage: payment.window.usage,
        latest_consume_time: NOW,
        net_window_size: payment.window.windowSize,
        net_window_optimized: true,
      };
    }
    expect(pay(sender)).toMatchObject({ source: 'free', left: { staked: 59n, free: 600n } });
  });

  it('asks the public pool last and leaves everything alone when that is empty', () => {
    expect(pay(poor, {}, { publicLimit: 266n })).toMatchObject({ source: 'coin', left: { free: 600n, public: 266n } });
    expect(pay(poor, {}, { publicUsage: { usage: 534n, lastSlot: 0n }, publicLimit: 800n })).toMatchObject({
      source: 'free',
      publicUsage: { usage: 782n, lastSlot: NOW },
    });
  });
});

describe('bandwidth of a transaction that creates an account', () => {
  it('B10 to B12: staked bytes or the flat fee, never free', () => {
    expect(pay(poor, { createsAccount: true })).toEqual({
      source: 'account-creation-coin',
      feeSun: 100_000n,
      left: { staked: 0n },
    });
    expect(pay(staker, { createsAccount: true })).toMatchObject({ source: 'staked', netUsage: 267n });
    const busy = { ...staker, net_usage: 1461n, latest_consume_time: NOW };
    expect(pay(busy, { createsAccount: true })).toMatchObject({
      source: 'account-creation-coin',
      left: { staked: 200n },
    });
    expect(pay(account({ balance: 99_999n }), { createsAccount: true })).toMatchObject({
      source: 'none',
      feeSun: 100_000n,
    });
  });

  it('charges staked bytes times the rate', () => {
    expect(pay(staker, { createsAccount: true }, { accountCreationRate: 6n })).toMatchObject({ netUsage: 1602n });
    expect(pay(staker, { createsAccount: true }, { accountCreationRate: 7n })).toMatchObject({
      source: 'account-creation-coin',
    });
  });
});

describe('bandwidth granted by the issuer of a token', () => {
  const grant: IssuerGrant = {
    issuer: staker,
    holderLimit: 1000n,
    holderUsage: { usage: 0n, lastSlot: 0n },
    publicLimit: 10_000n,
    publicUsage: { usage: 0n, lastSlot: 0n },
  };

  it('B18: all three usages grow, the sender pays nothing', () => {
    expect(pay(poor, { bytes: 279n, grant })).toEqual({
      source: 'issuer',
      netUsage: 279n,
      issuerWindow: usage(279n, NOW),
      holderUsage: { usage: 279n, lastSlot: NOW },
      publicUsage: { usage: 279n, lastSlot: NOW },
      left: { issuer: 1661n },
    });
  });

  it.each([
    ['the grant', { ...grant, publicLimit: 278n }],
    ["the holder's part", { ...grant, holderLimit: 278n }],
    ["the issuer's stake", { ...grant, issuer: poor }],
  ])('goes on with the sender when %s is short', (_, short) => {
    expect(pay(poor, { bytes: 279n, grant: short })).toMatchObject({ source: 'free' });
  });

  it('is not for transfers that create an account', () => {
    expect(pay(poor, { grant, createsAccount: true })).toMatchObject({ source: 'account-creation-coin' });
  });
});
