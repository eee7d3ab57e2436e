/** Blocks have the same transactions in the same order by HTTP and by gRPC, one by one and in lists. */

import type { BlockExtention, TransactionIdList, TransactionInfoList } from '../../../../src/protocol/generated/api.js';
import { Violation } from '../run/violation.js';
import type { Host } from '../users/user.js';
import { askBoth, SAME_ON_ALL, type WalletQuestion } from './both-interfaces.js';

interface Question extends WalletQuestion {
  readonly pattern?: RegExp;
  /** Ids of an answer of gRPC, in order. */
  readonly ids: (answer: never) => readonly string[];
}

const idsOfBlock = ({ blockid, transactions }: BlockExtention): readonly string[] => [
  blockid,
  ...transactions.map(({ txid }) => txid),
];
const idsOfBlocks = ({ block }: { readonly block: readonly BlockExtention[] }): readonly string[] =>
  block.flatMap(idsOfBlock);

/** Of a block that the chain has itself: a fork's network may not be reached. */
function someHeight({ world, people: { sent } }: Host): number {
  const { choices, shape, ledger, headNumber } = world;
  if (shape.isFork) return headNumber;
  const some = sent.length > 0 && choices.chance(0.5) ? choices.of(sent) : undefined;
  const stored = some && ledger.state.tables.transactions.get(some.txId);
  return stored?.blockNumber ?? choices.below(headNumber + 1);
}

function questions(host: Host): readonly Question[] {
  const { choices, shape, headNumber } = host.world;
  const number = someHeight(host);
  const end = number + 1 + (shape.isFork ? 0 : choices.below(5));
  const count = shape.isFork ? 1 : 1 + choices.below(Math.max(1, Math.min(8, headNumber)));
  const one = { num: BigInt(number) };
  const range = { startNum: BigInt(number), endNum: BigInt(end) };
  return [
    { path: 'getblockbylimitnext', method: 'GetBlockByLimitNext2', fields: range, ids: idsOfBlocks },
    { path: 'getblockbylatestnum', method: 'GetBlockByLatestNum2', fields: { num: BigInt(count) }, ids: idsOfBlocks },
    { path: 'getblockbynum', method: 'GetBlockByNum2', fields: one, ids: idsOfBlock },
    { path: 'getnowblock', method: 'GetNowBlock2', fields: {}, ids: idsOfBlock },
    {
      ...{ method: 'GetTransactionInfoByBlockNum', fields: one },
      ids: ({ transactionInfo }: TransactionInfoList) => transactionInfo.map(({ id }) => id),
    },
    {
      ...{ method: 'GetTransactionListFromPending', fields: {}, pattern: /"([0-9a-f]{64})"/g },
      ids: ({ txId }: TransactionIdList) => txId,
    },
  ];
}

/** Of blocks, their transactions, receipts. */
const IDS = /"(?:blockID|txID|id)": ?"([0-9a-f]{64})"/g;

/** @throws Violation */
export async function blockListsAgree(host: Host): Promise<void> {
  const { pattern = IDS, ids, ...question } = host.world.choices.of(questions(host));
  const answers = await askBoth(host, question);
  if (answers === undefined) return;
  const byHttp = Array.from(answers.json.matchAll(pattern), ([, id]) => id).join();
  const byGrpc = ids(answers.message as never).join();
  if (byHttp !== byGrpc) throw new Violation(SAME_ON_ALL, `${answers.asked}: HTTP ${byHttp}, gRPC ${byGrpc}`);
}
