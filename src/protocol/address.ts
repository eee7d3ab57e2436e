/**
 * Addresses: derivation, and base58check.
 *
 * Internally an address is 21 bytes of hex; base58check is converted at the interfaces. Mirrors DecodeUtil, StringUtil
 * and WalletUtil of java-tron (protocol/transactions.md#keys-and-addresses).
 */

import { base58 } from '@scure/base';
import { bytesToHex, type Hex } from '../primitives/hex.js';
import { type Address, isAddress, type TxId } from '../primitives/ids.js';
import { keccak256, keccak256OfHex, sha256, sha256OfHex } from './hashes.js';
import { secp256k1ForKeys } from './secp256k1.js';

const PREFIX: Hex = '41';
const CHECKSUM_BYTES = 4;
/** Far longer than any address; decoding takes quadratic time. */
const MAX_BASE58_CHARACTERS = 128;

/**
 * Base58check of any payload, as java-tron's encode58Check; 34 characters starting with `T` for an address.
 * @example toBase58('417e5f4552091a69125d5dfcb7b8c2659029395bdf') // 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC'
 */
export function toBase58(payload: Hex): string {
  if (payload.length !== ADDRESS_DIGITS) return base58Of(payload);
  const known = texts.get(payload);
  if (known !== undefined) return known;
  const text = base58Of(payload);
  if (texts.size >= KEPT_TEXTS) texts.clear();
  texts.set(payload, text);
  return text;
}

/** Shared by all chains: the text depends only on the address. The same addresses are printed often, at 5 µs each. */
const texts = new Map<Hex, string>();
const KEPT_TEXTS = 4_096;
const ADDRESS_DIGITS = 42;

function base58Of(payload: Hex): string {
  const checksum = sha256OfHex(sha256OfHex(payload)).slice(0, 2 * CHECKSUM_BYTES);
  return base58.encode(Buffer.from(payload + checksum, 'hex'));
}

/** The payload of base58check text of any length; `undefined` for a wrong character or checksum. */
export function decodeBase58Check(text: string): Hex | undefined {
  if (text.length > MAX_BASE58_CHARACTERS || !/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return undefined;
  const bytes = base58.decode(text);
  if (bytes.length <= CHECKSUM_BYTES) return undefined;
  const payload = bytes.subarray(0, -CHECKSUM_BYTES);
  const checksum = sha256OfHex(sha256(payload)).slice(0, 2 * CHECKSUM_BYTES);
  return checksum === bytesToHex(bytes.subarray(-CHECKSUM_BYTES)) ? bytesToHex(payload) : undefined;
}

/** The address of base58check text; `undefined` if it is not one. */
export function fromBase58(text: string): Address | undefined {
  const known = addresses.get(text);
  if (known !== undefined) return known;
  const payload = decodeBase58Check(text);
  if (payload === undefined || !isAddress(payload)) return undefined;
  if (addresses.size >= KEPT_TEXTS) addresses.clear();
  addresses.set(text, payload);
  return payload;
}

/** Shared by all chains: the address depends only on the text. */
const addresses = new Map<string, Address>();

/** The network's prefix, followed by the last 20 bytes of a keccak256 hash. */
export function addressFromHash(hash: Hex): Address {
  return (PREFIX + hash.slice(24)) as Address;
}

/** @param publicKey uncompressed, 65 bytes, `04` first */
export function addressFromPublicKey(publicKey: Uint8Array): Address {
  return addressFromHash(keccak256(publicKey.subarray(1)));
}

/**
 * @param privateKey 32 bytes
 * @throws RangeError if it is not a scalar of the curve: zero, or not below its order
 */
export function addressFromPrivateKey(privateKey: Hex): Address {
  return addressFromPublicKey(secp256k1ForKeys().publicKey(Buffer.from(privateKey, 'hex')));
}

/** The address of the contract that a CreateSmartContract transaction deploys. */
export function deployedContractAddress(txId: TxId, owner: Address): Address {
  return addressFromHash(keccak256OfHex(txId + owner));
}

/**
 * The address of a contract created by opcode CREATE. `internalNonce` counts the root transaction's internal
 * transactions.
 */
export function createdContractAddress(rootTxId: TxId, internalNonce: bigint): Address {
  const nonce = BigInt.asUintN(64, internalNonce).toString(16).padStart(16, '0');
  return addressFromHash(keccak256OfHex(rootTxId + nonce));
}

/**
 * The address of a contract created by opcode CREATE2: 0x41 and the last 20 bytes of keccak256(0x41 ‖ deployer ‖ salt ‖
 * keccak256(init code)). Ethereum has `ff` instead of the inner 0x41.
 *
 * @param deployer 21 bytes, the creating contract
 * @param salt 32 bytes
 */
export function create2ContractAddress(deployer: Address, salt: Hex, initCodeHash: Hex): Address {
  return addressFromHash(keccak256OfHex(deployer + salt + initCodeHash));
}
