import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TokenKey } from '../../../../src/ledger/accounts/assets.js';
import { marketCancelOrderContract } from '../../../../src/ledger/contracts/MarketCancelOrderContract.js';
import { marketSellAssetContract } from '../../../../src/ledger/contracts/MarketSellAssetContract.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import { orderIdOf, ordersOf, pairKey, pairOfKey, priceLevels } from '../../../../src/ledger/trade/market.js';
import type { Hex } from '../../../../src/primitives/hex.js';
import type { MarketSellAssetContract } from '../../../../src/protocol/generated/market-contract.js';
import { MarketOrder_State } from '../../../../src/protocol/generated/tron.js';
import type { Sent } from '../../../../src/protocol/message-type.js';
import type { EpochLedger } from '../epoch-ledger.js';
import { accountAt, addressOf, COIN, refusal, run, smallLedger } from '../small-ledger.js';
import { COIN_KEY, handOutTokens, held, ids, tokenState, totalOf } from '../token-ledger.js';

const OPEN = { ASSET_ISSUE_FEE: 0n, ALLOW_MARKET_TRANSACTION: 1n };
const EACH = 1_000_000n;

function market(accounts: number, parameters: Readonly<Record<string, bigint>> = {}): EpochLedger {
  const chain = smallLedger(accounts, { ...OPEN, ...parameters });
  handOutTokens(chain, accounts, EACH);
  return chain;
}

function order(owner: number, sells: bigint, sold: TokenKey, wants: bigint, wanted: TokenKey): MarketSellAssetContract {
  return {
    owner_address: addressOf(owner),
    sell_token_id: sold,
    sell_token_quantity: sells,
    buy_token_id: wanted,
    buy_token_quantity: wants,
  };
}

function place(chain: EpochLedger, ...details: Parameters<typeof order>) {
  const { orderId = '', orderDetails = [] } = run(chain, marketSellAssetContract, order(...details));
  return {
    id: orderId,
    fills: orderDetails.map(({ fillSellQuantity, fillBuyQuantity }) => [fillSellQuantity, fillBuyQuantity]),
  };
}

function stored(ledger: Ledger, id: Hex) {
  const found = ledger.state.tables.marketOrders.get(id);
  if (found === undefined) throw new Error(`no order ${id}`);
  return found;
}

/** The ids at each price of a side, best first, followed through the links in both directions. */
function book(ledger: Ledger, sold: TokenKey, wanted: TokenKey): readonly Hex[][] {
  return priceLevels(ledger, sold, wanted).map(({ head, tail }) => {
    const level: Hex[] = [];
    for (let id = head, prev = ''; id !== ''; id = stored(ledger, id).next) {
      expect(stored(ledger, id).prev).toBe(prev);
      level.push(id);
      prev = id;
    }
    expect(level.at(-1)).toBe(tail);
    return level;
  });
}

describe('placing orders', () => {
  it('books what finds no match under the price in lowest terms, in the order of arrival', () => {
    const chain = market(3);
    const { ledger } = chain;
    const first = place(chain, 0, 1000n, ids.A, 5n, COIN_KEY);
    const second = place(chain, 1, 2000n, ids.A, 10n, COIN_KEY);
    const better = place(chain, 2, 1000n, ids.A, 4n, COIN_KEY);
    expect(book(ledger, ids.A, COIN_KEY)).toEqual([[better.id], [first.id, second.id]]);
    expect(priceLevels(ledger, ids.A, COIN_KEY)).toMatchObject([
      { sellQuantity: 250n, buyQuantity: 1n },
      { sellQuantity: 200n, buyQuantity: 1n },
    ]);
    expect(ledger.state.tables.marketPairs.entries()).toEqual([[pairKey(ids.A, COIN_KEY), 2n]]);
    expect(stored(ledger, first.id)).toMatchObject({
      state: MarketOrder_State.ACTIVE,
      sell_token_quantity_remain: 1000n,
      prev: '',
      next: second.id,
    });
    expect(held(ledger, 0, ids.A)).toBe(1_000_000_000n - 2n * EACH - 1000n);
  });

  it('names orders by owner, pair and how many came before', () => {
    const chain = market(2);
    const first = place(chain, 0, 1n, ids.A, 5n, COIN_KEY);
    const second = place(chain, 0, 1n, ids.A, 5n, COIN_KEY);
    expect(first.id).toBe(orderIdOf(addressOf(0), ids.A, COIN_KEY, 0n));
    expect(second.id).toBe(orderIdOf(addressOf(0), ids.A, COIN_KEY, 1n));
    // Block 4 of the recording `market`: account 4 sells 1000 of token 1000001 for 5 sun, its first order.
    expect(orderIdOf('41e05520cd24f434eeffd11f6b0359f9724d0bf3eb' as never, ids.A, COIN_KEY, 0n)).toBe(
      'a7d46d31930be04cd63cce0f88cf5b48f3f1b75fa45aa763b16db50243abc498',
    );
    expect(pairOfKey(pairKey(ids.A, COIN_KEY))).toEqual({ sold: ids.A, wanted: COIN_KEY });
  });

  it('pays the fee, and reports it', () => {
    const chain = market(2, { MARKET_SELL_FEE: 3n * COIN, MARKET_CANCEL_FEE: 2n * COIN });
    const { id } = place(chain, 0, 1n, ids.A, 5n, COIN_KEY);
    run(chain, marketCancelOrderContract, { owner_address: addressOf(0), order_id: id });
    expect(chain.charges.slice(-2)).toMatchObject([
      { amount: 3n * COIN, reason: 'market-order' },
      { amount: 2n * COIN, reason: 'market-order' },
    ]);
    expect(accountAt(chain.ledger, 0).balance).toBe(995n * COIN);
  });
});

describe('one match', () => {
  it('less than the maker has: the taker is done, the maker keeps a rest', () => {
    const chain = market(2);
    const { ledger } = chain;
    const maker = place(chain, 0, 1000n, ids.A, 500n, ids.B);
    const taker = place(chain, 1, 100n, ids.B, 150n, ids.A);
    expect(taker.fills).toEqual([[100n, 200n]]);
    expect(stored(ledger, taker.id)).toMatchObject({
      state: MarketOrder_State.INACTIVE,
      sell_token_quantity_remain: 0n,
    });
    expect(stored(ledger, maker.id)).toMatchObject({
      state: MarketOrder_State.ACTIVE,
      sell_token_quantity_remain: 800n,
    });
    expect(held(ledger, 1, ids.A)).toBe(EACH + 200n);
    expect(held(ledger, 0, ids.B)).toBe(EACH + 100n);
    expect(ordersOf(ledger, addressOf(1))).toMatchObject({ orders: [], count: 0n, total_count: 1n });
  });

  it('just what the maker has: both are done', () => {
    const chain = market(2);
    const { ledger } = chain;
    const maker = place(chain, 0, 1000n, ids.A, 500n, ids.B);
    const taker = place(chain, 1, 500n, ids.B, 1000n, ids.A);
    expect(taker.fills).toEqual([[500n, 1000n]]);
    for (const { id } of [maker, taker]) expect(stored(ledger, id).state).toBe(MarketOrder_State.INACTIVE);
    expect(ledger.state.tables.marketPairs.entries()).toEqual([]);
    expect(ledger.state.tables.marketPrices.entries()).toEqual([]);
  });

  it('more than the maker has: the rest is booked at the own price', () => {
    const chain = market(2);
    const { ledger } = chain;
    const maker = place(chain, 0, 1000n, ids.A, 500n, ids.B);
    const taker = place(chain, 1, 800n, ids.B, 800n, ids.A);
    expect(taker.fills).toEqual([[500n, 1000n]]);
    expect(stored(ledger, maker.id).state).toBe(MarketOrder_State.INACTIVE);
    expect(stored(ledger, taker.id)).toMatchObject({
      state: MarketOrder_State.ACTIVE,
      sell_token_quantity_remain: 300n,
    });
    expect(book(ledger, ids.B, ids.A)).toEqual([[taker.id]]);
    expect(priceLevels(ledger, ids.B, ids.A)).toMatchObject([{ sellQuantity: 1n, buyQuantity: 1n }]);
  });

  it('a rest of the taker that buys nothing goes back to it', () => {
    const chain = market(2);
    const { ledger } = chain;
    place(chain, 0, 100n, ids.A, 300n, ids.B);
    const untouched = place(chain, 0, 100n, ids.A, 300n, ids.B);
    const taker = place(chain, 1, 302n, ids.B, 1n, ids.A);
    expect(taker.fills).toEqual([[300n, 100n]]);
    expect(stored(ledger, taker.id)).toMatchObject({
      state: MarketOrder_State.INACTIVE,
      sell_token_quantity_remain: 0n,
      sell_token_quantity_return: 2n,
    });
    expect(held(ledger, 1, ids.B)).toBe(1_000_000_000n - EACH - 300n);
    expect(stored(ledger, untouched.id).sell_token_quantity_remain).toBe(100n);
  });

  it('a rest of the maker that is worth nothing goes back to it', () => {
    const chain = market(3);
    const { ledger } = chain;
    const maker = place(chain, 0, 5n, ids.A, 2n, ids.B);
    expect(place(chain, 1, 1n, ids.B, 1n, ids.A).fills).toEqual([[1n, 2n]]);
    expect(place(chain, 1, 1n, ids.B, 1n, ids.A).fills).toEqual([[1n, 2n]]);
    expect(stored(ledger, maker.id).sell_token_quantity_remain).toBe(1n);
    const before = held(ledger, 0, ids.A);
    const taker = place(chain, 2, 1n, ids.B, 1n, ids.A);
    expect(taker.fills).toEqual([]);
    expect(stored(ledger, maker.id)).toMatchObject({
      state: MarketOrder_State.INACTIVE,
      sell_token_quantity_remain: 0n,
      sell_token_quantity_return: 1n,
    });
    expect(held(ledger, 0, ids.A)).toBe(before + 1n);
    expect(stored(ledger, taker.id)).toMatchObject({ state: MarketOrder_State.ACTIVE, sell_token_quantity_remain: 1n });
  });

  it('with itself: the owner loses what the maker side receives', () => {
    const chain = market(2);
    const { ledger } = chain;
    place(chain, 0, 1000n, ids.A, 500n, ids.B);
    const before = held(ledger, 0, ids.B);
    expect(place(chain, 0, 500n, ids.B, 1000n, ids.A).fills).toEqual([[500n, 1000n]]);
    expect(held(ledger, 0, ids.B)).toBe(before - 500n);
  });
});

describe('many matches', () => {
  it('goes through twenty and refuses a twenty-first, with nothing changed', () => {
    const chain = market(3);
    for (let i = 0; i < 21; i++) place(chain, 0, 10n, ids.A, 10n + BigInt(i), ids.B);
    const before = tokenState(chain.ledger, 3);
    expect(refusal(() => place(chain, 1, 100_000n, ids.B, 1n, ids.A))).toBe('Too many matches. MAX_MATCH_NUM = 20');
    expect(tokenState(chain.ledger, 3)).toBe(before);
    const twenty = Array.from({ length: 20 }, (_, i) => 10n + BigInt(i)).reduce((sum, price) => sum + price, 0n);
    expect(place(chain, 1, twenty, ids.B, 1n, ids.A).fills).toHaveLength(20);
  });

  it('refuses an account its hundred-and-first active order', () => {
    const chain = market(2);
    const placed = Array.from({ length: 100 }, () => place(chain, 0, 1n, ids.A, 1n, COIN_KEY));
    expect(refusal(() => place(chain, 0, 1n, ids.A, 1n, COIN_KEY))).toBe('Maximum number of orders exceeded，100');
    run(chain, marketCancelOrderContract, { owner_address: addressOf(0), order_id: placed[50]?.id ?? '' });
    expect(refusal(() => place(chain, 0, 1n, ids.A, 1n, COIN_KEY))).toBeUndefined();
    expect(book(chain.ledger, ids.A, COIN_KEY)[0]).toHaveLength(100);
  });
});

describe('refusals', () => {
  it('of orders, in order', () => {
    const off = smallLedger(1, { ...OPEN, ALLOW_MARKET_TRANSACTION: 0n });
    expect(refusal(() => place(off, 9, 0n, '', 0n, ''))).toBe(
      'Not support Market Transaction, need to be opened by the committee',
    );
    const chain = market(2, { MARKET_SELL_FEE: COIN });
    const text = (change: Partial<Sent<MarketSellAssetContract>>, owner = 1) =>
      refusal(() => run(chain, marketSellAssetContract, { ...order(owner, 1n, ids.A, 1n, ids.B), ...change }));
    expect(text({ owner_address: '' })).toBe('Invalid address');
    expect(text({}, 9)).toBe('Account does not exist!');
    expect(text({ sell_token_id: '61' })).toBe('sellTokenId is not a valid number');
    expect(text({ buy_token_id: '' })).toBe('buyTokenId is not a valid number');
    expect(text({ buy_token_id: ids.A })).toBe('cannot exchange same tokens');
    expect(text({ buy_token_quantity: 0n })).toBe('token quantity must greater than zero');
    expect(text({ sell_token_quantity: 10n ** 15n + 1n })).toBe('token quantity must less than 1000000000000000');
    expect(text({ sell_token_id: COIN_KEY, sell_token_quantity: 1_000n * COIN })).toBe('No enough balance !');
    expect(text({ sell_token_id: '393939' })).toBe('No sellTokenId !');
    expect(text({ sell_token_quantity: EACH + 1n })).toBe('SellToken balance is not enough !');
    expect(text({ buy_token_id: '393939' })).toBe('No buyTokenId !');
    chain.edit(addressOf(1), { balance: COIN - 1n });
    expect(text({})).toBe('No enough balance !');
  });

  it('of cancelling, in order', () => {
    const chain = market(2, { MARKET_CANCEL_FEE: COIN });
    const { id } = place(chain, 0, 7n, ids.A, 1n, ids.B);
    const text = (owner_address: string, order_id: Hex) =>
      refusal(() => run(chain, marketCancelOrderContract, { owner_address, order_id }));
    expect(text('', id)).toBe('Invalid address');
    expect(text(addressOf(9), id)).toBe('Account does not exist!');
    expect(text(addressOf(1), '00'.repeat(32))).toBe('orderId not exists');
    expect(text(addressOf(1), id)).toBe('Order does not belong to the account!');
    expect(text(addressOf(0), id)).toBeUndefined();
    expect(text(addressOf(1), id)).toBe('Order is not active!');
    expect(stored(chain.ledger, id)).toMatchObject({
      state: MarketOrder_State.CANCELED,
      sell_token_quantity_remain: 0n,
      sell_token_quantity_return: 0n,
    });
    const other = place(chain, 1, 7n, ids.A, 1n, ids.B);
    chain.edit(addressOf(1), { balance: COIN - 1n });
    expect(text(addressOf(1), other.id)).toBe('No enough balance !');
  });
});

/**
 * The rules of protocol/trade.md#market-order-book over a plain list of orders: nothing of levels, keys and
 * links.
 */
class PlainMarket {
  readonly orders: {
    readonly id: Hex;
    readonly owner: number;
    readonly sold: TokenKey;
    readonly wanted: TokenKey;
    readonly sells: bigint;
    readonly wants: bigint;
    left: bigint;
  }[] = [];

  place(id: Hex, owner: number, sells: bigint, sold: TokenKey, wants: bigint, wanted: TokenKey): bigint[][] {
    const fills: bigint[][] = [];
    let left = sells;
    while (left > 0n) {
      const maker = this.side(wanted, sold)[0];
      if (maker === undefined || sells * maker.sells < wants * maker.wants) break;
      const bought = (left * maker.sells) / maker.wants;
      if (bought === 0n) return fills;
      const worth = (maker.left * maker.wants) / maker.sells;
      if (bought < maker.left) {
        fills.push([left, bought]);
        maker.left -= bought;
        left = 0n;
      } else {
        if (bought === maker.left || worth > 0n) {
          fills.push([worth, maker.left]);
          left -= worth;
        }
        maker.left = 0n;
      }
      if (maker.left === 0n) this.remove(maker.id);
    }
    if (left > 0n) this.orders.push({ id, owner, sold, wanted, sells, wants, left });
    return fills;
  }

  /** Best price first, then first come first. */
  side(sold: TokenKey, wanted: TokenKey) {
    return this.orders
      .filter((one) => one.sold === sold && one.wanted === wanted)
      .sort((a, b) => {
        const difference = a.wants * b.sells - b.wants * a.sells;
        return difference < 0n ? -1 : difference > 0n ? 1 : 0;
      });
  }

  remove(id: Hex): void {
    this.orders.splice(
      this.orders.findIndex((one) => one.id === id),
      1,
    );
  }
}

describe('whatever is ordered and cancelled', () => {
  const ACCOUNTS = 4;
  const TOKENS = [ids.A, ids.B, COIN_KEY] as const;
  // Few prices, so that orders queue up at one; multiples, so that every kind of rest is left.
  const price = fc.oneof(
    fc
      .tuple(fc.constantFrom([1n, 1n], [5n, 2n], [2n, 5n], [3n, 10n], [100n, 7n], [7n, 100n]), fc.bigInt(1n, 6n))
      .map(([[sells = 1n, wants = 1n], times]) => [sells * times, wants * times] as const),
    fc.tuple(fc.bigInt(1n, 100_000n), fc.bigInt(1n, 100_000n)),
  );
  const step = fc.record({
    what: fc.constantFrom('place', 'place', 'place', 'cancel'),
    owner: fc.nat(1),
    pair: fc.constantFrom([0, 1], [0, 1], [0, 1], [1, 0], [0, 2], [2, 0]),
    price,
    which: fc.nat(30),
  });

  it('fills and books as the plain rules say, loses nothing, and is taken back whole', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 30, maxLength: 60, size: 'max' }), fc.nat(59), (steps, revertFrom) => {
        const chain = market(ACCOUNTS);
        const { ledger } = chain;
        const plain = new PlainMarket();
        const totals = TOKENS.map((token) => totalOf(ledger, ACCOUNTS, token));
        let saved: { readonly mark: number; readonly state: string } | undefined;
        steps.forEach(({ what, owner: half, pair: [sold = 0, wanted = 0], price: [sells, wants], which }, i) => {
          if (i === revertFrom) saved = { mark: ledger.state.mark(), state: tokenState(ledger, ACCOUNTS) };
          const [soldToken, wantedToken] = [TOKENS[sold] as TokenKey, TOKENS[wanted] as TokenKey];
          if (what === 'place') {
            // Each side of a pair has its own owners: a taker that meets itself loses something (tested above).
            const owner = sold < wanted ? half : 2 + half;
            if (plain.side(wantedToken, soldToken).length > 20) return;
            const { id, fills } = place(chain, owner, sells, soldToken, wants, wantedToken);
            expect(fills).toEqual(plain.place(id, owner, sells, soldToken, wants, wantedToken));
          } else if (what === 'cancel' && plain.orders.length > 0) {
            const chosen = plain.orders[which % plain.orders.length] as (typeof plain.orders)[0];
            run(chain, marketCancelOrderContract, { owner_address: addressOf(chosen.owner), order_id: chosen.id });
            plain.remove(chosen.id);
          }
          expect(TOKENS.map((token) => totalOf(ledger, ACCOUNTS, token))).toEqual(totals);
          expectSameBook(ledger, plain);
        });
        if (saved !== undefined) {
          ledger.state.revert(saved.mark);
          expect(tokenState(ledger, ACCOUNTS)).toBe(saved.state);
        }
      }),
      { numRuns: 50 },
    );
  });

  function expectSameBook(ledger: Ledger, plain: PlainMarket): void {
    let pairs = 0;
    for (const sold of TOKENS) {
      for (const wanted of TOKENS) {
        if (sold === wanted) continue;
        const levels = book(ledger, sold, wanted);
        expect(levels.flat()).toEqual(plain.side(sold, wanted).map(({ id }) => id));
        expect(ledger.state.tables.marketPairs.get(pairKey(sold, wanted)) ?? 0n).toBe(BigInt(levels.length));
        if (levels.length > 0) pairs++;
      }
    }
    expect(ledger.state.tables.marketPairs.entries()).toHaveLength(pairs);
    for (const { id, left } of plain.orders) {
      expect(stored(ledger, id)).toMatchObject({ state: MarketOrder_State.ACTIVE, sell_token_quantity_remain: left });
    }
    for (let i = 0; i < ACCOUNTS; i++) {
      const { orders, count } = ordersOf(ledger, addressOf(i));
      expect(orders).toEqual(plain.orders.filter(({ owner }) => owner === i).map(({ id }) => id));
      expect(count).toBe(BigInt(orders.length));
    }
  }

  it('orders any two prices as their fractions', () => {
    const big = fc.bigInt(1n, 10n ** 15n);
    fc.assert(
      fc.property(big, big, big, big, (sellsA, wantsA, sellsB, wantsB) => {
        const chain = smallLedger(2, OPEN);
        handOutTokens(chain, 2, 1n);
        for (const i of [0, 1]) chain.edit(addressOf(i), { balance: 10n ** 16n });
        const a = place(chain, 0, sellsA, COIN_KEY, wantsA, ids.A);
        const b = place(chain, 1, sellsB, COIN_KEY, wantsB, ids.A);
        const difference = wantsA * sellsB - wantsB * sellsA;
        const expected = difference === 0n ? [[a.id, b.id]] : difference < 0n ? [[a.id], [b.id]] : [[b.id], [a.id]];
        expect(book(chain.ledger, COIN_KEY, ids.A)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});
