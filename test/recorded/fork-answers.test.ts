/**
 * Answers of a real java-tron, read as a fork reads them: the rows of the chain that was recorded with them. What the
 * recording was not asked, our own node answers.
 */

import { expect, test } from 'vitest';
import { readRecording } from '../../scripts/verify/recording.js';
import { replay } from '../../scripts/verify/replay.js';
import { openRemote } from '../../src/fork/open-remote.js';
import type { Node } from '../../src/node/node.js';
import {
  expectSameRows,
  expectSameStanding,
  expectSameStart,
  expectSameStorage,
  expectSameUsages,
} from '../simulation/fork-comparison.js';
import { STILL, serveChain } from '../simulation/served-chain.js';

const recording = readRecording(new URL('../../fixtures/recorded/answers-rich-chain', import.meta.url).pathname);
const asked = recording.answers.filter(({ surface, note = '' }) => surface === 'http' && !note.startsWith('pending'));
/** The block at which nearly everything was asked. */
const head = 44;

const question = (path: string, body: string): string => `${path} ${JSON.stringify(JSON.parse(body))}`;

/** By path and body, as a fork asks. */
function recordedAnswers(): Map<string, string> {
  const answers = new Map<string, string>();
  for (const { afterBlock, method, path, body, headers, response, status } of asked) {
    const isPlain = afterBlock === head && method === 'POST' && status === 200 && headers === undefined;
    if (!isPlain || !/^\{.*\}$/s.test(body ?? '') || response === undefined) continue;
    try {
      answers.set(question(path, body as string), response);
    } catch {
      // Asked with what is no JSON.
    }
  }
  return answers;
}

test('rows are those of the recorded chain', async () => {
  const answers = recordedAnswers();
  const used = new Map<string, number>();
  const atHead = async (node: Node, block: number): Promise<void> => {
    if (block !== head || used.size > 0) return;
    await node.chain.untilDurable();
    const server = await serveChain(node);
    try {
      const remote = await openRemote(
        { url: server.url },
        {
          ...STILL,
          fetch: (url, init) => {
            const { pathname } = new URL(url);
            const recorded = pathname === '/jsonrpc' ? undefined : answers.get(question(pathname, String(init.body)));
            if (recorded === undefined) return fetch(url, init);
            used.set(pathname, (used.get(pathname) ?? 0) + 1);
            return Promise.resolve(new Response(recorded));
          },
        },
      );
      expectSameStart(node, remote);
      await expectSameRows(node, remote);
      await expectSameUsages(node, remote);
      await expectSameStorage(node, remote);
      await expectSameStanding(node, remote);
    } finally {
      await server.close();
    }
  };
  const { findings } = await replay(recording, 'produce', { maxFindings: 1, atHead });
  expect(findings).toEqual([]);
  expect(used.get('/wallet/getaccount')).toBeGreaterThan(10);
  for (const path of ['getcontractinfo', 'getReward', 'getchainparameters', 'listwitnesses', 'getexchangebyid']) {
    expect(used.get(`/wallet/${path}`) ?? 0, path).toBeGreaterThan(0);
  }
});
