/**
 * From a transaction of the chain to its call tree (`call-tree.ts`): it is run again in its place and looked at. Names are
 * found while its state is at hand (`frame-names.ts`); values are decoded behind that.
 */

import { type HandedContract, HandedContracts } from '../../artifacts/handed-contracts.js';
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
import { spendingOf } from '../sources/source-spending.js';
import { resultName, transactionHead } from '../summary/summary.js';
import type { CallTree, TracedCall } from './call-tree.js';
import { FrameNames, type Later } from './frame-names.js';

/** What a trace has beside its calls, and where its names are from. */
export interface TraceOptions {
  /** Energy by line of the sources, and the stack trace of a failure. */
  readonly lines?: boolean | undefined;
  /** A profile, for charts: what a part of it is. */
  readonly profile?: 'function' | 'line' | undefined;
  /** The codes that ran, for who finds their artifacts. */
  readonly codes?: boolean | undefined;
  /** Known before the node's own. */
  readonly contracts?: readonly HandedContract[] | undefined;
}

/** @throws NotExplainableError for what is no id, is not on the chain, waits for its block, or stands in the genesis */
export async function traceOf(stage: Stage, txid: string, options: TraceOptions = {}): Promise<CallTree> {
  const { block, index } = placeOf(stage, txid);
  const recorded = await inPlace(stage, block, index, (scene) => record(scene, options));
  return (await finisher())(recorded);
}

/** Those of all transactions of a block, in order; looked at at once, for who is told of the block. */
export function tracesOfBlock(chain: Chain, block: number): Promise<readonly CallTree[]> {
  const recorded = throughBlockAtOnce(chain, block, (scene) => record(scene));
  return finisher().then((finish) => recorded.map(finish));
}

/** Of a scene that is not the chain's: names are found at once, values when the tree is asked for. */
export function traceScene(scene: Scene, options: TraceOptions): () => Promise<CallTree> {
  const recorded = record(scene, options);
  return async () => (await finisher())(recorded);
}

/** Of a call without a transaction, on the ledger as it is now; undefined where no program ran. */
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

type Recorded = Later<CallTree>;

async function finisher(): Promise<(recorded: Recorded) => CallTree> {
  const { decodeValues } = await import('../../abi/values.js');
  return (recorded) => recorded(decodeValues);
}

/** Runs the transaction of a scene and names what it did. */
function record(given: Scene, { lines = false, profile, codes = false, contracts }: TraceOptions = {}): Recorded {
  const scene = contracts === undefined ? given : { ...given, before: knowing(given.before, contracts) };
  const { before, place, transaction } = scene;
  const isDeployment = transaction.contractType === ContractType.CreateSmartContract;
  const spending = lines || profile !== undefined ? spendingOf(before, isDeployment, profile ?? 'function') : undefined;
  const recorder = new FrameRecorder(spending);
  const applied = run(scene, { tracer: recorder });
  const { contractRet, info } = applied;
  const top = treeOf(recorder, applied);
  const namer = top && new FrameNames(before, top, applied.transaction);
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
    ...(codes && { codes: top === undefined ? [] : codesOf(before, top) }),
  };
  return (decode) => ({ ...head, ...(call !== undefined && { call: call(decode) }) });
}

function knowing({ state, config }: Ledger, contracts: readonly HandedContract[]): Ledger {
  return new Ledger(state, { ...config, knownContracts: new HandedContracts(contracts, config.knownContracts) });
}
