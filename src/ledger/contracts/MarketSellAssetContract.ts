/** Places a market order (protocol/trade.md#marketsellassetcontract-52). Mirrors MarketSellAssetActuator. */

import { contractValidateException, refuseOverflow } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import { addExact } from '../../primitives/java-math.js';
import type { MarketSellAssetContract as Message } from '../../protocol/generated/market-contract.js';
import { type Account, Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import { assetOf, COIN, debit, holdsTokens, isTokenId } from '../accounts/assets.js';
import { existingAccount } from '../accounts/coin.js';
import { payFee } from '../charging/fees.js';
import type { Ledger } from '../ledger.js';
import { MAX_ACTIVE_ORDERS, openOrder, ordersOf, placeOrder } from '../trade/market.js';
import type { LedgerContract } from './contract.js';

export const MARKET_IS_OFF = 'Not support Market Transaction, need to be opened by the committee';

function checkTokens(ledger: Ledger, { sell_token_id: sold, buy_token_id: wanted, ...amounts }: Sent<Message>): void {
  if (!isTokenId(sold)) throw contractValidateException('sellTokenId is not a valid number');
  if (!isTokenId(wanted)) throw contractValidateException('buyTokenId is not a valid number');
  if (sold === wanted) throw contractValidateException('cannot exchange same tokens');
  const { sell_token_quantity: sells, buy_token_quantity: wants } = amounts;
  if (sells <= 0n || wants <= 0n) throw contractValidateException('token quantity must greater than zero');
  const limit = ledger.long('MARKET_QUANTITY_LIMIT');
  if (sells > limit || wants > limit) throw contractValidateException(`token quantity must less than ${limit}`);
}

function checkMeans(ledger: Ledger, account: Account, sold: string, quantity: bigint): void {
  const feeSun = ledger.long('MARKET_SELL_FEE');
  if (sold === COIN) {
    if (account.balance < refuseOverflow(() => addExact(quantity, feeSun))) {
      throw contractValidateException('No enough balance !');
    }
    return;
  }
  if (account.balance < feeSun) throw contractValidateException('No enough balance !');
  if (assetOf(ledger, sold) === undefined) throw contractValidateException('No sellTokenId !');
  if (!holdsTokens(ledger, account, sold, quantity)) {
    throw contractValidateException('SellToken balance is not enough !');
  }
}

export const marketSellAssetContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.MarketSellAssetContract,

  validate(ledger, contract) {
    const { owner_address: owner, sell_token_id: sold, buy_token_id: wanted } = contract;
    if (!ledger.on('ALLOW_MARKET_TRANSACTION')) throw contractValidateException(MARKET_IS_OFF);
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException('Account does not exist!');
    checkTokens(ledger, contract);
    if (ordersOf(ledger, owner).count >= MAX_ACTIVE_ORDERS) {
      throw contractValidateException(`Maximum number of orders exceeded，${MAX_ACTIVE_ORDERS}`);
    }
    checkMeans(ledger, account, sold, contract.sell_token_quantity);
    if (wanted !== COIN && assetOf(ledger, wanted) === undefined) throw contractValidateException('No buyTokenId !');
  },

  execute(ledger, contract, { charges, result }) {
    const owner = contract.owner_address;
    payFee(ledger, charges, owner, ledger.long('MARKET_SELL_FEE'), 'market-order');
    const account = debit(ledger, existingAccount(ledger, owner), contract.sell_token_id, contract.sell_token_quantity);
    const order = openOrder(ledger, contract);
    result.orderDetails = placeOrder(ledger, order, account);
    result.orderId = order.order_id;
  },
};
