/** `sunup costs ADDRESS… --fork URL`: what accounts of a live network paid. No devnet is started. */

import { Command } from 'commander';
import { connectNetwork } from '../devnet/fork/fork.js';
import { BadValue, moment } from '../options/kinds.js';
import { settingsForLibrary } from '../options/settings.js';
import { readTimeSpan } from '../options/time-span.js';
import { readTextUpTo } from '../platform/bounded-text.js';
import { writeJson } from '../primitives/amount-json.js';
import { type Address, isAddress } from '../primitives/ids.js';
import { wrapped } from '../prose/explanation.js';
import { fromBase58, toBase58 } from '../protocol/address.js';
import { sectionCsv } from '../scenario/report/csv.js';
import { htmlReport } from '../scenario/report/html.js';
import { sectionTable } from '../scenario/report/table.js';
import { type AccountCosts, type CostsRequest, costsOf } from '../traffic/costs/account-costs.js';
import { answerSentence, findingSentences, notReadSentences } from '../traffic/costs/finding-sentences.js';
import type { CostRange } from '../traffic/costs/read-costs.js';
import { costSections, costsReport, hourSection } from './costs-report.js';
import { EXPLAIN_NETWORK_OPTIONS, type ExplainNetworkOptions } from './explain-network-options.js';
import { withForkOptions } from './fork-options.js';
import { interruptible } from './interruptible.js';
import { networkCommandError } from './network-errors.js';
import { RemoteError } from './node-client.js';
import { run } from './node-command.js';
import { progressBar } from './progress-bar.js';
import type { Terminal } from './terminal.js';

/** Which transactions of an account. */
export interface RangeOptions {
  readonly since?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
}

interface Options extends ExplainNetworkOptions, RangeOptions {
  readonly yield?: string;
  readonly accounts?: string;
  readonly deployer?: boolean;
  readonly contract: readonly string[];
  readonly maxBlocks: string;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly html?: boolean;
}

/** The cache of a fork has rows; that of costs has transactions. */
const NETWORK_OPTIONS = EXPLAIN_NETWORK_OPTIONS.filter((name) => name !== 'forkCache' && name !== 'forkOffline');

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_BLOCKS = '2000';
const DEFAULT_SINCE = '7d';

const HELP = `
What accounts of a live network paid: from their transactions (/v1), the receipts, and the prices of their blocks.
Nothing is run, and nothing is guessed: a receipt has one figure for own and delegated stake, and one for free and staked
bandwidth. Sums are in UTC. Times count back from the network's newest block.

The findings say how much stake would have made how many days free, what that stake earns elsewhere (--yield), what
rented Energy may cost at most, and what failed transactions and energy factors took.

Examples:
  sunup costs TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC --fork https://api.trongrid.io --fork-api-key KEY
  sunup costs ADDRESS --fork URL --since 30d --yield 4%
  sunup costs ADDRESS --fork URL --from 2026-10-01T00:00:00Z --to 2026-11-01T00:00:00Z --fork-cache ./costs
                                          keep what was read: a stopped run goes on, and days are read once
  sunup costs ADDRESS --fork URL --since 7d --contract CONTRACT
                                          also the Energy that ADDRESS paid as the deployer of CONTRACT
  sunup costs --accounts hot-wallets.txt --fork URL --html > costs.html
  sunup costs ADDRESS --fork URL --limit 1000 --json | jq .totals.sources

The guide is docs/how-to/account-costs.md.
`;

/** @returns the exit code */
export function runCostsCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('sunup')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  const command = program
    .command('costs [addresses...]')
    .description('show what accounts of a live network paid, for what, and what would have been cheaper')
    .option('--accounts <file>', 'a file of addresses, one a line')
    .option('--since <span>', `the time before the newest block: 36h, 7d (default ${DEFAULT_SINCE})`)
    .option('--from <time>', 'from this time on: 2026-10-01T00:00:00Z')
    .option('--to <time>', 'up to this time; default: the newest block')
    .option('--limit <count>', 'the newest transactions of each account, at most so many')
    .option('--yield <percent>', 'yield a year of TRX that are not staked for resources: 4%')
    .option(
      '--deployer',
      'also the Energy that the accounts paid for calls of contracts they deployed: reads their whole history, and all calls',
    )
    .option(
      '--contract <address>',
      'the same for this contract alone (repeatable); with --deployer in addition',
      (given: string, all: readonly string[]) => [...all, given],
      [],
    )
    .option('--max-blocks <count>', 'blocks to read at most if the network has no /v1', MAX_BLOCKS)
    .option('--json', 'JSON instead of tables: all figures, also by hour')
    .option('--csv', 'CSV for spreadsheets, amounts in sun: all methods, days and hours')
    .option('--html', 'one HTML page with tables and plots')
    .addHelpText('after', HELP);
  withForkOptions(command, NETWORK_OPTIONS);
  command
    .option('--fork-cache <dir>', 'keep what was read in this directory: days are read once, a stopped run goes on')
    .action(async (addresses: readonly string[], options: Options) => {
      const forms = (['json', 'csv', 'html'] as const).filter((form) => options[form]);
      if (forms.length > 1) throw new RemoteError(`--${forms.join(' and --')} cannot be combined`, 2);
      terminal.out(await textIn(forms[0], await readCosts(addresses, options, terminal)));
    });
  return run(program, words, terminal);
}

async function readCosts(addresses: readonly string[], options: Options, terminal: Terminal): Promise<AccountCosts> {
  const accounts = readAccounts(addresses, options.accounts);
  const range = readRange(options);
  const percent = options.yield === undefined ? undefined : readPercent(options.yield);
  const maxBlocks = readCount(options.maxBlocks, '--max-blocks');
  const asDeployer = readDeployer(options);
  if (options.fork === undefined) throw new RemoteError('--fork is missing: set the URL of a node of the network', 2);
  const chosen = Object.fromEntries(NETWORK_OPTIONS.map((name) => [name, options[name]]));
  const bar = progressBar(terminal);
  try {
    const connection = await connectNetwork(settingsForLibrary(chosen), {
      onBackoff: bar.network.onBackoff,
    });
    try {
      const work = () =>
        costsOf(connection, {
          accounts,
          range,
          maxBlocks,
          yieldPercent: percent,
          asDeployer,
          folder: options.forkCache,
          progress: bar.show,
        });
      const stopped = () => {
        bar.clear();
        terminal.err(`costs: stopped; ${kept(options)}\n`);
      };
      return await interruptible(stopped, work);
    } finally {
      connection.wallet.close();
      bar.clear();
    }
  } catch (error) {
    bar.clear();
    throw networkCommandError(error, `sum the costs of ${accountsInWords(accounts)}`, kept(options));
  }
}

function kept({ forkCache }: Options): string {
  return forkCache === undefined
    ? 'with --fork-cache DIR, what was read is kept, and the next run goes on'
    : `what was read is in ${forkCache}: run the command again, and it goes on`;
}

const MAX_NAMED_ACCOUNTS = 3;

/** For errors. */
export function accountsInWords(accounts: readonly Address[]): string {
  return accounts.length > MAX_NAMED_ACCOUNTS ? `${accounts.length} accounts` : accounts.map(toBase58).join(', ');
}

/** @throws RemoteError */
export function readAccounts(given: readonly string[], file: string | undefined): readonly Address[] {
  const lines =
    file === undefined
      ? []
      : readFileOf(file)
          .split('\n')
          .map((line) => line.replace(/#.*/, '').trim())
          .filter((line) => line !== '');
  const accounts = [...given, ...lines].map(readAddress);
  if (accounts.length === 0) throw new RemoteError('an address is missing: sunup costs ADDRESS --fork URL', 2);
  return [...new Set(accounts)];
}

function readAddress(text: string): Address {
  const address = isAddress(text) ? text : fromBase58(text);
  if (address === undefined) throw new RemoteError(`${text} is not an address`, 2);
  return address;
}

function readFileOf(file: string): string {
  try {
    return readTextUpTo(file, MAX_FILE_BYTES);
  } catch (error) {
    throw new RemoteError(`--accounts cannot be read: ${(error as Error).message}`, 2);
  }
}

/** The range of a command's options, once the newest block is known. @throws RemoteError */
export function readRange({ since, from, to, limit }: RangeOptions): (headMs: number) => CostRange {
  if (since !== undefined && from !== undefined) throw new RemoteError('--since and --from cannot be combined', 2);
  const sinceMs = read('--since', () => (since === undefined ? undefined : readTimeSpan(since)));
  const fromMs = read('--from', () => (from === undefined ? undefined : moment.check(from)));
  const toMs = read('--to', () => (to === undefined ? undefined : moment.check(to)));
  const count = limit === undefined ? undefined : readCount(limit, '--limit');
  const defaultMs = count === undefined ? readTimeSpan(DEFAULT_SINCE) : undefined;
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) throw new RemoteError('--from is after --to', 2);
  return (headMs) => {
    const end = Math.min(toMs ?? headMs, headMs);
    const span = sinceMs ?? defaultMs;
    return { fromMs: fromMs ?? (span === undefined ? 0 : Math.max(0, end - span)), toMs: end, limit: count };
  };
}

function read<Value>(option: string, value: () => Value): Value {
  try {
    return value();
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new RemoteError(`${option} ${error.message}${error.hint === undefined ? '' : `. ${error.hint}`}`, 2);
  }
}

/** Undefined: calls of contracts are not read. */
function readDeployer({ deployer = false, contract, limit }: Options): CostsRequest['asDeployer'] {
  if (!deployer && contract.length === 0) return undefined;
  // Calls of a contract have a count of their own.
  if (limit !== undefined)
    throw new RemoteError('--limit cannot be combined with --deployer and --contract: set --since or --from', 2);
  return { named: [...new Set(contract.map(readAddress))], findsOthers: deployer };
}

export function readCount(text: string, option: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new RemoteError(`${option} is ${text}, but must be a number from 1`, 2);
}

function readPercent(text: string): number {
  const [, digits] = /^(\d{1,4}(?:\.\d{1,4})?) ?%?$/.exec(text) ?? [];
  if (digits !== undefined) return Number(digits);
  throw new RemoteError(`--yield is ${text}, but must be percent a year: 4%`, 2);
}

async function textIn(form: 'json' | 'csv' | 'html' | undefined, costs: AccountCosts): Promise<string> {
  const answer = answerSentence(costs);
  const sentences = findingSentences(costs);
  if (form === 'json') return `${writeJson({ answer, sentences, notRead: notReadSentences(costs), ...costs })}\n`;
  if (form === 'html') return htmlReport([costsReport(costs)]);
  const report = costsReport(costs);
  if (form === 'csv')
    return [...costSections(costs), hourSection(costs)]
      .map((section) => `${section.title}\r\n${sectionCsv(section)}`)
      .join('\r\n');
  return [
    report.title,
    report.about ?? '',
    '',
    ...wrapped([answer]),
    ...wrapped(sentences.map((sentence) => `- ${sentence}`)),
    '',
    ...report.sections.flatMap((section) => [section.title, sectionTable(section), '']),
    ...report.end,
    '',
  ].join('\n');
}
