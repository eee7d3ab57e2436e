/**
 * A chain with 100,000 accounts: how long it takes to open, what it holds in memory, and a query that is about the whole
 * network's totals as well as the account. The reference is the same command with the ten accounts of a fresh chain.
 */

import { newAccount } from '../../src/ledger/accounts/accounts.js';
import type { Address } from '../../src/primitives/ids.js';
import { Account } from '../../src/protocol/generated/tron.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import { type Bench, type Figure, median } from './bench.js';
import { openBenchNode } from './bench-chain.js';
import { runLoad, runLoadElsewhere } from './load.js';
import { inScratchDirectory, levelStore } from './scratch.js';
import { type Command, residentMegabytes, startCommand } from './sunup-command.js';

const ACCOUNTS = 100_000;
const REQUESTS = 20_000;
const RUNS = 5;

function addressOf(index: number): Address {
  return `41${(0x1000000000 + index * 7919).toString(16).padStart(40, '0')}` as Address;
}

export const bench: Bench = {
  about: 'start, memory and getaccountresource with 100,000 accounts in the database',

  async *measure(progress) {
    yield* await inScratchDirectory(async (directory) => {
      progress('making 100,000 accounts');
      const large = `${directory}/large`;
      await (await startCommand(['--manual', '--db', large])).stop();
      await fill(large);
      const small = `${directory}/small`;
      await (await startCommand(['--manual', '--db', small])).stop();
      return figures(large, small, progress);
    });
  },
};

async function figures(large: string, small: string, progress: (text: string) => void): Promise<Figure[]> {
  progress('starting');
  const starts = { large: [] as number[], small: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    starts.large.push(await startToAnswer(large));
    starts.small.push(await startToAnswer(small));
  }
  progress('asking');
  const many = await startCommand(['--manual', '--db', large]);
  const few = await startCommand(['--manual', '--db', small]);
  const opened = { large: memoryOf(many), small: memoryOf(few) };
  const random = Array.from({ length: REQUESTS }, (_, i) => addressOf((i * 48_271) % ACCOUNTS));
  const ten = Array.from({ length: REQUESTS }, (_, i) => few.accounts[i % 10]!.addressHex);
  const asked = { large: await ask(many, random), small: await ask(few, ten) };
  const after = { large: memoryOf(many), small: memoryOf(few) };
  await many.stop();
  await few.stop();
  const beside = (value: number) => ({ name: 'with 10 accounts', value });
  return [
    {
      name: 'start to first answer',
      value: median(starts.large),
      unit: 'ms',
      reference: beside(median(starts.small)),
    },
    { name: 'memory after the start', value: opened.large, unit: 'MB', reference: beside(opened.small) },
    {
      name: `getaccountresource of ${REQUESTS.toLocaleString('en-US')} of them, 8 connections`,
      value: asked.large,
      unit: '/s',
      reference: beside(asked.small),
    },
    { name: 'memory after that', value: after.large, unit: 'MB', reference: beside(after.small) },
  ];
}

/** Writes the rows that as many transfers would have left, behind the back of the ledger. */
async function fill(directory: string): Promise<void> {
  const store = await levelStore(directory);
  const { ledger } = (await openBenchNode(new MemoryStore(), [])).chain;
  for (let from = 0; from < ACCOUNTS; from += 10_000) {
    await store.write(
      Array.from({ length: 10_000 }, (_, i) => {
        const address = addressOf(from + i);
        const account = { ...newAccount(ledger, address), balance: BigInt(i + 1) * 1_000_000n };
        return { key: `a:${address}`, value: Account.encode(account) };
      }),
    );
  }
  await store.close();
}

async function startToAnswer(directory: string): Promise<number> {
  const from = performance.now();
  const command = await startCommand(['--manual', '--db', directory]);
  await runLoad({ port: command.port, path: '/wallet/getnowblock', bodies: ['{}'], connections: 1 });
  const time = performance.now() - from;
  await command.stop();
  return time;
}

function memoryOf(command: Command): number {
  return residentMegabytes(command.process.pid as number);
}

async function ask({ port }: Command, addresses: readonly Address[]): Promise<number> {
  const bodies = addresses.map((address) => JSON.stringify({ address }));
  const load = { port, path: '/wallet/getaccountresource', connections: 8 };
  await runLoadElsewhere({ ...load, bodies: bodies.slice(0, 2_000) });
  const { seconds } = await runLoadElsewhere({ ...load, bodies });
  return bodies.length / seconds;
}
