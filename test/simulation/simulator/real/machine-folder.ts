/**
 * The disk of a real node: a file system of its own where this user can mount one, so that it can be full. Copies of the
 * data directory lie beside it.
 */

import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../../../src/devnet/database/chain-database.js';
import { freeBytes } from '../../../../src/platform/data-directory.js';
import { SimulatedClock } from '../clock/simulated-clock.js';
import { type Cold, openCold } from '../disk/stored-rows.js';
import { type DiskRow, VirtualDisk } from '../disk/virtual-disk.js';

const DISK_BYTES = 64 * 2 ** 20;

export class MachineFolder {
  readonly #root = mkdtempSync(path.join(tmpdir(), 'sunup-real-'));
  readonly #disk = path.join(this.#root, 'disk');
  readonly #filler = path.join(this.#disk, 'filler');
  readonly #onExit = () => this.remove();
  /** Whether the disk can be full. */
  readonly isMounted: boolean;
  #copies = 0;

  constructor() {
    mkdirSync(this.#disk);
    this.isMounted =
      process.platform === 'linux' &&
      spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', this.#disk]).status === 0;
    process.once('exit', this.#onExit);
  }

  /** Of `--db`. */
  get data(): string {
    return path.join(this.#disk, 'chain');
  }

  /** A path beside the disk. */
  beside(name: string): string {
    return path.join(this.#root, name);
  }

  /** Copies the data directory as it is. @returns the copy's path */
  copy(): string {
    const to = this.beside(`copy-${this.#copies++}`);
    cpSync(this.data, to, { recursive: true });
    return to;
  }

  /** Puts a copy in the place of the data directory. */
  restore(copy: string): void {
    rmSync(this.data, { recursive: true, force: true });
    cpSync(copy, this.data, { recursive: true });
  }

  /** Leaves so many bytes free. */
  fill(leaveBytes: number): void {
    const file = openSync(this.#filler, 'a');
    const page = Buffer.alloc(4_096);
    try {
      for (let room = freeBytes(this.#disk) - leaveBytes; room > 0; room -= page.length)
        writeSync(file, page, 0, Math.min(page.length, room));
    } catch (error) {
      // The node has taken the last room.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  makeRoom(): void {
    rmSync(this.#filler, { force: true });
  }

  remove(): void {
    process.off('exit', this.#onExit);
    if (this.isMounted) spawnSync('umount', ['-l', this.#disk]);
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** The rows of a data directory that nobody uses. @throws OptionError damage */
export async function diskOf(directory: string): Promise<VirtualDisk> {
  const { database } = await openDatabase(directory);
  const rows: DiskRow[] = [];
  for await (const row of database.iterator({})) rows.push(row);
  await database.close();
  const disk = new VirtualDisk();
  disk.accept(rows);
  return disk;
}

/** The chain of a data directory that nobody uses. @throws OptionError damage */
export async function coldOf(directory: string): Promise<Cold> {
  return openCold({ disk: await diskOf(directory), clock: new SimulatedClock(0) });
}
