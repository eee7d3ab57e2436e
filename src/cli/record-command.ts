/**
 * `sunup record FILE`: writes an existing chain as a chain file. The node's option `--record FILE` records as it
 * happens.
 */

import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { type ChainFileBytes, MAX_HELD_FILE_BYTES, readChainFile, streamedFile } from '../chain-file/file.js';
import { folderText } from '../chain-file/folder-steps.js';
import type { HeadLine } from '../chain-file/lines.js';
import { type FolderLine, recordedNetwork } from '../chain-file/recorded-folder.js';
import { ChainFileError, isChainFile } from '../chain-file/shapes.js';
import { withStoredChain } from '../devnet/database/stored-database.js';
import { chainFileNamed } from '../devnet/genesis/load-dump.js';
import { OperationError } from '../errors/operation-error.js';
import { OptionError } from '../options/option-error.js';
import { gunzippedLines, partsOf, readBytesUpTo, readTextUpTo, TooLargeError } from '../platform/bounded-text.js';
import { NewFile } from '../platform/new-file.js';
import { digestText, recordStored } from '../scenario/record/stored-chain.js';
import { EXPLAIN_NETWORK_OPTIONS } from './explain-network-options.js';
import { withForkOptions } from './fork-options.js';
import { nodeUrl, RemoteError } from './node-client.js';
import { type NodeOptions, run, withNodeOptions } from './node-command.js';
import { dumpOf } from './node-dump.js';
import type { RecordTrafficOptions } from './record-traffic.js';
import type { Terminal } from './terminal.js';

interface RecordOptions extends NodeOptions, Omit<RecordTrafficOptions, 'account' | 'maxBlocks' | 'from'> {
  readonly from?: string;
  readonly account: readonly string[];
  readonly maxBlocks: string;
}

type Write = (lines: string) => void;

/** For the recording of a network: one line has a block with all receipts. */
const RECORDED = { text: 2048 * 1024 * 1024, line: 64 * 1024 * 1024 } as const;

const HELP = `
Examples:
  sunup record day.chain                      the chain of the node on this machine, from genesis
  sunup record day.chain --from ./data        the chain of a --db directory that no node has open
  sunup record day.chain --from chain.dump    the chain of a dump, or of a recording of a former version
  sunup --record day.chain                    a node that records everything, also refused and dropped transactions

  sunup record --fork https://api.trongrid.io --account ADDRESS --since 7d > week.scenario.yaml
                                              what an account of a live network sent, as a scenario on a fork

sunup run day.chain replays it and reports the first block that differs.
The format is described in docs/reference/chain-files.md.
`;

/** @returns the exit code */
export function runRecordCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('sunup')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  const command = withNodeOptions(
    program
      .command('record [file]')
      .description('write a chain, or what accounts of a live network sent (--account), to a file that sunup run runs'),
  )
    .option(
      '--from <path>',
      'a --db directory, a chain file (dump, recording), or the folder of a recorded chain; default: the running node. With --account: a time',
    )
    .option(
      '--account <address>',
      'with --fork: an account of the network (repeatable); its transactions become steps of a scenario',
      (given: string, all: readonly string[]) => [...all, given],
      [],
    )
    .option('--since <span>', 'with --account: the time before the newest block: 36h, 7d (default 7d)')
    .option('--to <time>', 'with --account: up to this time; default: the newest block')
    .option('--limit <count>', 'with --account: the newest transactions, at most so many')
    .option('--group', 'with --account: a model of the traffic (rates by hour, shares of methods) instead of its steps')
    .option('--scale <times>', 'with --account: a model with so many times the traffic: 2, 0.5')
    .option('--max-blocks <count>', 'with --account: blocks to read at most if the network has no /v1', '2000')
    .addHelpText('after', HELP)
    .action(async (file: string | undefined, options: RecordOptions) => {
      if (options.account.length > 0 || options.fork !== undefined) {
        const { recordedTraffic } = await import('./record-traffic.js');
        const { text, ...counts } = await recordedTraffic(options, terminal);
        if (file === undefined) {
          terminal.out(text);
          return;
        }
        writeWhole(file, text);
        terminal.out(
          options.json
            ? `${JSON.stringify({ file, ...counts })}\n`
            : `${file}: ${counts.transactions} transactions in ${counts.steps} steps. Run it with sunup run ${file}\n`,
        );
        return;
      }
      if (file === undefined) throw new RemoteError('a file is missing: sunup record FILE', 2);
      const to = newFile(file);
      let steps = 0;
      let networkRows = 0;
      try {
        await record(options, (lines) => {
          if (lines.startsWith(NETWORK_ROW)) networkRows++;
          else if (!isChainFile(lines)) steps++;
          to.write(lines);
        });
        to.close();
      } catch (error) {
        to.close();
        rmSync(file);
        throw asRemoteError(error);
      }
      const ofNetwork = networkRows === 0 ? '' : `, and ${networkRows} rows of the forked network`;
      const counts = { file, steps, ...(networkRows > 0 && { networkRows }) };
      terminal.out(options.json ? `${JSON.stringify(counts)}\n` : `${file}: ${steps} steps${ofNetwork}\n`);
    });
  withForkOptions(command, EXPLAIN_NETWORK_OPTIONS);
  return run(program, words, terminal);
}

function writeWhole(file: string, text: string): void {
  const to = newFile(file);
  to.write(text);
  to.close();
}

function newFile(file: string): NewFile {
  try {
    return new NewFile(file);
  } catch (error) {
    throw new RemoteError(`${file} cannot be written: ${(error as Error).message}`);
  }
}

async function record({ from, url }: RecordOptions, write: Write): Promise<void> {
  if (from === undefined) {
    const { parts } = await dumpOf(nodeUrl(url, process.env));
    // It is read once: only its steps and rows would be read again.
    await writeChainFile(
      streamedFile(() => parts),
      'the chain of a running node',
      write,
    );
  } else if (!statSync(from).isDirectory()) {
    await writeChainFile(chainFileNamed(from), `the chain of ${path.basename(from)}`, write);
  } else if (statSync(path.join(from, 'chain.ndjson.gz'), { throwIfNoEntry: false }) === undefined) {
    const about = `the chain of ${path.basename(path.resolve(from))}`;
    await withStoredChain(from, async (chain) => write(digestText(await recordStored(chain, about, write))));
  } else {
    const scenario = path.join(from, 'scenario.json');
    const network = recordedNetwork(readTextUpTo(scenario, RECORDED.line), scenario);
    const chain: FolderLine[] = [];
    const bytes = readBytesUpTo(path.join(from, 'chain.ndjson.gz'), MAX_HELD_FILE_BYTES);
    for await (const line of gunzippedLines(partsOf(bytes), RECORDED))
      if (line !== '') chain.push(JSON.parse(line) as FolderLine);
    for (const line of folderText(network, chain)) write(line);
  }
}

/** A chain file in the current format, without the lines that only a running node needs. */
async function writeChainFile(file: ChainFileBytes, about: string, write: Write): Promise<void> {
  await readChainFile(file, (line) => {
    if (isChainFile(line)) {
      const head = JSON.parse(line) as HeadLine;
      write(`${JSON.stringify({ ...head, about: head.about ?? about, ends: undefined })}\n`);
    } else if (!line.startsWith(END)) write(`${line}\n`);
  });
}

const END = '{"end":';
const NETWORK_ROW = '{"networkRow":';

/** Turns errors about the user's input into a `RemoteError`; other errors are bugs. */
function asRemoteError(error: unknown): unknown {
  if (error instanceof OptionError) return new RemoteError(`--from ${error.problem}`);
  const { syscall, code } = error as NodeJS.ErrnoException;
  const isOfFile =
    syscall !== undefined ||
    String(code).startsWith('Z_') ||
    error instanceof SyntaxError ||
    error instanceof TooLargeError;
  const isOurs = error instanceof RemoteError;
  if (!isOurs && (isOfFile || error instanceof OperationError || error instanceof ChainFileError))
    return new RemoteError(`--from cannot be read: ${(error as Error).message}`);
  return error;
}
