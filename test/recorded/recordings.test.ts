/**
 * Every chain recorded from a real java-tron, through ours: imported and produced, with each refusal, receipt, account
 * and resource identical, and each recorded question answered over real sockets with the same bytes.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AnswerChecker } from '../../scripts/verify/answers.js';
import type { Asker } from '../../scripts/verify/asker.js';
import { grpcAsker } from '../../scripts/verify/grpc-answers.js';
import { httpAsker } from '../../scripts/verify/http-answers.js';
import { jsonRpcAsker } from '../../scripts/verify/jsonrpc-answers.js';
import { readRecording } from '../../scripts/verify/recording.js';
import { describe as inWords, type Report, replay } from '../../scripts/verify/replay.js';
import type { FolderLine } from '../../src/chain-file/recorded-folder.js';
import type { Node } from '../../src/node/node.js';
import { declarations } from '../../src/options/declarations.js';
import { workLimit } from '../../src/tvm/work.js';

const RECORDINGS = new URL('../../fixtures/recorded/', import.meta.url).pathname;

const names = readdirSync(RECORDINGS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** How much was compared: a run that compared nothing would have no findings either. */
function expectIdentical(report: Report, lines: readonly FolderLine[]): void {
  expect(report.findings.map(inWords)).toEqual([]);
  expect(report.stoppedAt).toBeUndefined();
  expect(report.blocks).toBe(lines.filter(({ kind }) => kind === 'block').length);
  expect(report.refusals).toBe(lines.filter(({ kind }) => kind === 'refused').length);
  const states = lines.flatMap((line) => ('after' in line && line.after ? Object.keys(line.after.accounts) : []));
  expect(report.accounts).toBe(states.length);
  expect(report.rows).toBeGreaterThan(0);
}

describe.each(names)('%s', (name) => {
  const recording = readRecording(join(RECORDINGS, name));

  test('import', async () => {
    // With a tenth of what a transaction may do by default: none of the network's comes near the limit.
    const vmLimit = workLimit(declarations.vmLimitMs.default / 10);
    expectIdentical(await replay(recording, 'import', { maxFindings: 1, vmLimit }), recording.lines);
  });

  test('produce, and the recorded answers', async () => {
    const checker = new AnswerChecker(recording.answers);
    let askers: readonly Asker[] | undefined;
    const report = await replay(recording, 'produce', {
      maxFindings: 1,
      atHead: async (node: Node, block: number, afterRefusals: boolean) => {
        askers ??= await Promise.all([httpAsker(node), grpcAsker(node), jsonRpcAsker(node)]);
        await checker.askAt(block, askers, afterRefusals);
      },
    });
    for (const asker of askers ?? []) await asker.close();
    expectIdentical(report, recording.lines);
    expect(checker.report().wrong.map(({ line, differences }) => ({ line, differences }))).toEqual([]);
  });
});
