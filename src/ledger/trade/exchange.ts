/**
 * The Bancor exchange: pairs of reserves that anybody can trade with, and deposits and withdrawals of their creators
 * (protocol/trade.md#bancor-exchange). Owns the arithmetic and the records; the contract types own their checks.
 * Mirrors java-tron's ExchangeCapsule, ExchangeProcessor and Commons.putExchangeCapsule.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { type Hex, utf8ToHex } from '../../primitives/hex.js';
import { isAddress } from '../../primitives/ids.js';
import { addExact, longFromDouble, longValueExact, wrapLong } from '../../primitives/java-math.js';
import { strictPow } from '../../primitives/strict-pow.js';
import type { Account, Exchange } from '../../protocol/generated/tron.js';
import { numberKey } from '../../state/tables.js';
import { assetOf, COIN, holdsTokens, isTokenId, type TokenKey, tokensHaveIds } from '../accounts/assets.js';
import type { Ledger } from '../ledger.js';

/** Tokens of the relay currency through which every trade passes. */
const RELAY_SUPPLY = 1_000_000_000_000_000_000n;
const TO_RELAY_POWER = 0.0005;
const FROM_RELAY_POWER = 2000;

type Pow = (base: number, exponent: number) => number;

/**
 * The result of a trade: `quant` is sold into `sellReserve` and paid from `buyReserve`. The rule uses doubles, so the
 * order of operations matters.
 *
 * @param pow `strictPow` under ALLOW_STRICT_MATH
 * @example bancorTrade(100_000_000n, 100_000_000n, 10_000_000n, strictPow)
 */
export function bancorTrade(sellReserve: bigint, buyReserve: bigint, quant: bigint, pow: Pow): bigint {
  const newReserve = wrapLong(sellReserve + quant);
  const issued = Number(-RELAY_SUPPLY) * (1 - pow(1 + Number(quant) / Number(newReserve), TO_RELAY_POWER));
  const relay = longFromDouble(issued);
  // The relay tokens are issued and returned at once: the supply does not change.
  const supply = RELAY_SUPPLY;
  return longFromDouble(Number(buyReserve) * (pow(1 + Number(relay) / Number(supply), FROM_RELAY_POWER) - 1));
}

/**
 * The same with ALLOW_HARDEN_EXCHANGE_CALCULATION: quotients with 18 decimals, rounded half up, exact products, and
 * doubles only for powers, as the decimals that Java prints. Mirrors SafeExchangeProcessor (4.8.2).
 *
 * @throws ArithmeticOverflow beyond 64 bits
 */
export function hardenedTrade(sellReserve: bigint, buyReserve: bigint, quant: bigint): bigint {
  const power = (part: bigint, whole: bigint, exponent: number): Decimal =>
    decimalOf(strictPow(onePlus(part, whole), exponent));
  const toRelay = power(quant, addExact(sellReserve, quant), TO_RELAY_POWER);
  const relay = timesLessOne(RELAY_SUPPLY, toRelay);
  return longValueExact(timesLessOne(buyReserve, power(relay, RELAY_SUPPLY, FROM_RELAY_POWER)));
}

/** `digits` × 10^-`scale`. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: bigint;
}

const QUOTIENT_SCALE = 10n ** 18n;

/** The double nearest to 1 + part / whole, with the quotient rounded half up to 18 decimals. */
function onePlus(part: bigint, whole: bigint): number {
  const quotient = (part * QUOTIENT_SCALE * 2n + whole) / (whole * 2n);
  const digits = (QUOTIENT_SCALE + quotient).toString().padStart(19, '0');
  return Number(`${digits.slice(0, -18)}.${digits.slice(-18)}`);
}

/** The decimal text of a double. */
function decimalOf(value: number): Decimal {
  const [, whole = '', fraction = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const scale = BigInt(fraction.length) - BigInt(exponent);
  const digits = BigInt(whole + fraction);
  return scale < 0n ? { digits: digits * 10n ** -scale, scale: 0n } : { digits, scale };
}

/** factor × (value - 1), truncated to a whole number. */
function timesLessOne(factor: bigint, { digits, scale }: Decimal): bigint {
  const one = 10n ** scale;
  return (factor * (digits - one)) / one;
}

/** An exchange from the side of one of its tokens. */
export interface Sides {
  readonly exchange: Exchange;
  readonly ownIsFirst: boolean;
  readonly own: bigint;
  readonly other: bigint;
  readonly otherToken: TokenKey;
}

export function sidesOf(exchange: Exchange, token: TokenKey): Sides | undefined {
  const ownIsFirst = token === exchange.first_token_id;
  if (!ownIsFirst && token !== exchange.second_token_id) return undefined;
  const { first_token_balance: first, second_token_balance: second } = exchange;
  return {
    exchange,
    ownIsFirst,
    own: ownIsFirst ? first : second,
    other: ownIsFirst ? second : first,
    otherToken: ownIsFirst ? exchange.second_token_id : exchange.first_token_id,
  };
}

/** A sum in 64 bits: it wraps as in Java, or with ALLOW_HARDEN_EXCHANGE_CALCULATION it is refused. */
function sum(ledger: Ledger, value: bigint): bigint {
  return isHardened(ledger) ? longValueExact(value) : wrapLong(value);
}

export function isHardened(ledger: Ledger): boolean {
  return ledger.on('ALLOW_HARDEN_EXCHANGE_CALCULATION');
}

/** The exchange with other reserves. */
export function withReserves(ledger: Ledger, { exchange, ownIsFirst }: Sides, own: bigint, other: bigint): Exchange {
  const [first, second] = ownIsFirst ? [own, other] : [other, own];
  return { ...exchange, first_token_balance: sum(ledger, first), second_token_balance: sum(ledger, second) };
}

export function isClosed({ first_token_balance, second_token_balance }: Exchange): boolean {
  return first_token_balance === 0n || second_token_balance === 0n;
}

export function received(ledger: Ledger, { own, other }: Sides, quant: bigint): bigint {
  if (isHardened(ledger)) {
    const bought = hardenedTrade(own, other, quant);
    if (bought > other) throw contractValidateException('Exchange balance must be >=0 after transaction');
    return bought;
  }
  return bancorTrade(own, other, quant, ledger.on('ALLOW_STRICT_MATH') ? strictPow : Math.pow);
}

/** An exchange as contracts see it: with token names while ALLOW_SAME_TOKEN_NAME is off. */
export function exchangeOf(ledger: Ledger, id: bigint): Exchange | undefined {
  // No id is negative, and no counter exceeds the room in the key.
  if (id < 0n) return undefined;
  const { exchanges, exchangesByName } = ledger.state.tables;
  return (tokensHaveIds(ledger) ? exchanges : exchangesByName).get(numberKey(id));
}

/** Writes an exchange; while tokens are identified by name also its copy with ids, which counts after the switch. */
export function putExchange(ledger: Ledger, exchange: Exchange): void {
  const { exchanges, exchangesByName } = ledger.state.tables;
  const key = numberKey(exchange.exchange_id);
  if (tokensHaveIds(ledger)) {
    exchanges.set(key, exchange);
    return;
  }
  exchangesByName.set(key, exchange);
  exchanges.set(key, {
    ...exchange,
    first_token_id: idOfName(ledger, exchange.first_token_id),
    second_token_id: idOfName(ledger, exchange.second_token_id),
  });
}

function idOfName(ledger: Ledger, token: TokenKey): Hex {
  if (token === COIN) return token;
  const asset = assetOf(ledger, token);
  if (asset === undefined) throw new Error(`token ${token} of an exchange has no record`);
  return utf8ToHex(asset.id);
}

/** Refuses invalid token ids. Names are not checked: while they are used, any bytes are valid. */
export function checkTokenId(ledger: Ledger, token: TokenKey, text: string): void {
  if (tokensHaveIds(ledger) && !isTokenId(token)) throw contractValidateException(text);
}

/** Refuses an amount above the account's balance; for TRX, `feeSun` is added. */
export function checkHolds(
  ledger: Ledger,
  account: Account,
  token: TokenKey,
  amount: bigint,
  feeSun: bigint,
  tokenText: string,
): void {
  if (token === COIN) {
    if (account.balance < sum(ledger, amount + feeSun)) throw contractValidateException('balance is not enough');
  } else if (!holdsTokens(ledger, account, token, amount)) {
    throw contractValidateException(tokenText);
  }
}

export function checkReserveLimit(ledger: Ledger, ...reserves: readonly bigint[]): void {
  const limit = ledger.long('EXCHANGE_BALANCE_LIMIT');
  if (reserves.some((reserve) => sum(ledger, reserve) > limit)) {
    throw contractValidateException(`token balance must less than ${limit}`);
  }
}

/** First checks of the three contract types on an existing exchange, in this order. */
export function checkExistingExchange(
  ledger: Ledger,
  owner: Hex,
  exchangeId: bigint,
): { readonly account: Account; readonly exchange: Exchange } {
  if (!isAddress(owner)) throw contractValidateException('Invalid address');
  const account = ledger.state.tables.accounts.get(owner);
  if (account === undefined) throw contractValidateException(`account[${owner}] not exists`);
  const exchange = exchangeOf(ledger, exchangeId);
  if (exchange === undefined) throw contractValidateException(`Exchange[${exchangeId}] not exists`);
  return { account, exchange };
}

export const CLOSED = 'Token balance in exchange is equal with 0,the exchange has been closed';
