/**
 * Every transaction of recorded chains that ran a contract is explained, and its figures are the recorded receipt's: what
 * contracts spent adds up to the unit, whatever they did.
 */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecording } from '../../../scripts/verify/recording.js';
import { replay } from '../../../scripts/verify/replay.js';
import { explain } from '../../../src/explanation/explain.js';
import type { Explanation } from '../../../src/explanation/model/explanation.js';
import { blockOutline } from '../../../src/ledger/blocks/blocks.js';
import type { Node } from '../../../src/node/node.js';
import { TransactionInfo } from '../../../src/protocol/generated/tron.js';

const RECORDINGS = new URL('../../../fixtures/recorded/', import.meta.url).pathname;

function expectReceipt({ txid, feeSun, bandwidth, energy, outcome }: Explanation, info: TransactionInfo): void {
  const { receipt } = info;
  expect(BigInt(feeSun), txid).toBe(info.fee);
  expect(outcome.succeeded, txid).toBe(info.resMessage === '');
  if (bandwidth !== undefined && receipt!.net_usage > 0n) {
    expect(BigInt(bandwidth.bytes) <= receipt!.net_usage, txid).toBe(true);
  }
  if (energy === undefined) return;
  const { contracts, caller, origin } = energy;
  const total = contracts.reduce((sum, contract) => sum + BigInt(contract.total), 0n);
  const penalty = contracts.reduce((sum, contract) => sum + BigInt(contract.penalty), 0n);
  // An error that ends all calls at once keeps penalties of calls under way out of the receipt.
  const endsAll = ['UNKNOWN', 'OUT_OF_TIME'].includes(outcome.result);
  const unreported = BigInt(energy.unreportedPenalty ?? 0);
  expect(endsAll ? unreported >= 0n : unreported === 0n, txid).toBe(true);
  expect([total, penalty - unreported], txid).toEqual([receipt!.energy_usage_total, receipt!.energy_penalty_total]);
  for (const { base, precompiles, deposit, forfeited, stipends, ...contract } of contracts) {
    const parts = [base, contract.penalty, precompiles, deposit, forfeited, stipends].map(BigInt);
    expect(
      parts.every((part) => part >= 0n),
      `${txid} ${parts.join()}`,
    ).toBe(true);
    expect(parts.slice(0, 5).reduce((sum, part) => sum + part, 0n) - parts[5]!, txid).toBe(BigInt(contract.total));
  }
  expect([caller.staked, caller.feeSun, origin?.paid ?? 0].map(BigInt), txid).toEqual([
    receipt!.energy_usage,
    receipt!.energy_fee,
    receipt!.origin_energy_usage,
  ]);
}

async function explainBlock(node: Node, number: number): Promise<number> {
  const { chain } = node;
  let explained = 0;
  for (const txId of blockOutline(chain.ledger, number)?.transactionIds ?? []) {
    const stored = chain.ledger.state.tables.transactions.get(txId)!;
    expectReceipt(await explain(node, txId), TransactionInfo.decode(stored.info));
    explained++;
  }
  return explained;
}

/** Penalties, calls of every kind, failures of every kind, precompiled contracts, creations, stipends. */
test.each([
  ['dynamic-energy', 1],
  ['tvm-edges', 1],
  ['vm-fuzz-1', 9],
  ['case-throwable-logs', 1],
  ['contracts-energy', 25],
])('%s, every %dth block', async (name, every) => {
  const recording = readRecording(join(RECORDINGS, name));
  let explained = 0;
  let atEnd: Node | undefined;
  const report = await replay(recording, 'import', {
    maxFindings: 1,
    atHead: async (node, block, afterRefusals) => {
      if (block > 0 && block % every === 0 && !afterRefusals) explained += await explainBlock(node, block);
      atEnd = node;
    },
  });
  expect(report.findings).toEqual([]);
  expect(explained).toBeGreaterThan(10);
  // The same of the past, from the end of the chain.
  for (const part of [0.2, 0.6]) await explainBlock(atEnd!, Math.floor(report.blocks * part));
});
