/**
 * Price histories: which price a block had, and how the answers spell them
 * (protocol/http-endpoints.md#rewards-prices-fees).
 */

import { expect, test } from 'vitest';
import type { Node } from '../../../src/node/node.js';
import type { WalletContext } from '../../../src/wallet/context.js';
import {
  energyPrice,
  energyPriceAt,
  getBandwidthPrices,
  getBurnTrx,
  getEnergyPrices,
  getMemoFee,
} from '../../../src/wallet/prices.js';
import { SimulatedChain, strangerAddress } from '../../simulation/simulated-chain.js';
import { smallLedger } from '../ledger/small-ledger.js';

function contextWith(history: string, fee: bigint): WalletContext {
  const { ledger } = smallLedger(1, { ENERGY_FEE: fee });
  ledger.setText('ENERGY_PRICE_HISTORY', history);
  return { ledger, node: undefined as unknown as Node, solid: false };
}

test('a block had the price that was set before its time, not at it', () => {
  const context = contextWith('0:100,1000:140,2000:420', 210n);
  for (const [timestampMs, price] of [
    [1n, 100n],
    [1_000n, 100n],
    [1_001n, 140n],
    [2_000n, 140n],
    [2_001n, 420n],
    [10n ** 15n, 420n],
    // Nothing was set before time began: the price of now.
    [0n, 210n],
  ] as const) {
    expect([timestampMs, energyPriceAt(context, timestampMs)]).toEqual([timestampMs, price]);
  }
  expect(energyPrice(context)).toBe(210n);
  expect(getEnergyPrices(context, {})).toEqual({ prices: '0:100,1000:140,2000:420' });
});

test('histories are pairs of time and price, and what was burned is counted', async () => {
  const chain = await SimulatedChain.open();
  const context = { ledger: chain.ledger, node: chain.node, solid: false };
  for (const { prices } of [getEnergyPrices(context, {}), getBandwidthPrices(context, {}), getMemoFee(context, {})]) {
    expect(prices).toMatch(/^0:\d+(,\d+:\d+)*$/);
  }
  const before = getBurnTrx(context, {}).num;
  // An account is activated: a coin, and a tenth of one instead of bandwidth.
  chain.transfer(0, strangerAddress(3), 1n);
  chain.node.mine(1);
  expect(getBurnTrx(context, {}).num - before).toBe(1_100_000n);
  await chain.close();
});
