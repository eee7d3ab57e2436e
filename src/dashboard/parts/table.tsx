/**
 * A table of any number of rows, of which only those in sight are in the page. Short tables are plain. Column widths come
 * from the columns, because rows out of sight cannot give them.
 */

// biome-ignore-all lint/a11y/useSemanticElements: rows out of sight are not in the page, so a browser cannot lay out a table
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and cells of this table are not widgets; links in them are
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable with the keyboard

import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';

export interface Column<Row> {
  readonly title: string;
  /** At least this wide. */
  readonly widthRem: number;
  /** Takes the width that is left. */
  readonly grows?: boolean;
  /** Right-aligned. */
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly empty: string;
  /** Called when the last row comes into sight, to fetch older ones. */
  readonly onEnd?: (() => void) | undefined;
  /** The row to keep in sight. */
  readonly shown?: number;
}

const ROW_PX = 36;
const GAP_REM = 1;
/** Up to here a table has its natural height. */
const PLAIN_ROWS = 25;

export function Table<Row>({ label, columns, rows, keyOf, empty, onEnd, shown }: TableProps<Row>) {
  const scroll = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const isLong = rows.length > PLAIN_ROWS;
  const [virtual] = useState(
    () =>
      new Virtualizer<HTMLDivElement, HTMLDivElement>({
        count: 0,
        getScrollElement: () => scroll.current,
        estimateSize: () => ROW_PX,
        overscan: 10,
        // Rows begin below the head of the table.
        scrollPaddingEnd: 2 * ROW_PX,
        scrollToFn: elementScroll,
        observeElementRect,
        observeElementOffset,
        onChange: () => redraw(0),
      }),
  );
  virtual.setOptions({ ...virtual.options, count: rows.length });
  useEffect(() => virtual._didMount(), [virtual]);
  useEffect(() => virtual._willUpdate());

  useEffect(() => {
    if (shown !== undefined && isLong) virtual.scrollToIndex(shown);
  }, [shown]);

  const seen = isLong ? virtual.getVirtualItems() : rows.map((_, index) => ({ index, start: index * ROW_PX }));
  const last = seen.at(-1)?.index;
  const atEnd = last !== undefined && last >= rows.length - 1;
  useEffect(() => {
    if (atEnd) onEnd?.();
  }, [atEnd, rows.length]);

  if (rows.length === 0) return <p class="empty">{empty}</p>;
  const widthRem = columns.reduce((sum, column) => sum + column.widthRem + GAP_REM, 0);
  const widths = columns.map(({ widthRem, grows }) =>
    grows === true ? `minmax(${widthRem}rem, 1fr)` : `${widthRem}rem`,
  );
  const grid = { gridTemplateColumns: widths.join(' '), minWidth: `${widthRem}rem` };
  return (
    <div
      ref={scroll}
      class={isLong ? 'table long' : 'table'}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
    >
      <div class="row head" role="row" aria-rowindex={1} style={grid}>
        {columns.map(({ title, isNumber }) => (
          <div role="columnheader" class={isNumber === true ? 'right' : ''} key={title}>
            {title}
          </div>
        ))}
      </div>
      <div role="rowgroup" class="rows" style={{ height: `${rows.length * ROW_PX}px`, minWidth: `${widthRem}rem` }}>
        {seen.map(({ index, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <div
              class="row"
              role="row"
              aria-rowindex={index + 2}
              key={keyOf(row)}
              style={{ ...grid, transform: `translateY(${start}px)` }}
            >
              {columns.map(({ title, isNumber, cell }) => (
                <div role="cell" class={isNumber === true ? 'right' : ''} key={title}>
                  {cell(row)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
