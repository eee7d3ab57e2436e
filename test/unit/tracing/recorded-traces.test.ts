/**
 * Every tracer and the call tree over recorded chains, whatever their contracts do: each answer is JSON, and its figures
 * are the recorded receipts'.
 */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecording } from '../../../scripts/verify/recording.js';
import { openRecordedNode } from '../../../scripts/verify/replay.js';
import type { CallTree, TracedCall } from '../../../src/explanation/calls/call-tree.js';
import { TraceTooLong, type TraceView, traceBlock } from '../../../src/explanation/calls/debug-trace.js';
import { tracesOfBlock } from '../../../src/explanation/calls/trace.js';
import type { Node } from '../../../src/node/node.js';
import { hexToBytes } from '../../../src/primitives/hex.js';
import type { TxId } from '../../../src/primitives/ids.js';
import { callTreeLines } from '../../../src/prose/call-tree.js';
import { decodeBlock } from '../../../src/protocol/block.js';
import { TransactionInfo } from '../../../src/protocol/generated/tron.js';

const RECORDINGS = new URL('../../../fixtures/recorded/', import.meta.url).pathname;
const ROOM = 1_000_000;
const PARTS = { stack: true, memory: false, storage: true, returnData: true };

interface Entry<Result> {
  readonly txHash: string;
  readonly result: Result;
}

/** Undefined where it would be too long. */
async function traced<Result>(
  node: Node,
  block: number,
  view: TraceView,
): Promise<readonly Entry<Result>[] | undefined> {
  try {
    const text = await traceBlock(node, block, view, ROOM);
    expect(text.length).toBeLessThan(1.5 * ROOM);
    return JSON.parse(text) as readonly Entry<Result>[];
  } catch (error) {
    if (error instanceof TraceTooLong) return undefined;
    throw error;
  }
}

interface Call {
  readonly gas: string;
  readonly gasUsed: string;
  readonly calls?: readonly Call[];
  readonly logs?: readonly CallLog[];
}

interface CallLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly position: string;
}

/** In the order in which they were written: a position says how many calls came before. */
function logsOf({ calls = [], logs = [] }: Call): string[] {
  const at = (place: number) => logs.filter(({ position }) => Number(position) === place).map(logText);
  return [...calls.flatMap((call, place) => [...at(place), ...logsOf(call)]), ...at(calls.length)];
}

const logText = ({ address, topics, data }: Omit<CallLog, 'position'>): string => [address, ...topics, data].join(' ');

const recordedLogs = ({ log }: TransactionInfo): string[] =>
  log.map(({ address, topics, data }) =>
    logText({ address: `0x${address}`, topics: topics.map((topic) => `0x${topic}`), data: `0x${data}` }),
  );

interface Steps {
  readonly gas: number;
  readonly structLogs: readonly { readonly gas: number; readonly gasCost: number; readonly depth: number }[];
}

const energyOf = (call: TracedCall): bigint =>
  call.events.reduce((sum, event) => sum + (event.type === 'call' ? energyOf(event.call) : 0n), call.energy.own);

const inJson = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one));

function expectTree({ call }: CallTree, { receipt, id }: TransactionInfo): void {
  if (call === undefined) return;
  expect(call.energy.total, id).toBe(receipt!.energy_usage_total);
  if (!inJson(call).includes('"omitted"')) expect(energyOf(call), id).toBe(call.energy.total);
  for (const { text } of callTreeLines(call, '    ')) {
    expect(text.length).toBeLessThanOrEqual(120);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a contract says cannot move the cursor
    expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  }
}

test.each([
  ['tvm-edges', 1],
  ['precompiles', 12],
  ['vm-fuzz-1', 8],
  ['vm-fuzz-7101', 9],
  ['case-throwable-logs', 1],
  ['gaps', 3],
  ['stake-v1-to-v2', 1],
])('%s, every %dth block', async (name, every) => {
  const recording = readRecording(join(RECORDINGS, name));
  const node = await openRecordedNode(recording, { ...recording.settings, vmLimit: undefined });
  const { chain } = node;
  let executions = 0;
  for (const line of recording.lines) {
    if (line.kind !== 'block') continue;
    const { header, transactions } = decodeBlock(hexToBytes(line.block));
    chain.import(header, transactions);
    if (line.number % every !== 0 || transactions.length === 0) continue;
    const infos = line.txids.map((txId: TxId) =>
      TransactionInfo.decode(chain.ledger.state.tables.transactions.get(txId)!.info),
    );
    const energies = infos.map(({ receipt }) => Number(receipt?.energy_usage_total ?? 0n));
    executions += energies.filter((energy) => energy > 0).length;
    for (const [at, tree] of (await tracesOfBlock(chain, line.number)).entries()) expectTree(tree, infos[at]!);
    const calls = await traced<Call>(node, line.number, { tracer: 'callTracer', onlyTopCall: false, withLog: true });
    expect(calls?.map(({ result }) => Number(result.gasUsed)) ?? energies).toEqual(energies);
    for (const [at, { result }] of (calls ?? []).entries()) expect(logsOf(result)).toEqual(recordedLogs(infos[at]!));
    const steps = await traced<Steps>(node, line.number, {
      tracer: 'structLogs',
      form: 'geth',
      parts: PARTS,
      limit: 0,
    });
    for (const [at, { result }] of (steps ?? []).entries()) {
      expect(result.gas).toBe(energies[at]);
      for (const { gas, gasCost } of result.structLogs) expect(gasCost).toBeLessThanOrEqual(gas);
    }
    await traced(node, line.number, {
      tracer: 'structLogs',
      form: 'tre',
      parts: { ...PARTS, memory: true },
      limit: 200,
    });
    await traced(node, line.number, { tracer: '4byteTracer' });
    for (const diffMode of [true, false])
      await traced(node, line.number, { tracer: 'prestateTracer', diffMode, disableCode: true, disableStorage: false });
  }
  expect(executions).toBeGreaterThan(10);
});
