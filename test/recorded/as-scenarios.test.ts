/** Every chain recorded from a real java-tron, as a scenario: the same blocks, receipts and refusals. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecording } from '../../scripts/verify/recording.js';
import { folderText } from '../../src/chain-file/folder-steps.js';
import { recordedNetwork } from '../../src/chain-file/recorded-folder.js';
import { TransactionInfo } from '../../src/protocol/generated/tron.js';
import { runText } from '../unit/scenario/run-file.js';

const RECORDINGS = new URL('../../fixtures/recorded/', import.meta.url).pathname;

const names = readdirSync(RECORDINGS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test.each(names)('%s', async (name) => {
  const { lines } = readRecording(join(RECORDINGS, name));
  const network = recordedNetwork(readFileSync(join(RECORDINGS, name, 'scenario.json'), 'utf8'), 'scenario.json');
  const { transactions, end } = await runText([...folderText(network, lines)].join(''));
  const blocks = lines.filter((line) => line.kind === 'block');
  // Each block says which id it comes to, so the last one says it of all.
  expect(end.head).toMatchObject({ number: blocks.at(-1)!.number, id: blocks.at(-1)!.id });
  const included = transactions.filter(({ block }) => block !== undefined);
  const infos = blocks.flatMap(({ infos: all }) => all.map((hex) => TransactionInfo.decode(Buffer.from(hex, 'hex'))));
  expect(included.map(({ feeSun }) => String(feeSun))).toEqual(infos.map(({ fee }) => String(fee)));
  const refusals = lines.filter((line) => line.kind === 'refused');
  const dropped = blocks.flatMap((block) => block.dropped ?? []);
  const refused = transactions.filter(({ block }) => block === undefined);
  expect(refused.length).toBe(refusals.length + dropped.length);
  const codes = refused.map(({ txid, refusal }) => `${txid} ${refusal?.code}`);
  for (const { txid, code } of refusals) expect(codes).toContain(`${txid} ${code}`);
});
