/** Files of a database that change while a node runs on them: the node stops answering and reports the reason. */

import { closeSync, cpSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-flips-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS = { accounts: 300, mining: 'manual' } as const;
const whole = path.join(folder, 'whole');
let questions: readonly (readonly [path: string, body: object])[];
let right: readonly string[];

async function ask(devnet: Devnet, [name, body]: (typeof questions)[number]): Promise<string> {
  const answer = await devnet.fetch(`http://devnet/${name}`, { method: 'POST', body: JSON.stringify(body) });
  return `${answer.status} ${await answer.text()}`;
}

async function askAll(devnet: Devnet): Promise<string[]> {
  const answers: string[] = [];
  for (const question of questions) answers.push(await ask(devnet, question));
  return answers;
}

beforeAll(async () => {
  const first = await createDevnet({ ...OPTIONS, db: whole });
  for (const [at, { address }] of first.accounts.slice(0, 30).entries()) {
    await first.setBalance(address, 1_000 + at);
    await first.mine(2);
  }
  questions = [
    ...first.accounts.slice(0, 60).map(({ addressHex: address }) => ['wallet/getaccount', { address }] as const),
    ...Array.from({ length: 60 }, (_, num) => ['wallet/getblockbynum', { num }] as const),
  ];
  await first.close();
  // Moves the content of the log into a table.
  const again = await createDevnet({ ...OPTIONS, db: whole });
  right = await askAll(again);
  await again.close();
});

function tablesOf(db: string): readonly string[] {
  const chain = path.join(db, 'chain');
  return readdirSync(chain)
    .filter((name) => name.endsWith('.ldb'))
    .map((name) => path.join(chain, name));
}

function change(file: string, at: number, to: (byte: number) => number): void {
  const descriptor = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, at);
  byte[0] = to(byte[0]!);
  writeSync(descriptor, byte, 0, 1, at);
  closeSync(descriptor);
}

/** A node on a copy of the database, and its failure. */
async function running(name: string): Promise<{ devnet: Devnet; db: string; failed: Promise<Error> }> {
  const db = path.join(folder, name);
  cpSync(whole, db, { recursive: true });
  const devnet = await createDevnet({ ...OPTIONS, db });
  return { devnet, db, failed: new Promise((resolve) => devnet.on('failed', resolve)) };
}

describe('a table that is changed while a node runs on it', () => {
  it.each([0, 1, 2, 3])('is reported by name, and the node stops answering and mining (%i)', async (round) => {
    const { devnet, db, failed } = await running(`told-${round}`);
    for (const table of tablesOf(db)) {
      const { size } = statSync(table);
      change(table, Math.floor((size * (2 * round + 1)) / 9), (byte) => byte ^ (1 << round));
    }
    expect((await failed).message).toMatch(
      /^the database in .* is damaged: (chain\/\d+\.ldb has a damaged block|row )/,
    );
    expect(new Set(await askAll(devnet))).toEqual(new Set(['500 ']));
    await expect(devnet.mine(1)).rejects.toThrow('is damaged');
    await devnet.close();
  });

  it('gives an error instead of status 200 if LevelDB cannot read it', async () => {
    const { devnet, db, failed } = await running('unreadable');
    for (const table of tablesOf(db))
      for (let at = 0; at < statSync(table).size / 2; at++) change(table, at, () => 0xff);
    for (const [at, answer] of (await askAll(devnet)).entries()) if (answer !== right[at]) expect(answer).toBe('500 ');
    expect((await failed).message).toMatch(/^the database in .* is damaged: /);
    await devnet.close();
  });
});
