/**
 * Trades one token of an exchange for the other (protocol/trade.md#exchangetransactioncontract-44). Mirrors
 * ExchangeTransactionActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import type { ExchangeTransactionContract as Message } from '../../protocol/generated/exchange-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { credit, debit } from '../accounts/assets.js';
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
  received,
  sidesOf,
  withReserves,
} from '../trade/exchange.js';
import type { LedgerContract } from './contract.js';

export const exchangeTransactionContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.ExchangeTransactionContract,

  validate(ledger, { owner_address: owner, exchange_id, token_id: token, quant, expected }) {
    const { account, exchange } = checkExistingExchange(ledger, owner, exchange_id);
    checkTokenId(ledger, token, 'token id is not a valid number');
    const sides = sidesOf(exchange, token);
    if (sides === undefined) throw contractValidateException('token is not in exchange');
    if (quant <= 0n) throw contractValidateException('token quant must greater than zero');
    if (expected <= 0n) throw contractValidateException('token expected must greater than zero');
    if (isClosed(exchange)) throw contractValidateException(CLOSED);
    checkReserveLimit(ledger, sides.own + quant);
    checkHolds(ledger, account, token, quant, 0n, 'token balance is not enough');
    if (received(ledger, sides, quant) < expected) {
      throw contractValidateException('token required must greater than expected');
    }
  },

  execute(ledger, { owner_address, exchange_id, token_id: token, quant }, { result }) {
    const exchange = exchangeOf(ledger, exchange_id);
    const sides = exchange === undefined ? undefined : sidesOf(exchange, token);
    if (sides === undefined) throw new Error(`exchange ${exchange_id} has no token ${token}`);
    const bought = received(ledger, sides, quant);
    putExchange(ledger, withReserves(ledger, sides, sides.own + quant, sides.other - bought));
    const account = existingAccount(ledger, owner_address);
    putAccount(ledger, credit(ledger, debit(ledger, account, token, quant), sides.otherToken, bought));
    result.exchange_received_amount = bought;
  },
};
