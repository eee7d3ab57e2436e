/** Records of a new contract, for any deployment: a transaction, a trial run, a genesis. */

import { contractValidateException } from '../../errors/refusals.js';
import { utf8ToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import type { CreateSmartContract } from '../../protocol/generated/smart-contract.js';
import { Account, AccountType } from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import type { Ledger } from '../ledger.js';

export function checkPercent(consumeUserResourcePercent: bigint): void {
  if (consumeUserResourcePercent < 0n || consumeUserResourcePercent > 100n) {
    throw contractValidateException('percent must be >= 0 and <= 100');
  }
}

/** Account and records of a new contract (protocol/contract-runs.md#deployment item 2). */
export function placeContract(
  ledger: Ledger,
  address: Address,
  owner: Address,
  contract: Sent<NonNullable<CreateSmartContract['new_contract']>>,
): void {
  const { accounts, contracts, abis } = ledger.state.tables;
  accounts.set(
    address,
    Account.create({
      ...accounts.get(address),
      ...{ address, type: AccountType.Contract, account_name: utf8ToHex(contract.name) },
    }),
  );
  contracts.set(address, {
    ...contract,
    abi: undefined,
    origin_address: owner,
    contract_address: address,
    version: ledger.on('ALLOW_TVM_COMPATIBLE_EVM') ? 1 : 0,
  });
  if (contract.abi !== undefined) abis.set(address, contract.abi);
}
