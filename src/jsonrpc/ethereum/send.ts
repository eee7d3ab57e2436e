/**
 * Sending on `/eth`: transactions signed by wallets and libraries, and transactions of accounts whose keys the node has
 * or that are impersonated. Nonces count; gas times price is the fee limit.
 */

import { bytesToHex, type Hex, hexToBytes, isHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import {
  decodeEthereumTransaction,
  EthereumFormatError,
  type EthereumTransaction,
  encodeAccessList,
  encodeEthereumTransaction,
  ethereumDigest,
  ethereumSender,
  ethereumSigned,
  requireSupported,
  unsignedBy,
} from '../../protocol/ethereum-transaction.js';
import { Transaction_Result_contractResult as Outcome } from '../../protocol/generated/tron.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { sign } from '../../protocol/signature.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { getBalance } from '../../wallet/accounts.js';
import type { WalletContext } from '../../wallet/context.js';
import { blockGasLimit, chainIdOf, EthereumRefusal, nextNonce, sendEthereum } from '../../wallet/ethereum.js';
import { energyPrice } from '../../wallet/prices.js';
import { getTransactionInfoById, signersAhead } from '../../wallet/transactions.js';
import { throwFailure } from '../call-failures.js';
import { internalError, invalidParams, JsonRpcError } from '../errors.js';
import { isMembers, type Json, type JsonMembers } from '../json-text.js';
import { sendObject, sendTransaction as sendTron, sendRawTransaction as sendTronTransaction } from '../methods/send.js';
import type { RpcContext } from '../table.js';
import { readAddress, readHash, readQuantity, shownAddress } from '../values.js';
import { failureText, NO_OUTPUT } from './calls.js';

/** RLP of Ethereum: a list, or a typed transaction. A transaction of TRON starts with the tag of its raw_data, 0x0a. */
const ETHEREUM = /^(0[1-4]|[c-f])/;

export async function sendRawTransaction(context: RpcContext, text: string | null): Promise<string> {
  const hex = (text ?? '').replace(/^0x/i, '').toLowerCase();
  if (!ETHEREUM.test(hex) || !isHex(hex)) return sendTronTransaction(context, text);
  const ethereum = reading(() => decodeEthereumTransaction(hexToBytes(hex)));
  await signersAhead(context.wallet, ethereumSigned(ethereum));
  return sent(
    context,
    reading(() => ethereumSender(ethereum)),
    ethereum,
  );
}

/** @throws JsonRpcError for an unreadable transaction */
function reading<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof EthereumFormatError) throw invalidParams(error.message);
    throw error;
  }
}

async function sent(context: RpcContext, sender: Address, ethereum: EthereumTransaction): Promise<string> {
  const { wallet } = context;
  try {
    const { hash, sent } = await sendEthereum(wallet, sender, ethereum);
    if (sent !== undefined) throwIfFailed(context, sent);
    return `0x${hash}`;
  } catch (error) {
    if (error instanceof EthereumRefusal) throw internalError(error.message);
    throw error;
  }
}

/**
 * Hardhat's network answers a transaction that fails in its block with an error, which tests with Hardhat expect; anvil
 * answers with its hash. So does this node if its client version is not Hardhat's.
 */
function throwIfFailed({ wallet, dialect, clientVersion }: RpcContext, { txId }: SignedTransaction): void {
  if (!clientVersion.startsWith('HardhatNetwork')) return;
  const info = getTransactionInfoById(wallet, { value: txId });
  const result = info?.receipt?.result ?? Outcome.SUCCESS;
  if (info === undefined || result === Outcome.SUCCESS || result === Outcome.DEFAULT) return;
  const text = Buffer.from(info.resMessage, 'hex').toString('utf8');
  if (result !== Outcome.REVERT) throw new JsonRpcError(-32_000, failureText(result, text), NO_OUTPUT);
  const output = hexToBytes(info.contractResult[0] ?? '');
  throwFailure(dialect, { runtimeError: text, output });
}

/** The members of an `eth_sendTransaction` object, completed with the node's defaults. */
export interface CompletedTransaction {
  readonly from: Address;
  readonly unsigned: Omit<EthereumTransaction, 'yParity' | 'r' | 's'>;
}

/**
 * A member of a transaction, if it is there.
 *
 * @throws JsonRpcError if it is no text: Ethereum's numbers are hex in quotes
 */
function member(given: JsonMembers, name: string): string | undefined {
  const value = given[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalidParams(`${name}: expected hex in quotes ("0x…")`);
  return value;
}

/** @throws JsonRpcError */
export function completed({ wallet }: RpcContext, given: Json): CompletedTransaction {
  const sender = isMembers(given) ? member(given, 'from') : undefined;
  if (!isMembers(given) || sender === undefined)
    throw invalidParams('expected a transaction with from: {"from": "0x…", "to": "0x…", "value": "0x1"}');
  const from = readAddress(sender);
  const to = member(given, 'to');
  const data = readHex(member(given, 'input') ?? member(given, 'data') ?? '');
  const valueSun = readQuantity(member(given, 'value') ?? null);
  const nonce = member(given, 'nonce');
  const price = energyPrice(wallet);
  return {
    from,
    unsigned: {
      ...pricesOf(given, price),
      chainId: chainIdOf(wallet),
      nonce: nonce === undefined ? nextNonce(wallet, from) : readQuantity(nonce),
      gas: gasOf(wallet, given, from, valueSun, price),
      to: to === undefined || to === '0x' ? undefined : readAddress(to),
      valueSun,
      data,
    },
  };
}

/** Members that only types 3 and 4 have. Without them, the transaction is another one than its sender meant. */
const OF_TYPE: ReadonlyMap<string, number> = new Map([
  ['blobVersionedHashes', 3],
  ['maxFeePerBlobGas', 3],
  ['authorizationList', 4],
]);

const isGiven = (value: Json | undefined): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

/** As geth chooses: prices of EIP-1559 unless the sender says otherwise. @throws JsonRpcError for types 3 and 4 */
function typeOf(given: JsonMembers): 0 | 1 | 2 {
  const named = member(given, 'type');
  const other = [...OF_TYPE].find(([name]) => isGiven(given[name]))?.[1];
  const number = other ?? (named === undefined ? undefined : Number(readQuantity(named)));
  if (number !== undefined && number !== 0) reading(() => requireSupported(number));
  if (member(given, 'gasPrice') !== undefined)
    return number === 1 || (number !== 0 && isGiven(given.accessList)) ? 1 : 0;
  return (number === 0 || number === 1) && member(given, 'maxFeePerGas') === undefined ? number : 2;
}

function accessListOf(given: JsonMembers): Uint8Array {
  const { accessList = null } = given;
  if (accessList !== null && !Array.isArray(accessList)) throw invalidParams('accessList: expected a list');
  return encodeAccessList(
    (accessList ?? []).map((entry: Json) => {
      const keys = isMembers(entry) ? (entry.storageKeys ?? []) : undefined;
      if (!isMembers(entry) || !Array.isArray(keys))
        throw invalidParams('accessList: expected {"address": "0x…", "storageKeys": ["0x…"]}');
      return {
        address: readAddress(member(entry, 'address') ?? null),
        keys: keys.map((key: Json) => readHash(String(key))),
      };
    }),
  );
}

function pricesOf(given: JsonMembers, price: bigint) {
  const type = typeOf(given);
  const accessList = accessListOf(type === 0 ? {} : given);
  const max = member(given, type === 2 ? 'maxFeePerGas' : 'gasPrice');
  const gasPriceSun = max === undefined ? price : readQuantity(max);
  const priority = member(given, 'maxPriorityFeePerGas');
  const priorityPriceSun = type !== 2 ? gasPriceSun : priority === undefined ? 0n : readQuantity(priority);
  return { type, gasPriceSun, priorityPriceSun, accessList };
}

/** Without `gas`: the maximum, limited by the sender's balance. */
function gasOf(wallet: WalletContext, given: JsonMembers, from: Address, valueSun: bigint, price: bigint): bigint {
  const gas = member(given, 'gas') ?? member(given, 'gasLimit');
  if (gas !== undefined) return readQuantity(gas);
  const max = blockGasLimit(wallet);
  const left = getBalance(wallet, from) - valueSun;
  const affordable = price === 0n ? max : left / price;
  return affordable < max && affordable > 0n ? affordable : max;
}

/** Members of TRON: an object with one of them is a transaction of TRON. */
const OF_TRON = [
  ...['tokenId', 'tokenValue', 'abi', 'consumeUserResourcePercent', 'originEnergyLimit'],
  ...['name', 'permissionId', 'extraData'],
];

export function sendTransaction(context: RpcContext, given: Json): Promise<string> {
  if (isMembers(given) && OF_TRON.some((name) => name in given)) return sendTron(context, sendObject(given));
  const { from, unsigned } = completed(context, given);
  return sent(context, from, signed(context, from, unsigned));
}

/**
 * Signs with the node's key; an impersonated sender needs none.
 *
 * @throws JsonRpcError
 */
export function signed(
  { wallet, accounts }: RpcContext,
  from: Address,
  unsigned: CompletedTransaction['unsigned'],
): EthereumTransaction {
  if (wallet.node.operations.impersonates(from)) return { ...unsigned, ...unsignedBy(from) };
  const key = accounts.get(from);
  if (key === undefined) throw unknownAccount(from);
  const signature = sign(ethereumDigest(unsigned), key);
  return {
    ...unsigned,
    r: BigInt(`0x${signature.slice(0, 64)}`),
    s: BigInt(`0x${signature.slice(64, 128)}`),
    yParity: Number.parseInt(signature.slice(128), 16),
  };
}

export function unknownAccount(address: Address): JsonRpcError {
  return internalError(
    `unknown account ${shownAddress(address)}: this node has no key of it. Impersonate it (hardhat_impersonateAccount), or sign the transaction and send it with eth_sendRawTransaction`,
  );
}

/** The signed bytes in hex. */
export function shownRaw(ethereum: EthereumTransaction): Hex {
  return `0x${bytesToHex(encodeEthereumTransaction(ethereum))}`;
}
