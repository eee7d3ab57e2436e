/** Signed transactions in numbers. */

import { bytesToHex, type Hex } from '../../src/primitives/hex.js';
import type { Address, BlockId } from '../../src/primitives/ids.js';
import { addressFromPrivateKey } from '../../src/protocol/address.js';
import { refBlockBytesOf, refBlockHashOf } from '../../src/protocol/block.js';
import { type ContractMessage, contractCodec, packAny } from '../../src/protocol/contract-types.js';
import { TransferContract } from '../../src/protocol/generated/balance-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Transaction_Contract,
  Transaction_raw,
} from '../../src/protocol/generated/tron.js';
import { sign } from '../../src/protocol/signature.js';
import { SignedTransaction } from '../../src/protocol/transaction.js';

/** The block that transactions refer to. */
export interface Reference {
  readonly blockId: BlockId;
  readonly timestampMs: number;
}

export interface Nonce {
  readonly reference: Reference;
  /** Goes into the timestamp, so that no transaction equals another. */
  readonly nonce: number;
  /** From the reference on; by default nearly a day. */
  readonly lifetimeMs?: number;
}

export function signed(
  privateKey: Hex,
  type: number,
  contract: ContractMessage,
  { reference, nonce, lifetimeMs = 80_000_000 }: Nonce,
  feeLimitSun = 0n,
): SignedTransaction {
  const codec = contractCodec(type);
  if (codec === undefined) throw new Error(`contract type ${type} has no message`);
  const raw = Transaction_raw.create({
    ref_block_bytes: refBlockBytesOf(reference.blockId),
    ref_block_hash: refBlockHashOf(reference.blockId),
    expiration: BigInt(reference.timestampMs + lifetimeMs),
    timestamp: BigInt(reference.timestampMs) + BigInt(nonce),
    fee_limit: feeLimitSun,
    contract: [Transaction_Contract.create({ type, parameter: packAny(codec, contract) })],
  });
  const unsigned = SignedTransaction.fromRaw(raw);
  return unsigned.withSignatures([sign(unsigned.txId, privateKey)]);
}

export function signedTransfer(privateKey: Hex, to: Address, amountSun: bigint, nonce: Nonce): SignedTransaction {
  const owner_address = addressFromPrivateKey(privateKey);
  const contract = TransferContract.create({ owner_address, to_address: to, amount: amountSun });
  return signed(privateKey, ContractType.TransferContract, contract, nonce);
}

export function transactionHex(transaction: SignedTransaction): Hex {
  return bytesToHex(transaction.bytes);
}

/** So many private keys; the same at each call. */
export function privateKeys(count: number): Hex[] {
  return Array.from({ length: count }, (_, i) => (0x1000 + i).toString(16).padStart(64, '0'));
}

export function addressesOf(keys: readonly Hex[]): Address[] {
  return keys.map((key) => addressFromPrivateKey(key));
}
