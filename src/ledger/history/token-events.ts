/**
 * Recognises transfers and approvals of tokens in logs (protocol/v1.md#trc20-recognition): TRC-20 and TRC-721 have the
 * same events with different indexed parameters.
 */

import type { Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';

/** keccak256 of `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** keccak256 of `Approval(address,address,uint256)`. */
const APPROVAL_TOPIC = '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';

/** A log as it stands in a receipt. */
export interface Log {
  /** 20 bytes. */
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export interface TokenEvent {
  readonly type: 'Transfer' | 'Approval';
  readonly standard: 'trc20' | 'trc721';
  readonly token: Address;
  /** The sender; of an approval the owner. */
  readonly from: Address;
  /** The receiver; of an approval the spender. */
  readonly to: Address;
  /** Raw units; for TRC-721 the token's id. */
  readonly value: bigint;
}

const WORD = 64;

/**
 * @returns undefined for other logs
 * @example tokenEventOf(log)?.type === 'Transfer'
 */
export function tokenEventOf({ address, topics, data }: Log): TokenEvent | undefined {
  const type = topics[0] === TRANSFER_TOPIC ? 'Transfer' : topics[0] === APPROVAL_TOPIC ? 'Approval' : undefined;
  if (type === undefined) return undefined;
  // Some tokens index none or only some parameters: the three words are then in the topics followed by the data.
  const words = [...topics.slice(1), ...(data.match(/.{64}/g) ?? [])];
  if (words.length !== 3 || data.length !== (4 - topics.length) * WORD) return undefined;
  const [from, to, value] = words as [Hex, Hex, Hex];
  return {
    type,
    standard: topics.length === 4 ? 'trc721' : 'trc20',
    token: `41${address}` as Address,
    from: addressOfWord(from),
    to: addressOfWord(to),
    value: BigInt(`0x${value}`),
  };
}

/** The low 20 bytes: the rest does not belong to the address. */
function addressOfWord(word: Hex): Address {
  return `41${word.slice(24)}` as Address;
}
