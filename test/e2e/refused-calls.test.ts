/** Single calls of the system that a new node makes for its directory: the process ends at one, or one is refused. */

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { checkDirectory } from '../../src/devnet/database/check-database.js';
import { CommandProcess, type Exit } from '../simulation/simulator/real/command-process.js';
import { SMALL_NODE } from '../simulation/simulator/real/command-words.js';
import { FOLDERS, isTracing, RENAMES, strace } from '../simulation/simulator/real/system-calls.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-refused-calls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let command = '';
beforeAll(async () => {
  command = await buildIfStale();
});

/** Starts a node, and stops it when it is ready. */
async function run(db: string, tracer: readonly string[] = []): Promise<Exit & { readonly errors: string }> {
  const node = new CommandProcess(command, [...SMALL_NODE, '--db', db], { nodeOptions: [], environment: {}, tracer });
  if ((await node.ready) !== undefined) node.terminate('SIGTERM');
  return { ...(await node.ended), errors: node.errors };
}

const NOBODY = `0x${'0'.repeat(39)}7`;

/** @returns the result of the last one */
async function asked(url: string, ...calls: (string | readonly unknown[])[]): Promise<string> {
  let result = '';
  for (let i = 0; i < calls.length; i += 2) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: calls[i], params: calls[i + 1] });
    const answer = await fetch(`${url}/tre`, { method: 'POST', body });
    result = ((await answer.json()) as { readonly result: string }).result;
  }
  return result;
}

/** A new node makes three of each. */
const WHEN = [1, 2, 3];

describe.runIf(isTracing())('a node in a new directory', () => {
  // LevelDB gives a name to its first manifest, and then to the next one.
  it.each(WHEN)('begins again after the process has ended at renaming %i', async (when) => {
    const db = path.join(folder, `ended-${when}`);
    expect(await run(db, strace(RENAMES, `signal=KILL:when=${when}`))).toMatchObject({ signal: 'SIGKILL', errors: '' });
    expect(await run(db)).toEqual({ code: 0, signal: null, errors: '' });
  });

  // LevelDB takes the error for the end of its log: it keeps the blocks until there, and deletes the log.
  it('has every block, or says why not, when one of the reads of its log fails', async () => {
    const killed = path.join(folder, 'killed');
    const node = new CommandProcess(command, [...SMALL_NODE, '--db', killed]);
    const { http } = (await node.ready)!;
    for (let block = 0; block < 20; block++)
      await asked(http.url, 'tron_setBalance', [NOBODY, block], 'evm_mine', [], 'eth_blockNumber', []);
    const head = await asked(http.url, 'eth_blockNumber', []);
    await node.kill();
    const [log = ''] = readdirSync(path.join(killed, 'chain')).filter((name) => name.endsWith('.log'));
    const outcomes: string[] = [];
    // Some of the reads are ours, which come before.
    for (let when = 1; when <= 6; when++) {
      const db = path.join(folder, `unread-${when}`);
      cpSync(killed, db, { recursive: true });
      const place = ['-P', path.join(db, 'chain', log)];
      const tracer = [...strace(['read'], `error=EIO:when=${when}`), ...place];
      const next = new CommandProcess(command, [...SMALL_NODE, '--db', db], {
        nodeOptions: [],
        environment: {},
        tracer,
      });
      const ready = await next.ready;
      if (ready !== undefined) {
        expect(await asked(ready.http.url, 'eth_blockNumber', [])).toBe(head);
        next.terminate('SIGTERM');
      }
      await next.ended;
      if (ready === undefined) expect(next.errors).toMatch(/which cannot be used: EIO: i\/o error, read '.*\.log'/);
      outcomes.push(ready === undefined ? 'refused' : 'whole');
      expect(await run(db)).toMatchObject({ code: 0 });
      expect(await checkDirectory(db, { replay: false })).toMatchObject({ findings: [], blocks: Number(head) + 1 });
    }
    expect(new Set(outcomes)).toEqual(new Set(['refused', 'whole']));
  });

  it.each(WHEN)('does without folder %i, or says that it cannot be made', async (when) => {
    const db = path.join(folder, `refused-${when}`);
    const { code, errors } = await run(db, strace(FOLDERS, `error=EACCES:when=${when}`));
    if (code !== 0) expect(errors).toMatch(/^error: option '--db' is .*, which (cannot be used|is not writable)/);
    expect(await run(db)).toEqual({ code: 0, signal: null, errors: '' });
  });
});
