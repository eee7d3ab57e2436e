/** A database keeps the options that its chain was created with: a start compares each of them. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type DevnetOptions, OptionError } from '../../src/index.js';
import { libraryOptions } from '../../src/options/settings.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-chain-options-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const db = path.join(folder, 'chain');

/** A value other than the default for each initial option. */
const OTHER: Readonly<Record<string, NonNullable<DevnetOptions[keyof DevnetOptions]>>> = {
  tre: true,
  preset: 'none',
  nodeVersion: '4.8.1',
  slotMs: 1_000,
  parameters: { getEnergyFee: 210 },
  networkStake: 'none',
  predeploy: ['usdt'],
  genesis: { witnesses: [{ privateKey: '11'.repeat(32), url: 'http://other' }] },
  genesisTime: 1_700_000_000_000,
  accounts: 3,
  balance: 5,
  mnemonic: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
  privateKeys: ['22'.repeat(32)],
  derivationPath: "m/44'/60'/0'/0",
  vmLimitMs: 5_000,
};

async function refusal(options: DevnetOptions): Promise<OptionError> {
  const error = await createDevnet(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OptionError);
  return error as OptionError;
}

const beginning = libraryOptions.filter(([, { begins }]) => begins !== undefined).map(([name]) => name);

describe('an initial option', () => {
  let headId: string;

  beforeAll(async () => {
    await using devnet = await createDevnet({ db });
    headId = (await devnet.mine(3)).id;
  });

  it('is every option that determines the chain, its accounts, or the result of a transaction', () => {
    const others = libraryOptions.filter(([, { group }]) => group === 'Chain' || group === 'Accounts');
    expect([...beginning].sort()).toEqual(
      others
        .map(([name]) => name)
        // A seed is compared as its phrase. The state history may differ from start to start. A fork stores its initial
        // state; its rows may come from another node of the same network.
        .filter((name) => !['db', 'loadState', 'seed', 'stateHistory'].includes(name) && !name.startsWith('fork'))
        .sort(),
    );
    expect(Object.keys(OTHER).sort()).toEqual([...beginning].sort());
  });

  it.each(beginning)('%s is refused by name if its value differs', async (name) => {
    const error = await refusal({ db, [name]: OTHER[name] });
    expect(error.option).toBe(name);
    expect(error.problem).toContain(`the chain in ${db} was created with`);
    expect(error.hint).toMatch(/another --db directory/);
    // A refused start changes nothing.
    await using again = await createDevnet({ db });
    expect((await again.mine(0)).id).toBe(headId);
  });

  it.each(beginning)('%s is stored: the chain continues with it, and not without it', async (name) => {
    const other = path.join(folder, `other-${name}`);
    await (await createDevnet({ db: other, [name]: OTHER[name] })).close();
    await (await createDevnet({ db: other, [name]: OTHER[name] })).close();
    expect((await refusal({ db: other })).option).toBe(name);
  });

  it('is named together with the others that differ', async () => {
    const error = await refusal({ db, accounts: 3, balance: 7 });
    expect(error.problem).toBe(`is not the value that the chain in ${db} was created with (nor is balance)`);
  });

  it('is not shown if it is secret', async () => {
    const { message } = await refusal({ db, mnemonic: OTHER.mnemonic as string });
    expect(message).not.toMatch(/legal|junk/);
  });

  it('compares the content of the genesis file, not its path or formatting', async () => {
    const kept = path.join(folder, 'from-file');
    const write = (name: string, text: string) => {
      const file = path.join(folder, name);
      writeFileSync(file, text);
      return file;
    };
    const first = write('one.json', '{"timestamp": 1735689600000, "parameters": {"getEnergyFee": 210}}');
    const second = write('two.json', '{"parameters": {"getEnergyFee": 210},\n "timestamp": 1735689600000}');
    const third = write('three.json', '{"parameters": {"getEnergyFee": 211}, "timestamp": 1735689600000}');
    await (await createDevnet({ db: kept, genesis: first })).close();
    await (await createDevnet({ db: kept, genesis: second })).close();
    expect((await refusal({ db: kept, genesis: third })).option).toBe('genesis');
  });

  it('does not include options that may differ from start to start', async () => {
    await using devnet = await createDevnet({ db, mining: 'manual', solidified: 'network', poolSize: 5, cors: false });
    expect((await devnet.mine(0)).id).toBe(headId);
  });
});
