/**
 * Removes an own order from the market (protocol/trade.md#marketcancelordercontract-53). Mirrors
 * MarketCancelOrderActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { MarketCancelOrderContract as Message } from '../../protocol/generated/market-contract.js';
import { MarketOrder_State, Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { payFee } from '../charging/fees.js';
import { cancelOrder, existingOrder } from '../trade/market.js';
import type { LedgerContract } from './contract.js';
import { MARKET_IS_OFF } from './MarketSellAssetContract.js';

export const marketCancelOrderContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.MarketCancelOrderContract,

  validate(ledger, { owner_address: owner, order_id }) {
    if (!ledger.on('ALLOW_MARKET_TRANSACTION')) throw contractValidateException(MARKET_IS_OFF);
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException('Account does not exist!');
    const order = ledger.state.tables.marketOrders.get(order_id);
    if (order === undefined) throw contractValidateException('orderId not exists');
    if (order.state !== MarketOrder_State.ACTIVE) throw contractValidateException('Order is not active!');
    if (order.owner_address !== owner) throw contractValidateException('Order does not belong to the account!');
    if (account.balance < ledger.long('MARKET_CANCEL_FEE')) throw contractValidateException('No enough balance !');
  },

  execute(ledger, { owner_address, order_id }, { charges }) {
    payFee(ledger, charges, owner_address, ledger.long('MARKET_CANCEL_FEE'), 'market-order');
    cancelOrder(ledger, existingOrder(ledger, order_id));
  },
};
