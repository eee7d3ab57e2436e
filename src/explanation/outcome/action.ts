/** The action of a transaction as one value: the called contract, the recipient and amount, the stake. */

import { type ContractAbi, functionOf } from '../../abi/items.js';
import type { ContractNames } from '../../ledger/smart-contracts/names.js';
import { type Hex, hexToUtf8 } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { ContractMessage } from '../../protocol/contract-types.js';
import { deployedBy } from '../../protocol/ethereum-form.js';
import type { AccountCreateContract } from '../../protocol/generated/account-contract.js';
import type { TransferAssetContract } from '../../protocol/generated/asset-issue-contract.js';
import type {
  DelegateResourceContract,
  FreezeBalanceContract,
  FreezeBalanceV2Contract,
  TransferContract,
  UnfreezeBalanceV2Contract,
} from '../../protocol/generated/balance-contract.js';
import type { CreateSmartContract, TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { Action, ContractRef, MethodRef, StakeResource } from '../model/explanation.js';

const RESOURCES: readonly StakeResource[] = ['BANDWIDTH', 'ENERGY', 'TRON_POWER'];

/** @param name the name of a contract that is not on the chain: its deployment failed, or is yet to come */
export function contractRef(names: ContractNames, address: Address, name?: string): ContractRef {
  return {
    address: toBase58(address),
    name: name ?? names.nameOf(address),
  };
}

export function methodRef(abi: ContractAbi | undefined, data: Hex): MethodRef {
  const selector = data.slice(0, 8);
  const signature = functionOf(abi, data)?.signature;
  return { selector, ...(signature !== undefined && { signature }) };
}

export function actionOf(names: ContractNames, transaction: SignedTransaction): Action {
  const { contractType, contract } = transaction;
  const read = READERS[contractType];
  return contract === undefined || read === undefined ? { kind: 'other' } : read(contract, names, transaction);
}

type Reader = (contract: ContractMessage, names: ContractNames, transaction: SignedTransaction) => Action;

/** A typed reader: the registry of contract types gives the message type of each number. */
function reader<Message>(
  read: (contract: Message, names: ContractNames, transaction: SignedTransaction) => Action,
): Reader {
  return read as unknown as Reader;
}

const READERS: Readonly<Record<number, Reader>> = {
  [ContractType.AccountCreateContract]: reader<AccountCreateContract>(({ account_address }) => ({
    kind: 'account-creation',
    to: toBase58(account_address),
  })),
  [ContractType.TransferContract]: reader<TransferContract>(({ to_address, amount }) => ({
    kind: 'transfer',
    to: toBase58(to_address),
    amountSun: amount,
  })),
  [ContractType.TransferAssetContract]: reader<TransferAssetContract>(({ to_address, asset_name, amount }) => ({
    kind: 'token-transfer',
    to: toBase58(to_address),
    token: hexToUtf8(asset_name),
    amount,
  })),
  [ContractType.CreateSmartContract]: reader<CreateSmartContract>(
    ({ new_contract, owner_address }, names, transaction) => ({
      kind: 'deployment',
      contract: contractRef(names, deployedBy(transaction, owner_address as Address), new_contract?.name ?? ''),
      callValueSun: new_contract?.call_value ?? 0n,
    }),
  ),
  [ContractType.TriggerSmartContract]: reader<TriggerSmartContract>(
    ({ contract_address, data, call_value }, names) => ({
      kind: 'call',
      contract: contractRef(names, contract_address as Address),
      method: methodRef(names.abiOf(contract_address as Address), data),
      callValueSun: call_value,
    }),
  ),
  [ContractType.FreezeBalanceContract]: reader<FreezeBalanceContract>(
    ({ frozen_balance, resource, receiver_address }) => ({
      ...stake('stake', resource, frozen_balance),
      ...(receiver_address !== '' && { to: toBase58(receiver_address) }),
    }),
  ),
  [ContractType.FreezeBalanceV2Contract]: reader<FreezeBalanceV2Contract>(({ frozen_balance, resource }) =>
    stake('stake', resource, frozen_balance),
  ),
  [ContractType.UnfreezeBalanceV2Contract]: reader<UnfreezeBalanceV2Contract>(({ unfreeze_balance, resource }) =>
    stake('unstake', resource, unfreeze_balance),
  ),
  [ContractType.DelegateResourceContract]: reader<DelegateResourceContract>((contract) =>
    delegation('delegation', contract),
  ),
  [ContractType.UnDelegateResourceContract]: reader<DelegateResourceContract>((contract) =>
    delegation('undelegation', contract),
  ),
};

function stake(kind: 'stake' | 'unstake', resource: number, sun: bigint) {
  return { kind, resource: RESOURCES[resource] ?? 'BANDWIDTH', amountSun: sun } as const;
}

function delegation(
  kind: 'delegation' | 'undelegation',
  { resource, balance, receiver_address }: Pick<DelegateResourceContract, 'resource' | 'balance' | 'receiver_address'>,
): Action {
  const to = toBase58(receiver_address);
  return { kind, resource: RESOURCES[resource] ?? 'BANDWIDTH', amountSun: balance, to };
}
