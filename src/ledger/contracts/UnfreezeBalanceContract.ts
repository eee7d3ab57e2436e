/**
 * Withdraws expired Stake 1.0 (protocol/contract-types.md#unfreezebalancecontract-12). Mirrors
 * UnfreezeBalanceActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { type Address, isAddress } from '../../primitives/ids.js';
import type { UnfreezeBalanceContract as Message } from '../../protocol/generated/balance-contract.js';
import { ResourceCode } from '../../protocol/generated/resource-code.js';
import {
  type Account,
  AccountType,
  type DelegatedResource,
  Transaction_Contract_ContractType,
} from '../../protocol/generated/tron.js';
import type { MeteredResource } from '../../resources/metered-account.js';
import type { Ledger } from '../ledger.js';
import { delegatedAmount, delegationKey, lockExpiryMs, recordAt } from '../stake/delegation-records.js';
import { unfreezeV1 } from '../stake/stake-v1.js';
import { acquiredV1, isDelegable, stakesV1 } from '../stake/stakes.js';
import type { LedgerContract } from './contract.js';
import { delegatesTo } from './FreezeBalanceContract.js';

const RESOURCE_NAMES = {
  [ResourceCode.BANDWIDTH]: 'BANDWIDTH',
  [ResourceCode.ENERGY]: 'Energy',
  [ResourceCode.TRON_POWER]: 'TronPower',
} as const;

const LENT_NAMES = {
  [ResourceCode.BANDWIDTH]: 'delegatedFrozenBalance(BANDWIDTH)',
  [ResourceCode.ENERGY]: 'delegateFrozenBalance(Energy)',
} as const;

const NO_SUCH_RESOURCE = 'ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]';

function checkOwn(ledger: Ledger, account: Account, resource: ResourceCode): void {
  const tronPower = ledger.on('ALLOW_NEW_RESOURCE_MODEL');
  const name = RESOURCE_NAMES[resource as keyof typeof RESOURCE_NAMES];
  if (name === undefined || (resource === ResourceCode.TRON_POWER && !tronPower)) {
    throw contractValidateException(
      tronPower ? 'ResourceCode error.valid ResourceCode[BANDWIDTH、Energy、TRON_POWER]' : NO_SUCH_RESOURCE,
    );
  }
  const stakes = stakesV1(account, resource);
  const none = resource === ResourceCode.BANDWIDTH ? stakes.length === 0 : (stakes[0]?.frozen_balance ?? 0n) <= 0n;
  if (none) throw contractValidateException(`no frozenBalance(${name})`);
  if (!stakes.some(({ expire_time }) => expire_time <= ledger.headTimeMs)) {
    throw contractValidateException(`It's not time to unfreeze(${name}).`);
  }
}

/**
 * The receiver must still have the delegated amount. Since Constantinople, contracts and missing accounts are exempt;
 * since Solidity 0.5.9, all accounts.
 */
function checkReceiverHolds(
  ledger: Ledger,
  receiver: Account | undefined,
  record: DelegatedResource,
  resource: MeteredResource,
): void {
  if (ledger.on('ALLOW_TVM_CONSTANTINOPLE')) {
    if (ledger.on('ALLOW_TVM_SOLIDITY_059') || receiver?.type === AccountType.Contract) return;
  }
  if (receiver === undefined) return;
  const acquired = acquiredV1(receiver, resource);
  const lent = delegatedAmount(record, resource);
  if (acquired >= lent) return;
  const name = resource === ResourceCode.BANDWIDTH ? 'Bandwidth' : 'Energy';
  throw contractValidateException(`AcquiredDelegatedFrozenBalanceFor${name}[${acquired}] < delegated${name}[${lent}]`);
}

function checkLent(ledger: Ledger, owner: Address, receiver: Address, resource: ResourceCode): void {
  if (receiver === owner) throw contractValidateException('receiverAddress must not be the same as ownerAddress');
  if (!isAddress(receiver)) throw contractValidateException('Invalid receiverAddress');
  const account = ledger.state.tables.accounts.get(receiver);
  if (!ledger.on('ALLOW_TVM_CONSTANTINOPLE') && account === undefined) {
    throw contractValidateException(`Receiver Account[${receiver}] does not exist`);
  }
  const record = recordAt(ledger, delegationKey.v1(owner, receiver));
  if (record === undefined) throw contractValidateException('delegated Resource does not exist');
  if (!isDelegable(resource)) throw contractValidateException(NO_SUCH_RESOURCE);
  if (delegatedAmount(record, resource) <= 0n) throw contractValidateException(`no ${LENT_NAMES[resource]}`);
  checkReceiverHolds(ledger, account, record, resource);
  // Before multi-signatures, java-tron read the end of the bandwidth lock for Energy, too.
  const locked = ledger.on('ALLOW_MULTI_SIGN') ? resource : ResourceCode.BANDWIDTH;
  if (lockExpiryMs(record, locked) > ledger.headTimeMs) throw contractValidateException("It's not time to unfreeze.");
}

export const unfreezeBalanceContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.UnfreezeBalanceContract,

  validate(ledger, { owner_address: owner, resource, receiver_address }) {
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException(`Account[${owner}] does not exist`);
    const receiver = delegatesTo(ledger, receiver_address);
    if (receiver === undefined) checkOwn(ledger, account, resource);
    else checkLent(ledger, owner, receiver, resource);
  },

  execute(ledger, { owner_address, resource, receiver_address }, { result }) {
    const receiver = delegatesTo(ledger, receiver_address);
    result.unfreeze_amount = unfreezeV1(ledger, owner_address, resource, receiver);
  },
};
