/** Where in the sources a transaction failed. It is run once more for that, and only where there are artifacts. */

import type { Chain } from '../node/chain.js';
import { FrameRecorder } from '../tracing/frame-recorder.js';
import { contractRef } from './action.js';
import type { SourceSite } from './explanation.js';
import { inPlace, run, type Scene, treeOf } from './in-place.js';
import { failureSites } from './source-lines.js';
import { spendingOf } from './source-spending.js';

/** Innermost first; undefined without artifacts, and where none of them tells a line. */
export function stackOf(scene: Scene): readonly SourceSite[] | undefined {
  const { before } = scene;
  if (before.config.knownContracts === undefined) return undefined;
  const spending = spendingOf(scene, 'function');
  const recorder = new FrameRecorder(spending);
  const top = treeOf(recorder, run(scene, { tracer: recorder }));
  if (top === undefined) return undefined;
  const sites = failureSites(spending, top, (address) => contractRef(before, address));
  return sites.some(({ line }) => line !== undefined) ? sites : undefined;
}

/** Of a transaction of the chain. @param index its place in the block */
export function stackInBlock(chain: Chain, block: number, index: number): readonly SourceSite[] | undefined {
  return chain.ledger.config.knownContracts && inPlace(chain, block, index, stackOf);
}
