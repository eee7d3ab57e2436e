/**
 * Adds both tokens to an own exchange (protocol/trade.md#exchangeinjectcontract-42). Mirrors ExchangeInjectActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { longValueExact, multiplyExact } from '../../primitives/java-math.js';
import type { ExchangeInjectContract as Message } from '../../protocol/generated/exchange-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { debit } from '../accounts/assets.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import {
  CLOSED,
  checkExistingExchange,
  checkHolds,
  checkReserveLimit,
  checkTokenId,
  exchangeOf,
  isClosed,
  putExchange,
  sidesOf,
  withReserves,
} from '../trade/exchange.js';
import type { LedgerContract } from './contract.js';

export const exchangeInjectContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.ExchangeInjectContract,

  validate(ledger, { owner_address: owner, exchange_id, token_id: token, quant }) {
    const { account, exchange } = checkExistingExchange(ledger, owner, exchange_id);
    if (owner !== exchange.creator_address) throw contractValidateException(`account[${owner}] is not creator`);
    checkTokenId(ledger, token, 'token id is not a valid number');
    const sides = sidesOf(exchange, token);
    if (sides === undefined) throw contractValidateException('token id is not in exchange');
    if (isClosed(exchange)) throw contractValidateException(CLOSED);
    if (quant <= 0n) throw contractValidateException('injected token quant must greater than zero');
    // java-tron does not catch this overflow: the refusal is OTHER_ERROR, not a validation error.
    const otherQuant = longValueExact((sides.other * quant) / sides.own);
    if (otherQuant <= 0n) throw contractValidateException('the calculated token quant  must be greater than 0');
    checkReserveLimit(ledger, sides.own + quant, sides.other + otherQuant);
    checkHolds(ledger, account, token, quant, 0n, 'token balance is not enough');
    checkHolds(ledger, account, sides.otherToken, otherQuant, 0n, 'another token balance is not enough');
  },

  execute(ledger, { owner_address, exchange_id, token_id: token, quant }, { result }) {
    const exchange = exchangeOf(ledger, exchange_id);
    const sides = exchange === undefined ? undefined : sidesOf(exchange, token);
    if (sides === undefined) throw new Error(`exchange ${exchange_id} has no token ${token}`);
    // Not the product of `validate`: java-tron computes in 64 bits here, and an overflow fails only now.
    const otherQuant = multiplyExact(sides.other, quant) / sides.own;
    putExchange(ledger, withReserves(ledger, sides, sides.own + quant, sides.other + otherQuant));
    const account = existingAccount(ledger, owner_address);
    putAccount(ledger, debit(ledger, debit(ledger, account, token, quant), sides.otherToken, otherQuant));
    result.exchange_inject_another_amount = otherQuant;
  },
};
