/** Steps of the protocol's exchanges and of its market. */

import * as v from 'valibot';
import { type Hex, utf8ToHex } from '../../primitives/hex.js';
import {
  ExchangeCreateContract,
  ExchangeInjectContract,
  ExchangeTransactionContract,
  ExchangeWithdrawContract,
} from '../../protocol/generated/exchange-contract.js';
import { MarketCancelOrderContract, MarketSellAssetContract } from '../../protocol/generated/market-contract.js';
import { Transaction_Contract_ContractType as Type } from '../../protocol/generated/tron.js';
import type { StepRun } from '../actions/step-run.js';
import { members } from '../format/check-object.js';
import { definition, integer, objectReference, text, token } from '../format/fields.js';
import { type StepKind, transaction } from './step-kind.js';

/** TRX have the token id `_` in exchanges. */
function tokenKey(name: string, run: StepRun): Hex {
  return utf8ToHex(name.toUpperCase() === 'TRX' ? '_' : run.objects.id('token', name));
}

const part = members('an amount of a token, or of TRX in sun', { token, amount: integer });
const exchange = objectReference('exchange');

/** Both move one token of an exchange and, in proportion, the other. */
function moved(
  {
    from,
    exchange: name,
    token: of,
    amount,
  }: Readonly<Record<'from' | 'exchange' | 'token', string>> & { readonly amount: bigint },
  run: StepRun,
) {
  return {
    owner_address: run.addressOf(from),
    exchange_id: BigInt(run.objects.id('exchange', name)),
    token_id: tokenKey(of, run),
    quant: amount,
  };
}

export const tradeSteps: readonly StepKind[] = [
  transaction({
    name: 'createExchange',
    about: 'creates an exchange of two tokens, or of a token and TRX (ExchangeCreate)',
    example: {
      from: 'issuer',
      as: 'pool',
      first: { token: 'coupon', amount: 1_000 },
      second: { token: 'TRX', amount: 1_000_000 },
    },
    contractType: Type.ExchangeCreateContract,
    fields: { as: v.optional(definition('exchange')), first: part, second: part },
    call: ({ from, first, second }, run) => ({
      message: ExchangeCreateContract.create({
        owner_address: run.addressOf(from),
        first_token_id: tokenKey(first.token, run),
        first_token_balance: first.amount,
        second_token_id: tokenKey(second.token, run),
        second_token_balance: second.amount,
      }),
    }),
    made: ({ as }, run, { exchange_id }) => {
      if (as !== undefined) run.objects.add('exchange', as, String(exchange_id));
    },
  }),
  transaction({
    name: 'injectExchange',
    about: 'adds both tokens to an exchange, as its creator (ExchangeInject)',
    example: { from: 'issuer', exchange: 'market', token: 'coupon', amount: 100 },
    contractType: Type.ExchangeInjectContract,
    fields: { exchange, token, amount: integer },
    call: (given, run) => ({ message: ExchangeInjectContract.create(moved(given, run)) }),
  }),
  transaction({
    name: 'withdrawExchange',
    about: 'removes both tokens from an exchange, as its creator (ExchangeWithdraw)',
    example: { from: 'issuer', exchange: 'market', token: 'coupon', amount: 100 },
    contractType: Type.ExchangeWithdrawContract,
    fields: { exchange, token, amount: integer },
    call: (given, run) => ({ message: ExchangeWithdrawContract.create(moved(given, run)) }),
  }),
  transaction({
    name: 'exchange',
    about: 'trades one token of an exchange for the other; fails below the expected amount (ExchangeTransaction)',
    example: { from: 'alice', exchange: 'market', token: 'TRX', amount: 100_000, atLeast: 1 },
    contractType: Type.ExchangeTransactionContract,
    fields: { exchange, token, amount: integer, atLeast: integer },
    call: ({ atLeast, ...given }, run) => ({
      message: ExchangeTransactionContract.create({ ...moved(given, run), expected: atLeast }),
    }),
  }),
  transaction({
    name: 'sellOnMarket',
    about:
      'places a market order that sells one token for another; the main network has the market switched off (MarketSellAsset)',
    example: {
      from: 'issuer',
      as: 'offer',
      sell: { token: 'coupon', amount: 10 },
      buy: { token: 'TRX', amount: 1_000 },
    },
    contractType: Type.MarketSellAssetContract,
    fields: { as: v.optional(definition('order')), sell: part, buy: part },
    call: ({ from, sell, buy }, run) => ({
      message: MarketSellAssetContract.create({
        owner_address: run.addressOf(from),
        sell_token_id: tokenKey(sell.token, run),
        sell_token_quantity: sell.amount,
        buy_token_id: tokenKey(buy.token, run),
        buy_token_quantity: buy.amount,
      }),
    }),
    made: ({ as }, run, { orderId }) => {
      if (as !== undefined) run.objects.add('order', as, orderId);
    },
  }),
  transaction({
    name: 'cancelOrder',
    about: 'cancels a market order (MarketCancelOrder)',
    example: { from: 'issuer', order: 'standing' },
    contractType: Type.MarketCancelOrderContract,
    fields: {
      order: v.pipe(
        text,
        v.description('the name that an earlier step gave an order (as), or its id'),
        v.metadata({ names: 'order' }),
      ),
    },
    call: ({ from, order }, run) => ({
      message: MarketCancelOrderContract.create({
        owner_address: run.addressOf(from),
        order_id: run.objects.id('order', order),
      }),
    }),
  }),
];
