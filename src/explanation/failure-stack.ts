/** Where in the sources something failed. It is run once more for that, and only where there are artifacts. */

import type { Ledger } from '../ledger/ledger.js';
import type { ConstantCalls } from '../ledger/smart-contracts/constant-call.js';
import type { Chain } from '../node/chain.js';
import type { TriggerSmartContract } from '../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../protocol/generated/tron.js';
import type { Sent } from '../protocol/message-type.js';
import { FrameRecorder } from '../tracing/frame-recorder.js';
import type { FrameRecord } from '../tracing/frames.js';
import { NO_TRANSACTION } from '../wallet/calls.js';
import { contractRef } from './action.js';
import type { SourceSite } from './explanation.js';
import { inPlaceAtOnce, run, type Scene, treeOf } from './in-place.js';
import { failureSites } from './source-lines.js';
import { type SourceSpending, spendingOf } from './source-spending.js';

/** Innermost first; undefined without artifacts, and where none of them tells a line. */
export function stackOf(scene: Scene): readonly SourceSite[] | undefined {
  const { before, transaction } = scene;
  if (before.config.knownContracts === undefined) return undefined;
  const isDeployment = transaction.contractType === ContractType.CreateSmartContract;
  const spending = spendingOf(before, isDeployment, 'function');
  const recorder = new FrameRecorder(spending);
  return sitesIn(before, spending, treeOf(recorder, run(scene, { tracer: recorder })));
}

/** Of a call without a transaction, on the ledger as it is now: what failed before may not fail any more. */
export function stackOfCall(
  calls: ConstantCalls,
  ledger: Ledger,
  call: Sent<TriggerSmartContract>,
): readonly SourceSite[] | undefined {
  const isDeployment = call.contract_address === '';
  const spending = spendingOf(ledger, isDeployment, 'function');
  const recorder = new FrameRecorder(spending);
  const { energyUsed } = calls.run(ledger, call, { txId: NO_TRANSACTION, tracer: recorder });
  return sitesIn(ledger, spending, recorder.tree(energyUsed, isDeployment));
}

function sitesIn(
  ledger: Ledger,
  spending: SourceSpending,
  top: FrameRecord | undefined,
): readonly SourceSite[] | undefined {
  if (top === undefined) return undefined;
  const sites = failureSites(spending, top, (address) => contractRef(ledger, address));
  return sites.some(({ line }) => line !== undefined) ? sites : undefined;
}

/** Of a transaction of the chain. @param index its place in the block */
export function stackInBlock(chain: Chain, block: number, index: number): readonly SourceSite[] | undefined {
  return chain.ledger.config.knownContracts && inPlaceAtOnce(chain, block, index, stackOf);
}
