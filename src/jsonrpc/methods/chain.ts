/** Methods about the node and its chain, and methods with a constant result (protocol/json-rpc.md#working-methods). */

import { JavaException } from '../../errors/java-exception.js';
import type { Address } from '../../primitives/ids.js';
import { keccak256OfHex } from '../../protocol/hashes.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { type BlockOutline, getBlockOutline, headNumber } from '../../wallet/blocks.js';
import { getGenesisId } from '../../wallet/chain.js';
import type { WalletContext } from '../../wallet/context.js';
import { energyPrice } from '../../wallet/prices.js';
import { text } from '../arguments.js';
import { internalError, invalidParams } from '../errors.js';
import { type Method, method, type RpcContext } from '../table.js';
import { quantity, shownAddress } from '../values.js';

/** The last four bytes of the genesis block's id. */
function chainId({ wallet }: RpcContext): string {
  return `0x${getGenesisId(wallet).slice(-8)}`;
}

/** Accounts that can send: the node has their keys, or they need no signature. */
function ownAccounts({ accounts, wallet }: RpcContext): readonly (string | null)[] {
  return [...new Set([...accounts.keys(), ...wallet.node.operations.impersonated().accounts])].map((account) =>
    shownAddress(account),
  );
}

function coinbaseOf({ coinbase: own, wallet }: RpcContext): Address {
  const coinbase = wallet.node.producer.settings.coinbase ?? own;
  if (coinbase === undefined) throw internalError('etherbase must be explicitly specified');
  return coinbase;
}

function head(wallet: WalletContext): BlockOutline | undefined {
  return getBlockOutline(wallet, headNumber(wallet));
}

function sha3(data: string | null): string {
  try {
    return `0x${keccak256OfHex(readHex(data ?? ''))}`;
  } catch (error) {
    if (error instanceof JavaException) throw invalidParams('invalid input value');
    throw error;
  }
}

export const chainMethods: readonly Method[] = [
  method('web3_clientVersion', 'web3ClientVersion', [], ({ clientVersion }) => clientVersion),
  method('web3_sha3', 'web3Sha3', [text], (_, data) => sha3(data)),
  {
    ...method('net_version', 'getNetVersion', [], chainId),
    ethereum: { answer: (context: RpcContext) => BigInt(chainId(context)).toString() },
  },
  // A devnet has no peers. Ethereum's tools treat false as a node that is down.
  { ...method('net_listening', 'isListening', [], () => false), ethereum: { answer: () => true } },
  method('net_peerCount', 'getPeerCount', [], () => '0x0'),
  method('eth_syncing', 'getSyncingStatus', [], () => false),
  {
    // Without leading zeros, unlike java-tron: wallets refuse the padded form.
    ...method('eth_chainId', 'ethChainId', [], chainId),
    ethereum: { answer: (context: RpcContext) => quantity(BigInt(chainId(context))) },
  },
  method('eth_protocolVersion', 'getProtocolVersion', [], ({ wallet }) => quantity(head(wallet)?.header.version ?? 0)),
  method('eth_blockNumber', 'getLatestBlockNum', [], ({ wallet }) => quantity(headNumber(wallet))),
  method('eth_gasPrice', 'gasPrice', [], ({ wallet }) => quantity(energyPrice(wallet))),
  { ...method('eth_accounts', 'getAccounts', [], () => []), friendly: { answer: ownAccounts } },
  { name: 'eth_requestAccounts', onlyFriendly: true, callers: 'anyone', parameters: [], answer: ownAccounts },
  {
    // 21 bytes, unlike all other addresses.
    ...method('eth_coinbase', 'getCoinbase', [], (context) => `0x${coinbaseOf(context)}`),
    ethereum: { answer: (context: RpcContext) => shownAddress(coinbaseOf(context)) },
  },
  {
    ...method('eth_mining', 'isMining', [], ({ coinbase }) => coinbase !== undefined),
    // Clients of ganache use it to check for automatic mining.
    friendly: {
      answer: ({ coinbase, wallet }) => coinbase !== undefined && wallet.node.producer.mode !== 'manual',
    },
  },
  method('eth_hashrate', 'getHashRate', [], () => '0x0'),
  method('eth_getWork', 'ethGetWork', [], ({ wallet }) => [`0x${head(wallet)?.id ?? ''}`, null, null]),
  method('eth_getUncleCountByBlockHash', 'getUncleCountByBlockHash', [text], () => '0x0'),
  method('eth_getUncleCountByBlockNumber', 'getUncleCountByBlockNumber', [text], () => '0x0'),
  method('eth_getUncleByBlockHashAndIndex', 'getUncleByBlockHashAndIndex', [text, text], () => null),
  method('eth_getUncleByBlockNumberAndIndex', 'getUncleByBlockNumberAndIndex', [text, text], () => null),
];
