import { describe, expect, it } from 'vitest';
import { blockLines } from '../../../src/cli/log-lines.js';
import type { BlockReport, ChargeReport, TransactionReport } from '../../../src/index.js';

const first = 'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6';
const second = 'TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C';
const txid = 'ab'.repeat(32);

function block(...costs: readonly (readonly ChargeReport[])[]): BlockReport {
  const transactions = costs.map(
    (charges): TransactionReport => ({
      consoleLines: [],
      txid,
      type: 'TransferContract',
      owner: 'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6',
      result: 'SUCCESS',
      charges,
    }),
  );
  return { number: 12, id: 'cd'.repeat(32), timestampMs: 1_735_689_603_000, witness: 'T', transactions };
}

describe('the lines of a block', () => {
  it('are none without transactions', () => {
    expect(blockLines(block())).toEqual([]);
  });

  it('say what each transaction cost and who paid, by payer', () => {
    const lines = blockLines(
      block(
        [{ payer: first, resource: 'bandwidth', source: 'free', amount: 268, reason: 'bandwidth' }],
        [
          { payer: first, resource: 'coin', source: 'burned', amount: 100_000, reason: 'account-creation-bandwidth' },
          { payer: second, resource: 'energy', source: 'origin', amount: 12_345, reason: 'energy' },
          { payer: first, resource: 'coin', source: 'blackhole', amount: 1_000_000, reason: 'account-activation' },
        ],
        [{ payer: first, resource: 'bandwidth', source: 'staked', amount: 0, reason: 'bandwidth' }],
      ),
    );
    expect(lines).toEqual([
      `block 12  00:00:03.000  3 transactions  ${'cd'.repeat(32)}`,
      `  ${txid}  Transfer  SUCCESS  TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6 paid 268 bandwidth (free)`,
      `  ${txid}  Transfer  SUCCESS  TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6 paid 0.1 TRX for account-creation-bandwidth (burned), 1 TRX for account-activation (blackhole); TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C paid 12,345 energy (origin)`,
      `  ${txid}  Transfer  SUCCESS  no cost`,
    ]);
  });
});
