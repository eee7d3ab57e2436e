/**
 * A state that is not the chain's, for the time of a question: other balances, code and storage under a call
 * (`eth_call`'s third parameter). Owns what each of them means in TRON's tables; the caller takes it back.
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
  /** All of the storage: every other slot is zero. */
  readonly state?: ReadonlyMap<bigint, bigint> | undefined;
  /** Slots that differ. */
  readonly stateDiff?: ReadonlyMap<bigint, bigint> | undefined;
}

export type StateOverrides = ReadonlyMap<Address, StateOverride>;

/** To be called in a dry run: the caller takes back what it writes. */
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
  // Where nothing runs, nothing reads storage.
  if (contract === undefined) return;
  // Rows cannot be listed by contract; under another salt there are none.
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
