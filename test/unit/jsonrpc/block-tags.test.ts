/** Block parameters: the same words in three groups of methods (protocol/json-rpc.md#block-tags). */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  blockHeight,
  isFinalizedTag,
  JAVA_TRON_TAGS,
  rangeEnd,
  requireLatest,
} from '../../../src/jsonrpc/block-tags.js';
import { JsonRpcError } from '../../../src/jsonrpc/errors.js';
import { fullContext, solidContext, type WalletContext } from '../../../src/wallet/context.js';
import { SimulatedChain } from '../../simulation/simulated-chain.js';

let chain: SimulatedChain;
let full: WalletContext;
const SOLID = 6n;

beforeAll(async () => {
  // Of three witnesses the third that builds upon a block makes it final.
  chain = await SimulatedChain.open({ witnessVotes: [3, 2, 1], solidityLag: 'network' });
  chain.node.mine(8);
  full = fullContext(chain.node);
});
afterAll(() => chain.close());

function refusal(work: () => unknown): string {
  try {
    return `accepted: ${String(work())}`;
  } catch (error) {
    if (!(error instanceof JsonRpcError)) throw error;
    return `${error.code} ${error.text}`;
  }
}

describe('methods about a block', () => {
  test('know tags in any case, hex and decimal numbers, also of blocks that are not there', () => {
    expect(solidContext(chain.node).solid).toBe(true);
    for (const [text, height] of [
      ['latest', 8n],
      ['LATEST', 8n],
      ['earliest', 0n],
      ['Finalized', SOLID],
      ['0x3', 3n],
      ['3', 3n],
      ['0xffff', 65_535n],
      ['-1', -1n],
    ] as const) {
      expect([text, blockHeight(full, { tags: JAVA_TRON_TAGS }, text)]).toEqual([text, height]);
    }
  });

  test('on the solidified view count from its own head', () => {
    const solid = solidContext(chain.node);
    expect(blockHeight(solid, { tags: JAVA_TRON_TAGS }, 'latest')).toBeLessThan(8n);
    expect(blockHeight(solid, { tags: JAVA_TRON_TAGS }, 'latest')).toBeGreaterThanOrEqual(
      blockHeight(solid, { tags: JAVA_TRON_TAGS }, 'finalized'),
    );
  });

  test('refuse the rest', () => {
    expect(refusal(() => blockHeight(full, { tags: JAVA_TRON_TAGS }, 'pending'))).toBe(
      '-32602 TAG pending not supported',
    );
    for (const text of [null, '', '0x', 'safe', '1.0']) {
      expect(refusal(() => blockHeight(full, { tags: JAVA_TRON_TAGS }, text))).toBe('-32602 invalid block number');
    }
  });
});

test('methods about state know the newest only', () => {
  expect(requireLatest(JAVA_TRON_TAGS, 'Latest')).toBeUndefined();
  for (const tag of ['earliest', 'pending', 'FINALIZED']) {
    expect(refusal(() => requireLatest(JAVA_TRON_TAGS, tag))).toBe(
      '-32602 TAG [earliest | pending | finalized] not supported',
    );
  }
  for (const number of ['0x8', '8', '0']) {
    expect(refusal(() => requireLatest(JAVA_TRON_TAGS, number))).toBe(
      '-32602 QUANTITY not supported, just support TAG as latest',
    );
  }
  for (const text of [null, '', 'safe', '0x']) {
    expect(refusal(() => requireLatest(JAVA_TRON_TAGS, text))).toBe('-32602 invalid block number');
  }
});

test('ends of a range of logs: open, latest, a tag or hex', () => {
  expect(rangeEnd(full, JAVA_TRON_TAGS, null)).toBeUndefined();
  expect(rangeEnd(full, JAVA_TRON_TAGS, '')).toBeUndefined();
  expect(rangeEnd(full, JAVA_TRON_TAGS, 'LATEST')).toBe('latest');
  expect(rangeEnd(full, JAVA_TRON_TAGS, 'earliest')).toBe(0n);
  expect(rangeEnd(full, JAVA_TRON_TAGS, 'finalized')).toBe(SOLID);
  expect(rangeEnd(full, JAVA_TRON_TAGS, '0x10')).toBe(16n);
  expect(refusal(() => rangeEnd(full, JAVA_TRON_TAGS, 'pending'))).toBe('-32602 TAG pending not supported');
  expect(refusal(() => rangeEnd(full, JAVA_TRON_TAGS, '16'))).toBe('-32602 Incorrect hex syntax');
  expect(() => rangeEnd(full, JAVA_TRON_TAGS, '0xzz')).toThrow('For input string: "zz"');
});

test('finalized is known by its word alone', () => {
  expect(['finalized', 'FINALIZED', 'latest', '0x6', null].map((text) => isFinalizedTag(JAVA_TRON_TAGS, text))).toEqual(
    [true, true, false, false, false],
  );
});
