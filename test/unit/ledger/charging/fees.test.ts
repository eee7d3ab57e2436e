import { describe, expect, it } from 'vitest';
import { disposeOfFee, payFee } from '../../../../src/ledger/charging/fees.js';
import { address, BLACKHOLE, EpochLedger } from '../epoch-ledger.js';

const parameters = (feePool: bigint, blackholeOptimization: bigint) => ({
  ALLOW_TRANSACTION_FEE_POOL: feePool,
  ALLOW_BLACKHOLE_OPTIMIZATION: blackholeOptimization,
});

describe('where fees go', () => {
  it.each([
    ['poolable', 1n, 1n, 'fee-pool'],
    ['poolable', 1n, 0n, 'fee-pool'],
    ['not-poolable', 1n, 1n, 'burned'],
    ['not-poolable', 1n, 0n, 'blackhole'],
    ['poolable', 0n, 1n, 'burned'],
    ['poolable', 0n, 0n, 'blackhole'],
  ] as const)('%s, fee pool %s, blackhole optimization %s: %s', (poolable, feePool, optimized, source) => {
    const { ledger } = new EpochLedger({ parameters: parameters(feePool, optimized) });
    const places = () => ({
      'fee-pool': ledger.long('TRANSACTION_FEE_POOL'),
      burned: ledger.long('BURN_TRX_AMOUNT'),
      blackhole: ledger.state.tables.accounts.get(BLACKHOLE)?.balance ?? 0n,
    });
    const before = places();
    expect(disposeOfFee(ledger, 7n, poolable)).toBe(source);
    expect(places()).toEqual({ ...before, [source]: before[source] + 7n });
  });

  it('a fixed fee leaves the payer, never goes to the pool, and leaves a charge unless it is 0', () => {
    const test = new EpochLedger({ parameters: parameters(1n, 1n) });
    const payer = address(1);
    const before = test.account(payer).balance;
    payFee(test.ledger, test.charges, payer, 5n, 'asset-issue');
    payFee(test.ledger, test.charges, payer, 0n, 'memo');
    expect(test.account(payer).balance).toBe(before - 5n);
    expect(test.charges).toEqual([{ payer, resource: 'coin', source: 'burned', amount: 5n, reason: 'asset-issue' }]);
    expect(() => payFee(test.ledger, test.charges, payer, before, 'memo')).toThrow('insufficient balance');
  });
});
