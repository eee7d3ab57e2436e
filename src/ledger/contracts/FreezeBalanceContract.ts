/**
 * Stakes under Stake 1.0; refused when Stake 2.0 is on, after all other checks
 * (protocol/contract-types.md#freezebalancecontract-11). Mirrors FreezeBalanceActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { type Address, isAddress } from '../../primitives/ids.js';
import type { FreezeBalanceContract as Message } from '../../protocol/generated/balance-contract.js';
import { ResourceCode } from '../../protocol/generated/resource-code.js';
import { AccountType, Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { SUN_PER_TRX } from '../../resources/limits.js';
import type { Ledger } from '../ledger.js';
import { freezeV1 } from '../stake/stake-v1.js';
import { isDelegable } from '../stake/stakes.js';
import type { LedgerContract } from './contract.js';

function checkDuration(ledger: Ledger, days: bigint): void {
  const min = ledger.long('MIN_FROZEN_TIME');
  const max = ledger.long('MAX_FROZEN_TIME');
  if (ledger.config.checkFrozenTime && (days < min || days > max)) {
    throw contractValidateException(`frozenDuration must be less than ${max} days and more than ${min} days`);
  }
}

function checkResource(ledger: Ledger, resource: ResourceCode, receiver: string): void {
  if (isDelegable(resource)) return;
  const tronPower = ledger.on('ALLOW_NEW_RESOURCE_MODEL');
  if (resource !== ResourceCode.TRON_POWER || !tronPower) {
    throw contractValidateException(
      `ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY${tronPower ? '、TRON_POWER' : ''}]`,
    );
  }
  if (receiver !== '') throw contractValidateException('TRON_POWER is not allowed to delegate to other accounts.');
}

/** The effective receiver: none while delegation is off. */
export function delegatesTo(ledger: Ledger, receiver: string): Address | undefined {
  return receiver !== '' && ledger.on('ALLOW_DELEGATE_RESOURCE') ? (receiver as Address) : undefined;
}

function checkReceiver(ledger: Ledger, owner: Address, receiver: Address): void {
  if (receiver === owner) throw contractValidateException('receiverAddress must not be the same as ownerAddress');
  if (!isAddress(receiver)) throw contractValidateException('Invalid receiverAddress');
  const account = ledger.state.tables.accounts.get(receiver);
  if (account === undefined) throw contractValidateException(`Account[${receiver}] not exists`);
  if (ledger.on('ALLOW_TVM_CONSTANTINOPLE') && account.type === AccountType.Contract) {
    throw contractValidateException('Do not allow delegate resources to contract addresses');
  }
}

export const freezeBalanceContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.FreezeBalanceContract,

  validate(ledger, contract) {
    const { owner_address: owner, frozen_balance: amount, frozen_duration, resource, receiver_address } = contract;
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException(`Account[${owner}] not exists`);
    if (amount <= 0n) throw contractValidateException('frozenBalance must be positive');
    if (amount < SUN_PER_TRX) throw contractValidateException('frozenBalance must be greater than or equal to 1 TRX');
    if (account.frozen.length > 1) throw contractValidateException('frozenCount must be 0 or 1');
    if (amount > account.balance) {
      throw contractValidateException('frozenBalance must be less than or equal to accountBalance');
    }
    checkDuration(ledger, frozen_duration);
    checkResource(ledger, resource, receiver_address);
    const receiver = delegatesTo(ledger, receiver_address);
    if (receiver !== undefined) checkReceiver(ledger, owner, receiver);
    if (ledger.stakeV2On) throw contractValidateException('freeze v2 is open, old freeze is closed');
  },

  execute(ledger, { owner_address, frozen_balance, frozen_duration, resource, receiver_address }) {
    freezeV1(ledger, {
      owner: owner_address,
      amountSun: frozen_balance,
      durationDays: frozen_duration,
      resource,
      receiver: delegatesTo(ledger, receiver_address),
    });
  },
};
