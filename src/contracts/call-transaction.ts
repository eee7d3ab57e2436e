/**
 * The transaction of a call: the same bytes as TronWeb's builder makes (`txLocal`). TronWeb serialises it twice, in
 * two forms, and hashes in JavaScript to check addresses that are already valid: a fifth of a test suite's processor
 * time.
 */

import type { Hex } from '../primitives/hex.js';
import type { Address, Sun, TxId } from '../primitives/ids.js';
import { packAny } from '../protocol/contract-types.js';
import { TriggerSmartContract } from '../protocol/generated/smart-contract.js';
import {
  Transaction,
  Transaction_Contract,
  Transaction_Contract_ContractType,
  Transaction_raw,
} from '../protocol/generated/tron.js';
import { sha256 } from '../protocol/hashes.js';
import type { BlockReference } from './host.js';

export interface Call {
  /** 21 bytes of hex, as `contractHex`. */
  readonly ownerHex: string;
  readonly contractHex: string;
  /** Selector and arguments. */
  readonly data: Hex;
  readonly feeLimitSun: Sun;
  readonly callValueSun: Sun;
  /** 0n: no token is sent along. */
  readonly tokenId: bigint;
  readonly tokenValue: bigint;
}

/** @param signaturesOf makes the signatures for a transaction id */
export function callTransaction(
  { ownerHex, contractHex, data, feeLimitSun, callValueSun, tokenId, tokenValue }: Call,
  { ref_block_bytes, ref_block_hash, expiration, timestamp }: BlockReference,
  signaturesOf: (txid: TxId) => readonly Hex[],
): { readonly txid: TxId; readonly hex: Hex } {
  const call = TriggerSmartContract.create({
    owner_address: ownerHex as Address,
    contract_address: contractHex as Address,
    call_value: callValueSun,
    data,
    call_token_value: tokenValue,
    token_id: tokenId,
  });
  const type = Transaction_Contract_ContractType.TriggerSmartContract;
  const raw_data = Transaction_raw.create({
    ref_block_bytes,
    ref_block_hash,
    expiration: BigInt(expiration),
    timestamp: BigInt(timestamp),
    contract: [Transaction_Contract.create({ type, parameter: packAny(TriggerSmartContract, call) })],
    fee_limit: feeLimitSun,
  });
  const txid = sha256(Transaction_raw.encode(raw_data)) as TxId;
  return { txid, hex: Transaction.encodeHex({ raw_data, signature: signaturesOf(txid), ret: [] }) };
}
