/** Contracts of the genesis, as if deployed before the first block. */

import { type Hex, hexToBytes } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { SmartContract, SmartContract_ABI } from '../../protocol/generated/smart-contract.js';
import type { Ledger } from '../ledger.js';
import { placeContract } from '../smart-contracts/deployment.js';
import { LedgerHost } from '../smart-contracts/host.js';
import { setSlot } from '../smart-contracts/storage-slots.js';

export interface GenesisContract {
  readonly address: Address;
  readonly name: string;
  /** Its nominal deployer. */
  readonly owner: Address;
  /** Creation code with the constructor's arguments. */
  readonly bytecode: Hex;
  /** Runtime code. */
  readonly code: Hex;
  /** `protocol.SmartContract.ABI`. */
  readonly abi: Hex;
  /** Words other than zero, by slot; both 64 digits. */
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
  new LedgerHost(ledger, { timestampMs: ledger.headTimeMs }).setCode(address, hexToBytes(code));
  for (const [slot, word] of storage) setSlot(ledger, address, BigInt(`0x${slot}`), BigInt(`0x${word}`));
}
