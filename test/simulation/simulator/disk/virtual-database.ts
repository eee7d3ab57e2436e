/**
 * A database on a virtual disk, with LevelDB's interface and LevelDB's errors, in a process that can end at each of its
 * calls. After the end nothing answers any more: reads throw, promises stay open.
 */

import type { KeyRange } from '../../../../src/node/storage/accepted-rows.js';
import type { LevelBatch, LevelDatabase } from '../../../../src/node/storage/level-store.js';
import type { MachineClock } from '../../../../src/platform/machine.js';
import { apply, type DiskFault, type DiskRow, type ErrorName, type Rows, type VirtualDisk } from './virtual-disk.js';

/** A process that has ended asks for a row. Nobody hears its errors. */
export class ProcessEndedError extends Error {
  override readonly name = 'ProcessEndedError';
}

/** LevelDB writes a table when its log has 4 MB; simulated chains are small. */
const LOG_RECORDS = 200;

/** The place in messages. */
export const PLACE = '/simulated/chain';
const FILE = `${PLACE}/file`;

const TEXTS: Readonly<Record<ErrorName, string>> = {
  ENOSPC: 'No space left on device',
  EIO: 'Input/output error',
  EMFILE: 'Too many open files',
};

export interface DiskProcess {
  readonly isAlive: boolean;
  readonly clock: MachineClock;
}

export class VirtualDatabase implements LevelDatabase {
  #rows: Rows | undefined;
  /** Keys of rows that were read, while somebody wants to know. */
  reads: Set<string> | undefined;
  /** After LevelDB has failed to write a table it refuses all writes. */
  #broken: Error | undefined;

  constructor(
    private readonly disk: VirtualDisk,
    private readonly process: DiskProcess,
  ) {}

  async open(): Promise<void> {
    await this.#call('open', () => {
      this.#rows = this.disk.recovered();
      this.#broken = undefined;
    });
  }

  async close(): Promise<void> {
    await this.#call(undefined, () => {
      this.#rows = undefined;
    });
  }

  getSync(key: string): Uint8Array | undefined {
    const rows = this.#open();
    const fault = this.disk.failure('read');
    if (fault !== undefined) throw ioError(fault.error);
    const value = rows.get(key);
    if (value !== undefined) this.reads?.add(key);
    return value;
  }

  /** Damages a row under the running process. */
  damage(key: string, value: Uint8Array): void {
    this.#open().set(key, value);
  }

  /** All keys, for the choice of one. */
  keys(): readonly string[] {
    return this.#open().keysArray();
  }

  get rows(): Rows {
    return this.#open();
  }

  keysWith(prefix: string): readonly string[] {
    const keys: string[] = [];
    for (const [key] of this.#open().entries(prefix)) {
      if (!key.startsWith(prefix)) break;
      keys.push(key);
    }
    return keys;
  }

  batch(): LevelBatch {
    const rows: DiskRow[] = [];
    return {
      put: (key: string, value: Uint8Array) => rows.push([key, value]),
      del: (key: string) => rows.push([key, undefined]),
      write: ({ sync = false }: { sync?: boolean } = {}) => this.#write(rows, sync),
    };
  }

  async #write(rows: readonly DiskRow[], sync: boolean): Promise<void> {
    if (this.disk.slowMs > 0) await new Promise<void>((go) => this.process.clock.after(this.disk.slowMs, go));
    await this.#call('write', (fault) => {
      const live = this.#open();
      if (this.#broken !== undefined) {
        this.disk.refuse(rows, 'nothing');
        throw this.#broken;
      }
      if (fault !== undefined) {
        this.disk.refuse(rows, fault.remains);
        // After a sync that failed, LevelDB does not know what the disk has.
        if (sync) this.#broken = ioError(fault.error);
        return;
      }
      this.disk.accept(rows);
      apply(live, rows);
      if (sync) this.disk.sync();
      if (this.disk.logRecords > LOG_RECORDS) this.#writeTable();
    });
  }

  /** In LevelDB a thread of its own does this, and whoever writes next learns of its failure. */
  #writeTable(): void {
    const fault = this.disk.failure('table');
    if (fault === undefined) this.disk.writeTable(this.#open());
    else this.#broken = ioError(fault.error);
  }

  async *iterator({ gte, gt, lt, lte, reverse = false, limit = -1 }: KeyRange): AsyncIterable<[string, Uint8Array]> {
    // An iterator sees the rows of its beginning.
    const rows = this.#open().clone();
    const low = gte ?? gt;
    const high = lte ?? lt;
    const entries = reverse ? rows.entriesReversed(high) : rows.entries(low);
    let left = limit < 0 ? Number.POSITIVE_INFINITY : limit;
    for (const [key, value] of entries) {
      if (left <= 0) return;
      if (reverse ? (low !== undefined && key < low) || key === gt : key === gt) {
        if (reverse) return;
        continue;
      }
      if (reverse ? key === lt : (high !== undefined && key > high) || key === lt) {
        if (!reverse) return;
        continue;
      }
      left--;
      this.reads?.add(key);
      yield [key, value];
    }
  }

  async compactRange(): Promise<void> {
    await this.#call(undefined, () => {
      if (this.#broken === undefined) this.#writeTable();
    });
  }

  getProperty(): string {
    this.#open();
    return `tables ${this.disk.tableFiles}`;
  }

  /** One call to the system: the process may end before or after its effect. */
  async #call(what: DiskFault['what'] | undefined, effect: (fault: DiskFault | undefined) => void): Promise<void> {
    await moment(this.disk, this.process, 'before');
    const fault = what === undefined ? undefined : this.disk.failure(what);
    if (fault !== undefined && what === 'open') throw notOpened(fault.error);
    effect(fault);
    await moment(this.disk, this.process, 'after');
    if (fault !== undefined) throw ioError(fault.error);
  }

  #open(): Rows {
    if (!this.process.isAlive) throw new ProcessEndedError('the process has ended');
    if (this.#rows === undefined)
      throw Object.assign(new Error('Database is not open'), { code: 'LEVEL_DATABASE_NOT_OPEN' });
    return this.#rows;
  }
}

/** As a thread of LevelDB's does, the system answers in a later round of the event loop. */
async function moment(disk: VirtualDisk, process: DiskProcess, when: 'before' | 'after'): Promise<void> {
  await new Promise(setImmediate);
  if (process.isAlive) {
    disk.calls++;
    disk.onCall?.(when);
  }
  if (!process.isAlive) await new Promise<never>(() => {});
}

/** A call that concerns another file than the database's. */
export async function fileCall(disk: VirtualDisk, process: DiskProcess, effect: () => void): Promise<void> {
  await moment(disk, process, 'before');
  fileCallSync(disk, process, effect);
  await moment(disk, process, 'after');
}

/** The same where the process waits for it. */
export function fileCallSync(disk: VirtualDisk, { isAlive }: DiskProcess, effect: () => void): void {
  if (!isAlive) return;
  const fault = disk.failure('file');
  if (fault === undefined || fault.remains === 'all') effect();
  if (fault !== undefined)
    throw Object.assign(new Error(`${fault.error}: ${TEXTS[fault.error]}, '${FILE}'`), {
      code: fault.error,
      syscall: 'write',
      path: FILE,
    });
}

function ioError(error: ErrorName): Error {
  return Object.assign(new Error(`IO error: chain/000007.log: ${TEXTS[error]}`), { code: 'LEVEL_IO_ERROR' });
}

function notOpened(error: ErrorName): Error {
  return Object.assign(new Error('Database failed to open', { cause: ioError(error) }), {
    code: 'LEVEL_DATABASE_NOT_OPEN',
  });
}
