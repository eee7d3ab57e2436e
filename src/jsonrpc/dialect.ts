/**
 * The dialects of JSON-RPC, for one table of methods: java-tron's, a friendly one for Ethereum's tools, and that of an
 * Ethereum node on `/eth`. The endpoint selects the dialect.
 *
 * Here are the differences that concern several methods; a difference of one method is at the method (`friendly` of
 * `table.ts`).
 */

import { JavaException } from '../errors/java-exception.js';
import { bytesToHex } from '../primitives/hex.js';
import { FIRST_RELEASE, type Release } from '../primitives/release.js';
import { headNumber } from '../wallet/blocks.js';
import { contextAt, type WalletContext } from '../wallet/context.js';
import { energyPrice } from '../wallet/prices.js';
import { text } from './arguments.js';
import {
  FRIENDLY_TAGS,
  JAVA_TRON_TAGS,
  LATER_TAGS,
  requireCallable,
  requireLatest,
  stateHeight,
  type Tags,
} from './block-tags.js';
import { callReverted, executionReverted, type JsonRpcError, NO_DATA } from './errors.js';
import type { Json } from './json-text.js';
import { type Forms, formsOf } from './release-forms.js';
import { quantity, ZERO_HASH } from './values.js';

export interface Dialect {
  readonly name: 'strict' | 'friendly' | 'ethereum';
  /** Whether it is that of an Ethereum node: nonces, Ethereum's hashes, gas that includes the whole fee. */
  readonly ethereum: boolean;
  /** Whether arguments are read leniently: unknown members are ignored, last parameters are optional. */
  readonly lenient: boolean;
  /** Differences of the node's release from the first one. */
  readonly forms: Forms;
  readonly tags: Tags;
  /** A block's `stateRoot` if its header has none. */
  readonly noStateRoot: string;
  readonly transactionNonce: string;
  /** Position of a transaction that is in no block. */
  readonly noPlace: string | null;
  readonly pendingPrice: (wallet: WalletContext) => string;
  /**
   * The state of a block parameter.
   *
   * @throws JsonRpcError
   */
  readonly stateAt: (wallet: WalletContext, block: Json) => WalletContext;
  /** The same for `eth_call`. @throws JsonRpcError */
  readonly callAt: (wallet: WalletContext, block: Json) => WalletContext;
  /**
   * The error of a reverted call.
   *
   * @param reason reads Solidity's `Error(string)`; may throw a JavaException
   */
  readonly reverted: (revert: { text: string; output: Uint8Array; reason: () => string | undefined }) => JsonRpcError;
  /** Member `data` of an error; undefined: absent. */
  readonly errorData: (data: unknown) => unknown;
  /**
   * The JSON id of the answer to an unreadable request.
   *
   * @param id of the request, `null` if none was found
   */
  readonly unreadableId: (id: string) => string;
}

/** java-tron's dialect, byte for byte. */
export function strictDialect(release: Release): Dialect {
  const forms = formsOf(release);
  return { ...STRICT, forms, ...releaseForms(forms) };
}

const STRICT: Omit<Dialect, 'forms' | 'tags' | 'stateAt' | 'callAt' | 'reverted' | 'unreadableId'> = {
  name: 'strict',
  ethereum: false,
  lenient: false,
  noStateRoot: '0x',
  transactionNonce: '0x0000000000000000',
  noPlace: '0x',
  pendingPrice: () => '0x',
  errorData: (data) => data,
};

function releaseForms(forms: Forms): Pick<Dialect, 'tags' | 'stateAt' | 'callAt' | 'reverted' | 'unreadableId'> {
  const tags = forms.safeTag ? LATER_TAGS : JAVA_TRON_TAGS;
  return {
    tags,
    stateAt(wallet, block) {
      requireLatest(tags, text(block));
      return wallet;
    },
    callAt(wallet, block) {
      requireCallable(wallet, tags, block);
      return wallet;
    },
    reverted({ text, output, reason }) {
      const why = reason();
      const data = forms.revertData && output.length > 0 ? `0x${bytesToHex(output)}` : NO_DATA;
      return callReverted(why === undefined ? text : `${text}: ${why}`, data);
    },
    // The text "null", independent of the request's id.
    unreadableId: () => (forms.strictEnvelope ? 'null' : '"null"'),
  };
}

const HEX = /^0x[0-9a-f]*$/;

/** Its answers have all fields of later releases. */
export function friendlyDialect(release: Release): Dialect {
  return { ...FRIENDLY, forms: { ...FRIENDLY.forms, logTimes: formsOf(release).logTimes } };
}

/** The dialect of `/eth`. */
export function ethereumDialect(release: Release): Dialect {
  return {
    ...friendlyDialect(release),
    name: 'ethereum',
    ethereum: true,
    stateAt: stateWithoutPending,
    callAt: stateWithoutPending,
  };
}

/** In Ethereum, `latest` is the state after the head; only `pending` includes what waits for a block. */
function stateWithoutPending(wallet: WalletContext, block: Json): WalletContext {
  const found = stateOf(wallet, block);
  const includesPending = found === wallet && !wallet.solid && wallet.node.chain.pool.size > 0;
  return includesPending && !isPending(block) ? contextAt(wallet, headNumber(wallet)) : found;
}

/** Whether a block parameter asks for the next block. */
export const isPending = (block: Json): boolean => typeof block === 'string' && block.toLowerCase() === 'pending';

const FRIENDLY: Dialect = {
  forms: formsOf(FIRST_RELEASE),
  name: 'friendly',
  ethereum: false,
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
    return executionReverted(message, `0x${bytesToHex(output)}`);
  },
  errorData: (data) => (typeof data === 'string' && HEX.test(data) ? data : undefined),
  unreadableId: (id) => id,
};

/**
 * The state of a block parameter of an Ethereum node.
 *
 * @throws JsonRpcError
 */
export function stateOf(wallet: WalletContext, block: Json): WalletContext {
  const height = stateHeight(wallet, FRIENDLY_TAGS, block);
  return height === undefined ? wallet : contextAt(wallet, height);
}

/** Undefined for a reason that cannot be decoded: clients can read the data. */
function readable(reason: () => string | undefined): string | undefined {
  try {
    return reason();
  } catch (error) {
    if (error instanceof JavaException) return undefined;
    throw error;
  }
}
