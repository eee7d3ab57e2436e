/** Genesis files of users: the example of the documentation, and invalid ones. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createDevnet, type GenesisFile, OptionError } from '../../src/index.js';

const DOCS = new URL('../../docs/reference/genesis.md', import.meta.url);
/** The key of the example. */
const ACCOUNT = 'TGhUyYo3QeEt4qfKQuDkUNe3v8DmiaCKTB';
const FUNDED = 'TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C';

async function ask<Answer>(url: string, path: string, body: object): Promise<Answer> {
  return (await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<Answer>;
}

test('the example of docs/reference/genesis.md', async () => {
  const example = JSON.parse(readFileSync(DOCS, 'utf8').match(/```json\n(.*?)```/s)![1]!) as GenesisFile;
  await using devnet = await createDevnet({ genesis: example });
  const { url } = devnet.http;
  expect(await ask(url, '/wallet/getblockbynum', { num: 0 })).toMatchObject({
    block_header: { raw_data: { timestamp: Date.parse('2026-01-01T00:00:00Z') } },
  });
  expect(await ask(url, '/wallet/getaccount', { address: ACCOUNT, visible: true })).toMatchObject({
    account_name: 'treasury',
    balance: 1_000_000_000_000_000,
  });
  expect(await ask(url, '/wallet/listwitnesses', {})).toMatchObject({
    witnesses: [{ url: 'http://witness.example', voteCount: 100 }],
  });
  expect(devnet.witnesses).toEqual([
    {
      address: expect.stringMatching(/^T/),
      addressHex: expect.stringMatching(/^41/),
      privateKey: example.witnesses![0]!.privateKey,
      url: 'http://witness.example',
    },
  ]);
  const { chainParameter } = await ask<{ chainParameter: object[] }>(url, '/wallet/getchainparameters', {});
  expect(chainParameter).toContainEqual({ key: 'getEnergyFee', value: 210 });
  expect(chainParameter).toContainEqual({ key: 'getMaintenanceTimeInterval', value: 60_000 });
});

test('an object may have bigint amounts, and equals a file with digits', async () => {
  const withBalance = (balance: bigint | string): GenesisFile => ({
    accounts: [{ address: ACCOUNT, balance }],
    witnesses: [{ privateKey: '11'.repeat(32), url: 'http://me', voteCount: 5n }],
    parameters: { getEnergyFee: 210n },
  });
  const db = mkdtempSync(path.join(tmpdir(), 'sunup-genesis-'));
  try {
    let genesisId: string;
    {
      await using devnet = await createDevnet({ genesis: withBalance(2n ** 60n), db });
      genesisId = devnet.genesisId;
    }
    await using again = await createDevnet({ genesis: withBalance(String(2n ** 60n)), db });
    expect(again.genesisId).toBe(genesisId);
  } finally {
    rmSync(db, { recursive: true });
  }
});

test.each<[wrong: object, says: RegExp]>([
  [{ accounts: 5 }, /has accounts, which/],
  [{ accounts: [{ address: ACCOUNT }] }, /has accounts\.0\.balance, which/],
  [{ accounts: [{ address: 'Tx', balance: 1 }] }, /has the address Tx/],
  [{ accounts: [{ address: ACCOUNT, balance: 2 ** 53 }] }, /accounts\.0\.balance/],
  [{ accounts: [{ address: ACCOUNT, balance: String(2n ** 63n) }] }, /has 9223372036854775808 as balance/],
  [
    { accounts: [{ address: FUNDED, balance: 1 }] },
    new RegExp(`an account ${FUNDED}, which is also funded account \\(1\\)`),
  ],
  [
    {
      accounts: [
        { name: 'a', address: ACCOUNT, balance: 1 },
        { address: ACCOUNT, balance: 1 },
      ],
    },
    /has an account \S+ twice/,
  ],
  [{ witnesses: [] }, /has no witness with a privateKey/],
  [{ witnesses: [{ privateKey: 'ff' }] }, /witnesses\.0\.privateKey, which must be 32 bytes of hex/],
  [{ witnesses: [{ privateKey: '0'.repeat(64) }] }, /not a secp256k1 key/],
  [{ acounts: [] }, /has acounts, which is unknown; did you mean accounts\? \(known: timestamp, /],
  [
    { accounts: [{ address: ACCOUNT, balanc: 1 }] },
    /has accounts\.0\.balanc, which is unknown; did you mean balance\?/,
  ],
  [
    { accounts: [{ address: ACCOUNT, balance: 1, nme: 'x' }] },
    /accounts\.0\.nme, which is unknown; did you mean name\?/,
  ],
  [{ witnesses: [{ privatekey: 'ff' }] }, /witnesses\.0\.privatekey, which is unknown; did you mean privateKey\?/],
  [
    { networkStake: { totalEnergyWeigth: 5 } },
    /networkStake\.totalEnergyWeigth, which .* did you mean totalEnergyWeight\?/,
  ],
  [{ networkStake: [] }, /has networkStake, which must be an object with totalEnergyWeight, /],
  [{ accounts: {} }, /has accounts, which must be a list/],
  [{ accounts: [5] }, /has accounts\.0, which must be an object with name, address, balance/],
  [{ accounts: [{ address: 5, balance: 1 }] }, /has accounts\.0\.address, which must be a string/],
  [{ accounts: [{ address: ACCOUNT, balance: true }] }, /accounts\.0\.balance, which must be a whole number/],
  [{ parameters: 5 }, /has parameters, which must be an object: \{ parameter: number \}/],
  [{ timestamp: true }, /has timestamp, which must be a time/],
  [[], /option genesis must be an object with timestamp, /],
  [
    { accounts: [{ address: `${FUNDED.slice(0, -1)}${FUNDED.endsWith('C') ? 'D' : 'C'}`, balance: 1 }] },
    /has the address T\w{33}: its checksum is wrong/,
  ],
  [{ timestamp: 'soon' }, /has the timestamp soon/],
  [{ timestamp: '9999-01-01' }, /has the timestamp 9999-01-01, which is not a time.*2286/s],
  // Its first block would be too late.
  [{ timestamp: 9_999_999_999_990 }, /a time must be from 0 to 9999999999999 ms/],
  [{ preset: 'moon' }, /names the preset moon/],
  [
    { parameters: { getEnergyFees: 1 } },
    /unknown chain parameter or dynamic property "getEnergyFees"\. Did you mean getEnergyFee\?/,
  ],
  [
    { parameters: { getTotalEnergyTargetLimit: 1 } },
    /getTotalEnergyTargetLimit follows from other parameters, and nobody sets it\. See docs/,
  ],
  [{ parameters: { getMaintenanceTimeInterval: 0 } }, /getMaintenanceTimeInterval cannot be 0/],
])('%j is refused with a message that names the place', async (genesis, says) => {
  const refusal = await createDevnet({ genesis }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(OptionError);
  expect((refusal as OptionError).message).toMatch(says);
});
