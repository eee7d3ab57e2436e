/**
 * A full disk stops only the chain: it is logged, queries are answered, nothing unstored was reported, and the chain
 * continues when there is space. On a separate file system, if this user can mount one.
 */

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkDirectory } from '../../src/devnet/database/check-database.js';
import { createDevnet, type DevAccount, type Devnet } from '../../src/index.js';
import { freeBytes } from '../../src/platform/data-directory.js';
import { runText } from '../unit/scenario/run-file.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-full-disk-'));
const disk = path.join(folder, 'disk');
mkdirSync(disk);
const isMounted =
  process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk]).status === 0;
afterAll(() => {
  if (isMounted) spawnSync('umount', ['-l', disk]);
  rmSync(folder, { recursive: true, force: true });
});

const filler = path.join(disk, 'filler');

/** Leaves this many bytes free. */
function fill(leave: number): void {
  const file = openSync(filler, 'a');
  for (let room = freeBytes(disk) - leave; room > 0; room -= 4_096)
    writeSync(file, Buffer.alloc(Math.min(4_096, room)));
  closeSync(file);
}

/** Waits for lines of the log. */
class Lines {
  readonly all: string[] = [];
  #waiting: { readonly text: string; readonly found: () => void }[] = [];

  readonly log = {
    warn: (line: string) => this.#add(line),
    error: (line: string, cause: unknown) => this.#add(`${line}: ${cause}`),
  };

  line(text: string): Promise<void> {
    if (this.all.some((line) => line.includes(text))) return Promise.resolve();
    return new Promise((found) => this.#waiting.push({ text, found }));
  }

  #add(line: string): void {
    this.all.push(line);
    for (const { text, found } of this.#waiting) if (line.includes(text)) found();
  }
}

async function post(devnet: Devnet, name: string, body: object = {}): Promise<{ status: number; text: string }> {
  const response = await fetch(`${devnet.http.url}/wallet/${name}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

async function ask(devnet: Devnet, path: string, body: object): Promise<string> {
  return (await devnet.fetch(`${devnet.http.url}${path}`, { method: 'POST', body: JSON.stringify(body) })).text();
}

async function headOf(devnet: Devnet): Promise<{ number: number; id: string }> {
  const { blockID: id, block_header } = JSON.parse((await post(devnet, 'getnowblock')).text);
  return { number: block_header.raw_data.number, id };
}

it('stops the chain until there is space, and loses nothing that was reported', async ({ skip }) => {
  if (!isMounted) return skip();
  const db = path.join(disk, 'chain');
  const lines = new Lines();
  const devnet = await createDevnet({ db, mining: 'manual', log: lines.log });
  const told = new Map<number, string>();
  const mine = async () => {
    const { number, id } = await devnet.mine(1);
    told.set(number, id);
  };
  for (let i = 0; i < 5; i++) await mine();

  for (let round = 0; round < 2; round++) {
    lines.all.length = 0;
    fill(round * 100_000);
    let refused: unknown;
    for (let i = 0; i < 5_000 && refused === undefined; i++) await mine().catch((error: unknown) => (refused = error));
    expect(refused).toMatchObject({ name: 'NoRoomError' });
    await lines.line('is full');
    // The reported head is served; unreported changes have not happened.
    const head = await headOf(devnet);
    expect(head).toEqual({ number: Math.max(...told.keys()), id: told.get(Math.max(...told.keys())) });
    expect(lines.all[0]).toBe(
      `the disk of ${db} is full: the chain stays at block ${head.number} until 8 MB are free. Queries still work`,
    );
    const words =
      'the chain is stopped because the disk is full. Nothing is changed, and queries still work. See the log';
    await expect(devnet.mine(1)).rejects.toMatchObject({ name: 'NoRoomError', message: words });
    expect(await ask(devnet, '/sunup/mine', {})).toBe(`{"Error":"${words}"}\n`);
    for (const [method, ...params] of [['evm_mine'], ['tron_setBalance', devnet.accounts[0]!.address, 5]])
      expect(JSON.parse(await ask(devnet, '/eth', { id: 1, jsonrpc: '2.0', method, params })).error).toEqual({
        code: -32_000,
        message: words,
      });
    const { address } = devnet.accounts[0]!;
    expect(JSON.parse((await post(devnet, 'getaccount', { address, visible: true })).text).address).toBe(address);
    expect(await headOf(devnet)).toEqual(head);
    // A copy shows the state that a crash would leave on the disk.
    const copy = path.join(folder, `copy-${round}`);
    cpSync(db, copy, { recursive: true });
    expect(await checkDirectory(copy, { replay: true })).toMatchObject({ headId: head.id, findings: [] });
    expect(lines.all.length).toBe(1);

    rmSync(filler);
    await lines.line('there is room');
    await mine();
    expect(Math.max(...told.keys())).toBe(head.number + 1);
  }
  await devnet.close();
  await using again = await createDevnet({ db, mining: 'manual' });
  const head = await headOf(again);
  expect(told.get(head.number)).toBe(head.id);
  expect(head.number).toBe(told.size + 2);
  await again.close();
  expect((await checkDirectory(db, { replay: true })).findings).toEqual([]);
});

it('a node that is closed while the disk is full can be started again', async ({ skip }) => {
  if (!isMounted) return skip();
  const db = path.join(disk, 'closed');
  const devnet = await createDevnet({ db, mining: 'manual' });
  const { id } = await devnet.mine(3);
  fill(0);
  await devnet.close();
  rmSync(filler);
  await using again = await createDevnet({ db, mining: 'manual' });
  expect((await headOf(again)).id).toBe(id);
});

it.runIf(process.platform !== 'win32')('a removed directory is reported, and the chain stays in memory', async () => {
  const db = path.join(folder, 'gone');
  const lines = new Lines();
  const devnet = await createDevnet({ db, mining: 'manual', log: lines.log });
  const { number } = await devnet.mine(3);
  // A new directory of the same name is another one, and is not touched.
  renameSync(db, `${db}-elsewhere`);
  cpSync(`${db}-elsewhere`, db, { recursive: true });
  await lines.line('no longer exists');
  expect(lines.all).toEqual([
    `${db} no longer exists: the chain stays at block ${number} and is no longer stored. Save the chain with sunup dump, then stop this node`,
  ]);
  await expect(devnet.mine(1)).rejects.toThrow('the chain is stopped because its disk cannot be written');
  expect((await headOf(devnet)).number).toBe(number);
  expect(await ask(devnet, '/sunup/dump', {})).toContain(`{"number":${number},`);
  await devnet.close();
  expect(lines.all.length).toBe(1);
  await using moved = await createDevnet({ db: `${db}-elsewhere`, mining: 'manual' });
  expect((await headOf(moved)).number).toBe(number);
});

it('a new chain is refused with a message', async ({ skip }) => {
  if (!isMounted) return skip();
  fill(0);
  await expect(createDevnet({ db: path.join(disk, 'new') })).rejects.toThrow(
    /option db is .*, which (has no disk space|is on a full)/,
  );
  rmSync(filler);
});

it('a recording ends with a complete step and a message, and the chain continues', async ({ skip }) => {
  if (!isMounted) return skip();
  rmSync(filler, { force: true });
  fill(100_000);
  const record = path.join(disk, 'recording.chain');
  const lines = new Lines();
  const devnet = await createDevnet({ record, mining: 'manual', log: lines.log });
  const end = lines.line('cannot be written on');
  for (let said = false; !said; said = lines.all.length > 0) await devnet.mine(1);
  await end;
  expect(lines.all.filter((line) => line.includes('ENOSPC'))).toHaveLength(1);
  const { number } = await devnet.mine(1);
  expect((await headOf(devnet)).number).toBe(number);
  await devnet.close();
  const recording = readFileSync(record, 'utf8');
  expect(recording.endsWith('\n')).toBe(true);
  for (const line of recording.trimEnd().split('\n')) expect(Object.keys(JSON.parse(line))).not.toEqual([]);
  expect((await runText(recording)).end.head.number).toBeLessThan(number);
  rmSync(filler);
});

it.runIf(isMounted)('a chain that does not fit is not loaded, and leaves nothing', async () => {
  const whole = await createDevnet({ accounts: 1, mining: 'manual' });
  const [{ address }] = whole.accounts as [DevAccount];
  for (let i = 0; i < 150; i++) await whole.setCode(address, `0x${randomBytes(100_000).toString('hex')}`);
  const loadState = path.join(folder, 'large.dump');
  writeFileSync(loadState, await whole.dump());
  await whole.close();
  rmSync(filler, { force: true });
  fill(12_000_000);
  const db = path.join(disk, 'loaded');
  await expect(createDevnet({ accounts: 1, mining: 'manual', db, loadState })).rejects.toThrow(
    'which has no disk space left',
  );
  expect(readdirSync(db)).toEqual([]);
  rmSync(filler);
});
