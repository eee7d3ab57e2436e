/**
 * Delegates a stake's resource to another account (protocol/contract-types.md#delegateresourcecontract-57). Mirrors
 * DelegateResourceActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { type Address, isAddress } from '../../primitives/ids.js';
import type { DelegateResourceContract as Message } from '../../protocol/generated/balance-contract.js';
import { ResourceCode } from '../../protocol/generated/resource-code.js';
import { type Account, AccountType, Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import { SUN_PER_TRX } from '../../resources/limits.js';
import type { MeteredResource } from '../../resources/metered-account.js';
import type { Ledger } from '../ledger.js';
import { delegatableSun, delegate, lockPeriodSlots, maxLockPeriodSlots } from '../stake/delegation.js';
import { delegationKey, lockExpiryMs, recordAt } from '../stake/delegation-records.js';
import { isDelegable } from '../stake/stakes.js';
import type { LedgerContract, ValidationOrigin } from './contract.js';

function checkStake(
  ledger: Ledger,
  account: Account,
  { balance, resource }: Sent<Message>,
  origin: ValidationOrigin,
): void {
  if (!isDelegable(resource)) {
    throw contractValidateException('ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]');
  }
  if (delegatableSun(ledger, account, resource, origin.builder) >= balance) return;
  const stake = resource === ResourceCode.BANDWIDTH ? 'FreezeBandwidthV2' : 'FreezeEnergyV2';
  throw contractValidateException(`delegateBalance must be less than or equal to available ${stake} balance`);
}

/** A lock is limited by the parameter, and must not end before the present one. */
function checkLock(ledger: Ledger, owner: Address, receiver: Address, contract: Sent<Message>): void {
  const max = maxLockPeriodSlots(ledger);
  if (!contract.lock || max === undefined) return;
  const period = lockPeriodSlots(ledger, contract.lock_period);
  if (period < 0n || period > max) {
    throw contractValidateException(
      `The lock period of delegate resource cannot be less than 0 and cannot exceed ${max}!`,
    );
  }
  const running = recordAt(ledger, delegationKey.locked(owner, receiver));
  if (running === undefined) return;
  const remainingMs = lockExpiryMs(running, contract.resource as MeteredResource) - ledger.headTimeMs;
  if (period * ledger.config.slotMs >= remainingMs) return;
  const name = contract.resource === ResourceCode.BANDWIDTH ? 'BANDWIDTH' : 'ENERGY';
  throw contractValidateException(
    `The lock period for ${name} this time cannot be less than the remaining time[${remainingMs}ms] of the last lock period for ${name}!`,
  );
}

export const delegateResourceContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.DelegateResourceContract,

  validate(ledger, contract, origin) {
    const { owner_address: owner, receiver_address: receiver, balance } = contract;
    if (!ledger.on('ALLOW_DELEGATE_RESOURCE')) throw contractValidateException('No support for resource delegate');
    if (!ledger.stakeV2On) {
      throw contractValidateException('Not support Delegate resource transaction, need to be opened by the committee');
    }
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException(`Account[${owner}] not exists`);
    if (balance < SUN_PER_TRX) {
      throw contractValidateException('delegateBalance must be greater than or equal to 1 TRX');
    }
    checkStake(ledger, account, contract, origin);
    if (!isAddress(receiver)) throw contractValidateException('Invalid receiverAddress');
    if (receiver === owner) throw contractValidateException('receiverAddress must not be the same as ownerAddress');
    const borrower = ledger.state.tables.accounts.get(receiver);
    if (borrower === undefined) throw contractValidateException(`Account[${receiver}] not exists`);
    checkLock(ledger, owner, receiver, contract);
    if (borrower.type === AccountType.Contract) {
      throw contractValidateException('Do not allow delegate resources to contract addresses');
    }
  },

  execute(ledger, { owner_address, receiver_address, resource, balance, lock, lock_period }) {
    delegate(
      ledger,
      {
        from: owner_address,
        to: receiver_address,
        resource: resource as MeteredResource,
        amountSun: balance,
      },
      lock ? lockPeriodSlots(ledger, lock_period) : undefined,
    );
  },
};
