/**
 * Ethereum's view of accounts: nonces, and the names of transactions that came through `/eth`. TRON has neither, so a
 * transaction of TRON's own changes nothing here.
 */

import { contractValidateException, validateSignatureException } from '../../errors/refusals.js';
import type { Hex } from '../../primitives/hex.js';
import type { Address, TxId } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import {
  EthereumFormatError,
  type EthereumTransaction,
  ethereumHash,
  ethereumSender,
} from '../../protocol/ethereum-transaction.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { Ledger } from '../ledger.js';

/** The nonce of an account's next Ethereum transaction; of a contract, as in Ethereum, at least 1. */
export function ethereumNonce({ state: { tables } }: Ledger, address: Address): bigint {
  return tables.ethereumNonces.get(address) ?? (tables.contracts.has(address) ? 1n : 0n);
}

/** The transaction that Ethereum's tools know by a hash. */
export function txIdOfEthereum({ state: { tables } }: Ledger, hash: Hex): TxId | undefined {
  return tables.ethereumIds.get(hash);
}

/** What Ethereum's tools call a transaction: undefined for one of TRON's own. */
export function ethereumHashOf({ state: { tables } }: Ledger, txId: TxId): Hex | undefined {
  return tables.ethereumHashes.get(txId);
}

/** Of `ownNumbers`: how many came through `/eth`. */
const SENT = 'ethereumTransactions';

/** Of `ownNumbers`: whether contracts count what they create. */
export const COUNTS_CREATIONS = 'ethereumCreations';

/** Whether contracts count what they create (`operations/count-creations.ts`). */
export function countsCreations({ state }: Ledger): boolean {
  return state.tables.ownNumbers.has(COUNTS_CREATIONS);
}

/** The nonce with which a contract creates another; undefined where creations do not count. */
export function takeCreationNonce(ledger: Ledger, creator: Address): bigint | undefined {
  if (!countsCreations(ledger)) return undefined;
  const nonce = ethereumNonce(ledger, creator);
  ledger.state.tables.ethereumNonces.set(creator, nonce + 1n);
  return nonce;
}

/** Whether anything came through `/eth`: such a chain is for porting, the network would take no block of it. */
export function isPorting({ state }: Ledger): boolean {
  return state.tables.ownNumbers.has(SENT);
}

/** The key that signed Ethereum's bytes must be the owner's. Permissions are TRON's, and do not count here. */
export function checkEthereumSender({ owner }: SignedTransaction, ethereum: EthereumTransaction): void {
  let sender: Address;
  try {
    sender = ethereumSender(ethereum);
  } catch (error) {
    if (error instanceof EthereumFormatError) throw validateSignatureException(error.message);
    throw error;
  }
  if (sender !== owner)
    throw validateSignatureException(`signed by ${toBase58(sender)}, the owner is ${toBase58(owner ?? '')}`);
}

/**
 * Takes the nonce, whatever the transaction comes to, and keeps its hash.
 *
 * @throws JavaException ContractValidateException for a nonce that is not the next one
 */
export function takeNonce(ledger: Ledger, { owner, txId }: SignedTransaction, ethereum: EthereumTransaction): void {
  const { tables } = ledger.state;
  const sender = owner as Address;
  const due = ethereumNonce(ledger, sender);
  if (ethereum.nonce !== due)
    throw contractValidateException(`nonce ${ethereum.nonce} of ${toBase58(sender)}: the next one is ${due}`);
  const hash = ethereumHash(ethereum);
  tables.ethereumNonces.set(sender, due + 1n);
  tables.ethereumIds.set(hash, txId);
  tables.ethereumHashes.set(txId, hash);
  tables.ownNumbers.set(SENT, (tables.ownNumbers.get(SENT) ?? 0n) + 1n);
}
