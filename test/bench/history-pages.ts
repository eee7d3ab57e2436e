/**
 * Pages of an account with a million transactions: the first one, and one from the middle. The reference is the first
 * page of an account with a thousand.
 */

import { writeCursor } from '../../src/history/cursor.js';
import { historyRoutes } from '../../src/history/routes.js';
import { startHttpServer } from '../../src/http/server.js';
import { encodePlaces, listKey, ownedBy } from '../../src/ledger/history/lists.js';
import type { Node } from '../../src/node/node.js';
import { hexToBytes } from '../../src/primitives/hex.js';
import type { Address, BlockId, TxId } from '../../src/primitives/ids.js';
import { decodeBlock } from '../../src/protocol/block.js';
import { BlockHeader, BlockHeader_raw } from '../../src/protocol/generated/tron.js';
import type { Store, StoreWrite } from '../../src/state/store.js';
import { numberKey, TABLES } from '../../src/state/tables.js';
import { fullContext } from '../../src/wallet/context.js';
import { type Bench, median, milliseconds } from './bench.js';
import { openBenchNode } from './bench-chain.js';
import { inScratchDirectory, levelStore } from './scratch.js';
import { privateKeys } from './signed-transactions.js';
import { ACCOUNTS, transferBlocks } from './transfer-blocks.js';

const PER_BLOCK = 500;
const BUSY = '41'.padEnd(42, 'b') as Address;
const QUIET = '41'.padEnd(42, 'c') as Address;
const BUSY_BLOCKS = 2_000;
const QUIET_BLOCKS = 2;
const PAGE = 20;
const REQUESTS = 300;

export const bench: Bench = {
  about: 'pages of /v1 of an account with a million transactions',

  async *measure(progress) {
    yield* await inScratchDirectory(async (directory) => {
      progress('writing a million transactions');
      const store = await levelStore(directory);
      const node = await openBenchNode(store, privateKeys(ACCOUNTS));
      await fill(node, store);
      const view = () => fullContext(node);
      const server = await startHttpServer({ port: 0, plugins: [historyRoutes({ view, indexed: true })] });
      const path = (account: Address) => `/v1/accounts/${account}/transactions`;
      const first = await pages(`${server.url}${path(BUSY)}?limit=${PAGE}`);
      const quiet = await pages(`${server.url}${path(QUIET)}?limit=${PAGE}`);
      const question = JSON.stringify([path(BUSY), [['limit', String(PAGE)]]]);
      const { headNumber: upTo } = node.chain;
      const after = { block: upTo - BUSY_BLOCKS / 2, transaction: 250, entry: 0 };
      const deep = await pages(
        `${server.url}${path(BUSY)}?limit=${PAGE}&fingerprint=${writeCursor(question, { upTo, after })}`,
      );
      await server.close();
      await node.close();
      const reference = { name: 'first page of a thousand', value: quiet };
      return [
        { name: 'first page of a million, 20 records', value: first, unit: 'ms' as const, reference },
        { name: 'the same, 500,000 records deep', value: deep, unit: 'ms' as const, reference },
      ];
    });
  },
};

async function pages(url: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    times.push(
      await milliseconds(async () => {
        const { data } = (await (await fetch(url)).json()) as { data: readonly unknown[] };
        if (data.length !== PAGE) throw new Error(`${data.length} records`);
      }),
    );
  }
  return median(times.slice(50));
}

/**
 * Writes the rows that as many transfers would have left, behind the back of the ledger: blocks of one real transfer,
 * each time under another id.
 */
async function fill(node: Node, store: Store): Promise<void> {
  const { before, blocks } = await transferBlocks({ of: 'coin', blocks: 1, transactionsPerBlock: 1 });
  for (const hex of [...before, ...blocks]) {
    const { header, transactions } = decodeBlock(hexToBytes(hex));
    node.chain.import(header, transactions);
  }
  await node.chain.durable();
  const { tables } = node.chain.ledger.state;
  const { headNumber, headTimeMs } = node.chain;
  const real = tables.blocks.get(numberKey(headNumber))?.transactionIds[0] as TxId;
  const row = tables.transactions.get(real)!;
  let number = headNumber;
  for (const [account, count] of [
    [QUIET, QUIET_BLOCKS],
    [BUSY, BUSY_BLOCKS],
  ] as const) {
    for (let made = 0; made < count; made++) {
      number++;
      const writes: StoreWrite[] = [];
      const transactionIds = Array.from(
        { length: PER_BLOCK },
        (_, i) => `${numberKey(number)}${numberKey(i)}`.padEnd(64, '0') as TxId,
      );
      transactionIds.forEach((txId, index) => {
        const value = TABLES.transactions.encode({ ...row, blockNumber: number, index });
        writes.push({ key: TABLES.transactions.prefix + txId, value });
      });
      const timestamp = headTimeMs + 3_000n * BigInt(number - headNumber);
      const header = BlockHeader.create({ raw_data: { ...BlockHeader_raw.empty, number: BigInt(number), timestamp } });
      const id = numberKey(number).padEnd(64, '0') as BlockId;
      const block = TABLES.blocks.encode({ id, header, transactionIds, logIndex: new Uint8Array(0) });
      writes.push({ key: TABLES.blocks.prefix + numberKey(number), value: block });
      const places = Array.from({ length: PER_BLOCK }, (_, i) => [i, 0]).flat();
      writes.push({ key: listKey(ownedBy(account), number), value: encodePlaces(places) });
      await store.write(writes);
    }
  }
  tables.longs.restore('latest_block_header_number', BigInt(number));
  tables.longs.restore('LATEST_SOLIDIFIED_BLOCK_NUM', BigInt(number));
}
