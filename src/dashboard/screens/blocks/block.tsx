/** One block: header and transactions. */

import { Link } from 'wouter-preact';
import type { BlockAnswer, TransactionAnswer } from '../../chain/answers.js';
import { AnswerError, wallet } from '../../chain/ask.js';
import { useAnswer, useChain } from '../../chain/chain-context.js';
import { blockOf } from '../../chain/follow.js';
import { Copy } from '../../parts/copy.js';
import { BlockMark } from '../../parts/fork-marks.js';
import { Answered, Fact, Facts, Panel, Screen } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { TransactionsTable } from '../../parts/transactions-table.js';
import { Address, BlockNumber, Moment, TransactionId } from '../../parts/values.js';

const COLUMNS: readonly Column<TransactionAnswer>[] = [
  { title: 'Transaction', widthRem: 12, cell: ({ txID }) => <TransactionId value={txID} /> },
  { title: 'Type', widthRem: 14, cell: ({ raw_data: { contract } }) => contract[0]?.type },
  {
    title: 'From',
    widthRem: 9,
    grows: true,
    cell: ({ raw_data: { contract } }) => <Address value={String(contract[0]?.parameter.value.owner_address ?? '')} />,
  },
  { title: 'Result', widthRem: 10, cell: ({ ret }) => ret?.[0]?.contractRet ?? 'SUCCESS' },
];

export function Block({ number }: { readonly number: number }) {
  const { blocks, head } = useChain();
  const answer = useAnswer(['block', number], async () => {
    const block = await wallet<Partial<BlockAnswer>>('getblockbynum', { num: number });
    if (block.block_header === undefined) throw new AnswerError(`The chain has no block ${number}.`, 404);
    return block as BlockAnswer;
  });
  const live = blocks.find((block) => block.number === number);
  return (
    <Screen
      title={`Block ${number.toLocaleString('en-US')}`}
      about={
        <>
          <BlockMark number={number} />
          <Neighbours number={number} head={head?.number} />
        </>
      }
    >
      <Answered of={answer}>
        {(block) => {
          const { id, parentId, timestampMs, witness, transactions } = blockOf(block);
          const reported = live?.id === id && live.contents.length === transactions.length ? live.contents : undefined;
          return (
            <>
              <Panel title="Header">
                <Facts>
                  <Fact name="Id">
                    <code class="hash">{id}</code> <Copy text={id} what="block id" />
                  </Fact>
                  <Fact name="Time">
                    <Moment timestampMs={timestampMs} />
                  </Fact>
                  <Fact name="Witness">
                    <Address value={witness} isWhole />
                  </Fact>
                  <Fact name="Parent">
                    {number > 0 ? <BlockNumber value={number - 1} /> : 'none'}{' '}
                    <code class="hash muted">{parentId}</code>
                  </Fact>
                  <Fact name="Root of transactions">
                    <code class="hash">{block.block_header.raw_data.txTrieRoot}</code>
                  </Fact>
                </Facts>
              </Panel>
              <Panel title={transactions.length === 1 ? '1 transaction' : `${transactions.length} transactions`} isWide>
                {reported === undefined ? (
                  <Table
                    label="Transactions"
                    columns={COLUMNS}
                    rows={block.transactions ?? []}
                    keyOf={({ txID }) => txID}
                    empty="This block is empty."
                  />
                ) : (
                  <TransactionsTable transactions={reported} empty="This block is empty." isInBlock />
                )}
              </Panel>
            </>
          );
        }}
      </Answered>
    </Screen>
  );
}

function Neighbours({ number, head }: { readonly number: number; readonly head: number | undefined }) {
  return (
    <nav class="neighbours" aria-label="Neighbouring blocks">
      {number > 0 && <Link href={`/blocks/${number - 1}`}>← Previous</Link>}
      {head !== undefined && number < head && <Link href={`/blocks/${number + 1}`}>Next →</Link>}
    </nav>
  );
}
