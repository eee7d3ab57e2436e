/** The command: reads settings, starts a devnet, writes its output, and shuts down. */

import type { Devnet } from '../devnet/devnet.js';
import { startDevnet } from '../devnet/running/start.js';
import type { CommandSettings } from '../options/declarations.js';
import { OptionError } from '../options/option-error.js';
import { stderrLog } from '../platform/log.js';
import { npmAboveUs } from '../platform/npm-parent.js';
import { keepSpareFile } from '../platform/spare-file.js';
import { followersOf } from '../porting/followers.js';
import { loadSecp256k1 } from '../protocol/secp256k1.js';
import { DamagedStoreError, damageAdvice } from '../state/row-checksum.js';
import { errorText, readCommandLine } from './command-line.js';
import { kindOfCommand, unknownCommand } from './command-names.js';
import { endWith } from './end-with-npm.js';
import { type Output, type OutputEvent, outputFor } from './output.js';
import { progressBar } from './progress-bar.js';
import { standardTerminal as terminal } from './terminal.js';

/** Until the first requests are answered. */
const CURVE_AFTER_MS = 1_000;

/**
 * The reader of a pipe may stop reading (`sunup --help | head`): that is no failure. Where the output is a file, its disk
 * may be full.
 */
function watchOutput(): void {
  let hasFailed = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || hasFailed) return;
    hasFailed = true;
    terminal.err(`error: the output cannot be written: ${error.message}\n(Send it to a pipe or another file)\n`);
    process.once('exit', (code) => {
      process.exitCode = code === 0 ? 1 : code;
    });
  });
  // Nobody is left to tell.
  process.stderr.on('error', () => {});
}

/**
 * Runs until the devnet is up; then its sockets and timers keep the process alive.
 *
 * @returns whether a devnet is up
 */
export async function main(words: readonly string[]): Promise<boolean> {
  watchOutput();
  const kind = kindOfCommand(words);
  // Loaded on demand: a running node needs none of it.
  if (kind === 'remote') {
    const { runRemote } = await import('./remote.js');
    process.exitCode = await runRemote(words, terminal);
    return false;
  }
  if (kind === 'estimate') {
    const { runEstimate } = await import('./estimate-command.js');
    process.exitCode = await runEstimate(words, terminal);
    return false;
  }
  if (kind === 'database') {
    const { runDatabaseCommand } = await import('./database-commands.js');
    process.exitCode = await runDatabaseCommand(words, terminal);
    return false;
  }
  if (kind === 'scenario') {
    if (words[0] === 'merge') {
      const { runMergeCommand } = await import('./what-if-command.js');
      process.exitCode = await runMergeCommand(words, terminal);
      return false;
    }
    const { runRunCommand } = await import('./run-command.js');
    process.exitCode = await runRunCommand(words, terminal);
    return false;
  }
  if (kind === 'energy-report') {
    const { runEnergyReportCommand } = await import('./energy-report-command.js');
    process.exitCode = await runEnergyReportCommand(words, terminal);
    return false;
  }
  if (kind === 'port-report') {
    const { runPortReportCommand } = await import('./port-report-command.js');
    process.exitCode = await runPortReportCommand(words, terminal);
    return false;
  }
  if (kind === 'costs') {
    const { runCostsCommand } = await import('./costs-command.js');
    process.exitCode = await runCostsCommand(words, terminal);
    return false;
  }
  if (kind === 'record') {
    const { runRecordCommand } = await import('./record-command.js');
    process.exitCode = await runRecordCommand(words, terminal);
    return false;
  }
  const [first = ''] = words;
  if (/^[a-z]/.test(first)) {
    const { controlNames, isControlCommand, runControlCommand } = await import('./control-commands.js');
    if (isControlCommand(first)) {
      process.exitCode = await runControlCommand(words, terminal);
      return false;
    }
    terminal.err(`error: ${unknownCommand(first, controlNames)}\n`);
    process.exitCode = 2;
    return false;
  }
  const reading = readCommandLine(words, terminal);
  if ('exitCode' in reading) {
    process.exitCode = reading.exitCode;
    return false;
  }
  try {
    await run(reading.settings);
    return true;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    terminal.err(errorText(error));
    process.exitCode = 1;
    return false;
  }
}

/** A damaged database is not a bug: the message says what to do. All other failures are bugs. */
function failureText(failure: Error): string {
  if (failure instanceof DamagedStoreError) return `error: ${failure.message}\n(${damageAdvice(failure.place)})\n`;
  return `error: blocks can no longer be produced: ${failure.stack ?? failure.message}\n`;
}

/** Output can be turned off later (`tron_setLogging`). */
function writeEvents(devnet: Devnet, { events }: Output): void {
  let logging = true;
  devnet.on('logging', (on) => {
    logging = on;
  });
  const tell = <Name extends OutputEvent>(name: Name) => {
    devnet.on(name, (...values) => {
      if (logging) events[name](...values);
    });
  };
  for (const name of Object.keys(events) as OutputEvent[]) tell(name);
}

async function run(settings: CommandSettings): Promise<void> {
  // Before the start: if npm ended during the start, its parent would not be recognised any more.
  const npm = npmAboveUs(process.env);
  keepSpareFile();
  const output = outputFor(settings, (line) => void process.stdout.write(`${line}\n`));
  const bar = progressBar(terminal);
  let isReading = settings.fork !== undefined;
  const logged = { ...settings, log: stderrLog };
  const devnet = await startDevnet(logged, {
    temporaryDirectory: true,
    followers: await followersOf(logged),
    forkProgress: {
      ...bar.network,
      onAnswer: (answers: number) => {
        if (isReading) bar.network.onAnswer(answers);
      },
    },
    loadProgress: (done, total) => {
      void bar.show('blocks of the dump', done, total);
      if (done === total) bar.clear();
    },
    indexProgress: (done, total) => {
      void bar.show('history of older blocks', done, total);
      if (done === total) bar.clear();
    },
  }).finally(() => {
    if (isReading) bar.clear();
    isReading = false;
  });
  if (!settings.quiet) {
    writeEvents(devnet, output);
  }

  let closing = false;
  const close = async () => {
    // A second signal ends the process at once.
    if (closing) process.exit(1);
    closing = true;
    await devnet.close();
    output.closed();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, close);
  // The reader of the pipe has gone (`sunup | head`), or the output is lost: the node stops.
  process.stdout.on('error', () => closing || close());
  endWith(await npm, () => closing || close());

  devnet.on('failed', async (failure) => {
    if (closing) return;
    closing = true;
    terminal.err(failureText(failure));
    process.exitCode = 1;
    await devnet.close();
  });

  try {
    output.ready(devnet);
  } catch (error) {
    // A damaged row that nothing but the banner has read is told as `failed`.
    if (!closing) throw error;
  }
  // Not before the first answers: it keeps the thread for some 15 ms.
  setTimeout(loadSecp256k1, CURVE_AFTER_MS).unref();
}
