/**
 * Addresses: how they are made, and base58check, in which people see them.
 *
 * Inside Sunup an address is 21 bytes of hex; base58check is decoded and encoded where a client or a person is spoken
 * to. Mirrors DecodeUtil, StringUtil and WalletUtil of java-tron (protocol/transactions.md#keys-and-addresses).
 */

import { base58 } from '@scure/base';
import { bytesToHex, type Hex } from '../primitives/hex.js';
import { type Address, isAddress, type TxId } from '../primitives/ids.js';
import { keccak256, keccak256OfHex, sha256, sha256OfHex } from './hashes.js';
import { secp256k1ForKeys } from './secp256k1.js';

const PREFIX: Hex = '41';
const CHECKSUM_BYTES = 4;
/** Far more than any address has; decoding is quadratic. */
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

/** Shared by all chains: the text follows from the address. The same few are shown again and again, each for 5 µs. */
const texts = new Map<Hex, string>();
const KEPT_TEXTS = 4_096;
const ADDRESS_DIGITS = 42;

function base58Of(payload: Hex): string {
  const checksum = sha256OfHex(sha256OfHex(payload)).slice(0, 2 * CHECKSUM_BYTES);
  return base58.encode(Buffer.from(payload + checksum, 'hex'));
}

/** The payload of base58check text whatever its length; `undefined` if a character or the checksum is wrong. */
export function decodeBase58Check(text: string): Hex | undefined {
  if (text.length > MAX_BASE58_CHARACTERS || !/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return undefined;
  const bytes = base58.decode(text);
  if (bytes.length <= CHECKSUM_BYTES) return undefined;
  const payload = bytes.subarray(0, -CHECKSUM_BYTES);
  const checksum = sha256OfHex(sha256(payload)).slice(0, 2 * CHECKSUM_BYTES);
  return checksum === bytesToHex(bytes.subarray(-CHECKSUM_BYTES)) ? bytesToHex(payload) : undefined;
}

/** The address in base58check text; `undefined` if it is not one. */
export function fromBase58(text: string): Address | undefined {
  const known = addresses.get(text);
  if (known !== undefined) return known;
  const payload = decodeBase58Check(text);
  if (payload === undefined || !isAddress(payload)) return undefined;
  if (addresses.size >= KEPT_TEXTS) addresses.clear();
  addresses.set(text, payload);
  return payload;
}

/** Shared by all chains: the address follows from the text. */
const addresses = new Map<string, Address>();

/** The last 20 bytes of a keccak256 behind the network's prefix. */
export function addressFromHash(hash: Hex): Address {
  return (PREFIX + hash.slice(24)) as Address;
}

/** @param publicKey uncompressed, 65 bytes, `04` first */
export function addressFromPublicKey(publicKey: Uint8Array): Address {
  return addressFromHash(keccak256(publicKey.subarray(1)));
}

/**
 * @param privateKey 32 bytes
 * @throws RangeError when it is not a scalar of the curve: zero, or not below its order
 */
export function addressFromPrivateKey(privateKey: Hex): Address {
  return addressFromPublicKey(secp256k1ForKeys().publicKey(Buffer.from(privateKey, 'hex')));
}

/** The address of the contract that a CreateSmartContract transaction deploys. */
export function deployedContractAddress(txId: TxId, owner: Address): Address {
  return addressFromHash(keccak256OfHex(txId + owner));
}

/** The address that opcode CREATE gives. `internalNonce` counts the internal transactions of the root transaction. */
export function createdContractAddress(rootTxId: TxId, internalNonce: bigint): Address {
  const nonce = BigInt.asUintN(64, internalNonce).toString(16).padStart(16, '0');
  return addressFromHash(keccak256OfHex(rootTxId + nonce));
}

/**
 * The address that opcode CREATE2 gives: 0x41 and the last 20 bytes of keccak256(0x41 ‖ deployer ‖ salt ‖ keccak256(init
 * code)). Ethereum has `ff` where 0x41 stands.
 *
 * @param deployer 21 bytes, of the contract that creates
 * @param salt 32 bytes
 */
export function create2ContractAddress(deployer: Address, salt: Hex, initCodeHash: Hex): Address {
  return addressFromHash(keccak256OfHex(deployer + salt + initCodeHash));
}
