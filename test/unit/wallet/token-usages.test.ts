/** The order in which an account's answer lists what its tokens have used: clients see maps as lists. */

import { describe, expect, it } from 'vitest';
import { recoveredAccount } from '../../../src/wallet/accounts.js';
import { accountAt, smallLedger } from '../ledger/small-ledger.js';

const NAMES = ['Zed', 'Alpha', 'Mid'];
const IDS = ['1000003', '1000001', '1000002'];
const held = (keys: readonly string[]) => new Map(keys.map((key) => [key, 1n]));

describe('usages of tokens that an account holds', () => {
  it('by name: as the account got them, what was used before in its old place', () => {
    const { ledger } = smallLedger(1, { ALLOW_SAME_TOKEN_NAME: 0n, ALLOW_ASSET_OPTIMIZATION: 0n });
    const account = {
      ...accountAt(ledger, 0),
      asset: held(NAMES),
      free_asset_net_usage: new Map([['Mid', 100n]]),
      latest_asset_operation_time: new Map([['Mid', ledger.headSlot]]),
    };
    expect([...recoveredAccount(ledger, account).free_asset_net_usage]).toEqual([
      ['Mid', 100n],
      ['Zed', 0n],
      ['Alpha', 0n],
    ]);
  });

  /** Hashes 1958013298 to 1958013300: buckets 6, 7 and 0 of eight. */
  it('by id: as a Java map walks them', () => {
    const { ledger } = smallLedger(1);
    const account = { ...accountAt(ledger, 0), assetV2: held(IDS) };
    expect([...recoveredAccount(ledger, account).free_asset_net_usageV2.keys()]).toEqual([
      '1000003',
      '1000001',
      '1000002',
    ]);
  });
});
