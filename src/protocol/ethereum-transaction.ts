/**
 * Ethereum's signed transactions: decodes the bytes that wallets and libraries sign, and encodes them again. Legacy
 * ones with and without a chain id, type 1 (EIP-2930) and type 2 (EIP-1559).
 *
 * Checks the form only, as strictly as Ethereum's nodes: an additional byte changes a transaction's hash.
 */

import { RLP } from '@ethereumjs/rlp';
import { JavaException } from '../errors/java-exception.js';
import { bytesToHex, type Hex, hexToBytes } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { addressFromHash } from './address.js';
import { keccak256 } from './hashes.js';
import { CURVE_ORDER } from './scalars.js';
import { recoverAddress, type SignedDigest } from './signature.js';

type Rlp = Uint8Array | readonly Rlp[];

export type EthereumType = 0 | 1 | 2;

/** Members of an Ethereum transaction besides sender, receiver, value and data. Prices in sun per Energy. */
export interface EthereumTerms {
  readonly type: EthereumType;
  /** Undefined: a legacy transaction that is valid on every chain. */
  readonly chainId: bigint | undefined;
  readonly nonce: bigint;
  /** Maximum Energy, burned or from stake. */
  readonly gas: bigint;
  /** For type 2: `maxFeePerGas`. */
  readonly gasPriceSun: bigint;
  /** For type 2 only. */
  readonly priorityPriceSun: bigint;
  /** RLP, as signed. TRON has no access lists. */
  readonly accessList: Uint8Array;
  /** 0 or 1. */
  readonly yParity: number;
  readonly r: bigint;
  readonly s: bigint;
}

export interface EthereumTransaction extends EthereumTerms {
  /** Undefined: `data` is init code. */
  readonly to: Address | undefined;
  readonly valueSun: bigint;
  readonly data: Hex;
}

/** The bytes are not a supported Ethereum transaction. */
export class EthereumFormatError extends Error {
  override readonly name = 'EthereumFormatError';
}

const EMPTY_LIST = Uint8Array.of(0xc0);
const EMPTY = new Uint8Array();
/** Transaction types that this network does not support, by number. */
const UNKNOWN_TYPES: ReadonlyMap<number, string> = new Map([
  [3, 'a blob transaction (type 3, EIP-4844)'],
  [4, 'a transaction that sets code (type 4, EIP-7702)'],
]);

/**
 * Decodes a signed transaction.
 *
 * @throws EthereumFormatError
 * @example const { nonce, to } = decodeEthereumTransaction(hexToBytes('02f86b…'))
 */
export function decodeEthereumTransaction(bytes: Uint8Array): EthereumTransaction {
  const first = bytes[0] ?? 0;
  if (first >= 0xc0) return legacy(fieldsOf(bytes, 9));
  requireSupported(first);
  return first === 1 ? typed(1, fieldsOf(bytes.subarray(1), 11)) : typed(2, fieldsOf(bytes.subarray(1), 12));
}

/** @throws EthereumFormatError for types other than 1 and 2; type 0 has no number in its bytes */
export function requireSupported(type: number): void {
  if (type === 1 || type === 2) return;
  const unsupported = UNKNOWN_TYPES.get(type);
  throw new EthereumFormatError(
    `${unsupported ?? `transaction type ${type}`} is not ${unsupported ? 'supported' : 'known'}: send type 0, 1 or 2`,
  );
}

/** Encodes an access list as RLP: addresses of 20 bytes, each with storage keys of 32 bytes. */
export function encodeAccessList(
  entries: readonly { readonly address: Address; readonly keys: readonly Hex[] }[],
): Uint8Array {
  return RLP.encode(entries.map(({ address, keys }) => [bytesTo(address), keys.map(hexToBytes)]));
}

function fieldsOf(bytes: Uint8Array, count: number): readonly Rlp[] {
  let fields: unknown;
  try {
    fields = RLP.decode(bytes);
  } catch (error) {
    throw new EthereumFormatError(`the transaction is not valid RLP: ${(error as Error).message}`);
  }
  if (!Array.isArray(fields) || fields.length !== count)
    throw new EthereumFormatError(
      `expected ${count} fields of a signed transaction, got ${Array.isArray(fields) ? fields.length : 'a text'}`,
    );
  return fields as readonly Rlp[];
}

function legacy(fields: readonly Rlp[]): EthereumTransaction {
  const v = number(fields[6], 'v');
  const isBound = v >= 35n;
  if (!isBound && v !== 27n && v !== 28n)
    throw new EthereumFormatError(v === 0n ? 'the transaction is not signed' : `v: ${v} is not a signature's`);
  const price = number(fields[1], 'gasPrice');
  return checked({
    type: 0,
    chainId: isBound ? (v - 35n) / 2n : undefined,
    nonce: number(fields[0], 'nonce'),
    gasPriceSun: price,
    priorityPriceSun: price,
    gas: number(fields[2], 'gasLimit'),
    to: receiver(fields[3]),
    valueSun: number(fields[4], 'value'),
    data: bytesToHex(text(fields[5], 'data')),
    accessList: EMPTY_LIST,
    yParity: Number((v - (isBound ? 35n : 27n)) % 2n),
    r: number(fields[7], 'r'),
    s: number(fields[8], 's'),
  });
}

function typed(type: 1 | 2, fields: readonly Rlp[]): EthereumTransaction {
  const [chainId, nonce, ...rest] = fields;
  const [priority, price] = type === 2 ? [rest[0], rest[1]] : [rest[0], rest[0]];
  const [gas, to, value, data, accessList, yParity, r, s] = rest.slice(type);
  const parity = number(yParity, 'yParity');
  if (parity > 1n) throw new EthereumFormatError(`yParity: ${parity} is neither 0 nor 1`);
  if (!Array.isArray(accessList)) throw new EthereumFormatError('accessList: expected a list');
  return checked({
    type,
    chainId: number(chainId, 'chainId'),
    nonce: number(nonce, 'nonce'),
    gasPriceSun: number(price, type === 2 ? 'maxFeePerGas' : 'gasPrice'),
    priorityPriceSun: number(priority, 'maxPriorityFeePerGas'),
    gas: number(gas, 'gasLimit'),
    to: receiver(to),
    valueSun: number(value, 'value'),
    data: bytesToHex(text(data, 'data')),
    accessList: RLP.encode(accessList as never),
    yParity: Number(parity),
    r: number(r, 'r'),
    s: number(s, 's'),
  });
}

/** Each signature has a valid second form with another s; Ethereum accepts the lower s only (EIP-2). */
function checked(transaction: EthereumTransaction): EthereumTransaction {
  const { r, s, priorityPriceSun, gasPriceSun } = transaction;
  if (r === 0n || s === 0n || r >= CURVE_ORDER || s > CURVE_ORDER / 2n)
    throw new EthereumFormatError('the signature is not valid: r or s is out of range');
  if (priorityPriceSun > gasPriceSun)
    throw new EthereumFormatError(
      `max priority fee per gas higher than max fee per gas: ${priorityPriceSun} and ${gasPriceSun}`,
    );
  return transaction;
}

function text(field: Rlp | undefined, name: string): Uint8Array {
  if (field instanceof Uint8Array) return field;
  throw new EthereumFormatError(`${name}: expected bytes, got a list`);
}

function number(field: Rlp | undefined, name: string): bigint {
  const bytes = text(field, name);
  if (bytes.length > 32) throw new EthereumFormatError(`${name}: has ${bytes.length} bytes, at most 32 are possible`);
  if (bytes[0] === 0) throw new EthereumFormatError(`${name}: begins with a zero byte`);
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}

function receiver(field: Rlp | undefined): Address | undefined {
  const bytes = text(field, 'to');
  if (bytes.length === 0) return undefined;
  if (bytes.length !== 20) throw new EthereumFormatError(`to: expected 20 bytes, got ${bytes.length}`);
  return `41${bytesToHex(bytes)}` as Address;
}

const minimal = (value: bigint): Uint8Array => (value === 0n ? EMPTY : hexToBytes(even(value.toString(16))));
const even = (hex: string): Hex => (hex.length % 2 === 0 ? hex : `0${hex}`);
const bytesTo = (to: Address | undefined): Uint8Array => (to === undefined ? EMPTY : hexToBytes(to.slice(2)));

function bodyOf(transaction: EthereumTransaction): unknown[] {
  const { type, chainId = 0n, nonce, gas, gasPriceSun, priorityPriceSun, to, valueSun, data, accessList } = transaction;
  const call = [minimal(gas), bytesTo(to), minimal(valueSun), hexToBytes(data)];
  if (type === 0) return [minimal(nonce), minimal(gasPriceSun), ...call];
  const prices = type === 1 ? [minimal(gasPriceSun)] : [minimal(priorityPriceSun), minimal(gasPriceSun)];
  return [minimal(chainId), minimal(nonce), ...prices, ...call, RLP.decode(accessList)];
}

function framed(type: EthereumType, fields: unknown[]): Uint8Array {
  const encoded = RLP.encode(fields as never);
  return type === 0 ? encoded : Buffer.concat([Uint8Array.of(type), encoded]);
}

/** The bytes that a wallet sends. */
export function encodeEthereumTransaction(transaction: EthereumTransaction): Uint8Array {
  const { type, chainId, yParity, r, s } = transaction;
  const parity = BigInt(yParity);
  const v = type !== 0 ? parity : chainId === undefined ? 27n + parity : 35n + 2n * chainId + parity;
  return framed(type, [...bodyOf(transaction), minimal(v), minimal(r), minimal(s)]);
}

/**
 * Hash and digest of a transaction. Admission and ledger ask for them several times, and each is an encoding of the
 * whole transaction.
 */
const hashes = new WeakMap<EthereumTransaction, Hex>();
const signed = new WeakMap<EthereumTransaction, SignedDigest>();

/** The hash of a transaction for Ethereum's tools: keccak256 of its signed bytes. */
export function ethereumHash(transaction: EthereumTransaction): Hex {
  const known = hashes.get(transaction);
  if (known !== undefined) return known;
  const hash = keccak256(encodeEthereumTransaction(transaction));
  hashes.set(transaction, hash);
  return hash;
}

/** The digest to sign. */
export function ethereumDigest(transaction: Omit<EthereumTransaction, 'yParity' | 'r' | 's'>): Hex {
  const { type, chainId } = transaction;
  const body = bodyOf(transaction as EthereumTransaction);
  const fields = type === 0 && chainId !== undefined ? [...body, minimal(chainId), EMPTY, EMPTY] : body;
  return keccak256(framed(type, fields));
}

/** What was signed, and the signature as the network has signatures. */
export function ethereumSigned(transaction: EthereumTransaction): SignedDigest {
  const known = signed.get(transaction);
  if (known !== undefined) return known;
  const { r, s, yParity } = transaction;
  const word = (value: bigint) => value.toString(16).padStart(64, '0');
  const form = { digest: ethereumDigest(transaction), signatures: [`${word(r)}${word(s)}0${yParity}`] };
  signed.set(transaction, form);
  return form;
}

/**
 * The signer.
 *
 * @throws EthereumFormatError
 */
export function ethereumSender(transaction: EthereumTransaction): Address {
  const { digest, signatures } = ethereumSigned(transaction);
  try {
    return recoverAddress(digest, signatures[0] as Hex);
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
    throw new EthereumFormatError('the signature is not valid: nobody can have made it');
  }
}

/**
 * Ethereum's address of a created contract: a hash of its creator and the creator's nonce.
 *
 * @example ethereumContractAddress(deployer, 0n)
 */
export function ethereumContractAddress(creator: Address, nonce: bigint): Address {
  return addressFromHash(keccak256(RLP.encode([bytesTo(creator), minimal(nonce)])));
}

/**
 * The form of {@link EthereumTerms} in `scripts` of a TRON transaction's `raw_data`, which the network ignores. The
 * rest of the Ethereum transaction is in the TRON transaction's contract. The signed bytes are rebuilt from both, so
 * the two cannot contradict each other.
 */
const MAGIC = bytesToHex(Buffer.from('Sunup/eth1', 'latin1'));

/** @returns hex for `raw_data.scripts` */
export function encodeTerms(terms: EthereumTerms): Hex {
  const { type, chainId, nonce, gas, gasPriceSun, priorityPriceSun, accessList, yParity, r, s } = terms;
  const chain = chainId === undefined ? [] : [minimal(chainId)];
  const numbers = [BigInt(type), nonce, gas, gasPriceSun, priorityPriceSun, BigInt(yParity), r, s].map(minimal);
  return MAGIC + bytesToHex(RLP.encode([chain, ...numbers, RLP.decode(accessList)] as never));
}

/** @returns undefined for other scripts */
export function decodeTerms(scripts: Hex): EthereumTerms | undefined {
  if (!scripts.startsWith(MAGIC)) return undefined;
  try {
    const fields = fieldsOf(hexToBytes(scripts.slice(MAGIC.length)), 10);
    const [chain, ...rest] = fields as readonly [readonly Rlp[], ...Rlp[]];
    const [type, nonce, gas, gasPriceSun, priorityPriceSun, yParity, r, s] = rest
      .slice(0, 8)
      .map((field) => number(field, 'a term')) as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
    const accessList = rest[8];
    if (type > 2n || yParity > 1n || !Array.isArray(chain) || !Array.isArray(accessList)) return undefined;
    return {
      type: Number(type) as EthereumType,
      chainId: chain.length === 0 ? undefined : number(chain[0], 'chainId'),
      ...{ nonce, gas, gasPriceSun, priorityPriceSun, r, s },
      yParity: Number(yParity),
      accessList: RLP.encode(accessList as never),
    };
  } catch (error) {
    if (error instanceof EthereumFormatError) return undefined;
    throw error;
  }
}

/** For an unsigned transaction: the sender instead of r and s, so that hashes of different senders differ. */
export function unsignedBy(sender: Address): Pick<EthereumTerms, 'yParity' | 'r' | 's'> {
  const asNumber = BigInt(`0x${sender.slice(2)}`);
  return { yParity: 0, r: asNumber, s: asNumber };
}
