import { describe, expect, it } from 'vitest';
import { blockLines, minedLine, refusedLines, revertedLine, snapshotLine } from '../../../src/cli/log-lines.js';
import type { BlockReport, ChargeReport, TransactionReport } from '../../../src/index.js';
import type { BlockId } from '../../../src/primitives/ids.js';

const first = 'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6';
const second = 'TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C';
const txid = 'ab'.repeat(32);
const DAY = '2025-01-01';

function block(...costs: readonly (readonly ChargeReport[])[]): BlockReport {
  const transactions = costs.map(
    (charges): TransactionReport => ({
      consoleLines: [],
      txid,
      type: 'TransferContract',
      action: { kind: 'transfer', to: second, amountSun: 1_500_000n },
      outcome: { succeeded: true, result: 'SUCCESS' },
      owner: 'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6',
      result: 'SUCCESS',
      charges,
    }),
  );
  return {
    number: 12,
    id: 'cd'.repeat(32),
    timestampMs: 1_735_689_603_000,
    witness: 'T',
    transactions,
    epochs: 0,
    asked: false,
  };
}

describe('the lines of a block', () => {
  it('are none without transactions', () => {
    expect(blockLines(block(), DAY)).toEqual([]);
  });

  it('say how many epochs ended with it, where nobody asked for it', () => {
    const [head] = blockLines(block([]), DAY);
    expect(blockLines({ ...block([]), epochs: 28 }, DAY).slice(0, 2)).toEqual([
      head,
      '  28 epochs ended with 1 maintenance, as after an outage of the network',
    ]);
    expect(blockLines({ ...block(), epochs: 1 }, DAY)).toEqual([
      `block 12  00:00:03.000  no transactions  ${'cd'.repeat(32)}`,
      '  1 epoch ended with a maintenance',
    ]);
    expect(blockLines({ ...block(), epochs: 28, asked: true }, DAY)).toEqual([]);
  });

  it('say what each transaction cost and who paid, by payer', () => {
    const lines = blockLines(
      block(
        [{ payer: first, resource: 'bandwidth', source: 'free', amount: 268n, reason: 'bandwidth' }],
        [
          { payer: first, resource: 'coin', source: 'burned', amount: 100_000n, reason: 'account-creation-bandwidth' },
          { payer: second, resource: 'energy', source: 'origin', amount: 12_345n, reason: 'energy' },
          { payer: first, resource: 'coin', source: 'blackhole', amount: 1_000_000n, reason: 'account-activation' },
        ],
        [{ payer: first, resource: 'bandwidth', source: 'staked', amount: 0n, reason: 'bandwidth' }],
      ),
      DAY,
    );
    const head = [`  ${txid}  SUCCESS`, `    ${first} sent 1.5 TRX to ${second}`];
    expect(lines).toEqual([
      `block 12  00:00:03.000  3 transactions  ${'cd'.repeat(32)}`,
      ...head,
      '    paid 268 bandwidth (free)',
      ...head,
      '    paid 0.1 TRX for account-creation-bandwidth (burned), 1 TRX for account-activation (blackhole)',
      `    ${second} paid 12,345 Energy (origin)`,
      ...head,
      '    no cost',
    ]);
  });
});

it('a block of another day than the one before has its date, and what failed is marked', () => {
  const [one] = block([]).transactions;
  const failed = { ...block(), transactions: [one!, { ...one!, result: 'REVERT' }] };
  const lines = blockLines(failed, '2024-12-18', {
    plain: (line) => line,
    failed: (line) => `<${line}>`,
    event: (line) => line,
  });
  expect(lines[0]).toBe(`block 12  2025-01-01 00:00:03.000  2 transactions  ${'cd'.repeat(32)}`);
  expect(lines.filter((line) => line.startsWith('<'))).toEqual([`<  ${txid}  REVERT>`]);
});

describe('what is said of the rest', () => {
  const head = { number: 1_302, id: 'cd'.repeat(32) as BlockId, timestampMs: 1_735_689_603_000 };

  it.each([
    [
      { asked: { blocks: 1 }, blocks: 1, epochs: 0, maintenances: 0, ...head },
      'mined 1 block: the head is block 1302, 2025-01-01 00:00:03 UTC',
    ],
    [
      { asked: { blocks: 1_300 }, blocks: 1_300, epochs: 0, maintenances: 0, aheadMs: 3_900_000, ...head },
      'mined 1,300 blocks: the head is block 1302, 2025-01-01 00:00:03 UTC, 1 h 5 min ahead of the clock; the next block waits until the clock has caught up',
    ],
    [
      { asked: { advanceMs: 14 * 86_400_000 }, blocks: 57, epochs: 56, maintenances: 56, lateMs: 0, ...head },
      '14 d passed (57 blocks): the head is block 1302, 2025-01-01 00:00:03 UTC, 56 epochs ended with a maintenance each',
    ],
    [
      { asked: { timestampMs: head.timestampMs }, blocks: 57, epochs: 1, maintenances: 1, lateMs: 0, ...head },
      'time passed (57 blocks): the head is block 1302, 2025-01-01 00:00:03 UTC, 1 epoch ended with a maintenance',
    ],
    [
      { asked: { blocks: 1 }, blocks: 1, epochs: 28, maintenances: 1, ...head },
      'mined 1 block: the head is block 1302, 2025-01-01 00:00:03 UTC, 28 epochs ended with 1 maintenance, as after an outage of the network',
    ],
  ])('%j', (mined, line) => expect(minedLine(mined)).toBe(line));

  it('a snapshot, and the way back', () => {
    const to = { snapshot: '0x1', number: 12, timestampMs: head.timestampMs };
    expect(snapshotLine(to)).toBe('snapshot 0x1 of block 12');
    expect(revertedLine(to)).toBe('reverted to snapshot 0x1: the head is block 12, 2025-01-01 00:00:03 UTC');
  });

  it('a refusal, in lines of 120 columns, none of which moves the cursor', () => {
    const reason = `Contract validate error : ${'words that go on '.repeat(12)}\u001b[2J\nblock 99  forged`;
    const action = { kind: 'transfer', to: second, amountSun: 7n } as const;
    const code = 'CONTRACT_VALIDATE_ERROR';
    const lines = refusedLines({ txid, type: 'TransferContract', owner: first, action, code, reason });
    expect(lines[0]).toBe(`refused  ${txid}  ${code}`);
    expect(lines[1]).toBe(`    ${first} tried to send 0.000007 TRX to ${second}`);
    expect(lines[2]).toMatch(/^ {4}Contract validate error : words that/);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toMatch(/^[^\p{Cc}]{1,120}$/u);
    expect(lines.filter((line) => line.startsWith('block'))).toEqual([]);
  });
});
