/**
 * The codes that a transaction runs, and the contracts that it creates or would have created: the state before it does
 * not have them.
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
  /** Empty if unknown. */
  readonly name: string;
  readonly abi: ContractAbi | undefined;
}

/**
 * By address. A failed creation leaves no code: its init code identifies it. @param transaction the transaction of the
 * frames
 */
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

/** An executed code, or the code of a new contract. */
export interface ExecutedCode {
  readonly code: Hex;
  /** Whether it is init code, with the constructor's arguments. */
  readonly isCreation: boolean;
}

/** Each code once. */
export function codesOf({ state }: Ledger, top: FrameRecord): readonly ExecutedCode[] {
  const codes = new Map<string, ExecutedCode>();
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
