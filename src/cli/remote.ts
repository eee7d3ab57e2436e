/**
 * `sunup mine`, `explain`, `snapshot`, `revert`: words to a node that is already running, over its HTTP interface.
 * They hold no rule; the rows of `http/rows/devnet.ts` and `explain.ts` do the work.
 */

import { Command, CommanderError } from 'commander';
import { formatTrx } from '../ledger/charging/explain.js';
import type { Speaker } from './command-line.js';

const DEFAULT_URL = 'http://127.0.0.1:9090';

/** The node said no, or nobody answered. */
class RemoteError extends Error {
  override readonly name = 'RemoteError';
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `90s`, `6h`, `14d`, or bare milliseconds. */
function duration(text: string): number {
  const match = /^(\d+)(ms|s|m|h|d)?$/.exec(text);
  if (match === null) throw new RemoteError(`${text} is no span of time: write 90s, 6h, 14d, or milliseconds`);
  return Number(match[1]) * UNIT_MS[(match[2] ?? 'ms') as keyof typeof UNIT_MS];
}

async function ask(url: string, name: string, body: object): Promise<Record<string, unknown>> {
  let response: Response;
  try {
    response = await fetch(`${url.replace(/\/$/, '')}/sunup/${name}`, { method: 'POST', body: JSON.stringify(body) });
  } catch {
    throw new RemoteError(`no answer from ${url}: is a node running there? (--url names another)`);
  }
  const text = await response.text();
  if (!response.ok) throw new RemoteError(`${url} answers ${response.status}: is it a Sunup node?`);
  const answer = JSON.parse(text) as Record<string, unknown>;
  if (typeof answer.Error === 'string') throw new RemoteError(answer.Error.replace(/^class [\w.$]+ : /, ''));
  return answer;
}

function headText({ number, id, timestampMs }: Record<string, unknown>): string {
  return `block ${number}  ${new Date(Number(timestampMs)).toISOString()}  ${id}\n`;
}

interface ChargeAnswer {
  readonly sentence: string;
}

function explanationText({ txid, feeSun, charges }: Record<string, unknown>): string {
  if (txid === undefined) throw new RemoteError('the chain has no such transaction');
  const sentences = (charges as ChargeAnswer[]).map(({ sentence }) => `  ${sentence}\n`);
  return `${txid}  fee ${formatTrx(BigInt(String(feeSun)))}\n${sentences.join('') || '  It cost nothing.\n'}`;
}

interface Shared {
  readonly url: string;
  readonly json?: boolean;
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
    .action(async (blocks: string | undefined, options: Shared & { readonly advance?: string }) => {
      const body = options.advance === undefined ? { blocks: blocks ?? 1 } : { advanceMs: duration(options.advance) };
      show(options, await ask(options.url, 'mine', body), headText);
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
