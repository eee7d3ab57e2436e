import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetOf, isTokenNumber } from '../../../../src/ledger/accounts/assets.js';
import { assetIssueContract } from '../../../../src/ledger/contracts/AssetIssueContract.js';
import { participateAssetIssueContract } from '../../../../src/ledger/contracts/ParticipateAssetIssueContract.js';
import { transferAssetContract } from '../../../../src/ledger/contracts/TransferAssetContract.js';
import { unfreezeAssetContract } from '../../../../src/ledger/contracts/UnfreezeAssetContract.js';
import { updateAssetContract } from '../../../../src/ledger/contracts/UpdateAssetContract.js';
import { utf8ToHex } from '../../../../src/primitives/hex.js';
import type {
  AssetIssueContract,
  ParticipateAssetIssueContract,
  TransferAssetContract,
  UpdateAssetContract,
} from '../../../../src/protocol/generated/asset-issue-contract.js';
import type { Sent } from '../../../../src/protocol/message-type.js';
import { accountAt, addressOf, advance, COIN, refusal, run, smallLedger } from '../small-ledger.js';
import { held, ids, issue, tokenOf, tokenState, totalOf } from '../token-ledger.js';

const CHEAP = { ASSET_ISSUE_FEE: 100n * COIN };
const MAX_LONG = 2n ** 63n - 1n;
const DAY_MS = 86_400_000n;

/** Two thousand bytes of hex would be too long for any text field. */
const long = (bytes: number) => '61'.repeat(bytes);

describe('issuing a token', () => {
  it('takes the fee, counts ids from 1000001 and gives the issuer what is not frozen', () => {
    const chain = smallLedger(2, CHEAP);
    const { ledger } = chain;
    const frozen_supply = [
      { frozen_amount: 400n, frozen_days: 1n },
      { frozen_amount: 600n, frozen_days: 30n },
    ];
    const message = issue(ledger, 0, { frozen_supply });
    expect(run(chain, assetIssueContract, message)).toEqual({ assetIssueID: '1000001' });
    const issuer = accountAt(ledger, 0);
    expect(issuer.balance).toBe(900n * COIN);
    expect(held(ledger, 0, ids.A)).toBe(1_000_000_000n - 1000n);
    expect(issuer.frozen_supply).toEqual([
      { frozen_balance: 400n, expire_time: message.start_time + DAY_MS },
      { frozen_balance: 600n, expire_time: message.start_time + 30n * DAY_MS },
    ]);
    expect(chain.charges).toMatchObject([{ amount: 100n * COIN, reason: 'asset-issue', source: 'burned' }]);
    expect(run(chain, assetIssueContract, issue(ledger, 1, { name: message.name }))).toEqual({
      assetIssueID: '1000002',
    });
    expect(assetOf(ledger, ids.A)?.id).toBe('1000001');
  });

  const refusals: readonly [text: string, change: Partial<Sent<AssetIssueContract>>][] = [
    ['Invalid ownerAddress', { owner_address: '41' }],
    ['Invalid assetName', { name: '' }],
    ['Invalid assetName', { name: long(33) }],
    ['Invalid assetName', { name: utf8ToHex('two words') }],
    ["assetName can't be trx", { name: utf8ToHex('tRx') }],
    ['precision cannot exceed 6', { precision: 7 }],
    ['precision cannot exceed 6', { precision: -1 }],
    ['Invalid abbreviation for token', { abbr: long(33) }],
    ['Invalid url', { url: '' }],
    ['Invalid url', { url: long(257) }],
    ['Invalid description', { description: long(201) }],
    ['Start time should be not empty', { start_time: 0n }],
    ['End time should be not empty', { end_time: 0n }],
    ['End time should be greater than start time', { end_time: 1n }],
    ['Start time should be greater than HeadBlockTime', { start_time: 1n }],
    ['TotalSupply must greater than 0!', { total_supply: 0n }],
    ['TrxNum must greater than 0!', { trx_num: 0 }],
    ['Num must greater than 0!', { num: -1 }],
    ['PublicFreeAssetNetUsage must be 0!', { public_free_asset_net_usage: 1n }],
    [
      'Frozen supply list length is too long',
      { frozen_supply: Array.from({ length: 11 }, () => ({ frozen_amount: 1n, frozen_days: 1n })) },
    ],
    ['Invalid FreeAssetNetLimit', { free_asset_net_limit: 57_600_000_000n }],
    ['Invalid FreeAssetNetLimit', { free_asset_net_limit: -1n }],
    ['Invalid PublicFreeAssetNetLimit', { public_free_asset_net_limit: 57_600_000_000n }],
    ['Frozen supply must be greater than 0!', { frozen_supply: [{ frozen_amount: 0n, frozen_days: 1n }] }],
    [
      'Frozen supply cannot exceed total supply',
      {
        frozen_supply: [
          { frozen_amount: 999_999_999n, frozen_days: 1n },
          { frozen_amount: 2n, frozen_days: 1n },
        ],
      },
    ],
    [
      'frozenDuration must be less than 3652 days and more than 1 days',
      { frozen_supply: [{ frozen_amount: 1n, frozen_days: 3653n }] },
    ],
    ['Account not exists', { owner_address: addressOf(9) }],
  ];
  it.each(refusals)('%s', (text, change) => {
    const chain = smallLedger(1, CHEAP);
    expect(refusal(() => run(chain, assetIssueContract, { ...issue(chain.ledger, 0), ...change }))).toBe(text);
  });

  it('refuses for the first fault in the order of the checks', () => {
    const chain = smallLedger(1, CHEAP);
    for (let i = 0; i < refusals.length; i++) {
      // All faults from row i on; the rows of one field overwrite each other, so the earlier one is put back on top.
      const change = Object.assign(
        {},
        ...refusals.slice(i).map(([, one]) => one),
        (refusals[i] as (typeof refusals)[0])[1],
      );
      expect(refusal(() => run(chain, assetIssueContract, { ...issue(chain.ledger, 0), ...change }))).toBe(
        refusals[i]?.[0],
      );
    }
  });

  it('is refused a second time, and without the fee', () => {
    const chain = smallLedger(2, CHEAP);
    run(chain, assetIssueContract, issue(chain.ledger, 0));
    expect(refusal(() => run(chain, assetIssueContract, issue(chain.ledger, 0)))).toBe(
      'An account can only issue one asset',
    );
    chain.edit(addressOf(1), { balance: 100n * COIN - 1n });
    expect(refusal(() => run(chain, assetIssueContract, issue(chain.ledger, 1)))).toBe('No enough balance for fee!');
  });
});

describe('sending tokens', () => {
  const send = (token: string, from: number, to: number, amount: bigint): TransferAssetContract => ({
    asset_name: token,
    owner_address: addressOf(from),
    to_address: addressOf(to),
    amount,
  });

  it('moves them, and pays to bring the receiver into being', () => {
    const chain = smallLedger(2, CHEAP);
    const { ledger } = chain;
    run(chain, assetIssueContract, issue(ledger, 0));
    run(chain, transferAssetContract, send(ids.A, 0, 1, 10n));
    run(chain, transferAssetContract, send(ids.A, 1, 2, 10n));
    expect([0, 1, 2].map((i) => held(ledger, i, ids.A))).toEqual([999_999_990n, 0n, 10n]);
    expect(accountAt(ledger, 2).active_permission).toHaveLength(1);
    expect(accountAt(ledger, 1).balance).toBe(999n * COIN);
    expect(chain.charges.at(-1)).toMatchObject({ reason: 'account-activation', amount: COIN, payer: addressOf(1) });
  });

  it('refuses with the texts of the network, in order', () => {
    const chain = smallLedger(3, { ...CHEAP, FORBID_TRANSFER_TO_CONTRACT: 1n });
    const { ledger } = chain;
    run(chain, assetIssueContract, issue(ledger, 0, { total_supply: MAX_LONG }));
    const text = (message: Sent<TransferAssetContract>) => refusal(() => run(chain, transferAssetContract, message));
    expect(text({ ...send(ids.A, 0, 1, 1n), owner_address: '' })).toBe('Invalid ownerAddress');
    expect(text({ ...send(ids.A, 0, 1, 1n), to_address: '' })).toBe('Invalid toAddress');
    expect(text(send(ids.A, 0, 0, 0n))).toBe('Amount must be greater than 0.');
    expect(text(send(ids.A, 0, 0, 1n))).toBe('Cannot transfer asset to yourself.');
    expect(text(send(ids.A, 9, 0, 1n))).toBe('No owner account!');
    expect(text(send(ids.B, 0, 1, 1n))).toBe('No asset!');
    expect(text(send(ids.A, 1, 0, 1n))).toBe('assetBalance must be greater than 0.');
    run(chain, transferAssetContract, send(ids.A, 0, 1, 5n));
    expect(text(send(ids.A, 1, 0, 6n))).toBe('assetBalance is not sufficient.');
    chain.edit(addressOf(1), { balance: COIN - 1n });
    expect(text(send(ids.A, 1, 9, 1n))).toBe('Validate TransferAssetActuator error, insufficient fee.');
    chain.edit(addressOf(2), { type: 2 });
    expect(text(send(ids.A, 1, 2, 1n))).toBe('Cannot transfer asset to smartContract.');
    chain.edit(addressOf(2), { type: 0, assetV2: new Map([['1000001', MAX_LONG]]) });
    expect(text(send(ids.A, 1, 2, 1n))).toBe('long overflow');
  });
});

describe('buying from the issuer', () => {
  const buy = (amount: bigint, token: string = ids.A): ParticipateAssetIssueContract => ({
    owner_address: addressOf(1),
    to_address: addressOf(0),
    asset_name: token,
    amount,
  });

  it('gives floor(amount × num / trx_num) while the sale lasts', () => {
    const chain = smallLedger(2, CHEAP);
    const { ledger } = chain;
    run(chain, assetIssueContract, issue(ledger, 0));
    expect(refusal(() => run(chain, participateAssetIssueContract, buy(5n)))).toBe('No longer valid period!');
    advance(ledger, 60_000n);
    run(chain, participateAssetIssueContract, buy(5n));
    expect(held(ledger, 1, ids.A)).toBe(7n);
    expect(accountAt(ledger, 1).balance).toBe(1_000n * COIN - 5n);
    expect(accountAt(ledger, 0).balance).toBe(900n * COIN + 5n);
    advance(ledger, DAY_MS);
    expect(refusal(() => run(chain, participateAssetIssueContract, buy(5n)))).toBe('No longer valid period!');
  });

  it('refuses with the texts of the network, in order', () => {
    const chain = smallLedger(3, CHEAP);
    const { ledger } = chain;
    run(chain, assetIssueContract, issue(ledger, 0, { trx_num: 1000, num: 2, total_supply: 10n }));
    advance(ledger, 60_000n);
    const text = (message: Sent<ParticipateAssetIssueContract>) =>
      refusal(() => run(chain, participateAssetIssueContract, message));
    expect(text({ ...buy(1n), owner_address: '' })).toBe('Invalid ownerAddress');
    expect(text({ ...buy(1n), to_address: '' })).toBe('Invalid toAddress');
    expect(text(buy(0n))).toBe('Amount must greater than 0!');
    expect(text({ ...buy(1n), to_address: addressOf(1) })).toBe('Cannot participate asset Issue yourself !');
    expect(text({ ...buy(1n), owner_address: addressOf(9) })).toBe('Account does not exist!');
    expect(text(buy(1_000n * COIN + 1n))).toBe('No enough balance !');
    expect(text(buy(1n, ids.B))).toBe('No asset named 1000002');
    expect(text({ ...buy(1n), to_address: addressOf(2) })).toBe(`The asset is not issued by ${addressOf(2)}`);
    expect(text(buy(499n))).toBe('Can not process the exchange!');
    expect(text(buy(5_500n))).toBe('Asset balance is not enough !');
    chain.edit(addressOf(1), { balance: MAX_LONG });
    expect(text(buy(MAX_LONG))).toBe('long overflow');
  });
});

describe('unfreezing supply and updating', () => {
  it('gives back what has expired, and only that', () => {
    const chain = smallLedger(2, CHEAP);
    const { ledger } = chain;
    const unfreeze = (i: number) => refusal(() => run(chain, unfreezeAssetContract, { owner_address: addressOf(i) }));
    run(
      chain,
      assetIssueContract,
      issue(ledger, 0, {
        frozen_supply: [
          { frozen_amount: 400n, frozen_days: 1n },
          { frozen_amount: 600n, frozen_days: 2n },
        ],
      }),
    );
    expect(unfreeze(1)).toBe('no frozen supply balance');
    expect(unfreeze(9)).toBe(`Account[${addressOf(9)}] does not exist`);
    expect(unfreeze(0)).toBe("It's not time to unfreeze asset supply");
    advance(ledger, DAY_MS + 60_000n);
    expect(unfreeze(0)).toBeUndefined();
    expect(held(ledger, 0, ids.A)).toBe(1_000_000_000n - 600n);
    expect(accountAt(ledger, 0).frozen_supply).toHaveLength(1);
    expect(unfreeze(0)).toBe("It's not time to unfreeze asset supply");
    advance(ledger, DAY_MS);
    expect(unfreeze(0)).toBeUndefined();
    expect(totalOf(ledger, 2, ids.A)).toBe(1_000_000_000n);
  });

  it('changes description, url and limits', () => {
    const chain = smallLedger(2, CHEAP);
    const { ledger } = chain;
    const update: UpdateAssetContract = {
      owner_address: addressOf(0),
      description: '64',
      url: '75',
      new_limit: 7n,
      new_public_limit: 8n,
    };
    const text = (change: Partial<Sent<UpdateAssetContract>>) =>
      refusal(() => run(chain, updateAssetContract, { ...update, ...change }));
    expect(text({})).toBe('Account has not issued any asset');
    run(chain, assetIssueContract, issue(ledger, 0));
    expect(text({ owner_address: '' })).toBe('Invalid ownerAddress');
    expect(text({ owner_address: addressOf(9) })).toBe('Account does not exist');
    expect(text({ url: '' })).toBe('Invalid url');
    expect(text({ description: long(201) })).toBe('Invalid description');
    expect(text({ new_limit: -1n })).toBe('Invalid FreeAssetNetLimit');
    expect(text({ new_public_limit: 57_600_000_000n })).toBe('Invalid PublicFreeAssetNetLimit');
    expect(text({})).toBeUndefined();
    expect(assetOf(ledger, ids.A)).toMatchObject({
      description: '64',
      url: '75',
      free_asset_net_limit: 7n,
      public_free_asset_net_limit: 8n,
    });
  });
});

describe('tokens by name, before ALLOW_SAME_TOKEN_NAME', () => {
  it('keeps both stores and both balances equal, and switches over without a migration', () => {
    const chain = smallLedger(2, { ...CHEAP, ALLOW_SAME_TOKEN_NAME: 0n });
    const { ledger } = chain;
    run(chain, assetIssueContract, issue(ledger, 0, { precision: 9 }));
    expect(refusal(() => run(chain, assetIssueContract, issue(ledger, 1, { name: utf8ToHex('Token0') })))).toBe(
      'Token exists',
    );
    const name = tokenOf(ledger, 0);
    expect(name).toBe(utf8ToHex('Token0'));
    expect(assetOf(ledger, name)?.precision).toBe(9);
    expect(ledger.state.tables.assets.get(ids.A)?.precision).toBe(0);
    run(chain, transferAssetContract, {
      asset_name: name,
      owner_address: addressOf(0),
      to_address: addressOf(1),
      amount: 5n,
    });
    const receiver = accountAt(ledger, 1);
    expect([...receiver.asset]).toEqual([['Token0', 5n]]);
    expect([...receiver.assetV2]).toEqual([['1000001', 5n]]);
    expect(
      refusal(() =>
        run(chain, updateAssetContract, {
          owner_address: addressOf(1),
          description: '',
          url: '75',
          new_limit: 0n,
          new_public_limit: 0n,
        }),
      ),
    ).toBe('Account has not issued any asset');

    ledger.setLong('ALLOW_SAME_TOKEN_NAME', 1n);
    run(chain, transferAssetContract, {
      asset_name: ids.A,
      owner_address: addressOf(1),
      to_address: addressOf(0),
      amount: 2n,
    });
    expect([...accountAt(ledger, 1).assetV2]).toEqual([['1000001', 3n]]);
    expect([...accountAt(ledger, 1).asset]).toEqual([['Token0', 5n]]);
  });
});

describe('token ids', () => {
  it('are decimal digits without a leading zero', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 5 }), (text) => {
        expect(isTokenNumber(utf8ToHex(text))).toBe(/^(0|[1-9][0-9]*)$/.test(text));
      }),
    );
    for (const text of ['0', '9', '10', '1000001']) expect(isTokenNumber(utf8ToHex(text))).toBe(true);
    for (const text of ['', '00', '01', '_', '1 ']) expect(isTokenNumber(utf8ToHex(text))).toBe(false);
  });
});

describe('whatever is done with tokens', () => {
  const ACCOUNTS = 3;
  const step = fc.record({
    what: fc.constantFrom('issue', 'send', 'send', 'buy', 'unfreeze', 'wait'),
    from: fc.nat(ACCOUNTS - 1),
    to: fc.nat(ACCOUNTS - 1),
    token: fc.nat(ACCOUNTS - 1),
    amount: fc.oneof(fc.bigInt(-1n, 1_000n), fc.constant(1_000_000_000n), fc.constant(MAX_LONG)),
    frozen: fc.bigInt(1n, 500n),
  });

  it.each([0n, 1n])('nothing of a token is lost or made, and a refusal changes nothing (ids: %s)', (byId) => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), (steps) => {
        const chain = smallLedger(ACCOUNTS, { ...CHEAP, ALLOW_SAME_TOKEN_NAME: byId });
        const { ledger } = chain;
        const supplies = new Map<string, bigint>();
        for (const { what, from, to, token: issuer, amount, frozen } of steps) {
          const before = tokenState(ledger, ACCOUNTS);
          const token = tokenOf(ledger, issuer);
          const text = refusal(() => {
            if (what === 'issue') {
              const frozen_supply = [{ frozen_amount: frozen, frozen_days: 1n }];
              run(chain, assetIssueContract, issue(ledger, from, { frozen_supply, total_supply: amount }));
              supplies.set(tokenOf(ledger, from), amount);
            } else if (what === 'send') {
              const parties = { owner_address: addressOf(from), to_address: addressOf(to) };
              run(chain, transferAssetContract, { asset_name: token, ...parties, amount });
            } else if (what === 'buy') {
              const parties = { owner_address: addressOf(from), to_address: addressOf(issuer) };
              run(chain, participateAssetIssueContract, { asset_name: token, ...parties, amount });
            } else if (what === 'unfreeze') {
              run(chain, unfreezeAssetContract, { owner_address: addressOf(from) });
            } else advance(ledger, DAY_MS / 2n);
          });
          if (text !== undefined) expect(tokenState(ledger, ACCOUNTS)).toBe(before);
          for (const [key, supply] of supplies) expect(totalOf(ledger, ACCOUNTS, key)).toBe(supply);
          const fees = BigInt(supplies.size) * CHEAP.ASSET_ISSUE_FEE;
          const coin = [0, 1, 2].reduce((sum, i) => sum + accountAt(ledger, i).balance, 0n);
          expect(coin + fees).toBe(BigInt(ACCOUNTS) * 1_000n * COIN);
        }
      }),
      { numRuns: 40 },
    );
  });
});
