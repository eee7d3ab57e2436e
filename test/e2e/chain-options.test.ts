/** A chain in a database goes on with what it was begun with: every option that it was begun with is compared. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type DevnetOptions, OptionError } from '../../src/index.js';
import { libraryOptions } from '../../src/options/settings.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-chain-options-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const db = path.join(folder, 'chain');

/** Another value than the default for each option that a chain is begun with. */
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

describe('an option that a chain is begun with', () => {
  let headId: string;

  beforeAll(async () => {
    await using devnet = await createDevnet({ db });
    headId = (await devnet.mine(3)).id;
  });

  it('is every one that makes the chain, its accounts, or what a transaction comes to', () => {
    const others = libraryOptions.filter(([, { group }]) => group === 'Chain' || group === 'Accounts');
    expect([...beginning].sort()).toEqual(
      others
        .map(([name]) => name)
        // A seed is compared by the phrase that it becomes; how much of the past is kept may be another with every start.
        // What a fork begins with is kept whole; where its rows come from may be another node of the same network.
        .filter((name) => !['db', 'loadState', 'seed', 'stateHistory'].includes(name) && !name.startsWith('fork'))
        .sort(),
    );
    expect(Object.keys(OTHER).sort()).toEqual([...beginning].sort());
  });

  it.each(beginning)('%s is refused when it is another, by its name', async (name) => {
    const error = await refusal({ db, [name]: OTHER[name] });
    expect(error.option).toBe(name);
    expect(error.problem).toContain(`the chain in ${db} was created with`);
    expect(error.hint).toMatch(/another --db directory/);
    // What was refused has changed nothing.
    await using again = await createDevnet({ db });
    expect((await again.mine(0)).id).toBe(headId);
  });

  it.each(beginning)('%s begins a chain that goes on with it, and not without it', async (name) => {
    const other = path.join(folder, `other-${name}`);
    await (await createDevnet({ db: other, [name]: OTHER[name] })).close();
    await (await createDevnet({ db: other, [name]: OTHER[name] })).close();
    expect((await refusal({ db: other })).option).toBe(name);
  });

  it('says several at once', async () => {
    const error = await refusal({ db, accounts: 3, balance: 7 });
    expect(error.problem).toBe(`is not the value that the chain in ${db} was created with (nor is balance)`);
  });

  it('does not show what is secret', async () => {
    const { message } = await refusal({ db, mnemonic: OTHER.mnemonic as string });
    expect(message).not.toMatch(/legal|junk/);
  });

  it('is what a genesis file says, not where it lies or how it is written', async () => {
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

  it('other options may differ from start to start', async () => {
    await using devnet = await createDevnet({ db, mining: 'manual', solidified: 'network', poolSize: 5, cors: false });
    expect((await devnet.mine(0)).id).toBe(headId);
  });
});
