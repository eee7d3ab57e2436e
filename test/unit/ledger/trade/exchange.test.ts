import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TokenKey } from '../../../../src/ledger/accounts/assets.js';
import { exchangeCreateContract } from '../../../../src/ledger/contracts/ExchangeCreateContract.js';
import { exchangeInjectContract } from '../../../../src/ledger/contracts/ExchangeInjectContract.js';
import { exchangeTransactionContract } from '../../../../src/ledger/contracts/ExchangeTransactionContract.js';
import { exchangeWithdrawContract } from '../../../../src/ledger/contracts/ExchangeWithdrawContract.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import { bancorTrade, exchangeOf, hardenedTrade } from '../../../../src/ledger/trade/exchange.js';
import { utf8ToHex } from '../../../../src/primitives/hex.js';
import { strictPow } from '../../../../src/primitives/strict-pow.js';
import type {
  ExchangeCreateContract,
  ExchangeInjectContract,
} from '../../../../src/protocol/generated/exchange-contract.js';
import type { Sent } from '../../../../src/protocol/message-type.js';
import type { EpochLedger } from '../epoch-ledger.js';
import { accountAt, addressOf, COIN, refusal, run, smallLedger } from '../small-ledger.js';
import { COIN_KEY, handOutTokens, held, ids, tokenState, totalOf } from '../token-ledger.js';

const CHEAP = { ASSET_ISSUE_FEE: 0n, EXCHANGE_CREATE_FEE: 10n * COIN };
const EACH = 100_000_000n;
const LIMIT = 10n ** 15n;
const MAX_LONG = 2n ** 63n - 1n;

function traders(accounts: number, parameters: Readonly<Record<string, bigint>> = {}): EpochLedger {
  const chain = smallLedger(accounts, { ...CHEAP, ...parameters });
  handOutTokens(chain, accounts, EACH);
  return chain;
}

const creation = (
  owner: number,
  first: TokenKey,
  firstAmount: bigint,
  second: TokenKey,
  secondAmount: bigint,
): ExchangeCreateContract => ({
  owner_address: addressOf(owner),
  first_token_id: first,
  first_token_balance: firstAmount,
  second_token_id: second,
  second_token_balance: secondAmount,
});

const move = (owner: number, token: TokenKey, quant: bigint, exchange_id = 1n): ExchangeInjectContract => ({
  owner_address: addressOf(owner),
  exchange_id,
  token_id: token,
  quant,
});

function reserves(ledger: Ledger, id = 1n): readonly bigint[] {
  const exchange = exchangeOf(ledger, id);
  return exchange === undefined ? [] : [exchange.first_token_balance, exchange.second_token_balance];
}

describe('the price of a trade', () => {
  // Trades of the recording `exchange`: reserve sold into, reserve bought from, sold, received.
  it.each([
    [248_259_750n, 200_597_456n, 500_000_000n, 134_042_660n],
    [66_554_796n, 748_259_750n, 5_000_000_000n, 738_430_531n],
    [9_829_219n, 5_066_554_796n, 9_000_000_000n, 5_061_027_468n],
    [1_666_666_679n, 5n, 1_000_000_000n, 1n],
    [4n, 2_666_666_679n, 1n, 533_333_335n],
    [500_000_000_000n, 999_999_999_999_999n, 12_345_678_901n, 24_096_385_330_107n],
    [512_345_678_901n, 975_903_614_669_892n, 1n, 1_733n],
    [975_903_614_668_159n, 512_345_678_902n, 987_654_321n, 518_514n],
  ])('%s, %s: %s sells for %s', (sellReserve, buyReserve, quant, received) => {
    expect(bancorTrade(sellReserve, buyReserve, quant, strictPow)).toBe(received);
  });

  // Rows of which java-tron's own tests say that its exact decimals and its strict doubles agree.
  it.each([
    [60_584_529n, 1_377_717_821_301n, 78_132n],
    [29_818_073n, 3_033_545_989_651n, 182n],
    [3_855_280n, 834_647_482_043n, 16n],
    [58_310_711n, 1_431_562_205_655n, 200_000n],
    [80_913n, 301_864_126_445n, 4n],
    [3_789_271n, 901_842_209_723n, 1n],
    [4_051_904n, 843_419_481_286n, 1_005n],
    [813_519n, 457_546_358_759n, 173n],
    [3_442_652n, 689_908_773_685n, 18n],
  ])('hardened, is that of strict doubles for %d, %d and %d', (sell, buy, quant) => {
    expect(hardenedTrade(sell, buy, quant)).toBe(bancorTrade(sell, buy, quant, strictPow));
  });

  it('hardened, refuses what is beyond 64 bits', () => {
    expect(() => hardenedTrade(MAX_LONG, 1n, 1n)).toThrow('long overflow');
  });

  it('gives no more than the reserve, but for the rounding of doubles', () => {
    const amount = fc.bigInt(1n, LIMIT);
    fc.assert(
      fc.property(amount, amount, amount, (sellReserve, buyReserve, quant) => {
        const received = bancorTrade(sellReserve, buyReserve, quant, strictPow);
        expect(received).toBeGreaterThanOrEqual(0n);
        expect(received).toBeLessThanOrEqual(buyReserve + buyReserve / 10n ** 11n);
      }),
    );
    expect(bancorTrade(1n, 10_133_336_893_828n, 2_892_949_816_843n, strictPow)).toBe(10_133_336_893_829n);
  });
});

describe('an exchange', () => {
  it('is opened for a fee, filled, emptied and traded on', () => {
    const chain = traders(3);
    const { ledger } = chain;
    expect(run(chain, exchangeCreateContract, creation(0, COIN_KEY, 100n * COIN, ids.B, 5_000_000n))).toEqual({
      exchange_id: 1n,
    });
    expect(accountAt(ledger, 0).balance).toBe(890n * COIN);
    expect(chain.charges).toMatchObject([{ reason: 'exchange-creation', amount: 10n * COIN, source: 'burned' }]);
    expect(exchangeOf(ledger, 1n)).toMatchObject({ creator_address: addressOf(0), create_time: ledger.headTimeMs });
    expect(run(chain, exchangeInjectContract, move(0, ids.B, 33n))).toEqual({ exchange_inject_another_amount: 660n });
    expect(reserves(ledger)).toEqual([100_000_660n, 5_000_033n]);
    expect(run(chain, exchangeWithdrawContract, move(0, COIN_KEY, 50_000_000n))).toEqual({
      exchange_withdraw_another_amount: 2_500_000n,
    });
    expect(reserves(ledger)).toEqual([50_000_660n, 2_500_033n]);
    const before = held(ledger, 2, ids.B);
    const { exchange_received_amount: received = 0n } = run(chain, exchangeTransactionContract, {
      ...move(2, COIN_KEY, 1_000_000n),
      expected: 1n,
    });
    expect(received).toBe(bancorTrade(50_000_660n, 2_500_033n, 1_000_000n, strictPow));
    expect(held(ledger, 2, ids.B)).toBe(before + received);
    expect(reserves(ledger)).toEqual([51_000_660n, 2_500_033n - received]);
  });

  it('that has been emptied is closed', () => {
    const chain = traders(1 + 1);
    run(chain, exchangeCreateContract, creation(0, ids.A, 1000n, ids.B, 1000n));
    run(chain, exchangeWithdrawContract, move(0, ids.A, 1000n));
    const closed = 'Token balance in exchange is equal with 0,the exchange has been closed';
    expect(refusal(() => run(chain, exchangeInjectContract, move(0, ids.A, 1n)))).toBe(closed);
    expect(refusal(() => run(chain, exchangeWithdrawContract, move(0, ids.A, 1n)))).toBe(closed);
    expect(refusal(() => run(chain, exchangeTransactionContract, { ...move(0, ids.A, 1n), expected: 1n }))).toBe(
      closed,
    );
  });

  it('keeps both stores while tokens go by name', () => {
    const chain = traders(2, { ALLOW_SAME_TOKEN_NAME: 0n });
    const { ledger } = chain;
    const names = [utf8ToHex('Token0'), utf8ToHex('Token1')] as const;
    run(chain, exchangeCreateContract, creation(0, names[0], 1000n, names[1], 2000n));
    run(chain, exchangeInjectContract, move(0, names[1], 10n));
    const [byName] = ledger.state.tables.exchangesByName.entries();
    const [byId] = ledger.state.tables.exchanges.entries();
    expect(byName?.[1]).toMatchObject({ first_token_id: names[0], second_token_id: names[1] });
    expect(byId?.[1]).toEqual({ ...byName?.[1], first_token_id: ids.A, second_token_id: ids.B });
    expect(byId?.[1]).toMatchObject({ first_token_balance: 1005n, second_token_balance: 2010n });
    ledger.setLong('ALLOW_SAME_TOKEN_NAME', 1n);
    run(chain, exchangeInjectContract, move(0, ids.A, 5n));
    expect(reserves(ledger)).toEqual([1010n, 2020n]);
  });
});

describe('refusals', () => {
  it('of creating, in order', () => {
    const chain = traders(2);
    const text = (change: Partial<Sent<ExchangeCreateContract>>) =>
      refusal(() => run(chain, exchangeCreateContract, { ...creation(0, ids.A, 1n, ids.B, 1n), ...change }));
    expect(text({ owner_address: '' })).toBe('Invalid address');
    expect(text({ owner_address: addressOf(9) })).toBe(`account[${addressOf(9)}] not exists`);
    expect(text({ first_token_id: '61' })).toBe('first token id is not a valid number');
    expect(text({ second_token_id: '3031' })).toBe('second token id is not a valid number');
    expect(text({ second_token_id: ids.A, first_token_balance: 0n })).toBe('cannot exchange same tokens');
    expect(text({ second_token_balance: 0n, first_token_balance: LIMIT + 1n })).toBe(
      'token balance must greater than zero',
    );
    expect(text({ second_token_balance: LIMIT + 1n })).toBe('token balance must less than 1000000000000000');
    expect(text({ first_token_id: COIN_KEY, first_token_balance: 990n * COIN + 1n })).toBe('balance is not enough');
    expect(text({ first_token_balance: LIMIT })).toBe('first token balance is not enough');
    expect(text({ second_token_balance: LIMIT })).toBe('second token balance is not enough');
    chain.edit(addressOf(0), { balance: 10n * COIN - 1n });
    expect(text({})).toBe('No enough balance for exchange create fee!');
  });

  it('of injecting, in order', () => {
    const chain = traders(2);
    run(chain, exchangeCreateContract, creation(0, ids.A, 1000n, ids.B, 10n));
    const text = (message: Sent<ExchangeInjectContract>) => refusal(() => run(chain, exchangeInjectContract, message));
    expect(text({ ...move(0, ids.A, 1n), owner_address: '' })).toBe('Invalid address');
    expect(text(move(9, ids.A, 1n))).toBe(`account[${addressOf(9)}] not exists`);
    expect(text(move(0, ids.A, 1n, 2n))).toBe('Exchange[2] not exists');
    expect(text(move(0, ids.A, 1n, -1n))).toBe('Exchange[-1] not exists');
    expect(text(move(1, ids.A, 1n))).toBe(`account[${addressOf(1)}] is not creator`);
    expect(text(move(0, '61', 1n))).toBe('token id is not a valid number');
    expect(text(move(0, COIN_KEY, 0n))).toBe('token id is not in exchange');
    expect(text(move(0, ids.A, 0n))).toBe('injected token quant must greater than zero');
    expect(text(move(0, ids.A, 99n))).toBe('the calculated token quant  must be greater than 0');
    expect(text(move(0, ids.A, LIMIT))).toBe('token balance must less than 1000000000000000');
    expect(text(move(0, ids.A, 2_000_000_000n))).toBe('token balance is not enough');
    chain.edit(addressOf(0), {
      assetV2: new Map([
        ['1000001', 1000n],
        ['1000002', 9n],
      ]),
    });
    expect(text(move(0, ids.A, 1000n))).toBe('another token balance is not enough');
  });

  it('of withdrawing, in order', () => {
    const chain = traders(2);
    run(chain, exchangeCreateContract, creation(0, ids.A, 1000n, ids.B, 10n));
    const text = (message: Sent<ExchangeInjectContract>) =>
      refusal(() => run(chain, exchangeWithdrawContract, message));
    expect(text(move(1, ids.A, 1n))).toBe(`account[${addressOf(1)}] is not creator`);
    expect(text(move(0, '61', 1n))).toBe('token id is not a valid number');
    expect(text(move(0, COIN_KEY, 1n))).toBe('token is not in exchange');
    expect(text(move(0, ids.A, 0n))).toBe('withdraw token quant must greater than zero');
    expect(text(move(0, ids.A, 1001n))).toBe('exchange balance is not enough');
    expect(text(move(0, ids.A, 99n))).toBe('withdraw another token quant must greater than zero');
    expect(text(move(0, ids.A, 199n))).toBe('Not precise enough');
    expect(text(move(0, ids.A, 200n))).toBeUndefined();
  });

  it('of trading, in order', () => {
    const chain = traders(2);
    run(chain, exchangeCreateContract, creation(0, ids.A, 1000n, ids.B, 1000n));
    const text = (message: ExchangeInjectContract, expected = 1n) =>
      refusal(() => run(chain, exchangeTransactionContract, { ...message, expected }));
    expect(text(move(1, ids.A, 1n, 7n))).toBe('Exchange[7] not exists');
    expect(text(move(1, '61', 1n))).toBe('token id is not a valid number');
    expect(text(move(1, COIN_KEY, 1n))).toBe('token is not in exchange');
    expect(text(move(1, ids.A, 0n), 0n)).toBe('token quant must greater than zero');
    expect(text(move(1, ids.A, 1n), 0n)).toBe('token expected must greater than zero');
    expect(text(move(1, ids.A, LIMIT))).toBe('token balance must less than 1000000000000000');
    expect(text(move(1, ids.A, EACH + 1n))).toBe('token balance is not enough');
    expect(text(move(1, ids.A, 100n), 91n)).toBe('token required must greater than expected');
    expect(text(move(1, ids.A, 100n), 90n)).toBeUndefined();
  });
});

describe('beyond 64 bits', () => {
  const rich = (amount: bigint) => ({
    assetV2: new Map([
      ['1000001', amount],
      ['1000002', amount],
    ]),
  });

  it('the other side of an injection and of a withdrawal', () => {
    const chain = traders(2);
    chain.edit(addressOf(0), rich(LIMIT));
    run(chain, exchangeCreateContract, creation(0, ids.A, 1n, ids.B, LIMIT));
    expect(refusal(() => run(chain, exchangeInjectContract, move(0, ids.A, 10_000n)))).toBe(
      'BigInteger out of long range',
    );
    expect(refusal(() => run(chain, exchangeWithdrawContract, move(0, ids.A, 10_000n)))).toBe('Overflow');
  });

  it('the product of an injection, which fails only in execution', () => {
    const chain = traders(2);
    chain.edit(addressOf(0), rich(LIMIT));
    run(chain, exchangeCreateContract, creation(0, ids.A, 10n ** 9n, ids.B, 9n * 10n ** 14n));
    const message = move(0, ids.A, 100_000n);
    chain.edit(addressOf(0), rich(LIMIT));
    expect(() => exchangeInjectContract.validate(chain.ledger, message, { builder: false })).not.toThrow();
    expect(refusal(() => run(chain, exchangeInjectContract, message))).toBe('long overflow');
  });

  it('the sum with the own side, which wraps and passes the limit', () => {
    const chain = traders(2);
    run(chain, exchangeCreateContract, creation(0, ids.A, 1000n, ids.B, 1n));
    expect(refusal(() => run(chain, exchangeTransactionContract, { ...move(1, ids.A, MAX_LONG), expected: 1n }))).toBe(
      'token balance is not enough',
    );
  });
});

describe('whatever is put in, taken out and traded', () => {
  const ACCOUNTS = 3;
  const TOKENS = [ids.A, ids.B, COIN_KEY] as const;
  const amount = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, 50_000_000n));
  const step = fc.record({
    what: fc.constantFrom('create', 'inject', 'withdraw', 'trade', 'trade', 'trade'),
    owner: fc.nat(ACCOUNTS - 1),
    first: fc.nat(2),
    second: fc.nat(2),
    amount,
    other: amount,
    exchange: fc.bigInt(1n, 4n),
  });

  it('no token is lost or made, and a refusal or a revert changes nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), (steps) => {
        const chain = traders(ACCOUNTS);
        const { ledger } = chain;
        const start = { mark: ledger.state.mark(), state: tokenState(ledger, ACCOUNTS) };
        const totals = TOKENS.map((token) => totalOf(ledger, ACCOUNTS, token));
        let created = 0n;
        for (const { what, owner, first, second, amount: quant, other, exchange } of steps) {
          const before = tokenState(ledger, ACCOUNTS);
          const message = move(owner, TOKENS[first] as TokenKey, quant, exchange);
          const text = refusal(() => {
            if (what === 'create') {
              const pair = creation(owner, TOKENS[first] as TokenKey, quant, TOKENS[second] as TokenKey, other);
              run(chain, exchangeCreateContract, pair);
              created++;
            } else if (what === 'inject') run(chain, exchangeInjectContract, message);
            else if (what === 'withdraw') run(chain, exchangeWithdrawContract, message);
            else run(chain, exchangeTransactionContract, { ...message, expected: 1n });
          });
          if (text !== undefined) expect(tokenState(ledger, ACCOUNTS)).toBe(before);
          const fees = created * CHEAP.EXCHANGE_CREATE_FEE;
          const expected = totals.map((total, i) => (TOKENS[i] === COIN_KEY ? total - fees : total));
          expect(TOKENS.map((token) => totalOf(ledger, ACCOUNTS, token))).toEqual(expected);
          for (const [, { first_token_balance, second_token_balance }] of ledger.state.tables.exchanges.entries()) {
            expect(first_token_balance).toBeGreaterThanOrEqual(0n);
            expect(second_token_balance).toBeGreaterThanOrEqual(0n);
          }
        }
        ledger.state.revert(start.mark);
        expect(tokenState(ledger, ACCOUNTS)).toBe(start.state);
      }),
      { numRuns: 40 },
    );
  });
});
