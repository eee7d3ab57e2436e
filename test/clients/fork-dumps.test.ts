/** Dumps of forks: loaded, checked and applied again with their fetched rows, without the network. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Level } from 'level';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDirectory } from '../../src/devnet/database/check-database.js';
import { createDevnet, type Devnet } from '../../src/index.js';

const TRX = 1_000_000;
const STRANGER = `41${'9'.repeat(40)}`;
const folder = mkdtempSync(path.join(tmpdir(), 'sunup-fork-dumps-'));
let network: Devnet;
let token: string;
let dump: Uint8Array;
let head: { readonly id: string; readonly state: unknown };

async function ask(devnet: Devnet, path_: string, body: object): Promise<Record<string, unknown>> {
  const answer = await devnet.fetch(path_, { method: 'POST', body: JSON.stringify(body) });
  return JSON.parse(await answer.text());
}

async function headOf(devnet: Devnet): Promise<string> {
  return String((await ask(devnet, '/wallet/getnowblock', {})).blockID);
}

const stateOf = async (devnet: Devnet) => ({
  resources: await Promise.all(
    network.accounts.slice(0, 4).map(({ addressHex }) => ask(devnet, '/wallet/getaccount', { address: addressHex })),
  ),
  contract: (await ask(devnet, '/wallet/getcontractinfo', { value: token, visible: true })).contract_state,
});

async function transferOn(devnet: Devnet, amount: bigint) {
  const [, holder, , other] = devnet.accounts;
  const dollar = await devnet.contractAt('fixtures/contracts/Dollar.json', token);
  const { txid } = await dollar.write.transfer!([other!.address, amount], { from: holder! });
  const { energy, bandwidth, feeSun } = await devnet.explain(txid);
  return { energy, bandwidth, feeSun };
}

/** A bit of everything: calls, a stake, an operation, empty blocks, an epoch, and a rollback. */
async function live(devnet: Devnet): Promise<void> {
  await transferOn(devnet, 5n);
  await devnet.setBalance(devnet.accounts[4]!.address, 77 * TRX);
  const id = await devnet.snapshot();
  await transferOn(devnet, 6n);
  await devnet.setStake(devnet.accounts[2]!.address, { energy: 0 });
  await devnet.revert(id);
  await devnet.mine(30);
  await transferOn(devnet, 900n);
  await devnet.mine({ advanceMs: 7 * 3_600_000 });
}

beforeAll(async () => {
  network = await createDevnet({ networkStake: 'mainnet' });
  const [deployer, holder, staker] = network.accounts;
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', { args: [10n ** 15n, 'Dollar', 'USD', 6] });
  token = dollar.address;
  await dollar.write.transfer!([holder!.address, 1_000_000n]);
  await network.setStake(deployer!.address, { energy: 5_000 * TRX });
  await network.setStake(staker!.address, { energy: 2_000 * TRX });
  await network.mine(20);
  await using fork = await createDevnet({ fork: network.http.url });
  await live(fork);
  dump = await fork.dump();
  head = { id: await headOf(fork), state: await stateOf(fork) };
});
afterAll(async () => {
  await network.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the dump of a fork', () => {
  it('can be loaded without the network, with the same costs', async () => {
    await using loaded = await createDevnet({ loadState: dump });
    expect(await headOf(loaded)).toBe(head.id);
    expect(await stateOf(loaded)).toEqual(head.state);
    expect([loaded.chainId, loaded.fork?.url, loaded.witnesses]).toEqual([network.chainId, undefined, []]);
    await using again = await createDevnet({ loadState: dump });
    expect(await transferOn(loaded, 8n)).toEqual(await transferOn(again, 8n));
    const { Error: said } = await ask(loaded, '/wallet/getaccount', { address: STRANGER });
    expect(said).toMatch(/could not read account T.* from the dump: .* the fork is offline. Run once with --fork/);
  });

  it('continues to read its network if it is given', async () => {
    await using loaded = await createDevnet({ loadState: dump, fork: network.http.url });
    expect(loaded.fork?.url).toBe(network.http.url);
    expect(await headOf(loaded)).toBe(head.id);
    expect(await ask(loaded, '/wallet/getaccount', { address: STRANGER })).toEqual({});
    await using other = await createDevnet({ accounts: 3 });
    await using wrong = await createDevnet({ loadState: dump, fork: other.http.url });
    const { Error: said } = await ask(wrong, '/wallet/getaccount', { address: STRANGER });
    expect(said).toMatch(/another chain than the one that was forked/);
  });

  it('can be loaded by its own fork', async () => {
    await using fork = await createDevnet({ fork: network.http.url });
    await live(fork);
    const [before, own] = [await headOf(fork), await fork.dump()];
    await transferOn(fork, 40n);
    await ask(fork, '/wallet/getaccount', { address: STRANGER });
    await fork.load(own);
    expect(await headOf(fork)).toBe(before);
    await network.mine(1);
    await using later = await createDevnet({ fork: network.http.url });
    await expect(later.load(own)).rejects.toThrow(/it is a fork at block \d+ that was created differently/);
  });

  // Found by the simulator with seed 720105.
  it('brings the rows that it has read, and takes them back if it fails', async () => {
    const other = `41${'7'.repeat(40)}`;
    const balanceOn = async (devnet: Devnet) => (await ask(devnet, '/wallet/getaccount', { address: other })).balance;
    await network.setBalance(other, TRX);
    await network.mine(1);
    await using early = await createDevnet({ fork: network.http.url });
    await using late = await createDevnet({ fork: network.http.url });
    expect(await balanceOn(early)).toBe(TRX);
    await early.mine(2);
    const lines = gunzipSync(await early.dump()).toString();
    // A network serves the accounts of its newest block.
    await network.setBalance(other, 9 * TRX);
    await network.mine(1);
    expect(await balanceOn(late)).toBe(9 * TRX);
    // Changed and put back, it is a row of the fork's own.
    const snapshot = late.snapshot();
    await late.setBalance(other, 5);
    await late.mine(1);
    await late.revert(snapshot);
    const wrongId = lines.replace(
      /("produceEmpty".*"id":"\w{63})(\w)/,
      (_, start, last) => start + (last === '0' ? 1 : 0),
    );
    expect(wrongId).not.toBe(lines);
    await expect(late.load(Buffer.from(wrongId))).rejects.toThrow('cannot be loaded');
    expect(await balanceOn(late)).toBe(9 * TRX);
    await late.load(Buffer.from(lines));
    expect(await balanceOn(late)).toBe(TRX);
    expect(await headOf(late)).toBe(await headOf(early));
  });

  it('starts a database, which is intact and gives the same when it is applied again', async () => {
    const db = path.join(folder, 'loaded');
    await using loaded = await createDevnet({ loadState: dump, db });
    await transferOn(loaded, 9n);
    await loaded.close();
    expect(await checkDirectory(db, { replay: true })).toMatchObject({ replayed: true, findings: [] });
    await using again = await createDevnet({ db, forkOffline: true });
    await transferOn(again, 10n);
  });

  it('is refused by a chain that is not a fork, and a fork refuses dumps of such chains', async () => {
    const plain = await createDevnet();
    const whole = await plain.dump();
    await plain.close();
    await expect(createDevnet({ loadState: whole, fork: network.http.url })).rejects.toThrow(
      'the chain in the dump is not a fork',
    );
    await expect(createDevnet({ loadState: dump.subarray(0, dump.length - 9) })).rejects.toThrow('cannot be loaded');
    await expect(createDevnet({ loadState: dump, forkChainId: 5 })).rejects.toThrow('was created with');
  });
});

describe('the database of a fork', () => {
  const db = path.join(folder, 'fork');

  it('is intact, and gives the same when it is applied again', async () => {
    const fork = await createDevnet({ fork: network.http.url, db });
    await live(fork);
    await fork.close();
    const { blocks, transactions, findings } = await checkDirectory(db, { replay: true });
    expect(findings).toEqual([]);
    expect(blocks).toBeGreaterThan(30);
    expect(transactions).toBe(2);
  });

  it('is damaged if a fetched row is missing or changed', async () => {
    const key = `f:a:${network.accounts[1]!.addressHex}`;
    const level = new Level<string, Buffer>(path.join(db, 'chain'), { valueEncoding: 'buffer' });
    const value = (await level.get(key))!;
    const foundWith = async (change: () => Promise<void>) => {
      await level.open();
      await change();
      await level.close();
      return (await checkDirectory(db, { replay: true })).findings.map(({ what }) => what);
    };
    const damaged = Buffer.concat([value, Buffer.from([1])]);
    expect(await foundWith(() => level.put(key, damaged))).toEqual(['is corrupt: its checksum is wrong']);
    expect(await foundWith(() => level.del(key))).toEqual([
      `accounts ${network.accounts[1]!.addressHex} of the network was not read while the fork ran`,
    ]);
    expect(await foundWith(() => level.put(key, value))).toEqual([]);
  });
});
