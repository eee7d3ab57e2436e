/**
 * A fork does what the chain would have done that it is one of: from a block on, both get the same transactions, and
 * their blocks are the same to the byte. The fork knows nothing of the other's state but what it asks for.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { heldFile, packedChain, readChainFile } from '../../src/chain-file/file.js';
import type { ForkBase, ForkedRow } from '../../src/ledger/genesis/fork-base.js';
import type { Genesis } from '../../src/ledger/genesis/genesis.js';
import type { Node } from '../../src/node/node.js';
import { withRows } from '../../src/node/with-rows.js';
import { bytesToHex } from '../../src/primitives/hex.js';
import { BlockHeader } from '../../src/protocol/generated/tron.js';
import { recordStored } from '../../src/scenario/record/stored-chain.js';
import { ForkedStore, NOBODY } from '../../src/state/fork/forked-store.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import type { FetchedRow, RemoteRows, WantedRow } from '../../src/state/remote-rows.js';
import type { TableSpec } from '../../src/state/table-spec.js';
import { numberKey, TABLES } from '../../src/state/tables.js';
import { runText } from '../unit/scenario/run-file.js';
import { BEGINNING, EVENTFUL, history, type Operation, perform, refusable } from './operations.js';
import { openNode, SimulatedChain } from './simulated-chain.js';

/** Tables that a fork reads whole at its start. */
const WHOLE = [
  'witnesses',
  'votes',
  'assets',
  'assetsByName',
  'proposals',
  'exchanges',
  'exchangesByName',
  'marketPairs',
  'marketPrices',
] as const;
/** The rows of another chain as they are at its head, which stays. */
class OtherChain implements RemoteRows {
  asked = 0;
  readonly #rows = new Map<string, Uint8Array>();

  private constructor(private readonly head: number) {}

  static async at(chain: SimulatedChain): Promise<OtherChain> {
    const other = new OtherChain(chain.node.chain.headNumber);
    for await (const { key, value } of chain.store.rows('')) other.#rows.set(key, value);
    return other;
  }

  async fetch(wanted: readonly WantedRow[]): Promise<readonly FetchedRow[]> {
    this.asked++;
    await Promise.resolve();
    return wanted.map((row) => {
      if (row.table === 'storage' && row.slot === undefined) throw new Error(`a slot without a name: ${row.key}`);
      const contract = row.slot && TABLES.contracts.prefix + row.slot.contract;
      if (contract !== undefined && !this.#rows.has(contract))
        throw new Error(`a slot of a contract that is not there: ${contract}`);
      const value = this.#rows.get(TABLES[row.table].prefix + row.key);
      return { table: row.table, key: row.key, value, readAtBlock: this.head };
    });
  }

  rowsOf(table: keyof typeof TABLES): readonly (readonly [string, Uint8Array])[] {
    const { prefix } = TABLES[table];
    return [...this.#rows]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), value]);
  }
}

function genesisAbove(chain: SimulatedChain, other: OtherChain): Genesis {
  const { ledger } = chain;
  const header = ledger.state.tables.blocks.get(numberKey(ledger.headNumber))?.header;
  const fork: ForkBase = {
    number: ledger.headNumber,
    id: ledger.headId,
    header: bytesToHex(BlockHeader.encode(header!)),
    genesisId: ledger.config.genesisId,
    rows: WHOLE.flatMap((table) =>
      other.rowsOf(table).map(([key, value]): ForkedRow => [table, key, bytesToHex(value)]),
    ),
  };
  const decoded = <Value>(table: 'longs' | 'texts') =>
    new Map(
      other.rowsOf(table).map(([key, value]) => [key, (TABLES[table] as unknown as TableSpec<Value>).decode(value)]),
    );
  return {
    timestampMs: ledger.config.genesisTimestampMs,
    parentHash: '00'.repeat(32),
    accounts: [{ name: 'Blackhole', address: ledger.config.blackhole, balanceSun: 0n }],
    witnesses: [...ledger.config.genesisWitnesses].map(([address, voteCount]) => ({ address, url: '', voteCount })),
    properties: {
      longs: decoded<bigint>('longs'),
      texts: decoded<string>('texts'),
    } as unknown as Genesis['properties'],
    fork,
  };
}

async function onBoth(chain: SimulatedChain, fork: Node, operation: Operation): Promise<void> {
  if (operation.what === 'mine' || operation.what === 'advance') {
    const request = operation.what === 'mine' ? { blocks: operation.blocks } : { advanceMs: operation.byMs };
    await chain.node.mining.mine(request);
    await fork.mining.mine(request);
    expect(fork.chain.headId).toBe(chain.node.chain.headId);
    return;
  }
  const before = chain.sent.length;
  const applied = perform(chain, operation);
  const transaction = chain.sent[before];
  if (transaction === undefined) return;
  const onFork = await withRows(() => refusable(() => fork.broadcast(transaction)));
  expect(onFork?.info).toEqual(applied?.info);
  expect(onFork?.charges).toEqual(applied?.charges);
}

/** From what it has read and its steps a fork comes to the same rows, and asks nobody. */
async function expectSameFromDump(fork: Node, genesis: Genesis, { witnessKeys }: SimulatedChain): Promise<void> {
  const dump = await packedChain(fork);
  const store = new ForkedStore(new MemoryStore(), NOBODY);
  const loaded = await openNode(genesis, witnessKeys, store);
  await loaded.loader.load(await readChainFile(heldFile(dump)));
  expect(loaded.chain.head).toEqual(fork.chain.head);
  await Promise.all([fork.chain.durable(), loaded.chain.durable()]);
  const rowsOf = async (of: Node): Promise<string[]> => {
    const rows: string[] = [];
    for await (const { key, value } of (of.chain.store as ForkedStore).changedRows())
      rows.push(`${key} ${bytesToHex(value)}`);
    return rows;
  };
  expect(await rowsOf(loaded)).toEqual(await rowsOf(fork));
  await loaded.close();
}

/** A recording of it has all that it reads: replayed it makes the same blocks, receipts and refusals, and asks nobody. */
async function expectSameFromRecording(fork: Node): Promise<void> {
  let recording = '';
  const digest = await recordStored(fork.chain, 'a random history', (lines) => {
    recording += lines;
  });
  const { end } = await runText(recording);
  const { number, id } = fork.chain.head;
  expect(end).toMatchObject({ head: { number, id }, digest: digest.value });
}

/** Whose turn it is then depends on who signs for it: a row that the fork has not read. */
const A_NEW_WITNESS: Operation = { what: 'becomeWitness', owner: 0, other: 0, amountSun: 1n, choice: 0 };

test('a fork makes the blocks that the chain makes, of the same transactions', { timeout: 0 }, async () => {
  await fc.assert(
    fc.asyncProperty(history(5, 40), history(5, 40), async (before, after) => {
      const chain = await SimulatedChain.open({ parameters: EVENTFUL, witnessVotes: [100, 50] });
      for (const operation of [...BEGINNING, ...before]) perform(chain, operation);
      chain.node.mine(1);
      const other = await OtherChain.at(chain);
      const store = new ForkedStore(new MemoryStore(), other);
      const genesis = genesisAbove(chain, other);
      const fork = await openNode(genesis, chain.witnessKeys, store);
      expect(fork.chain.head).toEqual(chain.node.chain.head);
      // So that transactions refer to a block that both have.
      await onBoth(chain, fork, { what: 'mine', blocks: 30 });
      for (const operation of [...after, { what: 'mine', blocks: 1 } as const]) await onBoth(chain, fork, operation);
      await expectSameFromDump(fork, genesis, chain);
      await expectSameFromRecording(fork);
      await fork.close();
      await chain.close();
    }),
    { numRuns: 8, examples: [[[A_NEW_WITNESS], [{ what: 'advance', byMs: 700_000 }]]] },
  );
});
