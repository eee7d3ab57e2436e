/**
 * `sunup mine`, `explain`, `snapshot`, `revert`: words to a node that is already running, over its HTTP interface.
 * They hold no rule; the rows of `http/rows/devnet.ts` and `explain.ts` do the work.
 */

import http from 'node:http';
import https from 'node:https';
import { Command, CommanderError } from 'commander';
import { BadValue, moment } from '../options/kinds.js';
import { readTimeSpan, timeSpanText } from '../options/time-span.js';
import { wrapped } from '../prose/explanation.js';
import type { Speaker } from './command-line.js';

const DEFAULT_URL = 'http://127.0.0.1:9090';

/** The node said no, or nobody answered. */
class RemoteError extends Error {
  override readonly name = 'RemoteError';
}

/** Not fetch, which gives up after five minutes: to make millions of blocks may take longer. */
function post(url: URL, body: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const asked = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

async function ask(url: string, name: string, body: object): Promise<Record<string, unknown>> {
  const answer = await post(new URL(`/sunup/${name}`, url), JSON.stringify(body)).catch(() => {
    throw new RemoteError(`no answer from ${url}: is a node running there? (--url names another)`);
  });
  if (answer.status !== 200) throw new RemoteError(`${url} answers ${answer.status}: is it a Sunup node?`);
  const members = JSON.parse(answer.text) as Record<string, unknown>;
  if (typeof members.Error === 'string') throw new RemoteError(members.Error.replace(/^class [\w.$]+ : /, ''));
  return members;
}

function headText({ number, id, timestampMs, lateMs = 0 }: Record<string, unknown>): string {
  const late = lateMs === 0 ? '' : `  (in the next slot, ${timeSpanText(Number(lateMs))} later than asked)`;
  return `block ${number}  ${new Date(Number(timestampMs)).toISOString()}  ${id}${late}\n`;
}

function explanationText({ text }: Record<string, unknown>): string {
  return `${wrapped(text as readonly string[]).join('\n')}\n`;
}

interface Shared {
  readonly url: string;
  readonly json?: boolean;
}

interface MineOptions {
  readonly advance?: string;
  readonly until?: string;
}

function mineBody(blocks: string | undefined, { advance, until }: MineOptions): object {
  const given = [blocks, advance, until].filter((one) => one !== undefined);
  if (given.length > 1) throw new RemoteError('mine takes a number of blocks, --advance or --until, one of them');
  if (advance !== undefined) return { advanceMs: read('--advance', () => readTimeSpan(advance)) };
  if (until !== undefined)
    return { timestampMs: read('--until', () => moment.check(moment.fromText!(until, undefined) as string)) };
  return { blocks: blocks ?? 1 };
}

/** Reads a value with the words of the kinds of options. */
function read<Value>(flag: string, value: () => Value): Value {
  try {
    return value();
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new RemoteError(`option '${flag}' ${error.message}${error.hint === undefined ? '' : `\n(${error.hint})`}`);
  }
}

function remoteCommands(say: Speaker): Command {
  const program = new Command('sunup').exitOverride().configureOutput({ writeOut: say.out, writeErr: say.err });
  const add = (usage: string, about: string) =>
    program
      .command(usage)
      .description(about)
      .option('--url <url>', 'HTTP interface of the node', DEFAULT_URL)
      .option('--json', 'the answer as JSON');
  const show = ({ json }: Shared, answer: Record<string, unknown>, text: (answer: Record<string, unknown>) => string) =>
    say.out(json ? `${JSON.stringify(answer)}\n` : text(answer));

  add('mine [blocks]', 'make blocks, or let time pass')
    .option('--advance <time>', 'let so much time pass: 90s, 6h, 14d; one block at each maintenance on the way')
    .option('--until <moment>', 'let time pass until then: 2027-01-01T00:00:00Z, or milliseconds since 1970')
    .action(async (blocks: string | undefined, options: Shared & MineOptions) => {
      show(options, await ask(options.url, 'mine', mineBody(blocks, options)), headText);
    });
  add('explain <txid>', 'say what a transaction cost, and why').action(async (txid: string, options: Shared) => {
    show(options, await ask(options.url, 'explain', { txid }), explanationText);
  });
  add('snapshot', 'remember everything; prints the id for revert').action(async (options: Shared) => {
    show(options, await ask(options.url, 'snapshot', {}), ({ id }) => `${id}\n`);
  });
  add('revert <id>', 'go back to a snapshot').action(async (id: string, options: Shared) => {
    show(options, await ask(options.url, 'revert', { id }), headText);
  });
  return program;
}

const NAMES: ReadonlySet<string> = new Set(['mine', 'explain', 'snapshot', 'revert']);

/** Whether the line is for a node that is already running. */
export function isRemote(words: readonly string[]): boolean {
  return words[0] !== undefined && NAMES.has(words[0]);
}

/** @returns the exit code */
export async function runRemote(words: readonly string[], say: Speaker): Promise<number> {
  try {
    await remoteCommands(say).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof RemoteError)) throw error;
    say.err(`error: ${error.message}\n`);
    return 1;
  }
}
