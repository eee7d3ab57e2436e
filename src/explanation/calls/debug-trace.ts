/**
 * The answers of `debug_trace…`: a transaction in its place, a block, or a call, traced by one of geth's tracers
 * (protocol/devnet-methods.md#tre-methods-exact, protocol/devnet-methods.md#debug-and-trace). Every answer is a view of
 * the records of `tracing/`.
 */

import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import { applyTransaction } from '../../ledger/apply-transaction.js';
import { blockIdAt } from '../../ledger/blocks/block-ids.js';
import { blockOutline } from '../../ledger/blocks/blocks.js';
import type { Ledger } from '../../ledger/ledger.js';
import { tvmFlags } from '../../ledger/smart-contracts/flags.js';
import { bytesToHex, type Hex } from '../../primitives/hex.js';
import { type Address, isAddress, type TxId } from '../../primitives/ids.js';
import type { TransferContract } from '../../protocol/generated/balance-contract.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import {
  Transaction_Result_contractResult as ContractResult,
  Transaction_Contract_ContractType as ContractType,
} from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { type CallFrame, type CallTracerConfig, callTrace, ethereumAddress } from '../../tracing/call-tracer.js';
import { combineTracers } from '../../tracing/combined-tracers.js';
import { flatCalls, type TransactionPosition } from '../../tracing/flat-calls.js';
import { FrameRecorder } from '../../tracing/frame-recorder.js';
import { selectorCounts } from '../../tracing/selectors.js';
import { type StepParts, StepRecorder } from '../../tracing/step-recorder.js';
import { StructLogs } from '../../tracing/struct-logs.js';
import { TouchedRows } from '../../tracing/touched-rows.js';
import { TraceTooLong } from '../../tracing/trace-too-long.js';
import { operationsFor } from '../../tvm/opcodes/table.js';
import type { Tracer } from '../../tvm/trace.js';
import { type BlockOverrides, NO_TRANSACTION, type StateOverrides, withOverrides } from '../../wallet/calls.js';
import type { WalletContext } from '../../wallet/context.js';
import { getCode } from '../../wallet/contracts.js';
import { NotExplainableError } from '../model/not-explainable.js';
import { inPlace, placeOf, type Scene, type Stage, throughBlock } from '../rerun/in-place.js';
import { typeName } from '../summary/summary.js';
import { type PrestateConfig, prestate, statesOf } from './prestate.js';

export { TraceTooLong };

/** The tracer and its settings. */
export type TraceView = SingleView | { readonly tracer: 'muxTracer'; readonly views: readonly SingleView[] };

export type SingleView =
  | StepView
  | ({ readonly tracer: 'callTracer' } & CallTracerConfig)
  | { readonly tracer: 'flatCallTracer'; readonly includePrecompiles: boolean }
  | ({ readonly tracer: 'prestateTracer' } & PrestateConfig)
  | { readonly tracer: '4byteTracer' }
  | { readonly tracer: 'noopTracer' };

export interface StepView {
  readonly tracer: 'structLogs';
  readonly form: 'geth' | 'tre';
  readonly parts: StepParts;
  /** The maximum number of steps in the answer; 0: all. */
  readonly limit: number;
}

/** Replaced parts of the state and of the block. */
export interface CallOverrides {
  readonly state: StateOverrides | null;
  readonly block: BlockOverrides | undefined;
  /** The call runs on the state before this transaction of the block; undefined: on the state after the block. */
  readonly txIndex?: number | undefined;
  /** Whether an account without code can be called, as on Ethereum. */
  readonly toAnyAccount?: boolean;
}

/** The result of an execution. */
interface Outcome {
  readonly energyUsed: number;
  readonly failed: boolean;
  readonly output: Hex;
  readonly isDeployment: boolean;
  /** The frame of a transaction that runs no contract. */
  readonly plain?: CallFrame;
}

/** Runs the execution under the tracer; calls `afterwards` on the resulting state. */
type Run = (tracer: Tracer | undefined, afterwards: () => void) => Outcome;

/** The id of a transaction in traces. @example (txId) => `0x${txId}` */
export type TransactionName = (txId: TxId) => string;

const byId: TransactionName = (txId) => `0x${txId}`;

/**
 * Traces a transaction of the chain.
 *
 * @param room the maximum number of characters of the answer
 * @returns JSON
 * @throws NotExplainableError for a transaction that is not on the chain; TraceTooLong
 */
export async function traceTransaction(
  stage: Stage,
  txid: string,
  view: TraceView,
  room: number,
  named: TransactionName = byId,
): Promise<string> {
  const { block, index } = placeOf(stage, txid);
  return inPlace(stage, block, index, (scene) => traceScene(stage, scene, view, room, named));
}

/** Traces all transactions of a block, each with its id. @throws TraceTooLong */
export async function traceBlock(
  stage: Stage,
  blockNumber: number,
  view: TraceView,
  room: number,
  named: TransactionName = byId,
): Promise<string> {
  let left = room;
  const traces = await throughBlock(stage, blockNumber, (scene) => {
    const result = traceScene(stage, scene, view, left, named);
    const trace = `{"txHash":"${named(scene.transaction.txId)}","result":${result}}`;
    left -= trace.length + 1;
    return trace;
  });
  return `[${traces.join()}]`;
}

/** The flat calls of all transactions of a block in one list, in Parity's format. @throws TraceTooLong */
export async function flatCallsOfBlock(
  stage: Stage,
  blockNumber: number,
  room: number,
  named: TransactionName,
): Promise<string> {
  let left = room;
  const lists = await throughBlock(stage, blockNumber, (scene) => {
    const list = traceScene(stage, scene, { tracer: 'flatCallTracer', includePrecompiles: false }, left, named);
    left -= list.length;
    return list.slice(1, -1);
  });
  return `[${lists.filter((list) => list !== '').join()}]`;
}

/**
 * Traces a call without a transaction, on a view of the chain.
 *
 * @throws JavaException for a refused call; NotExplainableError for a `txIndex` that the block does not have;
 *   TraceTooLong
 */
export async function traceCall(
  wallet: WalletContext,
  call: Sent<TriggerSmartContract>,
  overrides: CallOverrides,
  view: TraceView,
  room: number,
): Promise<string> {
  const { txIndex, block } = overrides;
  if (txIndex === undefined) return traceCallOn(wallet, call, overrides, view, room);
  const { chain } = wallet.node;
  const number = wallet.ledger.headNumber;
  const count = blockOutline(chain.ledger, number)?.transactionIds.length ?? 0;
  if (txIndex >= count)
    throw new NotExplainableError(`block ${number} has ${count} transactions; there is no transaction ${txIndex}`);
  return inPlace(wallet.node, number, txIndex, ({ before, place }) => {
    const facts = {
      number: block?.number ?? place.number,
      timestampMs: block?.timestampMs ?? place.timestampMs,
      producer: block?.producer ?? place.producer,
      energyPriceSun: block?.energyPriceSun,
    };
    return traceCallOn({ ...wallet, ledger: before }, call, { ...overrides, block: facts }, view, room);
  });
}

function traceCallOn(
  wallet: WalletContext,
  call: Sent<TriggerSmartContract>,
  overrides: CallOverrides,
  view: TraceView,
  room: number,
): string {
  const { ledger, node } = wallet;
  const isDeployment = call.contract_address === '';
  const run: Run = (tracer, afterwards) => {
    const { block } = overrides;
    if (overrides.toAnyAccount && !isDeployment && !hasCode(wallet, call.contract_address)) {
      afterwards();
      return { energyUsed: 0, failed: false, output: '', isDeployment, plain: plainCall(call) };
    }
    const result = node.calls.run(ledger, call, { txId: NO_TRANSACTION, tracer: tracer ?? {}, afterwards, block });
    const { energyUsed, runtimeError, output } = result;
    return { energyUsed, failed: runtimeError !== undefined, output: bytesToHex(output), isDeployment };
  };
  const parties = [call.owner_address, call.contract_address].filter(isAddress);
  return withOverrides(wallet, overrides.state, () => traced({ ledger, parties, run }, view, room));
}

function hasCode(wallet: WalletContext, address: Hex): boolean {
  return (getCode(wallet, address as Address)?.length ?? 0) > 0;
}

/** The single frame of a call to an account without code. */
function plainCall({ owner_address, contract_address, call_value, data }: Sent<TriggerSmartContract>): CallFrame {
  return {
    from: ethereumAddress(owner_address),
    gas: '0x0',
    gasUsed: '0x0',
    to: ethereumAddress(contract_address),
    input: `0x${data}`,
    value: `0x${call_value.toString(16)}`,
    type: 'CALL',
  };
}

function traceScene(
  { chain }: Stage,
  { before, place, transaction, index }: Scene,
  view: TraceView,
  room: number,
  named: TransactionName,
): string {
  const run: Run = (tracer, afterwards) =>
    before.state.dryRun(() => {
      const applied = applyTransaction(before, place, transaction, index, tracer && { tracer });
      afterwards();
      return outcomeOf(applied);
    });
  const { owner, contractType, contract } = transaction;
  const to =
    contractType === ContractType.TransferContract
      ? (contract as TransferContract).to_address
      : contractType === ContractType.TriggerSmartContract
        ? (contract as TriggerSmartContract).contract_address
        : '';
  const parties = [owner ?? '', to].filter(isAddress);
  const flatPlace: TransactionPosition = {
    blockHash: `0x${blockIdAt(chain.ledger, place.number)}`,
    blockNumber: place.number,
    transactionHash: named(transaction.txId),
    transactionPosition: index,
  };
  return traced({ ledger: before, parties, run, place: flatPlace }, view, room);
}

function outcomeOf({ transaction, contractRet, info }: AppliedTransaction): Outcome {
  const isDeployment = transaction.contractType === ContractType.CreateSmartContract;
  const runs = isDeployment || transaction.contractType === ContractType.TriggerSmartContract;
  return {
    energyUsed: Number(info.receipt?.energy_usage_total ?? 0n),
    failed: contractRet !== ContractResult.SUCCESS,
    output: info.contractResult[0] ?? '',
    isDeployment,
    ...(!runs && { plain: plainFrame(transaction) }),
  };
}

/** The single frame of a system contract: a transfer is a call with a value, any other contract has its type. */
function plainFrame({ contractType, contract, owner, ethereum }: SignedTransaction): CallFrame {
  const transfer = contractType === ContractType.TransferContract ? (contract as TransferContract) : undefined;
  return {
    from: ethereumAddress(owner ?? ''),
    gas: `0x${(ethereum?.gas ?? 0n).toString(16)}`,
    gasUsed: '0x0',
    ...(transfer !== undefined && { to: ethereumAddress(transfer.to_address) }),
    input: `0x${ethereum?.data ?? ''}`,
    ...(transfer !== undefined && { value: `0x${transfer.amount.toString(16)}` }),
    type: transfer === undefined ? typeName(contractType) : 'CALL',
  };
}

/** The execution to trace. */
interface Subject {
  readonly ledger: Ledger;
  readonly parties: readonly Address[];
  readonly run: Run;
  readonly place?: TransactionPosition | undefined;
}

/** The tracer of one view, and the text of its result. */
interface TracedView {
  /** Absent: the view needs only the result. */
  readonly tracer?: Tracer;
  /** Called on the resulting state. */
  readonly afterwards?: () => void;
  /** @param room the remaining characters of the answer */
  readonly result: (outcome: Outcome, room: number) => string;
}

function traced(subject: Subject, view: TraceView, room: number): string {
  const views = view.tracer === 'muxTracer' ? view.views : [view];
  const frames = new FrameRecorder();
  const tracedViews = views.map((one) => tracedView(subject, one, frames, room));
  // The execution runs once for all views: it may be as long as the limits allow.
  const tracers = [...new Set(tracedViews.flatMap(({ tracer }) => tracer ?? []))];
  const outcome = subject.run(tracers.length > 1 ? combineTracers(tracers) : tracers[0], () => {
    for (const { afterwards } of tracedViews) afterwards?.();
  });
  if (view.tracer !== 'muxTracer') return (tracedViews[0] as TracedView).result(outcome, room);
  let left = room;
  const members = view.views.map(({ tracer }, index) => {
    const member = `${JSON.stringify(tracer)}:${(tracedViews[index] as TracedView).result(outcome, left)}`;
    left -= member.length + 1;
    return member;
  });
  return `{${members.join()}}`;
}

/** @param frames shared by all views that show frames */
function tracedView(
  { ledger, parties, place }: Subject,
  view: SingleView,
  frames: FrameRecorder,
  room: number,
): TracedView {
  switch (view.tracer) {
    case 'structLogs': {
      const logs = new StructLogs(view.form, operationsFor(tvmFlags(ledger)).names, room);
      const steps = new StepRecorder(view.parts, logs.report, { limit: view.limit });
      return {
        tracer: steps,
        result: ({ energyUsed, failed, output }) => {
          steps.end();
          return view.form === 'tre'
            ? `{"failed":${failed},"gas":"","structLogs":${logs.text},"returnValue":""}`
            : `{"gas":${energyUsed},"failed":${failed},"returnValue":"0x${output}","structLogs":${logs.text}}`;
        },
      };
    }
    case 'callTracer':
    case 'flatCallTracer':
    case '4byteTracer':
      return {
        tracer: frames,
        result: ({ energyUsed, isDeployment, plain }, left) => {
          const top = frames.tree(energyUsed, isDeployment);
          if (view.tracer === '4byteTracer') return fitting(top === undefined ? {} : selectorCounts(top), left);
          if (view.tracer === 'callTracer')
            return fitting(top === undefined ? (plain ?? {}) : callTrace(top, view, left), left);
          const { includePrecompiles: precompiles } = view;
          const frame =
            top === undefined ? plain : callTrace(top, { onlyTopCall: false, withLog: false, precompiles }, left);
          return fitting(frame === undefined ? [] : flatCalls(frame, place), left);
        },
      };
    case 'prestateTracer': {
      const touched = new TouchedRows();
      for (const address of parties) touched.touch(address);
      let after: ReturnType<typeof statesOf> = new Map();
      return {
        tracer: touched,
        afterwards: () => {
          if (view.diffMode) after = statesOf(ledger, touched, view);
        },
        result: ({ isDeployment }, left) =>
          fitting(prestate(statesOf(ledger, touched, view), after, touched.created(isDeployment), view), left),
      };
    }
    case 'noopTracer':
      return { result: () => '{}' };
  }
}

function fitting(value: object, room: number): string {
  const text = JSON.stringify(value);
  if (text.length > room) throw new TraceTooLong();
  return text;
}
