/** Turns accounts into contracts and back, without a deployment. */

import { OperationError } from '../../errors/operation-error.js';
import { utf8ToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { SmartContract } from '../../protocol/generated/smart-contract.js';
import { Account, AccountType } from '../../protocol/generated/tron.js';
import { BANDWIDTH, ENERGY } from '../../resources/metered-account.js';
import { newAccount } from '../accounts/accounts.js';
import { putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { acquiredV1 } from '../stake/stakes.js';

/** TRE's name for a contract without a deployment. */
const NAME = 'CreatedByTre';

/**
 * The contract at an address. Without one, the account (a new one if needed) becomes a contract whose callers pay all
 * Energy, and loses its permissions; a witness keeps the key that signs its blocks.
 *
 * @throws OperationError for an account with acquired Stake 1.0, because unfreezing skips contracts
 */
export function contractAt(ledger: Ledger, address: Address): SmartContract {
  const { accounts, contracts } = ledger.state.tables;
  const known = contracts.get(address);
  if (known !== undefined) return known;
  const account = accounts.get(address) ?? newAccountOfContract(ledger, address);
  if (acquiredV1(account, BANDWIDTH) + acquiredV1(account, ENERGY) > 0n) {
    throw new OperationError(
      `${toBase58(address)} has acquired Stake 1.0, which a contract cannot have: unfreeze it first`,
    );
  }
  putAccount(ledger, {
    ...account,
    type: AccountType.Contract,
    owner_permission: undefined,
    active_permission: [],
    witness_permission: account.is_witness ? account.witness_permission : undefined,
  });
  const contract = SmartContract.create({
    origin_address: address,
    contract_address: address,
    consume_user_resource_percent: 100n,
    origin_energy_limit: 1n,
    name: NAME,
    version: ledger.on('ALLOW_TVM_COMPATIBLE_EVM') ? 1 : 0,
  });
  contracts.set(address, contract);
  return contract;
}

function newAccountOfContract(ledger: Ledger, address: Address): Account {
  return Account.create({
    address,
    type: AccountType.Contract,
    account_name: utf8ToHex(NAME),
    create_time: ledger.headTimeMs,
  });
}

/**
 * Turns the account back into one without code, with the permissions of a new one. Its holdings and its storage stay.
 */
export function removeContract(ledger: Ledger, address: Address): void {
  const { accounts, contracts, codes, abis, contractStates } = ledger.state.tables;
  if (!contracts.has(address)) return;
  contracts.delete(address);
  codes.delete(address);
  abis.delete(address);
  contractStates.delete(address);
  const account = accounts.get(address);
  if (account === undefined) return;
  const { owner_permission, active_permission } = newAccount(ledger, address);
  putAccount(ledger, { ...account, type: AccountType.Normal, owner_permission, active_permission });
}
