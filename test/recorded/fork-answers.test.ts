/**
 * Answers of a real java-tron, read as a fork reads them: the rows of the chain that was recorded with them, and a fork that
 * answers as java-tron did. What the recording was not asked, our own node answers.
 */

import { expect, test } from 'vitest';
import { AnswerChecker } from '../../scripts/verify/answers.js';
import { httpAsker } from '../../scripts/verify/http-answers.js';
import { jsonRpcAsker } from '../../scripts/verify/jsonrpc-answers.js';
import { type AnswerLine, readRecording } from '../../scripts/verify/recording.js';
import { replay } from '../../scripts/verify/replay.js';
import type { RemotePlatform } from '../../src/fork/network/remote-client.js';
import { openRemote } from '../../src/fork/start/open-remote.js';
import type { Node } from '../../src/node/node.js';
import {
  expectSameRows,
  expectSameStanding,
  expectSameStart,
  expectSameStorage,
  expectSameUsages,
} from '../simulation/fork-comparison.js';
import { openForkedNode } from '../simulation/forked-node.js';
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

type Fetch = RemotePlatform['fetch'];

/** As java-tron answered, where it was asked, and otherwise as the node behind the socket does. */
function recordedFetch(): { readonly fetch: Fetch; readonly used: ReadonlyMap<string, number> } {
  const answers = recordedAnswers();
  const used = new Map<string, number>();
  return {
    used,
    fetch: (url, init) => {
      const { pathname } = new URL(url);
      const recorded = pathname === '/jsonrpc' ? undefined : answers.get(question(pathname, String(init.body)));
      if (recorded === undefined) return fetch(url, init);
      used.set(pathname, (used.get(pathname) ?? 0) + 1);
      return Promise.resolve(new Response(recorded));
    },
  };
}

/** Does something once at the head at which the questions were asked. */
async function atTheHead(work: (node: Node, url: string) => Promise<void>): Promise<void> {
  let isDone = false;
  const { findings } = await replay(recording, 'produce', {
    maxFindings: 1,
    upTo: head,
    atHead: async (node, block) => {
      if (block !== head || isDone) return;
      isDone = true;
      await node.chain.durable();
      const server = await serveChain(node);
      try {
        await work(node, server.url);
      } finally {
        await server.close();
      }
    },
  });
  expect(findings).toEqual([]);
  expect(isDone).toBe(true);
}

test('rows are those of the recorded chain', async () => {
  const { fetch: answered, used } = recordedFetch();
  await atTheHead(async (node, url) => {
    const remote = await openRemote({ url }, { ...STILL, fetch: answered });
    expectSameStart(node, remote);
    await expectSameRows(node, remote);
    await expectSameUsages(node, remote);
    await expectSameStorage(node, remote);
    await expectSameStanding(node, remote);
  });
  expect(used.get('/wallet/getaccount')).toBeGreaterThan(10);
  for (const path of ['getcontractinfo', 'getReward', 'getchainparameters', 'listwitnesses', 'getexchangebyid']) {
    expect(used.get(`/wallet/${path}`) ?? 0, path).toBeGreaterThan(0);
  }
});

/** Questions about the state at the head. A fork has no block of its own yet, which what is built refers to. */
function isAboutState({ surface, path, body = '', note = '' }: AnswerLine): boolean {
  if (note.startsWith('pending')) return false;
  if (surface === 'jsonrpc') return /"eth_(call|estimateGas|getBalance|getCode|getStorageAt)"/.test(body);
  // Balances of older blocks are kept by those who were there, and the order of witnesses is that of the stores.
  return surface === 'http' && /\/wallet\/(get|list)/.test(path) && !NOT_STATE.test(path);
}

const NOT_STATE = /block|transaction|getaccountbalance|getnodeinfo|pending|listnodes|listwitnesses/i;

test('a fork of java-tron answers what java-tron answered', async () => {
  const { fetch: answered, used } = recordedFetch();
  await atTheHead(async (_, url) => {
    const { genesis, witnessKeys, settings } = recording;
    const fork = await openForkedNode({ url, genesis, witnessKeys, settings, solidityLag: 'network', fetch: answered });
    const askers = await Promise.all([httpAsker(fork.node), jsonRpcAsker(fork.node)]);
    try {
      const checker = new AnswerChecker(recording.answers.filter(isAboutState));
      await checker.askAt(head, askers);
      const { asked: many, wrong } = checker.report();
      // `energyStateCycle`
      const cycle = (text: unknown) => String(text).replace(/"update_cycle": ?\d+/, '');
      const left = wrong.filter(
        ({ differences }) => !differences.every(({ expected, actual }) => cycle(expected) === cycle(actual)),
      );
      expect(left.map(({ line, differences }) => ({ line, differences }))).toEqual([]);
      expect(many).toBeGreaterThan(1_000);
    } finally {
      for (const asker of askers) await asker.close();
      await fork.close();
    }
  });
  expect(used.get('/wallet/getaccount')).toBeGreaterThan(10);
});
