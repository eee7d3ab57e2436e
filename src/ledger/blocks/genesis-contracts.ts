/** Contracts that a chain begins with, as if they had been deployed before its first block. */

import { type Hex, hexToBytes } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { SmartContract, SmartContract_ABI } from '../../protocol/generated/smart-contract.js';
import { storageRowKey } from '../../tvm/storage.js';
import type { Ledger } from '../ledger.js';
import { placeContract } from '../smart-contracts/execute.js';
import { LedgerHost } from '../smart-contracts/host.js';

export interface GenesisContract {
  readonly address: Address;
  readonly name: string;
  /** Who counts as its deployer. */
  readonly owner: Address;
  /** As it would have been deployed, with the constructor's arguments. */
  readonly bytecode: Hex;
  /** As it runs. */
  readonly code: Hex;
  /** `protocol.SmartContract.ABI`. */
  readonly abi: Hex;
  /** Words that are not zero, by slot; both 64 digits. */
  readonly storage: readonly (readonly [slot: Hex, word: Hex])[];
}

export function placeGenesisContract(ledger: Ledger, contract: GenesisContract): void {
  const { address, name, owner, bytecode, code, abi, storage } = contract;
  placeContract(
    ledger,
    address,
    owner,
    SmartContract.create({
      name,
      bytecode,
      abi: SmartContract_ABI.decode(hexToBytes(abi)),
      consume_user_resource_percent: 100n,
      origin_energy_limit: 10_000_000n,
    }),
  );
  const host = new LedgerHost(ledger, { timestampMs: ledger.headTimeMs });
  host.setCode(address, hexToBytes(code));
  const record = ledger.state.tables.contracts.get(address);
  if (record === undefined) throw new Error(`genesis: the contract ${name} was not placed`);
  for (const [slot, word] of storage)
    host.setStorageRow(storageRowKey(address, record, BigInt(`0x${slot}`)), BigInt(`0x${word}`));
}
