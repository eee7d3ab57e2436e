/**
 * A chain of ten million accounts and transactions on LevelDB, a tenth of it by default, built in tenths. After each the
 * command is measured on it; what reads the whole chain is measured after the first, the third and the last.
 *
 * SUNUP_BENCH_TRANSACTIONS: how many. SUNUP_BENCH_DIRECTORY: where the chain stays and goes on; absent: a folder that is
 * removed. All figures of all sizes are written to measured.json there, from which scripts/large-chain-plots.ts makes
 * the pictures of docs/background/large-chains.md.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Bench, Figure, Unit } from './bench.js';
import { type Growth, growChain } from './long-chain.js';
import { type Figures, probes } from './long-chain-probes.js';
import { TRANSFERS_PER_BLOCK } from './long-chain-signer.js';
import { inScratchDirectory } from './scratch.js';

const TENTHS = 10;
/** The tenths after which check, dump and load are measured: each takes about as long as building so much. */
const WHOLE_AFTER: readonly number[] = [1, 3, 10];

export interface MeasuredSize {
  readonly blocks: number;
  readonly transactions: number;
  readonly figures: Figures;
}

export const bench: Bench = {
  about: 'a chain of SUNUP_BENCH_TRANSACTIONS transfers to new accounts (1,000,000): speed, memory, start, queries',

  async *measure(progress) {
    const transactions = Number(process.env.SUNUP_BENCH_TRANSACTIONS ?? 1_000_000);
    const blocks = Math.ceil(transactions / TRANSFERS_PER_BLOCK / TENTHS) * TENTHS;
    const directory = process.env.SUNUP_BENCH_DIRECTORY;
    const measured: MeasuredSize[] = [];
    const work = async (place: string) => {
      for await (const size of sizes(place, blocks, progress)) measured.push(size);
    };
    if (directory === undefined) await inScratchDirectory(work);
    else await work(directory);
    const [first, last] = [measured[0]!, measured.at(-1)!];
    for (const name of Object.keys(last.figures)) {
      const [value, reference] = [last.figures[name]!, first.figures[name]];
      const named = { name: wordsOf(name), value, unit: unitOf(name) };
      yield reference === undefined
        ? named
        : ({
            ...named,
            reference: { name: `with ${first.transactions.toLocaleString('en-US')} transactions`, value: reference },
          } satisfies Figure);
    }
  },
};

async function* sizes(
  directory: string,
  blocks: number,
  progress: (text: string) => void,
): AsyncIterable<MeasuredSize> {
  mkdirSync(directory, { recursive: true });
  const file = path.join(directory, 'measured.json');
  const known: MeasuredSize[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const chain = path.join(directory, 'chain');
  const grown = path.join(directory, 'grown.json');
  for (let tenth = 1; tenth <= TENTHS; tenth++) {
    const reached = (blocks / TENTHS) * tenth;
    const transactions = reached * TRANSFERS_PER_BLOCK;
    const before = known.find((size) => size.blocks === reached);
    if (before !== undefined) {
      yield before;
      continue;
    }
    const of = `${tenth} of ${TENTHS}`;
    let figures = growthBefore(grown, reached);
    if (figures === undefined) {
      const growth = await growChain(chain, reached, (made) => {
        if (made % 200 === 0) progress(`${of}: ${(made * TRANSFERS_PER_BLOCK).toLocaleString('en-US')} transactions`);
      });
      figures = growthFigures(growth);
      writeFileSync(grown, JSON.stringify({ blocks: reached, figures } satisfies Grown));
    }
    const whole = WHOLE_AFTER.includes(tenth);
    for await (const some of probes(chain, { blocks: reached, whole, progress: (text) => progress(`${of}: ${text}`) }))
      figures = { ...figures, ...some };
    const size = { blocks: reached, transactions, figures };
    known.push(size);
    writeFileSync(file, `${JSON.stringify(known, undefined, 1)}\n`);
    yield size;
  }
}

/** The last growth, for a run that was interrupted while the grown chain was measured. */
interface Grown {
  readonly blocks: number;
  readonly figures: Figures;
}

function growthBefore(file: string, reached: number): Figures | undefined {
  if (!existsSync(file)) return undefined;
  const { blocks, figures } = JSON.parse(readFileSync(file, 'utf8')) as Grown;
  return blocks === reached ? figures : undefined;
}

function growthFigures({ blocks, seconds, processorSeconds, ownMegabytes, heapMegabytes }: Growth): Figures {
  // Interrupted between the last block and its figures: they are lost.
  if (blocks === 0) return {};
  const transactions = blocks * (TRANSFERS_PER_BLOCK + 1);
  return {
    transactionsPerSecond: transactions / seconds,
    transactionProcessorMicroseconds: (processorSeconds * 1e6) / transactions,
    buildingMegabytes: ownMegabytes,
    buildingHeapMegabytes: heapMegabytes,
  };
}

const UNITS: readonly (readonly [ending: string, unit: Unit])[] = [
  ['PerSecond', '/s'],
  ['Milliseconds', 'ms'],
  ['Microseconds', 'µs'],
  ['Megabytes', 'MB'],
  ['Seconds', 's'],
];

function unitOf(name: string): Unit {
  const unit = UNITS.find(([ending]) => name.endsWith(ending))?.[1];
  if (unit === undefined) throw new Error(`${name} names no unit`);
  return unit;
}

/** `firstPageMilliseconds` → `first page`. */
function wordsOf(name: string): string {
  const ending = UNITS.find(([one]) => name.endsWith(one))?.[0] ?? '';
  return name.slice(0, -ending.length).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
