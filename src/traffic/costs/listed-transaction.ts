/** Transactions of an account or of a contract before their receipts are read. */

import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  type TransactionInfo,
} from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';

/** Whose transactions are read: those that an account signed, or the calls of a contract. */
export interface Listed {
  readonly address: Address;
  readonly as: 'signer' | 'contract';
}

/** In errors. */
export function listedInWords({ address, as }: Listed): string {
  return `the ${as === 'signer' ? 'transactions' : 'calls'} of ${toBase58(address)}`;
}

export function isListed(transaction: SignedTransaction, { address, as }: Listed): boolean {
  return as === 'signer' ? transaction.owner === address : calledContract(transaction) === address;
}

/** The contract of a call. */
export function calledContract({ contractType, contract }: SignedTransaction): Address | undefined {
  if (contractType !== ContractType.TriggerSmartContract) return undefined;
  return (contract as unknown as TriggerSmartContract).contract_address as Address;
}

export interface ListedTransaction {
  readonly transaction: SignedTransaction;
  readonly blockNumber: number;
  readonly timestampMs: number;
  /** Its receipt, or the part of it that the list has: without penalty and Energy of deployers. */
  readonly info: TransactionInfo | undefined;
  /** Whether `info` has all that a cost needs: the list has it for a transaction without Energy. */
  readonly isComplete: boolean;
}

/** From the oldest to the newest, in parts that fit into memory. */
export type TransactionParts = AsyncIterable<readonly ListedTransaction[]>;
