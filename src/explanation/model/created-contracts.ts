/**
 * The codes of a transaction, and the contracts that come into being in it, or would have: the state before it knows none
 * of those.
 */

import type { ContractAbi } from '../../abi/items.js';
import type { Ledger } from '../../ledger/ledger.js';
import { bytesToHex, type Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import type { CreateSmartContract } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { allFrames, type FrameRecord, failed } from '../../tracing/frames.js';

export interface CreatedContract {
  /** Empty where nobody knows it. */
  readonly name: string;
  readonly abi: ContractAbi | undefined;
}

/** By address. A creation that failed left no code: it is known by what it ran. @param transaction that the frames are of */
export function contractsCreatedIn(
  { config: { knownContracts } }: Ledger,
  top: FrameRecord,
  transaction: SignedTransaction | undefined,
): ReadonlyMap<Address, CreatedContract> {
  const created = new Map<Address, CreatedContract>();
  const deployment =
    transaction?.contractType === ContractType.CreateSmartContract
      ? (transaction.contract as CreateSmartContract)
      : undefined;
  for (const frame of allFrames(top)) {
    if (!frame.isCreation) continue;
    const known = failed(frame) ? knownContracts?.byInitCode(frame.input) : knownContracts?.byCode(frame.output);
    const deployed = frame === top ? deployment?.new_contract : undefined;
    created.set(frame.context, {
      name: deployed?.name || (known?.name ?? ''),
      abi: deployed?.abi?.entrys.length ? deployed.abi : known?.abi,
    });
  }
  return created;
}

/** A code that ran, or that a creation left. */
export interface RanCode {
  readonly code: Hex;
  /** What a creation ran, constructor's arguments included. */
  readonly isCreation: boolean;
}

/** Each once. */
export function codesOf({ state }: Ledger, top: FrameRecord): readonly RanCode[] {
  const codes = new Map<string, RanCode>();
  const add = (code: Uint8Array | undefined, isCreation: boolean) => {
    if (code === undefined || code.length === 0) return;
    const ran = { code: bytesToHex(code), isCreation };
    codes.set(`${isCreation} ${ran.code}`, ran);
  };
  for (const frame of allFrames(top)) {
    if (!frame.isCreation) add(state.tables.codes.get(frame.codeAddress), false);
    else {
      add(frame.input, true);
      if (!failed(frame)) add(frame.output, false);
    }
  }
  return [...codes.values()];
}
