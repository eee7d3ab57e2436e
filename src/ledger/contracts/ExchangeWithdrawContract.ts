/**
 * Withdraws both tokens, in proportion, from an own exchange (protocol/trade.md#exchangewithdrawcontract-43). Mirrors
 * ExchangeWithdrawActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { ArithmeticOverflow, longValueExact, MAX_LONG } from '../../primitives/java-math.js';
import type { ExchangeWithdrawContract as Message } from '../../protocol/generated/exchange-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { credit } from '../accounts/assets.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import {
  CLOSED,
  checkExistingExchange,
  checkTokenId,
  exchangeOf,
  isClosed,
  isHardened,
  putExchange,
  sidesOf,
  withReserves,
} from '../trade/exchange.js';
import type { LedgerContract } from './contract.js';

/** The largest rounding loss of a withdrawal, as a part of the other side's amount. */
const MAX_ROUNDING = 0.0001;

/** The quotient rounded half up to four decimals. */
function tenThousandths(product: bigint, divisor: bigint): bigint {
  return (product * 20_000n + divisor) / (divisor * 2n);
}

/** The same as the nearest double. */
function toFourDecimals(product: bigint, divisor: bigint): number {
  const rounded = tenThousandths(product, divisor);
  return Number(`${rounded / 10_000n}.${(rounded % 10_000n).toString().padStart(4, '0')}`);
}

/** The loss; with ALLOW_HARDEN_EXCHANGE_CALCULATION in decimals instead of doubles. */
function isImprecise(ledger: Ledger, product: bigint, divisor: bigint): boolean {
  const whole = product / divisor;
  if (isHardened(ledger)) return tenThousandths(product, divisor) - whole * 10_000n > whole;
  return (toFourDecimals(product, divisor) - Number(whole)) / Number(whole) > MAX_ROUNDING;
}

export const exchangeWithdrawContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.ExchangeWithdrawContract,

  validate(ledger, { owner_address: owner, exchange_id, token_id: token, quant }) {
    const { exchange } = checkExistingExchange(ledger, owner, exchange_id);
    if (owner !== exchange.creator_address) throw contractValidateException(`account[${owner}] is not creator`);
    checkTokenId(ledger, token, 'token id is not a valid number');
    const sides = sidesOf(exchange, token);
    if (sides === undefined) throw contractValidateException('token is not in exchange');
    if (quant <= 0n) throw contractValidateException('withdraw token quant must greater than zero');
    if (isClosed(exchange)) throw contractValidateException(CLOSED);
    const product = sides.other * quant;
    const otherQuant = product / sides.own;
    // BigDecimal.longValueExact: the exception is not caught, so the refusal is OTHER_ERROR with this word.
    if (otherQuant > MAX_LONG) throw new ArithmeticOverflow('Overflow');
    if (sides.own < quant || sides.other < otherQuant) {
      throw contractValidateException('exchange balance is not enough');
    }
    if (otherQuant <= 0n) throw contractValidateException('withdraw another token quant must greater than zero');
    if (isImprecise(ledger, product, sides.own)) throw contractValidateException('Not precise enough');
  },

  execute(ledger, { owner_address, exchange_id, token_id: token, quant }, { result }) {
    const exchange = exchangeOf(ledger, exchange_id);
    const sides = exchange === undefined ? undefined : sidesOf(exchange, token);
    if (sides === undefined) throw new Error(`exchange ${exchange_id} has no token ${token}`);
    const otherQuant = longValueExact((sides.other * quant) / sides.own);
    putExchange(ledger, withReserves(ledger, sides, sides.own - quant, sides.other - otherQuant));
    const account = existingAccount(ledger, owner_address);
    putAccount(ledger, credit(ledger, credit(ledger, account, token, quant), sides.otherToken, otherQuant));
    result.exchange_withdraw_another_amount = otherQuant;
  },
};
