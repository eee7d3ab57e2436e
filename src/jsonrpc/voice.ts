/**
 * The two voices in which the one table of methods is spoken (json-rpc.md B.3): java-tron's own, and one that Ethereum's
 * tools understand. The endpoint picks the voice and hands it on.
 *
 * Here is what differs for several methods; what differs for one stands in its row (`friendly` of `table.ts`).
 */

import { JavaException } from '../errors/java-exception.js';
import { bytesToHex } from '../primitives/hex.js';
import { contextAt, type WalletContext } from '../wallet/context.js';
import { energyPrice } from '../wallet/prices.js';
import { text } from './arguments.js';
import { FRIENDLY_TAGS, JAVA_TRON_TAGS, requireCallable, requireLatest, stateHeight, type Tags } from './block-tags.js';
import { internalError, JsonRpcError } from './errors.js';
import type { Json } from './json-text.js';
import { quantity, ZERO_HASH } from './values.js';

export interface Voice {
  readonly name: 'strict' | 'friendly';
  /** Whether arguments are read by the friendly column: unknown members are passed over, last parameters optional. */
  readonly lenient: boolean;
  readonly tags: Tags;
  /** A block's `stateRoot`, where the header has none. */
  readonly noStateRoot: string;
  readonly transactionNonce: string;
  /** Where a transaction stands that is in no block. */
  readonly noPlace: string | null;
  readonly pendingPrice: (wallet: WalletContext) => string;
  /** The state that a block parameter means. @throws JsonRpcError */
  readonly stateAt: (wallet: WalletContext, block: Json) => WalletContext;
  /** The same for `eth_call`. @throws JsonRpcError */
  readonly callAt: (wallet: WalletContext, block: Json) => WalletContext;
  /**
   * What a contract refused.
   *
   * @param reason reads Solidity's `Error(string)`; may throw a JavaException
   */
  readonly reverted: (revert: { text: string; output: Uint8Array; reason: () => string | undefined }) => JsonRpcError;
  /** Member `data` of an error; undefined: there is none. */
  readonly errorData: (data: unknown) => unknown;
  /** The id, as JSON, of the answer to what could not be read. @param id of the request, `null` where none was found */
  readonly unreadableId: (id: string) => string;
}

/** java-tron's, to the byte. */
export const strictVoice: Voice = {
  name: 'strict',
  lenient: false,
  tags: JAVA_TRON_TAGS,
  noStateRoot: '0x',
  transactionNonce: '0x0000000000000000',
  noPlace: '0x',
  pendingPrice: () => '0x',
  stateAt(wallet, block) {
    requireLatest(text(block));
    return wallet;
  },
  callAt(wallet, block) {
    requireCallable(wallet, block);
    return wallet;
  },
  reverted({ text, reason }) {
    const why = reason();
    return internalError(why === undefined ? text : `${text}: ${why}`);
  },
  errorData: (data) => data,
  // Four letters, whatever the request's id was.
  unreadableId: () => '"null"',
};

/** What Ethereum's libraries take for a revert; they decode its `data`. */
const EXECUTION_REVERTED = 3;
const HEX = /^0x[0-9a-f]*$/;

export const friendlyVoice: Voice = {
  name: 'friendly',
  lenient: true,
  tags: FRIENDLY_TAGS,
  noStateRoot: ZERO_HASH,
  transactionNonce: '0x0',
  noPlace: null,
  pendingPrice: (wallet) => quantity(energyPrice(wallet)),
  stateAt: stateOf,
  callAt: stateOf,
  reverted({ output, reason }) {
    const why = readable(reason);
    const message = why === undefined ? 'execution reverted' : `execution reverted: ${why}`;
    return new JsonRpcError(EXECUTION_REVERTED, message, `0x${bytesToHex(output)}`);
  },
  errorData: (data) => (typeof data === 'string' && HEX.test(data) ? data : undefined),
  unreadableId: (id) => id,
};

function stateOf(wallet: WalletContext, block: Json): WalletContext {
  const height = stateHeight(wallet, FRIENDLY_TAGS, block);
  return height === undefined ? wallet : contextAt(wallet, height);
}

/** A reason that cannot be decoded is left to whoever reads the data. */
function readable(reason: () => string | undefined): string | undefined {
  try {
    return reason();
  } catch (error) {
    if (error instanceof JavaException) return undefined;
    throw error;
  }
}
