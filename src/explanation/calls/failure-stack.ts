/**
 * The stack trace of a failure in the sources, and the contracts that the failed transaction created. Needs another
 * run, and only happens if there are artifacts.
 */

import type { Ledger } from '../../ledger/ledger.js';
import type { ConstantCalls } from '../../ledger/smart-contracts/constant-call.js';
import { namesOn } from '../../ledger/smart-contracts/names.js';
import type { Chain } from '../../node/chain/chain.js';
import type { TxId } from '../../primitives/ids.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { FrameRecorder } from '../../tracing/frame-recorder.js';
import type { FrameRecord } from '../../tracing/frames.js';
import { contractsCreatedIn } from '../model/created-contracts.js';
import { contractRef } from '../outcome/action.js';
import type { FailureDetails } from '../outcome/failure.js';
import { inPlaceAtOnce, run, type Scene, treeOf } from '../rerun/in-place.js';
import { failureSites } from '../sources/source-lines.js';
import { type SourceSpending, spendingOf } from '../sources/source-spending.js';

/** Undefined without artifacts. */
export function stackOf(scene: Scene): FailureDetails | undefined {
  const { before, transaction } = scene;
  if (before.config.knownContracts === undefined) return undefined;
  const isDeployment = transaction.contractType === ContractType.CreateSmartContract;
  const spending = spendingOf(before, isDeployment, 'function');
  const recorder = new FrameRecorder(spending);
  return failureDetails(before, spending, treeOf(recorder, run(scene, { tracer: recorder })), transaction);
}

/** For a call without a transaction, on the current ledger. A call that failed before may succeed now. */
export function stackOfCall(
  calls: ConstantCalls,
  ledger: Ledger,
  call: Sent<TriggerSmartContract>,
  txId: TxId,
): FailureDetails | undefined {
  const isDeployment = call.contract_address === '';
  const spending = spendingOf(ledger, isDeployment, 'function');
  const recorder = new FrameRecorder(spending);
  const { energyUsed } = calls.run(ledger, call, { txId, tracer: recorder });
  return failureDetails(ledger, spending, recorder.tree(energyUsed, isDeployment), undefined);
}

function failureDetails(
  ledger: Ledger,
  spending: SourceSpending,
  top: FrameRecord | undefined,
  transaction: SignedTransaction | undefined,
): FailureDetails | undefined {
  if (top === undefined) return undefined;
  const sites = failureSites(spending, top, (address) => contractRef(namesOn(ledger), address));
  const stack = sites.some(({ line }) => line !== undefined) ? sites : undefined;
  return { stack, created: contractsCreatedIn(ledger, top, transaction) };
}

/** For a transaction of the chain. @param index its position in the block */
export function stackInBlock(chain: Chain, block: number, index: number): FailureDetails | undefined {
  return chain.ledger.config.knownContracts && inPlaceAtOnce(chain, block, index, stackOf);
}
