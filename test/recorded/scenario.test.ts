/** The settings of a recorded network: taken over, or refused by name; never left out of account. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Recording, readRecording } from '../../scripts/verify/recording.js';
import { openRecordedNode, replay } from '../../scripts/verify/replay.js';
import { ChainFileError } from '../../src/chain-file/shapes.js';

const RECORDED = new URL('../../fixtures/recorded/proposals-single-witness/', import.meta.url).pathname;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sunup-scenario-'));
  cpSync(RECORDED, directory, { recursive: true });
});

afterEach(() => rmSync(directory, { recursive: true }));

/** The recording as if its network had been set up otherwise. */
function withNetwork(change: Readonly<Record<string, unknown>>): Recording {
  const file = join(directory, 'scenario.json');
  const scenario = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...scenario, network: { ...scenario.network, ...change } }));
  return readRecording(directory);
}

test('proposalExpireTimeMs is the life of proposals: with another one the same chain comes out differently', async () => {
  const node = await openRecordedNode(withNetwork({}));
  expect(node.chain.ledger.config.proposalExpireTimeMs).toBe(259_200_000n);
  const shorter = withNetwork({ proposalExpireTimeMs: 1_000 });
  expect((await openRecordedNode(shorter)).chain.ledger.config.proposalExpireTimeMs).toBe(1_000n);
  const { findings } = await replay(shorter, 'import', { maxFindings: 1 });
  expect(findings[0]?.differences.map(({ path }) => path)).toContain('expiration_time');
});

test.each([
  ['an unknown setting', { blockTimeMs: 3000 }, 'network.blockTimeMs is a setting that Sunup does not know'],
  ['a setting in another type', { proposalExpireTimeMs: '1000' }, 'network.proposalExpireTimeMs'],
  ['an unknown preset', { preset: 'newest' }, 'the unknown preset newest'],
])('%s is refused by name', (_, change, message) => {
  expect(() => withNetwork(change)).toThrow(ChainFileError);
  expect(() => withNetwork(change)).toThrow(message);
});
