/** A transaction has the same receipt wherever it is read, and when it runs again in its place. */

import { hexToBytes } from '../../../../src/primitives/hex.js';
import { BytesMessage, NumberMessage, TransactionInfoList } from '../../../../src/protocol/generated/api.js';
import {
  Transaction_Result_contractResult as Outcome,
  TransactionInfo,
} from '../../../../src/protocol/generated/tron.js';
import { Violation } from '../run/violation.js';
import { DIALECTS } from '../users/asker.js';
import type { Host } from '../users/user.js';
import { logsIn, type ScannedTransaction, transactionsIn } from './scan.js';

const BLOCKS_BACK = 30;

export async function transactionsAgree(host: Host): Promise<void> {
  const { world } = host;
  const { ledger } = world.node.chain;
  // Above its pending transactions, which have receipts and no block.
  const recent = [...transactionsIn(ledger, ledger.headNumber - BLOCKS_BACK)];
  if (recent.length === 0) return;
  const chosen = world.choices.of(recent);
  await receiptsAgree(host, chosen);
  if (world.isRunning) await runsAgain(host, chosen);
}

async function receiptsAgree({ world, asker }: Host, stored: ScannedTransaction): Promise<void> {
  const { txId, info, block, index } = stored;
  const { fee, log, receipt } = info;
  const expected = `block ${block}, fee ${fee}, Energy ${receipt?.energy_usage_total ?? 0n}, ${log.length} logs`;
  const shown = (one: TransactionInfo | undefined) =>
    `block ${one?.blockNumber}, fee ${one?.fee}, Energy ${one?.receipt?.energy_usage_total ?? 0n}, ${one?.log.length} logs`;
  const found = new Map<string, string>();
  const json = await asker.post('/wallet/gettransactioninfobyid', { value: txId });
  if (json !== undefined) found.set('/wallet', shownJson(json.slice(4)));
  const bytes = await asker.grpc('/protocol.Wallet/GetTransactionInfoById', BytesMessage.encode({ value: txId }));
  if (bytes !== undefined) found.set('gRPC', shown(TransactionInfo.decode(hexToBytes(bytes))));
  const list = await asker.grpc(
    '/protocol.Wallet/GetTransactionInfoByBlockNum',
    NumberMessage.encode({ num: BigInt(block) }),
  );
  if (list !== undefined)
    found.set('gRPC by block', shown(TransactionInfoList.decode(hexToBytes(list)).transactionInfo[index]));
  for (const [where, said] of found) if (said !== expected) throw disagreement(txId, where, said, expected);
  await ethereumReceiptAgrees({ world, asker }, stored);
}

function shownJson(text: string): string {
  const {
    blockNumber = 0,
    fee = 0,
    log = [],
    receipt = {},
  } = JSON.parse(text) as {
    readonly blockNumber?: number;
    readonly fee?: number;
    readonly log?: readonly unknown[];
    readonly receipt?: { readonly energy_usage_total?: number };
  };
  return `block ${blockNumber}, fee ${fee}, Energy ${receipt.energy_usage_total ?? 0}, ${log.length} logs`;
}

interface Receipt {
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly transactionIndex: string;
  readonly status: string;
  readonly logs: readonly { readonly logIndex: string; readonly data: string }[];
}

async function ethereumReceiptAgrees(
  { world, asker }: Pick<Host, 'world' | 'asker'>,
  of: ScannedTransaction,
): Promise<void> {
  const { ledger } = world.node.chain;
  const dialect = world.choices.of(DIALECTS);
  const answer = await asker.rpc(dialect, 'eth_getTransactionReceipt', [`0x${of.txId}`]);
  const receipt = answer && (JSON.parse(answer.slice(4)) as { readonly result?: Receipt }).result;
  if (!receipt) return;
  const logs = [...logsIn(ledger, of.block, of.block)].filter((log) => log.of.txId === of.txId);
  const outcome = of.info.receipt?.result ?? Outcome.DEFAULT;
  const isDone = outcome === Outcome.DEFAULT || outcome === Outcome.SUCCESS;
  const expected = [
    ...[of.block, of.blockId, of.index, isDone ? 1 : 0],
    ...logs.map(({ logIndex, data }) => `${logIndex} ${data}`),
  ];
  const said = [
    ...[
      Number(receipt.blockNumber),
      receipt.blockHash.slice(2),
      Number(receipt.transactionIndex),
      Number(receipt.status),
    ],
    ...receipt.logs.map(({ logIndex, data }) => `${Number(logIndex)} ${data.slice(2)}`),
  ];
  if (said.join() !== expected.join()) throw disagreement(of.txId, dialect, said.join(), expected.join());
}

/** Observed, the interpreter does all steps, and explanations compare the charges with those that are stored. */
async function runsAgain({ world, asker }: Host, { txId, info }: ScannedTransaction): Promise<void> {
  await asker.library(`explain ${txId}`, () => world.devnet.explain(txId));
  if (!world.isRunning || info.receipt?.energy_usage_total === 0n) return;
  const answer = await asker.rpc('/eth', 'debug_traceTransaction', [`0x${txId}`]);
  const trace = answer && (JSON.parse(answer.slice(4)) as { readonly result?: { readonly gas?: number } }).result;
  if (trace && BigInt(trace.gas ?? 0) !== info.receipt?.energy_usage_total)
    throw disagreement(
      txId,
      'debug_traceTransaction',
      `Energy ${trace.gas}`,
      `Energy ${info.receipt?.energy_usage_total}`,
    );
}

function disagreement(txId: string, where: string, said: string, expected: string): Violation {
  return new Violation(
    'an answer is the same on all interfaces',
    `transaction ${txId}: ${where} says ${said}; its receipt says ${expected}`,
  );
}
