import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Journal } from '../../../src/state/journal.js';
import { Table } from '../../../src/state/table.js';
import type { RowSource, TableSpec } from '../../../src/state/table-spec.js';

const SPEC: TableSpec<string> = {
  name: 'words',
  prefix: 'w:',
  resident: true,
  encode: (value) => Buffer.from(value),
  decode: (bytes) => Buffer.from(bytes).toString(),
};
const EMPTY: RowSource = { read: () => undefined, scan: () => [] };
const key = fc.stringMatching(/^[ab]{1,4}$/);

describe('a resident table', () => {
  it('gives its rows in the order of their keys, whatever was set, deleted and taken back', () => {
    const step = fc.oneof(
      fc.record({ what: fc.constant('set' as const), key, value: fc.string() }),
      fc.record({ what: fc.constant('delete' as const), key }),
      fc.record({ what: fc.constant('mark' as const) }),
      fc.record({ what: fc.constant('revert' as const) }),
      fc.record({ what: fc.constant('read' as const), prefix: fc.stringMatching(/^[ab]{0,2}$/), limit: fc.nat(3) }),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), (steps) => {
        const journal = new Journal();
        const table = new Table<string, string>(SPEC, journal, EMPTY);
        let model = new Map<string, string>();
        const marks: { mark: number; model: Map<string, string> }[] = [];
        for (const action of steps) {
          if (action.what === 'set') {
            table.set(action.key, action.value);
            model.set(action.key, action.value);
          } else if (action.what === 'delete') {
            table.delete(action.key);
            model.delete(action.key);
          } else if (action.what === 'mark') {
            marks.push({ mark: journal.mark(), model: new Map(model) });
          } else if (action.what === 'revert') {
            const saved = marks.pop();
            if (saved === undefined) continue;
            journal.revert(saved.mark);
            model = saved.model;
          } else {
            const expected = [...model].filter(([name]) => name.startsWith(action.prefix)).sort();
            const limit = action.limit;
            expect(table.range(action.prefix, limit)).toEqual(expected.slice(0, limit));
          }
        }
        expect(table.entries()).toEqual([...model].sort(([a], [b]) => (a < b ? -1 : 1)));
      }),
    );
  });

  it('reads what its source has before the first question', () => {
    const source: RowSource = {
      read: () => undefined,
      scan: <Value>() => [['b', '2'] as const, ['a', '1'] as const] as unknown as Iterable<readonly [string, Value]>,
    };
    const table = new Table<string, string>(SPEC, new Journal(), source);
    expect(table.range('a')).toEqual([['a', '1']]);
    expect(table.entries()).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
  });

  it('refuses to be scanned when it is not resident', () => {
    const { resident: _, ...onDemand } = SPEC;
    const table = new Table<string, string>(onDemand, new Journal(), EMPTY);
    expect(() => table.entries()).toThrow('table words is not resident');
    expect(() => table.range('a')).toThrow('table words is not resident');
  });
});

describe('a table with rows on demand', () => {
  /** A source of rows that are texts of their length, and the keys that were read. */
  function reading(options: Partial<TableSpec<string>>): {
    table: Table<string, string>;
    journal: Journal;
    read: string[];
  } {
    const read: string[] = [];
    const source: RowSource = {
      ...EMPTY,
      read: <Value>(_: TableSpec<Value>, key: string) => {
        read.push(key);
        return 'x'.repeat(Number(key)) as Value;
      },
    };
    const journal = new Journal();
    return { table: new Table({ ...SPEC, resident: false, ...options }, journal, source), journal, read };
  }

  it('keeps a bounded number of rows that are only read, and every row that was changed', () => {
    const { table, read } = reading({ keptRows: 100 });
    table.set('5', 'changed');
    for (let key = 0; key < 1_000; key++) table.get(String(key));
    expect(table.get('5')).toBe('changed');
    read.length = 0;
    for (let key = 0; key < 1_000; key++) table.get(String(key));
    expect(read.length).toBeGreaterThan(890);
    expect(read).not.toContain('5');
  });

  it('keeps fewer of the rows that weigh more', () => {
    const { table, read } = reading({ keptRows: 100, weightOf: (value) => value.length });
    table.get('20');
    table.get('30');
    table.get('20');
    expect(read).toEqual(['20', '30']);
    table.get('60');
    table.get('20');
    expect(read).toEqual(['20', '30', '60', '20']);
  });
});
