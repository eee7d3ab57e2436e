/**
 * The Ethereum transaction inside a TRON transaction that came through `/eth`. Its terms are in `scripts`, the rest is
 * in the contract (docs/background/ethereum.md).
 */

import { type Address, isAddress, type TxId } from '../primitives/ids.js';
import { deployedContractAddress } from './address.js';
import type { ContractMessage } from './contract-types.js';
import { decodeTerms, type EthereumTransaction, ethereumContractAddress } from './ethereum-transaction.js';
import type { TransferContract } from './generated/balance-contract.js';
import type { CreateSmartContract, TriggerSmartContract } from './generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType, type Transaction_raw } from './generated/tron.js';

/** The used part of `SignedTransaction`. */
interface Sent {
  readonly raw: Transaction_raw;
  readonly txId: TxId;
  readonly contractType: number;
  readonly contract: ContractMessage | undefined;
  readonly ethereum: EthereumTransaction | undefined;
}

/** @returns undefined for a TRON transaction; cached by `SignedTransaction.ethereum` */
export function ethereumForm({ raw, contractType, contract }: Omit<Sent, 'ethereum'>): EthereumTransaction | undefined {
  const terms = raw.scripts === '' ? undefined : decodeTerms(raw.scripts);
  if (terms === undefined || contract === undefined || raw.contract.length !== 1) return undefined;
  switch (contractType) {
    case ContractType.TransferContract: {
      const { to_address, amount } = contract as TransferContract;
      return isAddress(to_address) ? { ...terms, to: to_address, valueSun: amount, data: raw.data } : undefined;
    }
    case ContractType.TriggerSmartContract: {
      const { contract_address, call_value, data } = contract as TriggerSmartContract;
      return isAddress(contract_address) ? { ...terms, to: contract_address, valueSun: call_value, data } : undefined;
    }
    case ContractType.CreateSmartContract: {
      const { new_contract } = contract as CreateSmartContract;
      if (new_contract === undefined) return undefined;
      return { ...terms, to: undefined, valueSun: new_contract.call_value, data: new_contract.bytecode };
    }
    default:
      return undefined;
  }
}

/** Whether it is a transfer to oneself, or of no TRX. TRON refuses such transfers, Ethereum does not. */
export function movesNothing({ contractType, contract, ethereum }: Sent): boolean {
  if (ethereum === undefined || contractType !== ContractType.TransferContract) return false;
  const { owner_address, to_address, amount } = contract as TransferContract;
  return amount === 0n || owner_address === to_address;
}

/** The address of the contract of a CreateSmartContract transaction of `owner`. */
export function deployedBy({ txId, ethereum }: Pick<Sent, 'txId' | 'ethereum'>, owner: Address): Address {
  return ethereum === undefined ? deployedContractAddress(txId, owner) : ethereumContractAddress(owner, ethereum.nonce);
}
