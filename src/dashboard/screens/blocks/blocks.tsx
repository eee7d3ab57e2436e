/** All blocks: the newest live, older ones in pages as they come into sight. */

import { useReducer, useRef } from 'preact/hooks';
import type { BlockAnswer, BlockEvent } from '../../chain/answers.js';
import { wallet } from '../../chain/ask.js';
import { useChain } from '../../chain/chain-context.js';
import { blockOf } from '../../chain/follow.js';
import { shortened } from '../../parts/amounts.js';
import { Panel, Screen } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { Address, Ago, BlockNumber, Units } from '../../parts/values.js';

const COLUMNS: readonly Column<BlockEvent>[] = [
  {
    title: 'Block',
    widthRem: 9,
    cell: (block) => (
      <>
        {block.emptyBlocks !== undefined && (
          <>
            <BlockNumber value={firstOf(block)} /> –{' '}
          </>
        )}
        <BlockNumber value={block.number} />
      </>
    ),
  },
  { title: 'Time', widthRem: 9, cell: ({ timestampMs }) => <Ago timestampMs={timestampMs} /> },
  { title: 'Id', widthRem: 10, grows: true, cell: ({ id }) => <code title={id}>{shortened(id, 18, 6)}</code> },
  { title: 'Witness', widthRem: 10, cell: ({ witness }) => <Address value={witness} /> },
  {
    title: 'Transactions',
    widthRem: 8,
    isNumber: true,
    cell: ({ transactions }) => <Units amount={transactions.length} />,
  },
];

const PAGE = 100;

/** An event may stand for many empty blocks, of which it has the last. */
const firstOf = (block: BlockEvent | undefined): number =>
  block === undefined ? 0 : block.number - (block.emptyBlocks ?? 1) + 1;

/** Newer rows, and older ones as far as they are of the same chain: a revert may have replaced them. */
function continued(newer: readonly BlockEvent[], older: readonly BlockEvent[]): readonly BlockEvent[] {
  const last = newer.at(-1);
  if (last === undefined) return [];
  const rest = older.filter(({ number }) => number < firstOf(last));
  const isSameChain =
    rest[0]?.number === firstOf(last) - 1 && (last.emptyBlocks !== undefined || rest[0]?.id === last.parentId);
  return isSameChain ? [...newer, ...rest] : newer;
}

export function Blocks() {
  const { blocks } = useChain();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const known = useRef<readonly BlockEvent[]>([]);
  const isLoading = useRef(false);
  const rows = continued(blocks, known.current);
  known.current = rows;
  const more = async () => {
    const first = firstOf(rows.at(-1));
    if (isLoading.current || first <= 0) return;
    isLoading.current = true;
    try {
      const body = { startNum: Math.max(0, first - PAGE), endNum: first };
      const { block = [] } = await wallet<{ readonly block?: readonly BlockAnswer[] }>('getblockbylimitnext', body);
      known.current = continued(known.current, block.map(blockOf).reverse());
    } finally {
      isLoading.current = false;
      redraw(0);
    }
  };
  const [head] = blocks;
  return (
    <Screen title="Blocks">
      <Panel title={head === undefined ? 'Blocks' : `Block ${head.number.toLocaleString('en-US')} and before`} isWide>
        <Table
          label="Blocks"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ number }) => number}
          empty="No block yet."
          onEnd={more}
        />
      </Panel>
    </Screen>
  );
}
