/** Contracts that come into being in a transaction, or would have: the state before it knows none of them. */

import type { ContractAbi } from '../abi/items.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Address } from '../primitives/ids.js';
import type { CreateSmartContract } from '../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../protocol/generated/tron.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import { allFrames, type FrameRecord, failed } from '../tracing/frames.js';

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
