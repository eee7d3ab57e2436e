/** Single calls of the system that a new node makes for its directory: the process ends at one, or one is refused. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
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

/** A new node makes three of each. */
const WHEN = [1, 2, 3];

describe.runIf(isTracing())('a node in a new directory', () => {
  // LevelDB gives a name to its first manifest, and then to the next one.
  it.each(WHEN)('begins again after the process has ended at renaming %i', async (when) => {
    const db = path.join(folder, `ended-${when}`);
    expect(await run(db, strace(RENAMES, `signal=KILL:when=${when}`))).toMatchObject({ signal: 'SIGKILL', errors: '' });
    expect(await run(db)).toEqual({ code: 0, signal: null, errors: '' });
  });

  it.each(WHEN)('does without folder %i, or says that it cannot be made', async (when) => {
    const db = path.join(folder, `refused-${when}`);
    const { code, errors } = await run(db, strace(FOLDERS, `error=EACCES:when=${when}`));
    if (code !== 0) expect(errors).toMatch(/^error: option '--db' is .*, which (cannot be used|is not writable)/);
    expect(await run(db)).toEqual({ code: 0, signal: null, errors: '' });
  });
});
