/**
 * What is measured at a long chain in a directory, with the built command: start, pages, logs, snapshots; and on request
 * check, dump and load. None of it changes the chain.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { writeCursor } from '../../src/history/cursor.js';
import type { Hex } from '../../src/primitives/hex.js';
import { utf8ToHex } from '../../src/primitives/hex.js';
import type { BlockId } from '../../src/primitives/ids.js';
import { keccak256OfHex } from '../../src/protocol/hashes.js';
import { median, milliseconds } from './bench.js';
import { CHAIN_FLAGS, DEPLOYMENT_BLOCK } from './long-chain.js';
import { LOGS_PER_BLOCK, receiverOf } from './long-chain-signer.js';
import { signedTransfer, transactionHex } from './signed-transactions.js';
import { type Command, commandFile, ownMegabytes, startCommand } from './sunup-command.js';
import { word } from './token.js';

/** By the name of the figure; the unit is the end of the name. */
export type Figures = Record<string, number>;

const STARTS = 3;
const PAGE = 20;
const REQUESTS = 50;
const REVERTS = 20;
/** What eth_getLogs allows: blocks in a request, and logs in an answer. */
const MAX_BLOCK_RANGE = 5_000;
const MAX_LOGS = 10_000;
const EVENT = keccak256OfHex(utf8ToHex('Written(uint256,address)'));
const POLL_MS = 100;

export async function* probes(
  directory: string,
  { blocks, whole, progress }: { blocks: number; whole: boolean; progress: (text: string) => void },
): AsyncIterable<Figures> {
  const file = path.join(directory, '..', 'chain.dump');
  const copy = path.join(directory, '..', 'loaded');
  const removeCopies = () => {
    for (const place of [file, copy]) rmSync(place, { recursive: true, force: true });
  };
  // Of an interrupted run.
  removeCopies();
  yield { diskMegabytes: folderBytes(directory) / 1e6 };
  progress('start');
  yield await starts(directory);
  const command = await startCommand([...CHAIN_FLAGS, '--db', directory]);
  progress('pages');
  yield await pages(command, blocks);
  progress('logs');
  yield await logs(command, blocks);
  progress('snapshots');
  yield await reverts(command);
  yield { servingMegabytes: ownMegabytes(command.process.pid as number) };
  if (whole) {
    progress('dump');
    const { seconds, processorSeconds, peakMegabytes } = await peakOf(command.process.pid as number, () =>
      runCommand(['dump', file, '--url', `http://127.0.0.1:${command.port}`]),
    );
    yield {
      dumpSeconds: seconds,
      dumpProcessorSeconds: processorSeconds,
      dumpMegabytes: statSync(file).size / 1e6,
      dumpPeakMegabytes: peakMegabytes,
    };
  }
  await command.stop();
  if (!whole) return;
  progress('check');
  const check = await measuredCommand(['check', directory]);
  yield {
    checkSeconds: check.seconds,
    checkProcessorSeconds: check.processorSeconds,
    checkPeakMegabytes: check.peakMegabytes,
  };
  progress('load');
  yield await load(file, copy);
  removeCopies();
}

async function starts(directory: string): Promise<Figures> {
  const times: number[] = [];
  const used: number[] = [];
  let resident = 0;
  for (let run = 0; run < STARTS; run++) {
    const from = performance.now();
    const command = await startCommand([...CHAIN_FLAGS, '--db', directory]);
    await command.post('/wallet/getnowblock');
    times.push(performance.now() - from);
    used.push(processorMilliseconds(command.process.pid as number));
    resident = ownMegabytes(command.process.pid as number);
    await command.stop();
  }
  return {
    startMilliseconds: median(times),
    startProcessorMilliseconds: median(used),
    startMegabytes: resident,
  };
}

/** Pages of the account that sent all transactions: the first request of the process, and then at several depths. */
async function pages(command: Command, blocks: number): Promise<Figures> {
  const account = command.accounts[0]!.addressHex;
  const route = `/v1/accounts/${account}/transactions`;
  const url = `http://127.0.0.1:${command.port}${route}?limit=${PAGE}`;
  const upTo = DEPLOYMENT_BLOCK + blocks;
  const question = JSON.stringify([route, [['limit', String(PAGE)]]]);
  const depth = (part: number) =>
    `${url}&fingerprint=${writeCursor(question, { upTo, after: { block: DEPLOYMENT_BLOCK + Math.ceil(blocks * (1 - part)), transaction: 250, entry: 0 } })}`;
  const figures: Figures = {};
  // The last round is of a process that has compiled what it runs.
  for (const [name, of] of [
    ['firstPageOfProcess', url],
    ['firstPage', url],
    ['quarterPage', depth(0.25)],
    ['halfPage', depth(0.5)],
    ['deepestPage', depth(0.99)],
    ['firstPageAgain', url],
  ] as const) {
    const times: number[] = [];
    const requests = name === 'firstPageOfProcess' ? 1 : REQUESTS;
    const before = processorMilliseconds(command.process.pid as number);
    for (let request = 0; request < requests; request++) times.push(await milliseconds(() => records(of)));
    figures[`${name}Milliseconds`] = median(times);
    figures[`${name}ProcessorMilliseconds`] =
      (processorMilliseconds(command.process.pid as number) - before) / requests;
  }
  return figures;
}

async function records(url: string): Promise<void> {
  const { data } = (await (await fetch(url)).json()) as { readonly data: readonly unknown[] };
  if (data.length !== PAGE) throw new Error(`${data.length} records of ${url}`);
}

/** All logs, in as many requests as it takes, and one of them by its number, in the whole chain. */
async function logs(command: Command, blocks: number): Promise<Figures> {
  const last = DEPLOYMENT_BLOCK + blocks;
  const search = async (range: number, topics: readonly (Hex | null)[]): Promise<number> => {
    let found = 0;
    for (let from = DEPLOYMENT_BLOCK + 1; from <= last; from += range) {
      const [fromBlock, toBlock] = [from, Math.min(last, from + range - 1)].map((at) => `0x${at.toString(16)}`);
      const answer = await rpc<readonly unknown[]>(command, 'eth_getLogs', [{ fromBlock, toBlock, topics }]);
      found += answer.length;
    }
    return found;
  };
  const before = processorMilliseconds(command.process.pid as number);
  const all = await milliseconds(async () => {
    const found = await search(MAX_LOGS / LOGS_PER_BLOCK, [`0x${EVENT}`]);
    if (found !== blocks * LOGS_PER_BLOCK) throw new Error(`${found} logs`);
  });
  const allProcessor = processorMilliseconds(command.process.pid as number) - before;
  const number = `0x${word(Math.floor((blocks * LOGS_PER_BLOCK) / 2).toString(16))}`;
  const one = await milliseconds(async () => {
    const found = await search(MAX_BLOCK_RANGE, [`0x${EVENT}`, number]);
    if (found !== 1) throw new Error(`${found} logs of one number`);
  });
  return {
    allLogsSeconds: all / 1000,
    allLogsProcessorSeconds: allProcessor / 1000,
    oneLogMilliseconds: one,
    oneLogProcessorMilliseconds: processorMilliseconds(command.process.pid as number) - before - allProcessor,
  };
}

/** Back over a block of five transfers. */
async function reverts(command: Command): Promise<Figures> {
  const { privateKey } = command.accounts[0]!;
  const snapshots: number[] = [];
  const times: number[] = [];
  for (let run = 0; run < REVERTS; run++) {
    let id = '';
    snapshots.push(
      await milliseconds(async () => {
        id = await rpc<string>(command, 'evm_snapshot', []);
      }),
    );
    const head = (await command.post('/wallet/getnowblock')) as {
      readonly blockID: BlockId;
      readonly block_header: { readonly raw_data: { readonly timestamp: number } };
    };
    const reference = { blockId: head.blockID, timestampMs: head.block_header.raw_data.timestamp };
    for (let i = 0; i < 5; i++) {
      const transfer = signedTransfer(privateKey, receiverOf(-1 - i), 1n, { reference, nonce: run * 5 + i });
      await command.post('/wallet/broadcasthex', { transaction: transactionHex(transfer) });
    }
    await rpc(command, 'evm_mine', []);
    times.push(await milliseconds(() => rpc(command, 'evm_revert', [id])));
  }
  return { snapshotMilliseconds: median(snapshots), revertMilliseconds: median(times) };
}

async function load(file: string, directory: string): Promise<Figures> {
  const from = performance.now();
  const command = await startCommand([...CHAIN_FLAGS, '--db', directory, '--load-state', file]);
  const pid = command.process.pid as number;
  const loaded = {
    loadSeconds: (performance.now() - from) / 1000,
    loadProcessorSeconds: processorMilliseconds(pid) / 1000,
    loadedMegabytes: ownMegabytes(pid),
  };
  await command.stop();
  return loaded;
}

async function rpc<Result>(command: Command, method: string, params: readonly unknown[]): Promise<Result> {
  const { result, error } = (await command.post('/jsonrpc', { jsonrpc: '2.0', id: 1, method, params })) as {
    readonly result: Result;
    readonly error?: { readonly message: string };
  };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

interface Run {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMegabytes: number;
}

/** @throws Error if it fails */
async function runCommand(words: readonly string[]): Promise<void> {
  await measuredCommand(words);
}

async function measuredCommand(words: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, [commandFile(), ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  return peakOf(child.pid as number, async () => {
    const [code] = (await once(child, 'exit')) as [number];
    if (code !== 0) throw new Error(`sunup ${words.join(' ')} ended with ${code}`);
  });
}

/** What a process uses during some work: processor time, and the most memory. */
async function peakOf(pid: number, work: () => Promise<void>): Promise<Run> {
  let peakMegabytes = 0;
  let usedMilliseconds = 0;
  const before = processorMilliseconds(pid);
  const look = () => {
    try {
      peakMegabytes = Math.max(peakMegabytes, ownMegabytes(pid));
      usedMilliseconds = processorMilliseconds(pid) - before;
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(look, POLL_MS);
  try {
    const seconds = (await milliseconds(work)) / 1000;
    look();
    return { seconds, processorSeconds: usedMilliseconds / 1000, peakMegabytes };
  } finally {
    clearInterval(timer);
  }
}

/** What a process has used so far; Linux only. */
function processorMilliseconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function folderBytes(directory: string): number {
  let sum = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const file = path.join(directory, entry.name);
    sum += entry.isDirectory() ? folderBytes(file) : statSync(file).size;
  }
  return sum;
}
