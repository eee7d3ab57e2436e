/**
 * Every transaction of recorded chains is run with an observer before its block is: the receipt is the recorded one to
 * the byte, and what was observed adds up to it: Energy to the unit, logs and internal transactions one by one, in order.
 */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecording } from '../../../scripts/verify/recording.js';
import { openRecordedNode } from '../../../scripts/verify/replay.js';
import { applyTransaction } from '../../../src/ledger/apply-transaction.js';
import { bytesToHex, hexToBytes, hexToUtf8 } from '../../../src/primitives/hex.js';
import type { Address } from '../../../src/primitives/ids.js';
import { decodeBlock } from '../../../src/protocol/block.js';
import {
  Transaction_Contract_ContractType as ContractType,
  TransactionInfo,
} from '../../../src/protocol/generated/tron.js';
import { FrameRecorder } from '../../../src/tracing/frame-recorder.js';
import { allFrames, type FrameRecord, failed } from '../../../src/tracing/frames.js';

const RECORDINGS = new URL('../../../fixtures/recorded/', import.meta.url).pathname;

/** Logs that stand, in order: of frames that did not fail below none that did; after a Java error the top one's, too. */
function standingLogs(frame: FrameRecord): string[] {
  const isEndedTop = frame.kind === 'transaction' && frame.exception?.message === 'Unknown Throwable';
  if (failed(frame) && !isEndedTop) return [];
  return frame.events.flatMap((event) => {
    if (event.type === 'log') return [`${event.log.address} ${event.log.topics.join()} ${event.log.data}`];
    return event.type === 'frame' ? standingLogs(event.frame) : [];
  });
}

interface Internal {
  readonly note: string;
  readonly from: string;
  readonly to: string;
  readonly sun: bigint;
  readonly tokens: string;
}

const tokenText = (token: FrameRecord['value']['token']) => (token === undefined ? '' : `${token.id}:${token.amount}`);

/** Internal transactions as the tree has them: calls and creations that happened, self-destructs, staking. */
function internals(frame: FrameRecord): Internal[] {
  return frame.events.flatMap((event): Internal[] => {
    switch (event.type) {
      case 'frame': {
        const { kind, context, value, caller } = event.frame;
        const note = kind === 'CREATE' || kind === 'CREATE2' ? 'create' : 'call';
        const own = { note, from: caller, to: context, sun: value.sun, tokens: tokenText(value.token) };
        return [own, ...internals(event.frame)];
      }
      case 'operation': {
        const { note, callerAddress: from, transferToAddress: to, callValueSun: sun, tokens } = event.operation;
        return [
          {
            note,
            from,
            to,
            sun,
            tokens: tokens
              .map(([id, amount]) => `${id}:${amount}`)
              .sort()
              .join(),
          },
        ];
      }
      case 'call': {
        const { caller, to, value, succeeded, precompile, kind } = event.call;
        const creates = kind === 'CREATE' || kind === 'CREATE2';
        if (precompile !== undefined || to === undefined || (!succeeded && !creates)) return [];
        const own = kind === 'CALLCODE' || kind === 'DELEGATECALL';
        const receiver = own ? frame.context : to;
        return [
          {
            note: creates ? 'create' : 'call',
            from: caller,
            to: receiver,
            sun: value.sun,
            tokens: tokenText(value.token),
          },
        ];
      }
      default:
        return [];
    }
  });
}

function expectEnergy(top: FrameRecord, { receipt, id }: TransactionInfo): void {
  let total = 0;
  let penalty = 0;
  for (const { energy, energyUsed, children } of allFrames(top)) {
    const { base, precompiles, deposit, forfeited, stipends } = energy;
    const parts = [base, energy.penalty, precompiles, deposit, forfeited, stipends];
    expect(
      parts.every((part) => part >= 0),
      `${id} ${parts}`,
    ).toBe(true);
    expect(base + energy.penalty + precompiles + deposit + forfeited - stipends, id).toBe(energy.total);
    expect(energyUsed).toBeGreaterThanOrEqual(children.reduce((sum, child) => sum + child.energyUsed - 2_300, 0));
    total += energy.total;
    penalty += energy.penalty;
  }
  expect([BigInt(total), BigInt(penalty)], id).toEqual([receipt!.energy_usage_total, receipt!.energy_penalty_total]);
}

test.each([
  'adaptive-energy-and-fee-pool',
  'case-throwable-logs',
  'contract-mix-2',
  'contracts-energy',
  'dynamic-energy',
  'gaps',
  'precompiles',
  'stake-v1-to-v2',
  'trc20-costs',
  'tvm-edges',
  'vm-fuzz-1',
  'vm-fuzz-7101',
])('%s', async (name) => {
  const recording = readRecording(join(RECORDINGS, name));
  const { chain } = await openRecordedNode(recording, { ...recording.settings, vmLimit: undefined });
  const { ledger } = chain;
  let executions = 0;
  for (const line of recording.lines) {
    if (line.kind !== 'block') continue;
    const { header, transactions } = decodeBlock(hexToBytes(line.block));
    const { number, timestamp, witness_address } = header.raw_data!;
    const place = {
      inBlock: true,
      number: Number(number),
      timestampMs: timestamp,
      producer: witness_address as Address,
    };
    ledger.state.dryRun(() => {
      ledger.setLong('BLOCK_ENERGY_USAGE', 0n);
      for (const [index, transaction] of transactions.entries()) {
        const recorder = new FrameRecorder();
        const { info } = applyTransaction(ledger, place, transaction, index, { tracer: recorder });
        expect(bytesToHex(TransactionInfo.encode(info)), transaction.txId).toBe(line.infos[index]);
        const isDeployment = transaction.contractType === ContractType.CreateSmartContract;
        const top = recorder.tree(Number(info.receipt?.energy_usage_total ?? 0n), isDeployment);
        if (top === undefined) continue;
        executions++;
        expectEnergy(top, info);
        expect(standingLogs(top), transaction.txId).toEqual(
          info.log.map(({ address, topics, data }) => `${address} ${topics.join()} ${data}`),
        );
        // A receipt that did not succeed may have lost them.
        if (failed(top)) continue;
        expect(internals(top), transaction.txId).toEqual(
          info.internal_transactions.map(({ note, caller_address: from, transferTo_address: to, callValueInfo }) => ({
            ...{ note: hexToUtf8(note), from, to, sun: callValueInfo[0]?.callValue ?? 0n },
            tokens: callValueInfo
              .slice(1)
              .map(({ tokenId, callValue }) => `${tokenId}:${callValue}`)
              .sort()
              .join(),
          })),
        );
      }
    });
    chain.import(header, transactions);
  }
  expect(executions).toBeGreaterThan(15);
});
