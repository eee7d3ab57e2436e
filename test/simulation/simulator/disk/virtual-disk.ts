/**
 * The disk of a simulated machine, as far as LevelDB can tell one from another: tables, which are on the platter, and a
 * log, of which a failing machine keeps a part. Knows no database; `virtual-database.ts` is what a node opens.
 *
 * Modelled: a process that ends keeps what the system was given, so the log stays up to a torn record. A machine that
 * loses power keeps what was synced, and any prefix of the rest; the note of an orderly end, too, may be gone. Not
 * modelled: a hole in the middle of a log, which LevelDB cannot read over, and which the check of files finds before a
 * start (the real mode and `test/e2e` damage real files).
 */

import { EmptyBTree } from 'sorted-btree';
import type { Choices } from '../../wild-messages.js';

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
  /** All of it is there, although the database has said that it failed. */
  isRefused: boolean;
}

export const ERRORS = ['ENOSPC', 'EIO', 'EMFILE'] as const;
export type ErrorName = (typeof ERRORS)[number];
/** What remains in the log of a write that failed. */
export const REMAINS = ['nothing', 'half', 'all'] as const;
export type Remains = (typeof REMAINS)[number];

/** What goes wrong next. Each counts down with its calls. */
export interface DiskFault {
  /** `file`: one beside the database. */
  readonly what: 'write' | 'table' | 'open' | 'read' | 'file';
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
  /** The tables without what the present process was refused. Undefined: they have nothing of it. */
  #tablesAsAccepted: Rows | undefined;
  #log: LogRecord[] = [];
  /** Something was accepted since the last refusal. */
  #goesOn = false;
  /** Batches that were accepted so far. */
  accepted = 0;
  /** The number of table files made: what a database reports of itself. */
  tableFiles = 0;
  closedMark: string | undefined;
  /** The chain that a load replaces. */
  beforeLoad: readonly Uint8Array[] | undefined;
  /** How many chains were kept so far. */
  keptChains = 0;
  /** Writes wait so long. */
  slowMs = 0;
  /** Syncs report success and do nothing. */
  lies = false;
  /** Errors of the next calls. */
  readonly faults: DiskFault[] = [];
  /** Calls so far of processes that could end between them. */
  calls = 0;
  /** Called at each call, before and after its effect. */
  onCall: ((moment: 'before' | 'after') => void) | undefined;
  /** Called once, when a batch is refused. */
  onRefusal: (() => void) | undefined;

  /** What a database finds at its start. Opening writes the log into a table. */
  recovered(): Rows {
    const rows = this.image();
    this.#replaceTables(rows.clone(), this.#asAccepted());
    return rows;
  }

  #readLog(tables: Rows, log: readonly LogRecord[]): Rows {
    const rows = tables.clone();
    for (const { rows: changed, isTorn } of log) {
      if (isTorn) break;
      apply(rows, changed);
    }
    return rows;
  }

  #replaceTables(tables: Rows, asAccepted: Rows | undefined): void {
    this.#tables = tables;
    this.#tablesAsAccepted = asAccepted;
    this.#log = [];
    this.tableFiles++;
  }

  /** The rows that a start would find, had the disk kept nothing of what it refused. Undefined: it has kept nothing. */
  #asAccepted(): Rows | undefined {
    if (this.#tablesAsAccepted === undefined && !this.#log.some(({ isRefused }) => isRefused)) return undefined;
    const accepted = this.#log.filter(({ isRefused }) => !isRefused);
    return this.#readLog(this.#tablesAsAccepted ?? this.#tables, accepted);
  }

  /** A batch that the database has accepted. */
  accept(rows: readonly DiskRow[]): void {
    this.#log.push({ rows, isTorn: false, isRefused: false });
    this.accepted++;
    this.#goesOn = true;
  }

  /** A batch that the database has refused, and what the log has of it. */
  refuse(rows: readonly DiskRow[], remains: Remains): void {
    if (remains === 'half') this.#log.push({ rows: [], isTorn: true, isRefused: false });
    if (remains === 'all') this.#log.push({ rows, isTorn: false, isRefused: true });
    this.#goesOn = false;
    this.onRefusal?.();
    this.onRefusal = undefined;
  }

  /** Everything of the log so far is on the platter. */
  sync(): void {
    if (this.lies) return;
    const asAccepted = this.#asAccepted();
    this.#tables = this.image();
    this.#tablesAsAccepted = asAccepted;
    // A torn record stays in front of those that will follow.
    const torn = this.#log.findIndex(({ isTorn }) => isTorn);
    this.#log = torn < 0 ? [] : this.#log.slice(torn);
  }

  /** A table with all rows of `live` replaces the log. */
  writeTable(live: Rows): void {
    // `live` has what was refused only if the database was opened with it.
    this.#replaceTables(live.clone(), this.#tablesAsAccepted && this.#asAccepted());
  }

  get logRecords(): number {
    return this.#log.length;
  }

  /** Only a prefix of what was not synced is left. */
  losePower(choices: Choices): void {
    const kept = choices.chance(0.5) ? choices.below(this.#log.length + 1) : choices.of(this.#tellingLengths());
    this.#log = this.#log.slice(0, kept);
    if (choices.chance(0.3) && this.#log.length > 0) this.#log.push({ rows: [], isTorn: true, isRefused: false });
    if (choices.chance(0.3)) this.closedMark = undefined;
    this.lies = false;
  }

  /**
   * Lengths of the log at which mistakes show: its ends, and those around a batch that was refused. Where the tables have
   * something of it, the log takes it back, so nothing of the log is the worst.
   */
  #tellingLengths(): readonly number[] {
    const { length } = this.#log;
    const around = this.#log.flatMap(({ isRefused }, at) => (isRefused ? [at, at + 1, at + 1] : []));
    const tookBack = this.#tablesAsAccepted === undefined ? [] : [0, 0, 0];
    return [0, Math.max(0, length - 1), length, ...around, ...tookBack];
  }

  /** Another process begins with what there is: what was refused and written is a part of the chain from now on. */
  begun(): void {
    this.#tablesAsAccepted = undefined;
    for (const record of this.#log) record.isRefused = false;
    this.#goesOn = false;
  }

  /** A row that a start would find otherwise than the database has accepted it, although the node has gone on since. */
  refusedRow(): string | undefined {
    const accepted = this.#goesOn ? this.#asAccepted() : undefined;
    return accepted && firstDifference(this.image(), accepted);
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
    return this.#readLog(this.#tables, this.#log);
  }

  /** A row has other bytes at the next start. */
  replace(key: string, value: Uint8Array): void {
    this.#replaceTables(this.image(), undefined);
    this.#tables.set(key, value);
  }

  /** Another disk with the rows that a start would find now. */
  copy(): VirtualDisk {
    const copy = new VirtualDisk();
    copy.#tables = this.image();
    copy.tableFiles = this.tableFiles;
    copy.closedMark = this.closedMark;
    copy.beforeLoad = this.beforeLoad;
    return copy;
  }
}

export function apply(rows: Rows, changed: readonly DiskRow[]): void {
  for (const [key, value] of changed) {
    if (value === undefined) rows.delete(key);
    else rows.set(key, value);
  }
}

function firstDifference(one: Rows, other: Rows): string | undefined {
  for (const [key, value] of one.entries()) {
    const there = other.get(key);
    if (there === undefined || Buffer.compare(value, there) !== 0) return key;
  }
  return other.keysArray().find((key) => !one.has(key));
}
