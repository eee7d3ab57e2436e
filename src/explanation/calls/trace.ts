/**
 * The call tree (`call-tree.ts`) of a transaction: it runs again in its place with a recorder. Names are looked up at
 * once in the state of that moment (`frame-names.ts`); values are decoded later.
 */

import { type SuppliedContract, SuppliedContracts } from '../../artifacts/supplied-contracts.js';
import { Ledger } from '../../ledger/ledger.js';
import type { ConstantCalls } from '../../ledger/smart-contracts/constant-call.js';
import type { Chain } from '../../node/chain/chain.js';
import { hexToUtf8 } from '../../primitives/hex.js';
import type { TxId } from '../../primitives/ids.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import {
  Transaction_Result_contractResult as ContractResult,
  Transaction_Contract_ContractType as ContractType,
} from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import { FrameRecorder } from '../../tracing/frame-recorder.js';
import { codesOf } from '../model/created-contracts.js';
import { inPlace, placeOf, run, type Scene, type Stage, throughBlockAtOnce, treeOf } from '../rerun/in-place.js';
import { NumberedFiles } from '../sources/call-sources.js';
import { spendingOf } from '../sources/source-spending.js';
import { resultName, transactionHead } from '../summary/summary.js';
import { changesSince } from './account-changes.js';
import type { CallTree, TracedCall } from './call-tree.js';
import { type Deferred, FrameNames } from './frame-names.js';

/** Parts of a trace besides its calls, and additional sources of names. */
export interface TraceOptions {
  /** Energy by source line, and the stack trace of a failure. */
  readonly lines?: boolean | undefined;
  /** A profile for charts, by function or by line. */
  readonly profile?: 'function' | 'line' | undefined;
  /** The functions that each call ran, with the Energy of their lines, and the texts of their files. */
  readonly sources?: boolean | undefined;
  /** What changed on accounts, and transfers of tokens. */
  readonly changes?: boolean | undefined;
  /** The executed codes, for clients that look up their artifacts. */
  readonly codes?: boolean | undefined;
  /** Contracts that outrank those of the node. */
  readonly contracts?: readonly SuppliedContract[] | undefined;
}

/**
 * @throws NotExplainableError for an invalid id, and for a transaction that is not on the chain, is pending, or is in
 *   the genesis
 */
export async function traceOf(stage: Stage, txid: string, options: TraceOptions = {}): Promise<CallTree> {
  const { block, index } = placeOf(stage, txid);
  const recorded = await inPlace(stage, block, index, (scene) => record(scene, options));
  return (await finisher())(recorded);
}

/** The call trees of all transactions of a block, in order. The runs happen at once, for listeners of the block. */
export function tracesOfBlock(chain: Chain, block: number): Promise<readonly CallTree[]> {
  const recorded = throughBlockAtOnce(chain, block, (scene) => record(scene));
  return finisher().then((finish) => recorded.map(finish));
}

/** For a scene that is not on the chain: names are looked up at once, values are decoded by the returned function. */
export function traceScene(scene: Scene, options: TraceOptions): () => Promise<CallTree> {
  const recorded = record(scene, options);
  return async () => (await finisher())(recorded);
}

/** For a call without a transaction, on the current ledger; undefined if no code ran. */
export function traceOfCall(
  calls: ConstantCalls,
  ledger: Ledger,
  call: Sent<TriggerSmartContract>,
  txId: TxId,
): Promise<TracedCall> | undefined {
  const recorder = new FrameRecorder();
  const { energyUsed } = calls.run(ledger, call, { txId, tracer: recorder });
  const top = recorder.tree(energyUsed, call.contract_address === '');
  const named = top && new FrameNames(ledger, top, undefined).callOf(top);
  return named && import('../../abi/values.js').then(({ decodeValues }) => named(decodeValues));
}

type Recorded = Deferred<CallTree>;

async function finisher(): Promise<(recorded: Recorded) => CallTree> {
  const { decodeValues } = await import('../../abi/values.js');
  return (recorded) => recorded(decodeValues);
}

/** Runs the transaction of a scene and names its frames. */
function record(given: Scene, options: TraceOptions = {}): Recorded {
  const { lines = false, profile, sources = false, codes = false, contracts } = options;
  const scene = contracts === undefined ? given : { ...given, before: knowing(given.before, contracts) };
  const { before, place, transaction } = scene;
  const isDeployment = transaction.contractType === ContractType.CreateSmartContract;
  const spending =
    lines || sources || profile !== undefined ? spendingOf(before, isDeployment, profile ?? 'function') : undefined;
  const recorder = new FrameRecorder(spending);
  const start = before.state.mark();
  const { applied, changes } = run(scene, { tracer: recorder }, (applied) => ({
    applied,
    ...(options.changes === true && { changes: changesSince(before, start, applied.info) }),
  }));
  const { contractRet, info } = applied;
  const top = treeOf(recorder, applied);
  const files = new NumberedFiles();
  const placed = sources && spending !== undefined ? { spending, files } : undefined;
  const namer = top && new FrameNames(before, top, applied.transaction, placed);
  const call = top && namer?.callOf(top);
  const head = {
    ...transactionHead(before, transaction),
    block: place.number,
    outcome: {
      succeeded: contractRet === ContractResult.SUCCESS || top === undefined,
      result: resultName(contractRet),
      ...(info.resMessage !== '' && { message: hexToUtf8(info.resMessage) }),
    },
    ...(spending !== undefined && top !== undefined && namer?.sourcesOf(spending, top, lines, profile)),
    ...(changes !== undefined && { changes }),
    ...(sources && { files: files.texts }),
    ...(codes && { codes: top === undefined ? [] : codesOf(before, top) }),
  };
  return (decode) => ({ ...head, ...(call !== undefined && { call: call(decode) }) });
}

function knowing({ state, config }: Ledger, contracts: readonly SuppliedContract[]): Ledger {
  return new Ledger(state, { ...config, knownContracts: new SuppliedContracts(contracts, config.knownContracts) });
}
