/**
 * Token data: name, symbol, decimals, supply, balances. Read by constant calls, because no log and no row has them
 * (protocol/v1.md#trc20-recognition, #token-data).
 */

import { decodeValues } from '../../abi/values.js';
import { JavaException } from '../../errors/java-exception.js';
import { blockIdAt } from '../../ledger/blocks/block-ids.js';
import { bytesToHex, type Hex, hexToUtf8 } from '../../primitives/hex.js';
import type { Address, BlockId } from '../../primitives/ids.js';
import { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { MissingRow } from '../../state/missing-row.js';
import { callContract } from '../calls.js';
import type { Turn, WalletContext } from '../context.js';

export interface TokenInfo {
  /** Empty if the contract has none, or an unreadable one. */
  readonly name: string;
  readonly symbol: string;
  /** 0 if the contract has none. */
  readonly decimals: number;
}

/** Selectors of the functions that tokens have. */
const NAME = '06fdde03';
const SYMBOL = '95d89b41';
const DECIMALS = '313ce567';
const TOTAL_SUPPLY = '18160ddd';
const BALANCE_OF = '70a08231';
const SUPPORTS_INTERFACE = '01ffc9a7';

/** ERC-165 ids of TRC-721 and TRC-1155. */
const TRC721 = '80ac58cd';
const TRC1155 = 'd9b67a26';

/** The caller of these calls. */
const NOBODY = `41${'0'.repeat(40)}` as Address;

export function isContract({ ledger }: WalletContext, address: Address): boolean {
  return ledger.state.tables.contracts.has(address);
}

/** Return data of a call; undefined if it fails, or there is no contract. */
function ask(context: WalletContext, token: Address, data: Hex): Hex | undefined {
  try {
    const call = TriggerSmartContract.create({ owner_address: NOBODY, contract_address: token, data });
    const { run } = callContract(context, call);
    return run.runtimeError === undefined ? bytesToHex(run.output) : undefined;
  } catch (error) {
    if (error instanceof JavaException) return undefined;
    throw error;
  }
}

function askNumber(context: WalletContext, token: Address, data: Hex): bigint | undefined {
  const output = ask(context, token, data);
  return output === undefined || output.length < 64 ? undefined : BigInt(`0x${output.slice(0, 64)}`);
}

/** Old tokens have names of 32 bytes instead of strings. */
function askText(context: WalletContext, token: Address, data: Hex): string | undefined {
  const output = ask(context, token, data);
  if (output === undefined || output === '') return undefined;
  if (output.length === 64) return hexToUtf8(output.replace(/(00)+$/, ''));
  const text = decodeValues(['string'], output)?.[0];
  return typeof text === 'string' ? text : undefined;
}

export function balanceOf(context: WalletContext, token: Address, holder: Address): bigint | undefined {
  return askNumber(context, token, BALANCE_OF + holder.slice(2).padStart(64, '0'));
}

/**
 * {@link balanceOf} without requests to a fork's network.
 *
 * @param unread called if rows would have to be fetched, which the fork then has not changed
 */
export function balanceAtHand(
  context: WalletContext,
  token: Address,
  holder: Address,
  unread: () => bigint,
): bigint | undefined {
  try {
    return balanceOf(context, token, holder);
  } catch (error) {
    if (error instanceof MissingRow) return unread();
    throw error;
  }
}

export function totalSupplyOf(context: WalletContext, token: Address): bigint | undefined {
  return askNumber(context, token, TOTAL_SUPPLY);
}

/** @param turn awaited before each call */
export async function standardOf(
  context: WalletContext,
  token: Address,
  turn: Turn,
): Promise<'trc20' | 'trc721' | 'trc1155'> {
  const supports = async (id: Hex) => {
    await turn();
    return askNumber(context, token, SUPPORTS_INTERFACE + id.padEnd(64, '0')) === 1n;
  };
  return (await supports(TRC721)) ? 'trc721' : (await supports(TRC1155)) ? 'trc1155' : 'trc20';
}

interface Known {
  readonly info: TokenInfo;
  /** The block after which it was read. If the chain has another block there now, the token may be another. */
  readonly height: number;
  readonly id: BlockId;
}

const KEPT_TOKENS = 10_000;
const MAX_DECIMALS = 255n;

/** Names of tokens: each token is read once, and again only while it has none. */
export class TokenInfos {
  readonly #known = new Map<Address, Known>();

  /** @param turn awaited before each call */
  async of(context: WalletContext, token: Address, turn: Turn): Promise<TokenInfo> {
    const known = this.#known.get(token);
    if (known !== undefined && blockIdAt(context.ledger, known.height) === known.id) return known.info;
    await turn();
    const { headNumber: height, headId: id } = context.ledger;
    const name = askText(context, token, NAME);
    await turn();
    const symbol = askText(context, token, SYMBOL);
    await turn();
    const decimals = askNumber(context, token, DECIMALS);
    const info = {
      name: name ?? '',
      symbol: symbol ?? '',
      decimals: decimals === undefined || decimals > MAX_DECIMALS ? 0 : Number(decimals),
    };
    if (name !== undefined || symbol !== undefined || decimals !== undefined) {
      if (this.#known.size >= KEPT_TOKENS) this.#known.clear();
      this.#known.set(token, { info, height, id });
    }
    return info;
  }
}
