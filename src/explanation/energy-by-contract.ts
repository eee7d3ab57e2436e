/** The Energy of an execution by the contract under whose name it ran: a view of its frames. */

import type { Ledger } from '../ledger/ledger.js';
import type { Address } from '../primitives/ids.js';
import { allFrames, type FrameEnergy, type FrameRecord } from '../tracing/frames.js';
import { contractRef } from './action.js';
import type { ContractEnergy } from './explanation.js';

const FACTOR_UNIT = 10_000;

/**
 * In the order in which the contracts were first entered. Their totals add up to the Energy of the execution.
 *
 * @param names of contracts that are not on the chain yet, by address
 */
export function energyByContract(
  ledger: Ledger,
  top: FrameRecord,
  names: ReadonlyMap<Address, string>,
): readonly ContractEnergy[] {
  const byContract = new Map<Address, FrameRecord[]>();
  for (const frame of allFrames(top)) {
    const frames = byContract.get(frame.context);
    if (frames === undefined) byContract.set(frame.context, [frame]);
    else frames.push(frame);
  }
  return [...byContract].map(([address, frames]) => {
    const sum = (part: keyof FrameEnergy) => frames.reduce((total, { energy }) => total + energy[part], 0);
    return {
      ...contractRef(ledger, address, names.get(address)),
      frames: frames.length,
      // It changes between epochs only, so all frames of a contract have the same.
      factor: Math.max(...frames.map(({ factor }) => factor)) / FACTOR_UNIT,
      base: sum('base'),
      penalty: sum('penalty'),
      precompiles: sum('precompiles'),
      deposit: sum('deposit'),
      forfeited: sum('forfeited'),
      stipends: sum('stipends'),
      total: sum('total'),
    };
  });
}
