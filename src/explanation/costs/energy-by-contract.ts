/** The Energy of an execution by contract and by frame. It counts for the contract whose storage the frame uses. */

import type { Ledger } from '../../ledger/ledger.js';
import { abiAt, namesOn } from '../../ledger/smart-contracts/names.js';
import { bytesToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { allFrames, type FrameEnergy, type FrameRecord } from '../../tracing/frames.js';
import type { CreatedContract } from '../model/created-contracts.js';
import type { ContractEnergy, FrameEnergy as FrameReport } from '../model/explanation.js';
import { contractRef, methodRef } from '../outcome/action.js';

const FACTOR_UNIT = 10_000;

/**
 * In the order of their first frames. The totals add up to the Energy of the execution.
 *
 * @param created new contracts that the state does not have
 */
export function energyByContract(
  ledger: Ledger,
  top: FrameRecord,
  created: ReadonlyMap<Address, CreatedContract>,
): readonly ContractEnergy[] {
  const byContract = new Map<Address, FrameRecord[]>();
  for (const frame of allFrames(top)) {
    const frames = byContract.get(frame.context);
    if (frames === undefined) byContract.set(frame.context, [frame]);
    else frames.push(frame);
  }
  return [...byContract].map(([address, frames]) => {
    const sum = (part: keyof FrameEnergy) => BigInt(frames.reduce((total, { energy }) => total + energy[part], 0));
    return {
      ...contractRef(namesOn(ledger), address, created.get(address)?.name),
      frames: frames.length,
      // The factor changes only between epochs: all frames of a contract have the same.
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

const MAX_FRAMES = 1_000;
const SELECTOR_BYTES = 4;

/** In the order of their starts. @param created as of {@link energyByContract} */
export function energyByFrame(
  ledger: Ledger,
  top: FrameRecord,
  created: ReadonlyMap<Address, CreatedContract>,
): readonly FrameReport[] {
  const reports: FrameReport[] = [];
  for (const { depth, kind, codeAddress, isCreation, input, energyUsed, energy } of allFrames(top)) {
    if (reports.length === MAX_FRAMES) break;
    const selector = bytesToHex(input.subarray(0, SELECTOR_BYTES));
    reports.push({
      ...{ depth, kind },
      contract: contractRef(namesOn(ledger), codeAddress, created.get(codeAddress)?.name),
      ...(!isCreation && { method: methodRef(abiAt(ledger, codeAddress), selector) }),
      ...{ total: BigInt(energyUsed), own: BigInt(energy.total), penalty: BigInt(energy.penalty) },
    });
  }
  return reports;
}
