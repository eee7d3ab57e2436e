/**
 * `sunup mine`, `explain`, `trace`, `snapshot`, `revert`, `dump`, `load`: commands for a running node, over HTTP. They
 * have no rules of their own: `http/endpoints/devnet.ts` and `explain.ts` do the work.
 */

import { createReadStream, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Command } from 'commander';
import { BadValue, moment } from '../options/kinds.js';
import { readTimeSpan, timeSpanText } from '../options/time-span.js';
import { ReplacedFile } from '../platform/replaced-file.js';
import type { TxId } from '../primitives/ids.js';
import { wrapped } from '../prose/explanation.js';
import { EXPLAIN_NETWORK_OPTIONS, type ExplainNetworkOptions } from './explain-network-options.js';
import { withForkOptions } from './fork-options.js';
import { withProgress } from './long-work.js';
import { ask, askRpc, askWallet, nodeUrl, RemoteError, readJson, upload } from './node-client.js';
import { type NodeOptions, run, withNodeOptions } from './node-command.js';
import { dumpOf } from './node-dump.js';
import type { Terminal } from './terminal.js';
import {
  type TraceAnswer,
  type TraceRequest,
  type TraceWords,
  tracedWith,
  traceText,
  withTraceOptions,
  writeProfile,
} from './trace-request.js';

function headText({ number, id, timestampMs, lateMs = 0, aheadMs }: Record<string, unknown>): string {
  const late = lateMs === 0 ? '' : `  (in the next slot, ${timeSpanText(Number(lateMs))} later than requested)`;
  const waits =
    aheadMs === undefined
      ? ''
      : `The next block comes in ${timeSpanText(Number(aheadMs))}, when the clock has caught up (sunup mine --advance 0s sets the clock forward)\n`;
  return `block ${number}  ${new Date(Number(timestampMs)).toISOString()}  ${id}${late}\n${waits}`;
}

function explanationText({ text }: Record<string, unknown>): string {
  return `${wrapped(text as readonly string[]).join('\n')}\n`;
}

interface ExplainCommandOptions extends NodeOptions, ExplainNetworkOptions {
  readonly wait?: boolean;
  readonly run?: boolean;
  readonly whatIf: readonly string[];
}

const EXPLAIN_HELP = `
For the cost with other prices, stakes or factors: sunup estimate TXID --what-if …

With --fork, the transaction is one of a live network, of today or years ago: who paid what, from which source and at
which price, from its receipt and the prices of that moment. Nothing is run, except with --run.

Examples:
  sunup explain TXID
  sunup explain TXID --fork https://api.trongrid.io --fork-api-key KEY
  sunup explain TXID --fork https://api.trongrid.io --json
  sunup explain TXID --fork https://api.trongrid.io --run --what-if getEnergyFee=100,210
  sunup explain TXID --fork https://api.trongrid.io --run --artifacts ./artifacts --svg flame.svg`;

const POLL_MS = 250;

/** Waits until the transaction is in a block or was dropped. The next request reports the result. */
async function untilInBlock(node: URL, txid: string): Promise<void> {
  while (Object.keys(await askWallet(node, 'gettransactionfrompending', { value: txid })).length > 0) {
    await setTimeout(POLL_MS);
  }
}

/** Traces a transaction, or a call as the next block would run it. */
function traceRequest(typed: string, { url }: NodeOptions): TraceRequest {
  const node = nodeUrl(url, process.env);
  if (!/^\s*\{/.test(typed)) {
    const txid = readTxId(typed);
    return (options) => ask(node, 'trace', { txid, ...options });
  }
  const call = readJson(typed);
  return async (options) => {
    const answer = await askRpc(node, 'tron_preview', [call, { trace: true, ...options }]);
    return (answer as { readonly trace: TraceAnswer }).trace;
  };
}

/** @returns the members of the head @throws RemoteError; then the file is as it was */
async function writeDump(name: string, node: URL, terminal: Terminal): Promise<Record<string, unknown>> {
  const refused = (error: Error) => new RemoteError(`${name} cannot be written: ${error.message}`);
  const file = await ReplacedFile.open(name).catch((error) => Promise.reject(refused(error)));
  const write = async (signal: AbortSignal): Promise<Record<string, unknown>> => {
    const { head, parts } = await dumpOf(node, signal);
    for await (const part of parts) await file.write(part).catch((error) => Promise.reject(refused(error)));
    await file.complete().catch((error) => Promise.reject(refused(error)));
    return head;
  };
  const stopped = async () => {
    await file.discard();
    return `dump: stopped; ${name} was not written\n`;
  };
  try {
    return await withProgress(node, terminal, write, stopped);
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** In bytes. Smaller dumps load too fast to show progress. */
const LARGE_DUMP = 1_000_000;

/** @throws RemoteError */
function loadDump(file: string, node: URL, terminal: Terminal): Promise<Record<string, unknown>> {
  const refused = (error: Error) => new RemoteError(`${file} cannot be read: ${error.message}`);
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes > LARGE_DUMP)
    terminal.err(
      `${file}: ${(bytes / 1e6).toFixed(1)} MB; the node applies every block again. This can take minutes\n`,
    );
  const send = (signal: AbortSignal) => {
    const parts = createReadStream(file);
    return upload(node, 'load', parts, signal).catch((error) =>
      Promise.reject(parts.errored ? refused(parts.errored) : error),
    );
  };
  // The node answers this request when it has the former chain again.
  const stopped = async () => `load: stopped; the chain is the one of before\n${await headNow(node)}`;
  return withProgress(node, terminal, send, stopped);
}

/** Where the chain is after a signal has ended the work. */
async function headNow(node: URL): Promise<string> {
  return headText(await ask(node, 'mine', { blocks: 0 }));
}

interface MineOptions {
  readonly advance?: string;
  readonly until?: string;
}

function mineBody(blocks: string | undefined, { advance, until }: MineOptions): object {
  const given = [blocks, advance, until].filter((one) => one !== undefined);
  if (given.length > 1) throw new RemoteError('use one of: a number of blocks, --advance, --until', 2);
  if (advance !== undefined) return { advanceMs: read('--advance', () => readTimeSpan(advance)) };
  if (until !== undefined)
    return { timestampMs: read('--until', () => moment.check(moment.fromText!(until, undefined) as string)) };
  return { blocks: blocks ?? 1 };
}

function mine(node: URL, body: object, terminal: Terminal): Promise<Record<string, unknown>> {
  const send = (signal: AbortSignal) => ask(node, 'mine', body, signal);
  // The node answers this request after the work has ended.
  const stopped = async () => `mine: stopped; the completed blocks are kept\n${await headNow(node)}`;
  return withProgress(node, terminal, send, stopped);
}

function readTxId(text: string): string {
  const digits = text.replace(/^0x/i, '');
  if (/^[\da-f]{64}$/i.test(digits)) return digits.toLowerCase();
  throw new RemoteError(
    `${text} is not a txid: a txid has 64 hex digits\n(The answer to a broadcast has it as txid, TronWeb as txID; lines of the log begin with it)`,
    2,
  );
}

/** Reads a value by its kind of option. */
function read<Value>(flag: string, value: () => Value): Value {
  try {
    return value();
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new RemoteError(`option '${flag}' ${error.message}${error.hint === undefined ? '' : `\n(${error.hint})`}`, 2);
  }
}

function remoteCommands(terminal: Terminal): Command {
  const program = new Command('sunup')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  const add = (usage: string, about: string) => withNodeOptions(program.command(usage).description(about));
  const send = ({ url }: NodeOptions, name: string, body: object) => ask(nodeUrl(url, process.env), name, body);
  const show = (
    { json }: NodeOptions,
    answer: Record<string, unknown>,
    text: (answer: Record<string, unknown>) => string,
  ) => terminal.out(json ? `${JSON.stringify(answer)}\n` : text(answer));

  add('mine [blocks]', 'make blocks, or advance the time')
    .option('--advance <time>', 'advance the time by 90s, 6h, 14d; with a block at each maintenance on the way')
    .option('--until <moment>', 'advance the time to 2027-01-01T00:00:00Z, or to milliseconds since 1970')
    .action(async (blocks: string | undefined, options: NodeOptions & MineOptions) => {
      const node = nodeUrl(options.url, process.env);
      show(options, await mine(node, mineBody(blocks, options), terminal), headText);
    });
  withForkOptions(
    withTraceOptions(
      add('explain <txid>', 'show what a transaction cost, and why: of a running node, or of a network (--fork)')
        .option('--wait', 'if the transaction is pending, wait for its block')
        .option('--run', 'with --fork: run it once more on the present state of the network, and compare')
        .option(
          '--what-if <name=values>',
          'with --fork: run it with other values, as sunup estimate does',
          (given: string, all: readonly string[]) => [...all, given],
          [],
        ),
    ),
    EXPLAIN_NETWORK_OPTIONS,
  )
    .addHelpText('after', EXPLAIN_HELP)
    .action(async (txid: string, options: ExplainCommandOptions & TraceWords) => {
      if (options.fork !== undefined) {
        const { explainOfNetwork } = await import('./explain-of-network.js');
        terminal.out(await explainOfNetwork(readTxId(txid) as TxId, options, terminal));
        return;
      }
      if (options.lines || options.artifacts.length > 0 || options.svg || options.speedscope)
        throw new RemoteError(
          '--lines, --artifacts, --svg and --speedscope need --fork. For a transaction of this node: sunup trace TXID',
          2,
        );
      if (options.run || options.whatIf.length > 0)
        throw new RemoteError(
          '--run and --what-if need --fork. For a transaction of this node: sunup estimate TXID --what-if …',
          2,
        );
      if (options.wait) await untilInBlock(nodeUrl(options.url, process.env), readTxId(txid));
      show(options, await send(options, 'explain', { txid: readTxId(txid) }), explanationText);
    });
  withTraceOptions(
    add(
      'trace <txid>',
      'show the call tree of a transaction, or of a call without sending it: \'{"from":…,"to":…,"data":…}\'',
    ),
  ).action(async (txid: string, options: NodeOptions & TraceWords) => {
    const { profile, ...answer } = await tracedWith(traceRequest(txid, options), options);
    const written = await writeProfile({ profile }, options);
    show(options, answer, traceText);
    if (!options.json) terminal.out(written);
  });
  add('snapshot', 'save the state; prints the id for revert').action(async (options: NodeOptions) => {
    show(options, await send(options, 'snapshot', {}), ({ id }) => `${id}\n`);
  });
  add('revert <id>', 'return to a snapshot').action(async (id: string, options: NodeOptions) => {
    show(options, await send(options, 'revert', { id }), headText);
  });
  add('dump <file>', 'write the whole chain with its history to a file, for load and sunup --load-state').action(
    async (file: string, options: NodeOptions) => {
      const head = await writeDump(file, nodeUrl(options.url, process.env), terminal);
      show(options, { file, ...head }, (answer) => `${file}: ${headText(answer)}`);
    },
  );
  add('load <file>', 'replace the running chain by the chain of a dump; both must have the same genesis').action(
    async (file: string, options: NodeOptions) => {
      show(options, await loadDump(file, nodeUrl(options.url, process.env), terminal), headText);
    },
  );
  return program;
}

/** @returns the exit code */
export function runRemote(words: readonly string[], terminal: Terminal): Promise<number> {
  return run(remoteCommands(terminal), words, terminal);
}
