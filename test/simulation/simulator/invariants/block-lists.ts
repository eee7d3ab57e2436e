/** Blocks have the same transactions in the same order by HTTP and by gRPC, one by one and in lists. */

import { hexToBytes } from '../../../../src/primitives/hex.js';
import type { BlockExtention, TransactionIdList, TransactionInfoList } from '../../../../src/protocol/generated/api.js';
import { Wallet_service } from '../../../../src/protocol/generated/services.js';
import type { MethodType } from '../../../../src/protocol/service-type.js';
import { Violation } from '../run/violation.js';
import type { Host } from '../users/user.js';

interface Question {
  readonly path: string;
  readonly body: Readonly<Record<string, number>>;
  readonly method: keyof typeof Wallet_service.methods;
  readonly fields: Readonly<Record<string, bigint>>;
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
  return [
    {
      ...{ path: 'getblockbylimitnext', body: { startNum: number, endNum: end } },
      ...{ method: 'GetBlockByLimitNext2', fields: { startNum: BigInt(number), endNum: BigInt(end) } },
      ids: idsOfBlocks,
    },
    {
      ...{ path: 'getblockbylatestnum', body: { num: count } },
      ...{ method: 'GetBlockByLatestNum2', fields: { num: BigInt(count) } },
      ids: idsOfBlocks,
    },
    {
      ...{ path: 'getblockbynum', body: { num: number } },
      ...{ method: 'GetBlockByNum2', fields: one, ids: idsOfBlock },
    },
    { path: 'getnowblock', body: {}, method: 'GetNowBlock2', fields: {}, ids: idsOfBlock },
    {
      ...{ path: 'gettransactioninfobyblocknum', body: { num: number } },
      ...{ method: 'GetTransactionInfoByBlockNum', fields: one },
      ids: ({ transactionInfo }: TransactionInfoList) => transactionInfo.map(({ id }) => id),
    },
    {
      ...{ path: 'gettransactionlistfrompending', body: {}, method: 'GetTransactionListFromPending', fields: {} },
      pattern: /"([0-9a-f]{64})"/g,
      ids: ({ txId }: TransactionIdList) => txId,
    },
  ];
}

/** Of blocks, their transactions, receipts. */
const IDS = /"(?:blockID|txID|id)": ?"([0-9a-f]{64})"/g;

/** @throws Violation */
export async function blockListsAgree(host: Host): Promise<void> {
  const { world, asker } = host;
  if (!world.isRunning) return;
  const { path, body, method, fields, pattern = IDS, ids } = world.choices.of(questions(host));
  const { chain } = world.node;
  const { request, response } = Wallet_service.methods[method] as MethodType<unknown, unknown>;
  const moment = () => `${chain.headId} ${chain.pool.size}`;
  const asked = moment();
  const json = await asker.post(`/wallet/${path}`, body);
  const bytes = await asker.grpc(`/protocol.Wallet/${method}`, request.encode(request.create(fields as never)));
  if (json === undefined || bytes === undefined || !world.isRunning || moment() !== asked) return;
  if (!json.startsWith('200 ') || json.includes('"Error"') || bytes.startsWith('refused')) return;
  const byHttp = Array.from(json.matchAll(pattern), ([, id]) => id).join();
  const byGrpc = ids(response.decode(hexToBytes(bytes)) as never).join();
  if (byHttp === byGrpc) return;
  const what = `${method} ${JSON.stringify(body)}`;
  throw new Violation('an answer is the same on all interfaces', `${what}: HTTP ${byHttp}, gRPC ${byGrpc}`);
}
