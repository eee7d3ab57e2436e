/** Recordings of forks: with their fetched rows, replayed without the network to the same blocks. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runRecordCommand } from '../../src/cli/record-command.js';
import { runRunCommand } from '../../src/cli/run-command.js';
import { checkDirectory } from '../../src/devnet/database/check-database.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import { whatIf } from '../../src/run-scenario.js';
import { said } from '../unit/cli/said.js';
import { runText } from '../unit/scenario/run-file.js';

const TRX = 1_000_000;
const folder = mkdtempSync(path.join(tmpdir(), 'sunup-fork-recordings-'));
const place = (name: string) => path.join(folder, name);
const text = (name: string) => readFileSync(place(name), 'utf8');

let network: Devnet;
let token: string;
let head: { readonly number: number; readonly id: string };
/** From `sunup --record`, from the directory, and from a dump. */
let recording: string;
let fromDb: string;
let fromDump: string;

async function ask(devnet: Devnet, path_: string, body: object): Promise<Record<string, unknown>> {
  const answer = await devnet.fetch(path_, { method: 'POST', body: JSON.stringify(body) });
  return JSON.parse(await answer.text());
}

async function headOf(devnet: Devnet): Promise<typeof head> {
  const { blockID, block_header } = (await ask(devnet, '/wallet/getnowblock', {})) as never as {
    blockID: string;
    block_header: { raw_data: { number: number } };
  };
  return { id: blockID, number: block_header.raw_data.number };
}

async function transferOn(devnet: Devnet, amount: bigint): Promise<void> {
  const [, holder, , other] = devnet.accounts;
  const dollar = await devnet.contractAt('fixtures/contracts/Dollar.json', token);
  await dollar.write.transfer!([other!.address, amount], { from: holder! });
}

function clientOf(devnet: Devnet, index: number) {
  const { privateKey, address } = devnet.accounts[index]!;
  const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey });
  return {
    address,
    builder: tronWeb.transactionBuilder,
    send: async (built: Promise<unknown>, times = 1) => {
      const signed = await tronWeb.trx.sign((await built) as never);
      let answer: { readonly result?: boolean; readonly code?: string } = {};
      for (let time = 0; time < times; time++)
        answer = (await tronWeb.trx.sendRawTransaction(signed as never)) as never;
      return answer;
    },
  };
}

/** A bit of everything: calls, stakes, votes, delegations, rollbacks, epochs. */
async function live(devnet: Devnet): Promise<void> {
  const [staker, holder] = [clientOf(devnet, 2), clientOf(devnet, 1)];
  const { builder } = staker;
  await transferOn(devnet, 5n);
  // The transaction has its rows and is pending; its block waits for the witness's rows.
  await devnet.setNextWitness(network.accounts[6]!.address);
  await transferOn(devnet, 5n);
  const sent = [
    await staker.send(builder.freezeBalanceV2(300 * TRX, 'BANDWIDTH', staker.address)),
    await staker.send(builder.vote({ [network.witnesses[0]!.address]: 250 }, staker.address)),
    await staker.send(builder.delegateResource(100 * TRX, holder.address, 'ENERGY', staker.address)),
    await staker.send(builder.undelegateResource(200 * TRX, holder.address, 'ENERGY', staker.address)),
    await holder.send(holder.builder.sendTrx(network.accounts[7]!.address, 3, holder.address)),
  ];
  expect(sent.map(({ result }) => result)).toEqual(sent.map(() => true));
  const twice = holder.builder.sendTrx(network.accounts[9]!.address, 4, holder.address);
  expect(await holder.send(twice, 2)).toMatchObject({ code: 'DUP_TRANSACTION_ERROR' });
  await devnet.setBalance(devnet.accounts[4]!.address, 77 * TRX);
  const id = await devnet.snapshot();
  await transferOn(devnet, 6n);
  await devnet.setStake(devnet.accounts[0]!.address, { energy: 0 });
  await devnet.revert(id);
  await devnet.mine(30);
  await transferOn(devnet, 900n);
  await devnet.mine({ advanceMs: 7 * 3_600_000 });
  await devnet.mine({ advanceMs: 7 * 3_600_000 });
  await transferOn(devnet, 12n);
  // From an account of the network that was not fetched, to one that does not exist there.
  const stranger = network.accounts[8]!;
  await devnet.impersonate(stranger.address);
  const transfer = { owner_address: stranger.addressHex, to_address: `41${'9'.repeat(40)}`, amount: 7 };
  const built = await ask(devnet, '/wallet/createtransaction', transfer);
  expect(await ask(devnet, '/wallet/broadcasttransaction', { ...built, signature: [] })).toMatchObject({
    result: true,
  });
}

const digestOf = (text_: string) => /^{"digest":{"is":"([\da-f]{64})"/m.exec(text_)?.[1];
const rowsOf = (text_: string) => text_.split('\n').filter((line) => line.startsWith('{"networkRow":'));

async function record(to: string, from: string): Promise<string> {
  const { code, out } = await said((say) => runRecordCommand(['record', place(to), '--from', from], say));
  expect([code, out]).toEqual([0, expect.stringMatching(/: \d+ steps, and \d+ rows of the forked network\n$/)]);
  return text(to);
}

beforeAll(async () => {
  network = await createDevnet({ networkStake: 'mainnet' });
  const [deployer, holder, staker] = network.accounts;
  // Texts of the network are not evaluated: ${name} stays as it is.
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', {
    name: `\${i}`,
    args: [10n ** 15n, 'Dollar', 'USD', 6],
  });
  token = dollar.address;
  await dollar.write.transfer!([holder!.address, 1_000_000n]);
  await network.setStake(deployer!.address, { energy: 5_000 * TRX });
  await network.setStake(staker!.address, { energy: 2_000 * TRX });
  await network.setDelegation(staker!.address, holder!.address, { energy: 500 * TRX });
  const voter = clientOf(network, 2);
  await voter.send(voter.builder.vote({ [network.witnesses[0]!.address]: 2_000 }, voter.address));
  const witness = clientOf(network, 6);
  await witness.send(witness.builder.applyForSR(witness.address, 'http://second'));
  await network.mine({ advanceMs: 7 * 3_600_000 });
  await network.mine(20);

  const db = place('db');
  const options = { fork: network.http.url, accounts: 5, db, record: place('live.chain') };
  const fork = await createDevnet(options);
  await live(fork);
  head = await headOf(fork);
  writeFileSync(place('fork.dump'), await fork.dump());
  await fork.close();
  recording = text('live.chain');
  fromDb = await record('db.chain', db);
  fromDump = await record('dump.chain', place('fork.dump'));
});
afterAll(async () => {
  await network.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the recording of a fork', () => {
  it('replays without the network to the same blocks and receipts', async () => {
    expect(rowsOf(recording).length).toBeGreaterThan(30);
    const replay = await runText(recording);
    expect(replay.end).toMatchObject({ head, digest: digestOf(recording), failedExpectations: 0 });
    const refused = replay.transactions.filter(({ block }) => block === undefined);
    expect(refused.map(({ refusal }) => refusal?.code)).toEqual(['DUP_TRANSACTION_ERROR']);
    expect(replay.transactions.length).toBeGreaterThan(9);
    const broadcasts = recording.split('\n').filter((line) => line.startsWith('{"broadcast":'));
    expect(new Set(broadcasts).size).toBe(broadcasts.length);
  });

  it('is the same from the running fork, from its directory and from a dump', async () => {
    expect(rowsOf(fromDb).sort()).toEqual(rowsOf(recording).sort());
    const [ofDb, ofDump] = [await runText(fromDb), await runText(fromDump)];
    expect(ofDb.end).toMatchObject({ head, digest: digestOf(fromDb) });
    // Neither contains what a revert has removed.
    expect(ofDump.end).toMatchObject({ head, digest: digestOf(fromDb) });
  });

  it('gives an intact database, which gives the same when it is applied again', async () => {
    const db = place('replayed');
    expect((await runText(recording, db)).end.digest).toBe(digestOf(recording));
    expect(await checkDirectory(db, { replay: true })).toMatchObject({ replayed: true, findings: [] });
  });

  it('continues from the directory', async () => {
    await using again = await createDevnet({
      db: place('db'),
      forkOffline: true,
      record: place('again.chain'),
    });
    await transferOn(again, 13n);
    const now = await headOf(again);
    const { code } = await said((say) =>
      runRecordCommand(['record', place('node.yaml'), '--url', again.http.url], say),
    );
    expect([code, (await runText(text('node.yaml'))).end.head]).toMatchObject([0, now]);
    await again.close();
    const replay = await runText(text('again.chain'));
    expect(replay.end).toMatchObject({ head: now, digest: digestOf(text('again.chain')) });
    expect(now.number).toBeGreaterThan(head.number);
  });

  it('has other costs with other settings', async () => {
    const ask = (name: string, values: readonly (number | string)[]) => whatIf(place('live.chain'), { [name]: values });
    const { outcomes } = await ask('getEnergyFee', [10, 500]);
    expect(outcomes[0]).toMatchObject({ digest: digestOf(recording), refused: 1 });
    const [, cheap, dear] = outcomes;
    expect([cheap?.energy, dear?.energy, dear?.refused]).toEqual([outcomes[0]?.energy, outcomes[0]?.energy, 1]);
    expect(Number(dear?.feeSun)).toBeGreaterThan(Number(cheap?.feeSun));
    const holder = network.accounts[1]!.address;
    const { outcomes: funded } = await ask(`accounts.${holder}.balance`, ['0 TRX', '9 TRX']);
    expect(funded.map(({ digest }) => digest === digestOf(recording))).toEqual([true, false, false]);
    // A row that the recording does not have.
    const stake = `accounts.${holder}.stake.energy`;
    await expect(ask(stake, ['7 TRX'])).rejects.toThrow(/not among the rows that stand in the recording/);
    // The network has it at the same block.
    const reading = await whatIf(place('live.chain'), { [stake]: ['60_000 TRX'] }, { fork: network.http.url });
    expect(reading.outcomes[0]?.digest).toBe(digestOf(recording));
    expect(Number(reading.outcomes[1]?.feeSun)).toBeLessThan(Number(reading.outcomes[0]?.feeSun));
    await using other = await createDevnet({ accounts: 3 });
    const elsewhere = whatIf(place('live.chain'), { [stake]: ['1 TRX'] }, { fork: other.http.url });
    await expect(elsewhere).rejects.toThrow(/another chain than the one that was forked/);
  });
});

describe('a recording of a fork that is damaged', () => {
  const ran = async (changed: string) => {
    writeFileSync(place('damaged.chain'), changed);
    return said((say) => runRunCommand(['run', place('damaged.chain')], say));
  };
  const holderRow = () => rowsOf(recording).find((line) => line.includes(`"${network.accounts[1]!.addressHex}"`))!;

  it('names a missing row', async () => {
    const { code, err } = await ran(recording.replace(`${holderRow()}\n`, ''));
    expect([code, err]).toEqual([2, expect.stringContaining(`account ${network.accounts[1]!.address}`)]);
    expect(err).toMatch(/damaged\.chain: it is not among the rows that stand in the recording/);
  });

  it('names the line of an unreadable row', async () => {
    const line = recording.split('\n').indexOf(holderRow()) + 1;
    const { code, err } = await ran(recording.replace(holderRow(), holderRow().replace('"accounts"', '"acounts"')));
    expect([code, err]).toEqual([2, expect.stringMatching(`damaged.chain:${line}:.* the unknown table "acounts"`)]);
    const other = holderRow().replace(/"value":.*$/, '"value":{"balance":"x"}}}');
    const { err: unreadable } = await ran(recording.replace(holderRow(), other));
    expect(unreadable).toMatch(`damaged.chain:${line}:`);
  });

  it('stops at the first differing block if a row is changed', async () => {
    const row = rowsOf(recording).find((line) => line.includes(`"${network.accounts[8]!.addressHex}"`))!;
    const other = row.replace(/"balance":"\d+n"/, '"balance":"1n"');
    expect(other).not.toBe(row);
    const { code, err } = await ran(recording.replace(row, other));
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        `block ${head.number} cannot be applied again: its id is now [0-9a-f]{64}, it was ${head.id}`,
      ),
    ]);
  });

  it('is reported if blocks are the same, but costs differ', async () => {
    const other = holderRow().replace(/("acquired_delegated_frozenV2_balance_for_energy":")\d+n"/, '$10n"');
    expect(other).not.toBe(holderRow());
    const changed = recording.replace(holderRow(), other);
    const { code, err } = await ran(changed);
    const line = recording.split('\n').length - 1;
    expect(recording.split('\n')[line - 1]).toMatch(/^{"digest":/);
    expect(code).toBe(1);
    expect(err).toMatch(`damaged.chain:${line}:`);
    expect(err).toMatch(
      new RegExp(
        `: digest\n {2}expected ${digestOf(recording)}\n {2}got {6}[0-9a-f]{64} \\(the blocks are equal, but a receipt`,
      ),
    );
    // Other rules give other figures, which the file cannot know.
    const older = await ran(
      recording
        .replace(/("digest":{"is":"[0-9a-f]{64}","rules":)1/, '$10')
        .replace(digestOf(recording)!, 'ab'.repeat(32)),
    );
    expect([older.code, older.err]).toEqual([
      1,
      expect.stringContaining('recorded under version 0 of the rules, this is version 1'),
    ]);
    // A user who edits the steps removes the digest.
    expect((await ran(changed.replace(/^{"digest":.*\n/m, ''))).code).toBe(0);
  });

  it('reports invalid initial settings', async () => {
    const { code, err } = await ran(recording.replace(/"rows":\[\["\w+"/, '"rows":[["nothing"'));
    expect([code, err]).toEqual([2, expect.stringMatching(/the initial settings of the chain are not valid/)]);
  });
});
