/** Ends a delegation (protocol/contract-types.md#undelegateresourcecontract-58). Mirrors UnDelegateResourceActuator. */

import { contractValidateException } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { UnDelegateResourceContract as Message } from '../../protocol/generated/balance-contract.js';
import { ResourceCode } from '../../protocol/generated/resource-code.js';
import { type DelegatedResource, Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import type { MeteredResource } from '../../resources/metered-account.js';
import type { Ledger } from '../ledger.js';
import { undelegate } from '../stake/delegation.js';
import { delegatedAmount, delegationKey, lockExpiryMs, recordAt } from '../stake/delegation-records.js';
import { isDelegable } from '../stake/stakes.js';
import type { LedgerContract } from './contract.js';

/** The unlocked amount, with expired locks: a lock that ends now still holds. */
function checkAmount(
  ledger: Ledger,
  { balance, resource }: Sent<Message>,
  unlocked: DelegatedResource | undefined,
  locked: DelegatedResource | undefined,
): void {
  if (!isDelegable(resource)) {
    throw contractValidateException('ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]');
  }
  const served = locked !== undefined && lockExpiryMs(locked, resource) < ledger.headTimeMs;
  const free = delegatedAmount(unlocked, resource) + (served ? delegatedAmount(locked, resource) : 0n);
  if (free >= balance) return;
  const what =
    resource === ResourceCode.BANDWIDTH ? 'delegatedFrozenBalance(BANDWIDTH)' : 'delegateFrozenBalance(Energy)';
  throw contractValidateException(`insufficient ${what}, request=${balance}, unlock_balance=${free}`);
}

export const unDelegateResourceContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.UnDelegateResourceContract,

  validate(ledger, contract) {
    const { owner_address: owner, receiver_address: receiver, balance } = contract;
    if (!ledger.on('ALLOW_DELEGATE_RESOURCE')) throw contractValidateException('No support for resource delegate');
    if (!ledger.stakeV2On) {
      throw contractValidateException(
        'Not support unDelegate resource transaction, need to be opened by the committee',
      );
    }
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    if (!ledger.state.tables.accounts.has(owner)) throw contractValidateException(`Account[${owner}] does not exist`);
    if (!isAddress(receiver)) throw contractValidateException('Invalid receiverAddress');
    if (receiver === owner) throw contractValidateException('receiverAddress must not be the same as ownerAddress');
    const unlocked = recordAt(ledger, delegationKey.unlocked(owner, receiver));
    const locked = recordAt(ledger, delegationKey.locked(owner, receiver));
    if (unlocked === undefined && locked === undefined) {
      throw contractValidateException('delegated Resource does not exist');
    }
    if (balance <= 0n) throw contractValidateException('unDelegateBalance must be more than 0 TRX');
    checkAmount(ledger, contract, unlocked, locked);
  },

  execute(ledger, { owner_address, receiver_address, resource, balance }) {
    undelegate(ledger, {
      from: owner_address,
      to: receiver_address,
      resource: resource as MeteredResource,
      amountSun: balance,
    });
  },
};
