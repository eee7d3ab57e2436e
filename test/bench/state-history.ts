/**
 * `--state-history N` on a chain that goes on: 100,000 blocks on LevelDB, each fifth of them with a transfer, of which N
 * = 1,000 and 10,000 keep the state. What a block takes in processor time of all threads (signing is not counted), in the
 * first and the last quarter; what is on the disk, how much of it are the rows by which old state is read, and what the
 * process holds; the balances of 200 accounts at the oldest block that is reached. The reference keeps everything.
 */

import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Node } from '../../src/node/node.js';
import type { Address } from '../../src/primitives/ids.js';
import { rememberSigner } from '../../src/protocol/signature.js';
import { CHANGES_PREFIX } from '../../src/state/row-changes.js';
import { type Bench, type Figure, median } from './bench.js';
import { headOf, openBenchNode } from './bench-chain.js';
import { inScratchDirectory, levelStore } from './scratch.js';
import { addressesOf, privateKeys, signedTransfer } from './signed-transactions.js';

const BLOCKS = 100_000;
const TRANSFERS = 20_000;
/** Signed at a time, and then put into blocks. */
const CHUNK = 100;
const ACCOUNTS = 200;
const LATER_VIEWS = 21;

interface Measured {
  readonly firstQuarter: number;
  readonly lastQuarter: number;
  readonly heldAtHalf: number;
  readonly heldAtEnd: number;
  readonly diskAtHalf: number;
  readonly diskAtEnd: number;
  readonly pastAtHalf: number;
  readonly pastAtEnd: number;
  readonly firstView: number;
  readonly laterView: number;
}

export const bench: Bench = {
  about: '100,000 blocks, 20,000 of them with a transfer, under --state-history 1000, 10000 and all',

  async *measure(progress) {
    const all = await measured(undefined, progress);
    for (const kept of [1_000, 10_000]) yield* figures(kept, await measured(kept, progress), all);
  },
};

function* figures(kept: number, { ...of }: Measured, all: Measured): Iterable<Figure> {
  const figure = (name: string, part: keyof Measured, unit: Figure['unit'], beside: keyof Measured = part) => ({
    name: `N = ${kept}: ${name}`,
    value: of[part],
    unit,
    reference: { name: beside === part ? 'all kept' : 'all kept, at the end', value: all[beside] },
  });
  yield figure('a block with a transfer and four without, first quarter', 'firstQuarter', 'µs');
  yield figure('the same, last quarter', 'lastQuarter', 'µs');
  yield figure('rows of the past after 50,000 blocks', 'pastAtHalf', 'MB');
  yield figure('rows of the past after 100,000 blocks', 'pastAtEnd', 'MB');
  yield figure('database after 50,000 blocks', 'diskAtHalf', 'MB');
  yield figure('database after 100,000 blocks', 'diskAtEnd', 'MB');
  yield figure('heap and what is outside of it after 50,000 blocks', 'heldAtHalf', 'MB');
  yield figure('heap and what is outside of it after 100,000 blocks', 'heldAtEnd', 'MB');
  yield figure('200 accounts at the oldest block, first view', 'firstView', 'ms');
  yield figure('200 accounts beside it, later views', 'laterView', 'ms');
}

async function measured(kept: number | undefined, progress: (text: string) => void): Promise<Measured> {
  return inScratchDirectory(async (directory) => {
    const keys = privateKeys(ACCOUNTS);
    const addresses = addressesOf(keys);
    const store = await levelStore(directory);
    const node = await openBenchNode(store, keys, { stateHistory: kept });
    const size = async () => {
      let bytes = 0;
      for (const prefix of ['pre:', CHANGES_PREFIX])
        for await (const { key, value } of store.rows(prefix)) bytes += key.length + value.length;
      return { past: bytes / 1e6, disk: sizeOf(directory), held: held() };
    };
    const times: number[] = [];
    let half: Awaited<ReturnType<typeof size>> | undefined;
    for (let made = 0; made < TRANSFERS; made += CHUNK) {
      times.push((await mineChunk(node, keys, addresses, made)) / CHUNK);
      if (made + CHUNK === TRANSFERS / 2) half = await size();
      if ((made + CHUNK) % 5_000 === 0) progress(`N = ${kept ?? 'all'}: ${node.chain.headNumber} blocks`);
    }
    const end = await size();
    const oldest = Math.max(kept === undefined ? 3 : node.chain.headNumber - kept, node.chain.commits.stateFrom);
    const firstView = await processorMs(() => readAt(node, oldest, addresses));
    const later: number[] = [];
    for (let run = 1; run <= LATER_VIEWS; run++)
      later.push(await processorMs(() => readAt(node, oldest + 5 * run, addresses)));
    await node.close();
    const quarter = times.length / 4;
    return {
      firstQuarter: 1_000 * median(times.slice(0, quarter)),
      lastQuarter: 1_000 * median(times.slice(-quarter)),
      heldAtHalf: half?.held ?? Number.NaN,
      heldAtEnd: end.held,
      diskAtHalf: half?.disk ?? Number.NaN,
      diskAtEnd: end.disk,
      pastAtHalf: half?.past ?? Number.NaN,
      pastAtEnd: end.past,
      firstView,
      laterView: median(later),
    };
  });
}

/** @returns processor time in milliseconds, without signing */
async function mineChunk(
  node: Node,
  keys: readonly string[],
  addresses: readonly Address[],
  made: number,
): Promise<number> {
  const reference = headOf(node);
  const transfers = Array.from({ length: CHUNK }, (_, index) => {
    const nonce = made + index;
    const from = nonce % ACCOUNTS;
    const to = addresses[(nonce * 7 + 13) % ACCOUNTS] as Address;
    const transfer = signedTransfer(keys[from] as string, to, 1n, { reference, nonce });
    rememberSigner(transfer.txId, transfer.signatures[0] as string, addresses[from] as Address);
    return transfer;
  });
  return processorMs(async () => {
    for (const transfer of transfers) {
      node.chain.pool.queue(transfer);
      node.mine(BLOCKS / TRANSFERS);
    }
    await node.chain.durable();
  });
}

/** Of all threads: the machine may be busy with something else. */
async function processorMs(work: () => unknown): Promise<number> {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

function readAt({ chain }: Node, height: number, addresses: readonly Address[]): bigint {
  const { state, headNumber } = chain.ledgerAt(height);
  if (headNumber !== height) throw new Error(`the view of ${height} is of ${headNumber}`);
  return addresses.reduce((sum, address) => sum + (state.tables.accounts.get(address)?.balance ?? 0n), 0n);
}

function sizeOf(directory: string): number {
  let bytes = 0;
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
    bytes += statSync(path.join(directory, name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes / 1e6;
}

function held(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}
