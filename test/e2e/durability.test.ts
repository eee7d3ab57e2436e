/**
 * Kills the command at random moments under load, again and again. Each time, its database has only complete blocks,
 * equal row by row to that of a node that imports these blocks, and contains everything that was reported to clients.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { openDatabase } from '../../src/devnet/database/chain-database.js';
import { checkDirectory } from '../../src/devnet/database/check-database.js';
import { devnetGenesis } from '../../src/devnet/genesis/genesis.js';
import { createDevnet, OptionError } from '../../src/index.js';
import { blockIdAt } from '../../src/ledger/blocks/block-ids.js';
import { blockBytesAt } from '../../src/ledger/blocks/blocks.js';
import { firstSlotFrom, slotTimeMs } from '../../src/ledger/schedule/schedule.js';
import type { Node } from '../../src/node/node.js';
import { LevelStore } from '../../src/node/storage/level-store.js';
import { devAccounts } from '../../src/options/dev-accounts.js';
import { settingsForLibrary } from '../../src/options/settings.js';
import { bytesToHex } from '../../src/primitives/hex.js';
import type { TxId } from '../../src/primitives/ids.js';
import { decodeBlock, refBlockBytesOf, refBlockHashOf } from '../../src/protocol/block.js';
import { packAny } from '../../src/protocol/contract-types.js';
import { TransferContract } from '../../src/protocol/generated/balance-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Transaction_Contract,
  Transaction_raw,
} from '../../src/protocol/generated/tron.js';
import { sign } from '../../src/protocol/signature.js';
import { SignedTransaction } from '../../src/protocol/transaction.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import { workLimit } from '../../src/tvm/work.js';
import { openNode } from '../simulation/simulated-chain.js';
import { storeDigest } from '../simulation/store-digest.js';
import { RunningCommand } from './command.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-durability-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  await buildIfStale();
});

const settings = settingsForLibrary({ accounts: 4 });
const accounts = await devAccounts(settings);
const { genesis, witnessKeys, stated } = devnetGenesis(settings, accounts);
const likeTheCommand = { vmLimit: workLimit(settings.vmLimitMs), stated };

async function level(directory: string): Promise<LevelStore> {
  // Opened like a node does, after the check of the files: a half-written batch after a kill is not damage.
  return new LevelStore((await openDatabase(directory)).database);
}

/** Transfers between the accounts, signed in advance. All refer to the genesis block, which each run has. */
function* signedTransfers(genesisId: string): Generator<{ readonly txid: TxId; readonly hex: string }> {
  const now = BigInt(Date.now());
  for (let i = 0; ; i++) {
    const [from, to] = [accounts[i % 4]!, accounts[(i + 1 + (i % 3)) % 4]!];
    const contract = { owner_address: from.addressHex, to_address: to.addressHex, amount: BigInt(1 + (i % 1_000)) };
    const unsigned = SignedTransaction.fromRaw(
      Transaction_raw.create({
        ref_block_bytes: refBlockBytesOf(genesisId as never),
        ref_block_hash: refBlockHashOf(genesisId as never),
        expiration: now + 7_200_000n,
        timestamp: now + BigInt(i),
        contract: [
          Transaction_Contract.create({
            type: ContractType.TransferContract,
            parameter: packAny(TransferContract, TransferContract.create(contract)),
          }),
        ],
      }),
    );
    const transaction = unsigned.withSignatures([sign(unsigned.txId, from.privateKey)]);
    yield { txid: transaction.txId, hex: bytesToHex(transaction.bytes) };
  }
}

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** The answer, or undefined if the process was killed meanwhile. */
function post(url: string, body: object): Promise<Record<string, unknown> | undefined> {
  return new Promise((resolve) => {
    const asked = request(url, { method: 'POST', agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve(JSON.parse(text)));
      response.on('error', () => resolve(undefined));
    });
    asked.on('error', () => resolve(undefined));
    asked.end(JSON.stringify(body));
  });
}

interface Life {
  readonly mining: 'instant' | 'interval';
  /** Whether to kill it during its start, after this many milliseconds. */
  readonly diesStartingMs: number | undefined;
  /** Otherwise after this many answers to broadcasts; in interval mode after this many queries of the head. */
  readonly answers: number;
  readonly looks: number;
}

/** Everything that was reported to clients before the kill. */
interface Told {
  readonly included: TxId[];
  readonly blocks: Map<number, string>;
}

const life: fc.Arbitrary<Life> = fc.record({
  mining: fc.constant('instant' as const),
  diesStartingMs: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 400 }) },
  ),
  answers: fc.integer({ min: 0, max: 50 }),
  looks: fc.integer({ min: 0, max: 3 }),
});

/** More at night. */
const KILLS = Number(process.env.SUNUP_KILLS ?? 16);

/** In some, blocks come by the clock, and one is killed before there is a chain. */
const lives: Life[] = fc.sample(life, { numRuns: KILLS, seed: 20_26 }).map((one, i) => {
  if (i === 0) return { ...one, diesStartingMs: 100 };
  return i % 10 === 5 ? { ...one, mining: 'interval', diesStartingMs: undefined } : one;
});

async function live(
  { mining, diesStartingMs, answers, looks }: Life,
  db: string,
  transfers: Iterator<{ readonly txid: TxId; readonly hex: string }>,
  before: readonly TxId[],
): Promise<Told> {
  const told: Told = { included: [], blocks: new Map() };
  await using command = await RunningCommand.start(['--json', '--db', db, '--accounts', '4', '--mining', mining]);
  const died = once(command.process, 'exit');
  const kill = () => command.process.kill('SIGKILL');
  if (diesStartingMs !== undefined) {
    setTimeout(kill, diesStartingMs);
    await died;
    return told;
  }
  const { http } = await command.ready();
  // Answers over HTTP also agree with what the last run reported.
  for (const txid of before.slice(-20)) {
    const info = await post(`${http.url}/wallet/gettransactioninfobyid`, { value: txid });
    expect(info).toMatchObject({ id: txid, blockNumber: expect.any(Number) });
  }
  let left = answers;
  const broadcastAlways = async () => {
    for (;;) {
      const { txid, hex } = transfers.next().value!;
      const answer = await post(`${http.url}/wallet/broadcasthex`, { transaction: hex });
      if (answer === undefined) return;
      expect(answer).toMatchObject({ result: true, txid });
      if (mining === 'instant') told.included.push(txid);
      if (left-- <= 0 && mining === 'instant') kill();
      if (left < 0 && mining === 'interval') return;
    }
  };
  const lookAlways = async () => {
    let first: number | undefined;
    let more = looks;
    for (;;) {
      const block = await post(`${http.url}/wallet/getnowblock`, {});
      if (block === undefined) return;
      const header = block.block_header as { raw_data: { number?: number } };
      const number = header.raw_data.number ?? 0;
      told.blocks.set(number, block.blockID as string);
      first ??= number;
      if (mining === 'interval' && number > first && more-- <= 0) kill();
    }
  };
  await Promise.all([broadcastAlways(), broadcastAlways(), broadcastAlways(), broadcastAlways(), lookAlways(), died]);
  return told;
}

/** Imports the blocks of the killed process, and compares all rows. */
async function expectWhole(db: string, shadow: Node, shadowStore: MemoryStore, told: Told): Promise<void> {
  const store = await level(db);
  const survivor = await openNode(genesis, witnessKeys, store, likeTheCommand);
  const { ledger } = survivor.chain;
  for (let number = shadow.chain.headNumber + 1; number <= survivor.chain.headNumber; number++) {
    const { header, transactions } = decodeBlock(blockBytesAt(ledger, number)!);
    // Blocks 1 and 2 are on slots; others only by chance. A chain that was killed between these two has a block off the
    // slots as its second one.
    const { timestamp } = header.raw_data!;
    const slot = firstSlotFrom(shadow.chain.ledger, timestamp);
    if (slotTimeMs(shadow.chain.ledger, slot) !== timestamp) shadow.chain.relaxConsensus();
    shadow.chain.import(header, transactions);
  }
  expect(survivor.chain.headId).toBe(shadow.chain.headId);
  expect(await storeDigest(store)).toBe(await storeDigest(shadowStore));
  for (const txid of told.included) {
    const stored = ledger.state.tables.transactions.get(txid);
    expect(stored?.info.length, txid).toBeGreaterThan(0);
  }
  for (const [number, id] of told.blocks) expect(blockIdAt(ledger, number)).toBe(id);
  await survivor.close();
}

describe('a chain whose process is killed', () => {
  it('has every reported block completely, and continues', async () => {
    const db = path.join(folder, 'killed');
    const shadowStore = new MemoryStore();
    const shadow = await openNode(genesis, witnessKeys, shadowStore, likeTheCommand);
    const transfers = signedTransfers(shadow.chain.config.genesisId);
    let included: TxId[] = [];
    let blocksByClock = 0;
    for (const one of lives) {
      const head = shadow.chain.headNumber;
      const told = await live(one, db, transfers, included);
      await expectWhole(db, shadow, shadowStore, told);
      included = [...included, ...told.included];
      if (one.mining === 'interval') blocksByClock += shadow.chain.headNumber - head;
      // It continued from its last block.
      if (one.diesStartingMs === undefined) expect(shadow.chain.headNumber).toBeGreaterThan(head);
    }
    expect(included.length).toBeGreaterThan(10 * KILLS);
    expect(blocksByClock).toBeGreaterThanOrEqual(lives.filter(({ mining }) => mining === 'interval').length);
    for (const txid of included) expect(shadow.chain.ledger.state.tables.transactions.has(txid)).toBe(true);
    expect((await checkDirectory(db, { replay: true })).findings).toEqual([]);
  });
});

describe('a process that is killed during a rollback', () => {
  it('leaves a chain of complete blocks, without parts of the removed ones', async () => {
    const db = path.join(folder, 'reverted');
    const library = pathToFileURL(path.resolve(import.meta.dirname, '../../dist/index.js')).href;
    const script = path.join(folder, 'back-and-forth.mjs');
    // Mines and rolls back continuously until it is killed. Each block is reported after it is stored.
    writeFileSync(
      script,
      `import { createDevnet } from ${JSON.stringify(library)};
       const [db, transfers] = process.argv.slice(2);
       const devnet = await createDevnet({ db, accounts: 4, mining: 'manual' });
       const send = (transaction) =>
         fetch(devnet.http.url + '/wallet/broadcasthex', { method: 'POST', body: JSON.stringify({ transaction }) });
       let kept = devnet.snapshot();
       for (const [i, transaction] of transfers.split(',').entries()) {
         process.send(i);
         await send(transaction);
         await devnet.mine(1);
         if (i % 3 === 2) {
           await devnet.revert(kept);
           kept = devnet.snapshot();
           await devnet.mine(1);
           kept = devnet.snapshot();
         }
       }`,
    );
    const { genesisId } = (await openNode(genesis, witnessKeys, new MemoryStore(), likeTheCommand)).chain.config;
    const transfers = signedTransfers(genesisId);
    const rounds = fc.sample(fc.integer({ min: 0, max: 40 }), { numRuns: Math.ceil(KILLS / 3), seed: 3 });
    let height = 0;
    for (const last of rounds) {
      const hexes = Array.from({ length: 200 }, () => transfers.next().value!.hex).join(',');
      const child = fork(script, [db, hexes]);
      const ended = once(child, 'exit');
      // Not awaited: the kill comes during one of the next rounds.
      child.on('message', (round) => {
        if (round === last) child.kill('SIGKILL');
      });
      await ended;
      const store = await level(db);
      const survivor = await openNode(genesis, witnessKeys, store, likeTheCommand);
      const shadowStore = new MemoryStore();
      const shadow = await openNode(genesis, witnessKeys, shadowStore, likeTheCommand);
      for (let number = 1; number <= survivor.chain.headNumber; number++) {
        const { header, transactions } = decodeBlock(blockBytesAt(survivor.chain.ledger, number)!);
        shadow.chain.import(header, transactions);
      }
      expect(await storeDigest(store)).toBe(await storeDigest(shadowStore));
      height = Math.max(height, survivor.chain.headNumber);
      await survivor.close();
      expect((await checkDirectory(db, { replay: true })).findings).toEqual([]);
    }
    expect(height).toBeGreaterThan(20);
  });
});

describe('a database that cannot be continued', () => {
  async function refusal(start: () => Promise<unknown>): Promise<OptionError> {
    const error = await start().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(OptionError);
    return error as OptionError;
  }

  it('is refused and unchanged if it has another genesis', async () => {
    const db = path.join(folder, 'genesis');
    const devnet = await createDevnet({ db });
    await devnet.close();
    const error = await refusal(() => createDevnet({ db, accounts: 3 }));
    expect(error.message).toMatch(/accounts is 3, but the chain in .* was created with 10/);
    expect(error.hint).toMatch(/another --db directory/);
    await using again = await createDevnet({ db });
    expect(again.genesisId).toBe(devnet.genesisId);
  });

  it('is refused if it has another format', async () => {
    const db = path.join(folder, 'format');
    await (await createDevnet({ db })).close();
    const store = await level(db);
    await store.write([{ key: 'meta:format', value: Buffer.from('99') }]);
    await store.close();
    const error = await refusal(() => createDevnet({ db }));
    expect(error.message).toMatch(/has format 99, this Sunup reads format \d+/);
    expect(error.hint).toMatch(/another --db directory/);
  });

  it('is refused while another process has it open', async () => {
    const db = path.join(folder, 'used');
    const first = await createDevnet({ db });
    const error = await refusal(() => createDevnet({ db }));
    expect(error.message).toContain(`${db} is in use by another process`);
    await first.close();
    await (await createDevnet({ db })).close();
  });
});
