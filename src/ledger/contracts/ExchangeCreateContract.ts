/**
 * Creates an exchange of two tokens, or of a token and TRX (protocol/trade.md#exchangecreatecontract-41). Mirrors
 * ExchangeCreateActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { ExchangeCreateContract as Message } from '../../protocol/generated/exchange-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { debit } from '../accounts/assets.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import { payFee } from '../charging/fees.js';
import { checkHolds, checkReserveLimit, checkTokenId, putExchange } from '../trade/exchange.js';
import type { LedgerContract } from './contract.js';

export const exchangeCreateContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.ExchangeCreateContract,

  validate(ledger, contract) {
    const { owner_address: owner, first_token_id: first, second_token_id: second } = contract;
    const { first_token_balance: firstAmount, second_token_balance: secondAmount } = contract;
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException(`account[${owner}] not exists`);
    const feeSun = ledger.long('EXCHANGE_CREATE_FEE');
    if (account.balance < feeSun) throw contractValidateException('No enough balance for exchange create fee!');
    checkTokenId(ledger, first, 'first token id is not a valid number');
    checkTokenId(ledger, second, 'second token id is not a valid number');
    if (first === second) throw contractValidateException('cannot exchange same tokens');
    if (firstAmount <= 0n || secondAmount <= 0n) {
      throw contractValidateException('token balance must greater than zero');
    }
    checkReserveLimit(ledger, firstAmount, secondAmount);
    checkHolds(ledger, account, first, firstAmount, feeSun, 'first token balance is not enough');
    checkHolds(ledger, account, second, secondAmount, feeSun, 'second token balance is not enough');
  },

  execute(ledger, contract, { charges, result }) {
    const owner = contract.owner_address;
    payFee(ledger, charges, owner, ledger.long('EXCHANGE_CREATE_FEE'), 'exchange-creation');
    const account = existingAccount(ledger, owner);
    const withoutFirst = debit(ledger, account, contract.first_token_id, contract.first_token_balance);
    putAccount(ledger, debit(ledger, withoutFirst, contract.second_token_id, contract.second_token_balance));

    const id = ledger.long('LATEST_EXCHANGE_NUM') + 1n;
    ledger.setLong('LATEST_EXCHANGE_NUM', id);
    putExchange(ledger, {
      exchange_id: id,
      creator_address: owner,
      create_time: ledger.headTimeMs,
      first_token_id: contract.first_token_id,
      first_token_balance: contract.first_token_balance,
      second_token_id: contract.second_token_id,
      second_token_balance: contract.second_token_balance,
    });
    result.exchange_id = id;
  },
};
