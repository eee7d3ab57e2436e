/** Adds the members of Ethereum's form to transactions and receipts. */

import { RLP } from '@ethereumjs/rlp';
import { bytesToHex } from '../../primitives/hex.js';
import { type EthereumTransaction, encodeEthereumTransaction } from '../../protocol/ethereum-transaction.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import type { BlockOutline } from '../../wallet/blocks.js';
import type { WalletContext } from '../../wallet/context.js';
import { chainIdOf } from '../../wallet/ethereum.js';
import { energyPrice, energyPriceAt } from '../../wallet/prices.js';
import type { FoundTransaction } from '../../wallet/transactions.js';
import { quantity, shownAddress } from '../values.js';
import { gasBill } from './gas-bill.js';

/** @param block undefined: the transaction is pending */
export function ethereumMembers(
  wallet: WalletContext,
  { transaction, info }: FoundTransaction,
  block: BlockOutline | undefined,
): object {
  const { ethereum } = SignedTransaction.of(transaction);
  const priceSun = block === undefined ? energyPrice(wallet) : energyPriceAt(wallet, block.header.timestamp);
  const bill = gasBill(info, priceSun);
  if (ethereum === undefined) {
    const limit = priceSun === 0n ? 0n : (transaction.raw_data?.fee_limit ?? 0n) / priceSun;
    return {
      gas: quantity(limit > bill.gasUsed ? limit : bill.gasUsed),
      gasPrice: quantity(block === undefined ? priceSun : bill.priceSun),
    };
  }
  return {
    ...termsOf(wallet, ethereum),
    gasPrice: quantity(block === undefined ? ethereum.gasPriceSun : bill.priceSun),
  };
}

/** As in `eth_getTransactionByHash`, without the block's members. */
export function termsOf(wallet: WalletContext, ethereum: EthereumTransaction): object {
  const { type, nonce, gas, gasPriceSun, priorityPriceSun, accessList, chainId, yParity, r, s, to, valueSun, data } =
    ethereum;
  const v = type !== 0 ? yParity : Number(chainId === undefined ? 27n : 35n + 2n * chainId) + yParity;
  const isBound = type !== 0 || chainId !== undefined;
  return {
    type: quantity(type),
    nonce: quantity(nonce),
    gas: quantity(gas),
    ...(type === 2 && {
      maxFeePerGas: quantity(gasPriceSun),
      maxPriorityFeePerGas: quantity(priorityPriceSun),
    }),
    ...(isBound && { chainId: quantity(chainId ?? chainIdOf(wallet)) }),
    ...(type !== 0 && { accessList: accessListOf(accessList), yParity: quantity(yParity) }),
    to: to === undefined ? null : shownAddress(to),
    value: quantity(valueSun),
    input: `0x${data}`,
    ...{ v: quantity(v), r: quantity(r), s: quantity(s) },
  };
}

function accessListOf(encoded: Uint8Array): readonly object[] {
  const entries = RLP.decode(encoded) as unknown as readonly [Uint8Array, readonly Uint8Array[]][];
  return entries.map(([address, keys]) => ({
    address: `0x${bytesToHex(address)}`,
    storageKeys: keys.map((key) => `0x${bytesToHex(key)}`),
  }));
}

export function ethereumReceiptMembers({ transaction }: FoundTransaction): object {
  const { ethereum } = SignedTransaction.of(transaction);
  if (ethereum === undefined) return {};
  return { type: quantity(ethereum.type), to: ethereum.to === undefined ? null : shownAddress(ethereum.to) };
}

/** For a transaction that waits for its nonce. */
export function shownQueued(
  wallet: WalletContext,
  from: string | null,
  hash: string,
  ethereum: EthereumTransaction,
): object {
  return {
    blockHash: null,
    blockNumber: null,
    transactionIndex: null,
    from,
    hash: `0x${hash}`,
    gasPrice: quantity(ethereum.gasPriceSun),
    ...termsOf(wallet, ethereum),
  };
}

/** The original signed bytes; undefined for a transaction of TRON. */
export function rawEthereum({ transaction }: FoundTransaction): string | undefined {
  const { ethereum } = SignedTransaction.of(transaction);
  return ethereum && `0x${bytesToHex(encodeEthereumTransaction(ethereum))}`;
}
