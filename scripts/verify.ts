/**
 * `npm run verify -- DIR...`: runs recorded chains of a real java-tron through ours and shows the first difference.
 */

import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import pc from 'picocolors';
import { ChainFileError } from '../src/chain-file/shapes.js';
import type { Node } from '../src/node/node.js';
import { AnswerChecker, type AnswersReport } from './verify/answers.js';
import type { Asker, Surface } from './verify/asker.js';
import { show } from './verify/difference.js';
import { grpcAsker } from './verify/grpc-answers.js';
import { httpAsker } from './verify/http-answers.js';
import { jsonRpcAsker } from './verify/jsonrpc-answers.js';
import { type Recording, readRecording } from './verify/recording.js';
import { describe, type Mode, type Report, replay } from './verify/replay.js';

interface Options {
  readonly mode: 'both' | Mode;
  readonly findings: string;
  readonly answers?: boolean;
  readonly only?: string;
  readonly blocks?: string;
  readonly json?: boolean;
}

const command = new Command('verify')
  .description('Verify recorded chains: import (apply the recorded blocks) and produce (make them again).')
  .argument('<dir...>', 'directories of recordings (scenario.json, chain.ndjson.gz), or a directory of such')
  .option('--mode <mode>', 'import, produce or both', 'both')
  .option('--findings <n>', 'how many differences to show for each run', '1')
  .option('--answers', 'also ask the recorded questions over real sockets (in the produce run)')
  .option(
    '--only <surfaces>',
    'answers of these surfaces only: http,solidity,grpc,grpcSolidity,jsonrpc,jsonrpcSolidity',
  )
  .option('--blocks <n>', 'answers up to this block only')
  .option('--json', 'one JSON object per run instead of text')
  .addHelpText('after', '\nExit code: 0 when everything is identical, 1 otherwise.');

function recordingsIn(directory: string): string[] {
  if (existsSync(join(directory, 'scenario.json'))) return [directory];
  const inside = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(directory, entry.name, 'scenario.json')))
    .map((entry) => join(directory, entry.name));
  if (inside.length === 0) command.error(`error: no recording in ${directory}`);
  return inside.sort();
}

function progressLine(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

function summary(report: Report): string {
  const counts = `${report.blocks} blocks, ${report.transactions} transactions, ${report.refusals} refusals, ${report.accounts} account states, ${report.rows} rows`;
  if (report.findings.length === 0) return `${pc.green('identical')}  ${counts}`;
  const stopped = report.stoppedAt === undefined ? '' : `, stopped at ${report.stoppedAt}`;
  return `${pc.red('different')}  after ${counts}${stopped}`;
}

/** Servers are started with the first question, for the node of this run. */
class Interfaces {
  #askers: Promise<readonly Asker[]> | undefined;

  open(node: Node): Promise<readonly Asker[]> {
    this.#askers ??= Promise.all([httpAsker(node), grpcAsker(node), jsonRpcAsker(node)]);
    return this.#askers;
  }

  async close(): Promise<void> {
    for (const asker of (await this.#askers) ?? []) await asker.close();
  }
}

function answersSummary({ asked, wrong, leftOut }: AnswersReport): string {
  const left = [...leftOut].map(([surface, count]) => `${count} of ${surface}`).join(', ');
  const verdict = wrong.length === 0 ? pc.green('identical') : pc.red(`${wrong.length} different`);
  return `${verdict}  ${asked} answers${left === '' ? '' : `, left out: ${left}`}`;
}

function printAnswers(report: AnswersReport, most: number): void {
  process.stdout.write(`${''.padEnd(32)} answers  ${answersSummary(report)}\n`);
  for (const { line, differences } of report.wrong.slice(0, most)) {
    const note = line.note === undefined ? '' : ` (${line.note})`;
    process.stdout.write(
      `  after block ${line.afterBlock}: ${line.surface} ${line.method ?? ''} ${line.path} ${(line.body ?? '').slice(0, 300)}${note}\n`,
    );
    for (const { path, expected, actual } of differences) {
      process.stdout.write(
        `    ${path}\n      recorded ${show(expected).slice(0, 1500)}\n      ours     ${show(actual).slice(0, 1500)}\n`,
      );
    }
  }
}

function readOrEnd(directory: string): Recording {
  try {
    return readRecording(directory);
  } catch (error) {
    if (error instanceof ChainFileError) command.error(`error: ${error.message}`);
    throw error;
  }
}

async function main(): Promise<void> {
  command.parse();
  const options = command.opts<Options>();
  const modes: readonly Mode[] = options.mode === 'both' ? ['import', 'produce'] : [options.mode];
  let failed = false;
  for (const directory of command.args.flatMap(recordingsIn)) {
    const recording = readOrEnd(directory);
    for (const mode of modes) {
      const surfaces = options.only?.split(',') as Surface[] | undefined;
      const lastBlock = options.blocks === undefined ? Number.POSITIVE_INFINITY : Number(options.blocks);
      const checker = new AnswerChecker(
        recording.answers,
        ({ surface, afterBlock }) => (surfaces?.includes(surface) ?? true) && afterBlock <= lastBlock,
      );
      const interfaces = new Interfaces();
      const asking = options.answers === true && mode === modes.at(-1) && recording.answers.length > 0;
      const report = await replay(recording, mode, {
        ...(asking && {
          atHead: async (node: Node, block: number, afterRefusals: boolean) =>
            checker.askAt(block, await interfaces.open(node), afterRefusals),
        }),
        maxFindings: Number(options.findings),
        progress: (done, total) => {
          if (done % 50 === 0) progressLine(`${recording.name} ${mode} ${done}/${total}`);
        },
      });
      await interfaces.close();
      progressLine('');
      const answers = checker.report();
      failed ||= report.findings.length > 0 || answers.wrong.length > 0;
      if (options.json) {
        process.stdout.write(
          `${JSON.stringify({ recording: recording.name, ...report, findings: report.findings.map(describe) })}\n`,
        );
        continue;
      }
      process.stdout.write(`${basename(directory).padEnd(32)} ${mode.padEnd(8)} ${summary(report)}\n`);
      for (const finding of report.findings) process.stdout.write(`  ${describe(finding)}\n`);
      if (asking) printAnswers(answers, Number(options.findings));
    }
  }
  process.exitCode = failed ? 1 : 0;
}

await main();
