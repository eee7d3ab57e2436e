/**
 * Temporary changes of the state for one call: other balances, code and storage (`eth_call`'s third parameter). Owns
 * their meaning in TRON's tables; the caller reverts them.
 */

import type { Address, Sun } from '../../primitives/ids.js';
import { SmartContract } from '../../protocol/generated/smart-contract.js';
import { AccountType } from '../../protocol/generated/tron.js';
import { newAccount } from '../accounts/accounts.js';
import type { Ledger } from '../ledger.js';
import { LedgerHost } from './host.js';
import { EMPTY_STORAGE, setSlot } from './storage-slots.js';

interface StateOverride {
  readonly balanceSun?: Sun | undefined;
  readonly code?: Uint8Array | undefined;
  /** The whole storage: all other slots are zero. */
  readonly state?: ReadonlyMap<bigint, bigint> | undefined;
  /** Changed slots. */
  readonly stateDiff?: ReadonlyMap<bigint, bigint> | undefined;
}

export type StateOverrides = ReadonlyMap<Address, StateOverride>;

/** Call it in a dry run: its writes must be reverted. */
export function overrideStates(ledger: Ledger, overrides: StateOverrides): void {
  for (const [address, override] of overrides) overrideState(ledger, address, override);
}

function overrideState(ledger: Ledger, address: Address, override: StateOverride): void {
  const { accounts, contracts } = ledger.state.tables;
  const { balanceSun, code, state, stateDiff } = override;
  if (balanceSun !== undefined) {
    accounts.set(address, { ...(accounts.get(address) ?? newAccount(ledger, address)), balance: balanceSun });
  }
  const host = new LedgerHost(ledger, { timestampMs: ledger.headTimeMs });
  if (code !== undefined) {
    if (!accounts.has(address)) accounts.set(address, newAccount(ledger, address, AccountType.Contract));
    if (!contracts.has(address)) contracts.set(address, plainContract(ledger, address));
    host.setCode(address, code);
  }
  const contract = contracts.get(address);
  // Without code, nothing reads storage.
  if (contract === undefined) return;
  // Rows cannot be listed by contract; under another salt the storage is empty.
  const record = state === undefined ? contract : { ...contract, trx_hash: EMPTY_STORAGE };
  if (state !== undefined) contracts.set(address, record);
  for (const [slot, value] of [...(state ?? []), ...(stateDiff ?? [])]) {
    setSlot(ledger, address, slot, value, record);
  }
}

function plainContract(ledger: Ledger, address: Address): SmartContract {
  return SmartContract.create({
    origin_address: address,
    contract_address: address,
    consume_user_resource_percent: 100n,
    origin_energy_limit: 1n,
    version: ledger.on('ALLOW_TVM_COMPATIBLE_EVM') ? 1 : 0,
  });
}
