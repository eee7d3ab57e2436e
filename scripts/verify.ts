/**
 * `npm run verify -- DIR...`: runs recorded chains of a real java-tron through ours and shows the first difference.
 */

import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import pc from 'picocolors';
import { readRecording } from './verify/recording.js';
import { describe, type Mode, replay, type Report } from './verify/replay.js';

interface Options {
  readonly mode: 'both' | Mode;
  readonly findings: string;
  readonly json?: boolean;
}

const command = new Command('verify')
  .description('Verify recorded chains: import (apply the recorded blocks) and produce (make them again).')
  .argument('<dir...>', 'directories of recordings (scenario.json, chain.ndjson.gz), or a directory of such')
  .option('--mode <mode>', 'import, produce or both', 'both')
  .option('--findings <n>', 'how many differences to show for each run', '1')
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
  const counts = `${report.blocks} blocks, ${report.transactions} transactions, ${report.refusals} refusals, ${report.accounts} account states`;
  if (report.findings.length === 0) return `${pc.green('identical')}  ${counts}`;
  const stopped = report.stoppedAt === undefined ? '' : `, stopped at ${report.stoppedAt}`;
  return `${pc.red('different')}  after ${counts}${stopped}`;
}

async function main(): Promise<void> {
  command.parse();
  const options = command.opts<Options>();
  const modes: readonly Mode[] = options.mode === 'both' ? ['import', 'produce'] : [options.mode];
  let failed = false;
  for (const directory of command.args.flatMap(recordingsIn)) {
    const recording = readRecording(directory);
    for (const mode of modes) {
      const report = await replay(recording, mode, {
        maxFindings: Number(options.findings),
        progress: (done, total) => {
          if (done % 50 === 0) progressLine(`${recording.name} ${mode} ${done}/${total}`);
        },
      });
      progressLine('');
      failed ||= report.findings.length > 0;
      if (options.json) {
        process.stdout.write(`${JSON.stringify({ recording: recording.name, ...report, findings: report.findings.map(describe) })}\n`);
        continue;
      }
      process.stdout.write(`${basename(directory).padEnd(32)} ${mode.padEnd(8)} ${summary(report)}\n`);
      for (const finding of report.findings) process.stdout.write(`  ${describe(finding)}\n`);
    }
  }
  process.exitCode = failed ? 1 : 0;
}

await main();
