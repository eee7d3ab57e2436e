/**
 * Developer methods about an execution: `debug_trace…` and `debug_storageRangeAt`
 * (protocol/devnet-methods.md#tre-methods-exact, #debug-and-trace). Read-only; the code is loaded with the first
 * request.
 */

import { PastStateError } from '../../errors/past-state-error.js';
import type { CallOverrides, SingleView, StepView, TraceView } from '../../explanation/calls/debug-trace.js';
import { type Stage, stageFor } from '../../explanation/rerun/in-place.js';
import type { Hex } from '../../primitives/hex.js';
import type { Address, TxId } from '../../primitives/ids.js';
import { fromBase58 } from '../../protocol/address.js';
import { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { readHex } from '../../protocol/json/hex-text.js';
import type { WalletContext } from '../../wallet/context.js';
import { txIdNamed } from '../../wallet/ethereum.js';
import { forwardingTo, isPrecompile } from '../../wallet/precompiles.js';
import {
  anything,
  type Binder,
  type CallObject,
  callDataOf,
  callObject,
  LENIENT,
  long,
  stateBlock,
  text,
} from '../arguments.js';
import { blockOverrides } from '../block-overrides.js';
import { blockNamed, blockWithHash, FRIENDLY_TAGS } from '../block-tags.js';
import { stateOf } from '../dialect.js';
import { internalError, invalidParams } from '../errors.js';
import { blockSeen } from '../ethereum/calls.js';
import { isMembers, type Json, type JsonMembers } from '../json-text.js';
import { shownHash } from '../objects.js';
import { stateOverrides } from '../state-overrides.js';
import { AnswerTooLong, type Method, RawJson, type RpcContext } from '../table.js';
import { readAddress, readAmount } from '../values.js';

/** Options as in geth; `timeout` and `reexec` are ignored, because they have no effect here. */
interface Options {
  readonly view: TraceView;
  readonly overrides: CallOverrides;
}

const TRACERS = ['callTracer', 'flatCallTracer', 'prestateTracer', '4byteTracer', 'muxTracer', 'noopTracer'] as const;

const traceOptions: Binder<Options | null> = (value) => {
  if (value === null) return null;
  if (!isMembers(value)) throw invalidParams('the options of a trace are an object');
  const { tracer, tracerConfig } = value;
  const overrides = {
    state: stateOverrides(value.stateOverrides ?? null),
    block: blockOverrides(value.blockOverrides ?? null) ?? undefined,
    txIndex: indexOf(value.txIndex ?? null),
  };
  if (tracer === undefined || tracer === null || tracer === '') return { view: stepView(value), overrides };
  const config = isMembers(tracerConfig ?? null) ? (tracerConfig as JsonMembers) : {};
  return { view: viewOf(tracer, config), overrides };
};

/** As in geth: a quantity or a number. */
function indexOf(value: Json): number | undefined {
  if (value === null) return undefined;
  const index = typeof value === 'string' && /^0x[\da-f]{1,8}$/i.test(value) ? Number(value) : value;
  if (typeof index === 'number' && Number.isSafeInteger(index) && index >= 0) return index;
  throw invalidParams('txIndex is the place of a transaction in its block, such as 0x1');
}

function viewOf(tracer: Json, config: JsonMembers): TraceView {
  switch (tracer) {
    case 'callTracer':
      return { tracer, onlyTopCall: config.onlyTopCall === true, withLog: config.withLog === true };
    case 'prestateTracer': {
      const { diffMode, disableCode, disableStorage } = config;
      return {
        tracer,
        diffMode: diffMode === true,
        disableCode: disableCode === true,
        disableStorage: disableStorage === true,
      };
    }
    case 'flatCallTracer':
      return { tracer, includePrecompiles: config.includePrecompiles === true };
    case 'muxTracer':
      return { tracer, views: Object.entries(config).map(([name, of]) => muxed(name, of)) };
    case '4byteTracer':
    case 'noopTracer':
      return { tracer };
    default:
      throw invalidParams(
        `unsupported tracer type: ${typeof tracer === 'string' ? tracer.slice(0, 80) : 'no text'}; known: ${TRACERS.join(', ')}; without a tracer the answer has struct logs`,
      );
  }
}

/** One of several tracers; geth does not allow nesting. */
function muxed(tracer: string, config: Json): SingleView {
  const view = viewOf(tracer, isMembers(config) ? config : {});
  if (view.tracer === 'muxTracer') throw invalidParams('muxTracer cannot be one of the tracers of muxTracer');
  return view;
}

function stepView(options: JsonMembers): StepView {
  const { disableStack, disableStorage, enableMemory, disableMemory, enableReturnData, limit } = options;
  return {
    tracer: 'structLogs',
    form: 'geth',
    parts: {
      stack: disableStack !== true,
      storage: disableStorage !== true,
      // geth has memory off by default, Ganache on.
      memory: enableMemory === true || disableMemory === false,
      returnData: enableReturnData === true,
    },
    limit: typeof limit === 'number' && limit > 0 ? limit : 0,
  };
}

const EVERYTHING = { stack: true, memory: true, storage: true, returnData: false };
const TRE: TraceView = { tracer: 'structLogs', form: 'tre', parts: EVERYTHING, limit: 0 };

const FLAT: TraceView = { tracer: 'flatCallTracer', includePrecompiles: false };

/** TRE's tools pass no options and expect TRE's form. */
function viewFor({ path }: RpcContext, options: Options | null): TraceView {
  return options?.view ?? (path === 'tre' ? TRE : stepView({}));
}

type Traces = typeof import('../../explanation/calls/debug-trace.js');

async function traced(
  { pause, wallet, isGone }: RpcContext,
  work: (traces: Traces, stage: Stage) => Promise<string>,
): Promise<RawJson> {
  const traces = await import('../../explanation/calls/debug-trace.js');
  const { NotExplainableError } = await import('../../explanation/model/not-explainable.js');
  // While the code was loaded, others of the round have come this far.
  await pause(true);
  try {
    return new RawJson(await work(traces, stageFor(wallet.node, { isGone })));
  } catch (error) {
    if (error instanceof traces.TraceTooLong) throw new AnswerTooLong();
    if (error instanceof NotExplainableError) {
      // The transaction exists, but not the state before it.
      if (error.cause instanceof PastStateError) throw internalError(error.message);
      throw internalError(`transaction not found: ${error.message}`);
    }
    throw error;
  }
}

/** Accepts a transaction's id, and the hash of Ethereum's tools. */
function txIdOf({ wallet, dialect }: RpcContext, hash: string | null): string {
  const text = hash ?? '';
  const known = dialect.ethereum ? /^(?:0x)?([\da-f]{64})$/i.exec(text)?.[1] : undefined;
  return known === undefined ? text : txIdNamed(wallet, known.toLowerCase());
}

const naming = ({ wallet, dialect }: RpcContext) => {
  return (txId: TxId) => shownHash(wallet, dialect, txId);
};

function traceTransaction(context: RpcContext, txid: string | null, view: TraceView): Promise<RawJson> {
  return traced(context, (traces, stage) =>
    traces.traceTransaction(stage, txIdOf(context, txid), view, context.roomLeft, naming(context)),
  );
}

function traceBlock(context: RpcContext, number: number | undefined, options: Options | null): Promise<RawJson> {
  if (number === undefined) throw internalError('block not found');
  if (number === 0) throw internalError('genesis is not traceable');
  return traced(context, (traces, stage) =>
    traces.traceBlock(stage, number, viewFor(context, options), context.roomLeft, naming(context)),
  );
}

/** As in Parity: the genesis block has no calls. */
function flatCallsOfBlock(context: RpcContext, number: number | undefined): readonly [] | null | Promise<RawJson> {
  if (number === undefined) return null;
  if (number === 0) return [];
  return traced(context, (traces, stage) => traces.flatCallsOfBlock(stage, number, context.roomLeft, naming(context)));
}

function traceCall(
  context: RpcContext,
  given: CallObject | null,
  block: Json,
  options: Options | null,
): Promise<RawJson> {
  if (given === null) throw invalidParams('there is no call to trace');
  const call = {
    ...TriggerSmartContract.empty,
    owner_address: anyAddress(given.from),
    contract_address: given.to === null || given.to === '' || given.to === '0x' ? '' : anyAddress(given.to),
    call_value: readAmount(given.value),
    data: readHex(callDataOf(given)),
  };
  const overrides = options?.overrides ?? NO_OVERRIDES;
  return traced(context, (traces) => {
    const newest = context.wallet;
    const wallet = stateAt(newest, block);
    const around = context.dialect.ethereum ? asEthereumCall(newest, wallet, block, call, overrides) : overrides;
    return traces.traceCall(wallet, call, around, viewFor(context, options), context.roomLeft);
  });
}

/** As `eth_call` runs it: in the block that it sees, also to a precompiled contract or a plain account. */
function asEthereumCall(
  newest: WalletContext,
  wallet: WalletContext,
  named: Json,
  { contract_address }: { readonly contract_address: Hex },
  overrides: CallOverrides,
): CallOverrides {
  const { state, txIndex } = overrides;
  const to = contract_address as Address;
  const forwards = to !== '' && state?.has(to) !== true && isPrecompile(wallet, to);
  return {
    ...overrides,
    toAnyAccount: true,
    ...(forwards && { state: new Map([...(state ?? []), ...forwardingTo(to)]) }),
    ...(txIndex === undefined && { block: blockSeen(newest, wallet, named, overrides.block ?? null) }),
  };
}

const NO_OVERRIDES: CallOverrides = { state: null, block: undefined };

function stateAt(wallet: WalletContext, block: Json): WalletContext {
  return stateOf(wallet, block);
}

const MAX_ROWS = 10_000n;

/** TRE's form: rows by their keys, without `0x`. The index of the transaction is ignored. */
async function storageRangeAt(
  context: RpcContext,
  block: Json,
  _index: Json,
  address: string | null,
  start: string | null,
  limit: bigint,
): Promise<object> {
  const { storageRange } = await import('../../wallet/storage-range.js');
  await context.pause(true);
  const { wallet: newest, path } = context;
  // TRE's own tests request block 0 and expect the current state.
  const wallet = path === 'tre' ? newest : stateAt(newest, blockOf(block));
  const from = path === 'tre' ? '' : (start ?? '').replace(/^0x/, '');
  const max = limit > MAX_ROWS || limit <= 0n ? MAX_ROWS : limit;
  const { rows, next } = await storageRange(
    wallet,
    anyAddress(address),
    from,
    path === 'tre' ? Number(MAX_ROWS) : Number(max),
  );
  const shown = (word: bigint) => word.toString(16).padStart(64, '0');
  return {
    storage: Object.fromEntries(rows.map(([row, value]) => [row, { value: shown(value) }])),
    nextKey: next ?? null,
  };
}

/** TRE's tools also use base58. */
function anyAddress(given: string | null): Address {
  return (given === null ? undefined : fromBase58(given)) ?? readAddress(given);
}

/** A block hash without further members. */
function blockOf(block: Json): Json {
  return typeof block === 'string' && /^0x[\da-f]{64}$/i.test(block) ? { blockHash: block } : block;
}

const row = <const Parameters extends readonly Binder<unknown>[]>(
  name: string,
  parameters: Parameters,
  required: number,
  answer: (context: RpcContext, ...bound: { [Index in keyof Parameters]: ReturnType<Parameters[Index]> }) => unknown,
): Method => ({
  ...{ name, forDevelopers: true, callers: 'trusted', parameters, required },
  answer: answer as Method['answer'],
});

/** Call objects accept the newer name of `data`, on all paths. */
const anyCall: Binder<CallObject | null> = (value) => callObject(value, LENIENT);
const anyBlock: Binder<Json> = (value) => stateBlock(value, LENIENT);

export const debugMethods: readonly Method[] = [
  row('debug_traceTransaction', [text, traceOptions], 1, (context, txid, options) =>
    traceTransaction(context, txid, viewFor(context, options)),
  ),
  row('debug_traceCall', [anyCall, anyBlock, traceOptions], 1, traceCall),
  row('debug_traceBlockByNumber', [text, traceOptions], 1, (context, number, options) =>
    traceBlock(context, blockNamed(context.wallet, { tags: FRIENDLY_TAGS }, number), options),
  ),
  row('debug_traceBlockByHash', [text, traceOptions], 1, (context, hash, options) =>
    traceBlock(context, blockWithHash(context.wallet, hash), options),
  ),
  // As in Parity and anvil.
  row('trace_transaction', [text], 1, (context, txid) => traceTransaction(context, txid, FLAT)),
  row('trace_block', [text], 1, (context, number) =>
    flatCallsOfBlock(context, blockNamed(context.wallet, { tags: FRIENDLY_TAGS }, number)),
  ),
  row('debug_storageRangeAt', [anyBlock, anything, text, text, long], 5, storageRangeAt),
];
