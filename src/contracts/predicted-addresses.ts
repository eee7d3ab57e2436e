/**
 * Addresses of contracts before they exist, as TRON and as Ethereum compute them. The formulas are those that the machine
 * uses (`protocol/`); here are the forms in which programs give and take them.
 */

import { ParametersError } from '../errors/operation-error.js';
import { type Hex, hexToBytes } from '../primitives/hex.js';
import type { Address, TxId } from '../primitives/ids.js';
import type { WholeNumber } from '../primitives/whole-number.js';
import {
  addressFromHash,
  create2ContractAddress,
  createdContractAddress,
  deployedContractAddress,
  toBase58,
} from '../protocol/address.js';
import { addressOfText } from '../protocol/address-text.js';
import { ethereumContractAddress } from '../protocol/ethereum-transaction.js';
import { keccak256, keccak256OfHex } from '../protocol/hashes.js';

/** One address in its three forms. */
export interface PredictedAddress {
  /** Base58check: `T…`. */
  readonly address: string;
  /** 21 bytes: `41…`. */
  readonly addressHex: string;
  /** 20 bytes with the checksum of EIP-55: `0x…`. */
  readonly ethereumAddress: string;
}

/** What CREATE2 takes. Addresses in any form, bytes as hex with or without `0x`. */
export interface Create2Terms {
  /** The contract that executes CREATE2. */
  readonly deployer: string;
  /** 32 bytes, or a number. */
  readonly salt: string | WholeNumber;
  /** With the arguments of the constructor. */
  readonly initCode: string;
}

/**
 * The contract that a CreateSmartContract transaction makes on TRON.
 *
 * @throws ParametersError for an argument that is no address or no transaction id
 * @example deployedAddress({ txid: transaction.txID, owner: 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC' }).address
 */
export function deployedAddress({ txid, owner }: { readonly txid: string; readonly owner: string }): PredictedAddress {
  return inAllForms(deployedContractAddress(txIdOf(txid), addressOf(owner, 'owner')));
}

/**
 * The contract that CREATE makes inside a transaction on TRON: no contract has a nonce there.
 *
 * @param creation `counter`: how many internal transactions precede it in the transaction
 * @throws ParametersError
 * @example createdAddress({ txid: transaction.txID, counter: 0 }).addressHex
 */
export function createdAddress(creation: { readonly txid: string; readonly counter: WholeNumber }): PredictedAddress {
  return inAllForms(createdContractAddress(txIdOf(creation.txid), numberOf(creation.counter, 'counter')));
}

/**
 * The contract that CREATE2 makes on TRON, whose hash begins with the prefix `41`.
 *
 * @throws ParametersError
 * @example create2Address({ deployer: factory.address, salt: 1, initCode: artifact.bytecode }).address
 */
export function create2Address({ deployer, salt, initCode }: Create2Terms): PredictedAddress {
  return inAllForms(create2ContractAddress(addressOf(deployer, 'deployer'), saltOf(salt), codeHashOf(initCode)));
}

/**
 * The contract that a transaction or CREATE makes on Ethereum, and through `/eth` of a devnet. With `createNonces` also
 * the one that a contract makes.
 *
 * @throws ParametersError
 * @example ethereumCreateAddress({ creator: wallet.address, nonce: 0 }).ethereumAddress
 */
export function ethereumCreateAddress(creation: {
  readonly creator: string;
  readonly nonce: WholeNumber;
}): PredictedAddress {
  return inAllForms(ethereumContractAddress(addressOf(creation.creator, 'creator'), numberOf(creation.nonce, 'nonce')));
}

/**
 * The contract that CREATE2 makes on Ethereum, whose hash begins with the prefix `ff`. On TRON it is never made there.
 *
 * @throws ParametersError
 * @example ethereumCreate2Address({ deployer: '0x4e59…956c', salt: 1, initCode }).ethereumAddress
 */
export function ethereumCreate2Address({ deployer, salt, initCode }: Create2Terms): PredictedAddress {
  const from = addressOf(deployer, 'deployer').slice(2);
  return inAllForms(addressFromHash(keccak256OfHex(`ff${from}${saltOf(salt)}${codeHashOf(initCode)}`)));
}

function inAllForms(address: Address): PredictedAddress {
  return { address: toBase58(address), addressHex: address, ethereumAddress: checksummed(address.slice(2)) };
}

/** EIP-55: a letter is a capital where the digit of the hash is 8 or more. */
function checksummed(digits: Hex): string {
  const hash = keccak256(Buffer.from(digits, 'latin1'));
  return `0x${[...digits].map((digit, at) => (Number.parseInt(hash[at] as string, 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`;
}

function addressOf(text: string, name: string): Address {
  const address = addressOfText(text);
  if (address === undefined) throw new ParametersError(`${name} is not an address: ${text}`);
  return address;
}

function hexOf(text: string, name: string): Hex {
  const digits = text.replace(/^0x/i, '').toLowerCase();
  if (!/^([\da-f]{2})*$/.test(digits)) throw new ParametersError(`${name} is not hex: ${text.slice(0, 80)}`);
  return digits;
}

function txIdOf(text: string): TxId {
  const digits = hexOf(text, 'txid');
  if (digits.length !== 64) throw new ParametersError(`txid has ${digits.length / 2} bytes, a transaction id has 32`);
  return digits as TxId;
}

/** @returns undefined for what is no whole number */
function readWholeNumber(given: WholeNumber): bigint | undefined {
  if (typeof given === 'number' && !Number.isSafeInteger(given)) return undefined;
  return typeof given !== 'string' || /^(\d+|0x[\da-f]+)$/i.test(given) ? BigInt(given) : undefined;
}

function numberOf(given: WholeNumber, name: string): bigint {
  const number = readWholeNumber(given);
  if (number === undefined || number < 0n || number >= 1n << 64n)
    throw new ParametersError(`${name} must be a whole number from 0 to 2^64 - 1, got ${given}`);
  return number;
}

function saltOf(salt: string | WholeNumber): Hex {
  if (typeof salt === 'string' && /^(0x)?[\da-f]{64}$/i.test(salt)) return hexOf(salt, 'salt');
  const number = readWholeNumber(salt);
  if (number === undefined || number < 0n || number >= 1n << 256n)
    throw new ParametersError(`salt must have 32 bytes, or be a number of up to 256 bits, got ${salt}`);
  return number.toString(16).padStart(64, '0');
}

function codeHashOf(initCode: string): Hex {
  return keccak256(hexToBytes(hexOf(initCode, 'initCode')));
}
