/**
 * Forks of chains recorded from a real java-tron: above a block of the recording, read over sockets from a node that has
 * come so far, a fork does what the recording did next, and has java-tron's receipts, refusals, accounts, resources and
 * block ids. What differs is allowed by an assumption that is not true of that block, or the test fails.
 *
 * SUNUP_FORK_POINTS=all forks each recording above every block that it can be forked above.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Recording, readRecording } from '../../scripts/verify/recording.js';
import { describe as inWords, type Report, replay } from '../../scripts/verify/replay.js';
import type { Node } from '../../src/node/node.js';
import { hexToBytes } from '../../src/primitives/hex.js';
import { decodeBlock } from '../../src/protocol/block.js';
import type { SignedTransaction } from '../../src/protocol/transaction.js';
import { unexplained, untrueAssumptions } from '../simulation/assumed-differences.js';
import { openForkedNode } from '../simulation/forked-node.js';
import { serveChain } from '../simulation/served-chain.js';

const RECORDINGS = new URL('../../fixtures/recorded/', import.meta.url).pathname;

const names = readdirSync(RECORDINGS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const referredTo = ({ raw }: SignedTransaction): number => Number.parseInt(raw.ref_block_bytes, 16);

/** Blocks after which something is sent, and all of it refers to later blocks: a fork takes no other. */
function forkPoints({ lines }: Recording): number[] {
  const points: number[] = [];
  let oldest = Number.POSITIVE_INFINITY;
  for (const line of lines.toReversed()) {
    if (line.kind !== 'block') continue;
    if (oldest > line.number && oldest < Number.POSITIVE_INFINITY) points.push(line.number);
    oldest = Math.min(oldest, ...decodeBlock(hexToBytes(line.block)).transactions.map(referredTo));
  }
  return points.reverse();
}

/** One with something before it and more behind it. */
function chosen(points: readonly number[]): readonly number[] {
  if (process.env.SUNUP_FORK_POINTS === 'all') return points;
  const at = Math.floor(points.length / 3);
  return points.slice(at, at + 1);
}

const compared = { forks: 0, exact: 0, transactions: 0, refusals: 0, accounts: 0, rows: 0 };

/** What java-tron refuses by what a fork assumes otherwise: `guards`, `accountNames`, `runningVotes`. */
const NOT_REFUSED = /guard representative|This name is existed|does not have any reward/;

/** What the running epoch's votes are, nodes tell from 4.8.1 on. */
const SERVED = '4.8.2';

async function forked(recording: Recording, node: Node, atBlock: number): Promise<Report> {
  await node.chain.durable();
  const server = await serveChain(node, SERVED);
  try {
    const { genesis, witnessKeys, settings } = recording;
    const fork = await openForkedNode({ url: server.url, genesis, witnessKeys, settings, solidityLag: 'network' });
    try {
      return await replay(recording, 'produce', {
        maxFindings: Number.POSITIVE_INFINITY,
        fork: { node: fork.node, atBlock },
        leavesOut: (transaction, message) => referredTo(transaction) <= atBlock || NOT_REFUSED.test(message),
      });
    } finally {
      await fork.close();
    }
  } finally {
    await server.close();
  }
}

test.each(names)('%s', async (name) => {
  const recording = readRecording(join(RECORDINGS, name));
  const points = chosen(forkPoints(recording));
  if (points.length === 0) return;
  const { findings } = await replay(recording, 'produce', {
    maxFindings: 1,
    upTo: points.at(-1) as number,
    atHead: async (node, block, afterRefusals) => {
      if (afterRefusals || !points.includes(block)) return;
      const report = await forked(recording, node, block);
      const untrue = await untrueAssumptions(node, SERVED);
      const left = unexplained(report.findings, untrue).map(inWords);
      if (left.length > 0)
        throw new Error(
          `above block ${block}, where ${[...untrue].join(', ')} do not hold:\n${left.slice(0, 5).join('\n')}`,
        );
      expect(report.stoppedAt).toBeUndefined();
      compared.forks++;
      compared.transactions += report.transactions;
      compared.refusals += report.refusals;
      compared.accounts += report.accounts;
      compared.rows += report.rows;
      if (!report.findings.some(({ what }) => what !== 'row')) compared.exact++;
    },
  });
  expect(findings).toEqual([]);
});

/** Those before would have no findings either if they had compared nothing. */
test('all of it was compared', () => {
  if (process.env.SUNUP_FORK_POINTS === 'all') console.log(compared);
  const { forks, exact, transactions, refusals, accounts, rows } = compared;
  expect(exact).toBeGreaterThan(forks / 3);
  expect(Math.min(transactions, accounts, rows)).toBeGreaterThan(forks * 10);
  expect(refusals).toBeGreaterThan(forks);
});
