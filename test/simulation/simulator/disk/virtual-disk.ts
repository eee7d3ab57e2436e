/**
 * The disk of a simulated machine, as far as LevelDB can tell one from another: tables, which are on the platter, and a
 * log, of which a failing machine keeps a part. Knows no database; `virtual-database.ts` is what a node opens.
 *
 * Modelled: a process that ends keeps what the system was given, so the log stays up to a torn record. A machine that
 * loses power keeps what was synced, and any prefix of the rest. Not modelled: a hole in the middle of a log, which
 * LevelDB cannot read over, and which the check of files finds before a start (`test/e2e` damages real files).
 */

import { EmptyBTree } from 'sorted-btree';
import { TABLES } from '../../../../src/state/tables.js';
import type { Choices } from '../../wild-messages.js';

const HEAD_KEY = `${TABLES.texts.prefix}latest_block_header_hash`;

export type DiskRow = readonly [key: string, value: Uint8Array | undefined];

/** In the order of keys, which are ASCII. A copy costs nothing until one of both changes. */
export type Rows = ReturnType<typeof EmptyBTree.clone> & {
  get(key: string): Uint8Array | undefined;
};

function noRows(): Rows {
  return EmptyBTree.clone();
}

interface LogRecord {
  readonly rows: readonly DiskRow[];
  /** Half of it is there: what follows in the same log cannot be read. */
  readonly isTorn: boolean;
}

export type ErrorName = 'ENOSPC' | 'EIO' | 'EMFILE';
/** What remains in the log of a write that failed. */
export type Remains = 'nothing' | 'half' | 'all';

/** What goes wrong next. Each counts down with its calls. */
export interface DiskFault {
  readonly what: 'write' | 'table' | 'open' | 'read';
  readonly error: ErrorName;
  /** So many calls fail. */
  calls: number;
  /** So many calls before them do not. */
  after?: number;
  readonly remains: Remains;
}

export class VirtualDisk {
  /** Rows in tables, which were synced. */
  #tables = noRows();
  #log: LogRecord[] = [];
  /** The number of table files made: what a database reports of itself. */
  tableFiles = 0;
  closedMark: string | undefined;
  /** Writes wait so long. */
  slowMs = 0;
  /** Syncs report success and do nothing. */
  lies = false;
  /** Heads of batches that were refused, and whether the database has accepted others since. */
  readonly refusedHeads = new Map<string, boolean>();
  /** Errors of the next calls. */
  readonly faults: DiskFault[] = [];
  /** Calls so far of processes that could end between them. */
  calls = 0;
  /** Called at each call, before and after its effect. */
  onCall: ((moment: 'before' | 'after') => void) | undefined;

  /** What a database finds at its start. Opening writes the log into a table. */
  recovered(): Rows {
    const rows = this.#readLog(this.#log);
    this.#tables = rows.clone();
    this.#log = [];
    this.tableFiles++;
    return rows;
  }

  #readLog(log: readonly LogRecord[]): Rows {
    const rows = this.#tables.clone();
    for (const { rows: changed, isTorn } of log) {
      if (isTorn) break;
      apply(rows, changed);
    }
    return rows;
  }

  append(rows: readonly DiskRow[], isTorn = false): void {
    this.#log.push({ rows, isTorn });
  }

  /** Everything of the log so far is on the platter. */
  sync(): void {
    if (this.lies) return;
    this.#tables = this.#readLog(this.#log);
    // A torn record stays in front of those that will follow.
    const torn = this.#log.findIndex(({ isTorn }) => isTorn);
    this.#log = torn < 0 ? [] : this.#log.slice(torn);
  }

  /** A table with all rows of `live` replaces the log. */
  writeTable(live: Rows): void {
    this.#tables = live.clone();
    this.#log = [];
    this.tableFiles++;
  }

  get logRecords(): number {
    return this.#log.length;
  }

  /** Only a prefix of what was not synced is left. */
  losePower(choices: Choices): void {
    const kept = choices.below(this.#log.length + 1);
    this.#log = this.#log.slice(0, kept);
    if (choices.chance(0.3) && this.#log.length > 0) this.#log.push({ rows: [], isTorn: true });
    this.lies = false;
  }

  /** A batch with a new head of the chain was refused, or accepted. */
  answered(rows: readonly DiskRow[], isAccepted: boolean): void {
    const head = rows.find(([key]) => key === HEAD_KEY)?.[1];
    const id = head && Buffer.from(head).toString('hex');
    if (isAccepted) {
      for (const refused of this.refusedHeads.keys()) this.refusedHeads.set(refused, true);
      if (id !== undefined) this.refusedHeads.delete(id);
    } else if (id !== undefined) this.refusedHeads.set(id, false);
  }

  /** Another process begins with what there is: a head that was refused and written is a head from now on. */
  begun(): void {
    const head = this.image().get(HEAD_KEY);
    if (head !== undefined) this.refusedHeads.delete(Buffer.from(head).toString('hex'));
  }

  /** Whether a start would find a head that was refused, and that the database went on without. */
  get hasRefusedHead(): boolean {
    const head = this.image().get(HEAD_KEY);
    return head !== undefined && this.refusedHeads.get(Buffer.from(head).toString('hex')) === true;
  }

  /** The error of this call, if it is to fail. */
  failure(what: DiskFault['what']): DiskFault | undefined {
    const at = this.faults.findIndex((fault) => fault.what === what);
    const fault = this.faults[at];
    if (fault === undefined) return undefined;
    if (fault.after !== undefined && fault.after-- > 0) return undefined;
    if (--fault.calls <= 0) this.faults.splice(at, 1);
    return fault;
  }

  /** The rows that a start would find now. */
  image(): Rows {
    return this.#readLog(this.#log);
  }

  /** A row has other bytes at the next start. */
  replace(key: string, value: Uint8Array): void {
    this.#tables = this.image();
    this.#log = [];
    this.#tables.set(key, value);
  }

  /** Another disk with the rows that a start would find now. */
  copy(): VirtualDisk {
    const copy = new VirtualDisk();
    copy.#tables = this.image();
    copy.closedMark = this.closedMark;
    return copy;
  }
}

export function apply(rows: Rows, changed: readonly DiskRow[]): void {
  for (const [key, value] of changed) {
    if (value === undefined) rows.delete(key);
    else rows.set(key, value);
  }
}
