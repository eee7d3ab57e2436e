/** A block as the dialects of JSON-RPC show it: whole, by parts, with its receipts, and as `/wallet` shows it. */

import { Violation } from '../run/violation.js';
import { DIALECTS, type Dialect, resultOf } from '../users/asker.js';
import type { Host } from '../users/user.js';
import { logsIn, transactionsIn } from './scan.js';

const NAME = 'an answer is the same on all interfaces';
const BLOCKS_BACK = 30;

type Members = Readonly<Record<string, unknown>>;

interface Block extends Members {
  readonly hash: string;
  readonly transactions: readonly Members[];
}

interface Receipt extends Members {
  readonly logs: readonly Members[];
}

export async function ethereumBlocksAgree(host: Host): Promise<void> {
  const { world } = host;
  const { ledger } = world.node.chain;
  const recent = [...transactionsIn(ledger, ledger.headNumber - BLOCKS_BACK)].map(({ block }) => block);
  const number = recent.length === 0 || world.choices.chance(0.2) ? ledger.headNumber : world.choices.of(recent);
  const dialect = world.choices.of(DIALECTS);
  const id = world.blockIdAt(number);
  const wrong = await difference(host, dialect, number);
  // A block of the clock may have come between two questions; it does not change one before.
  if (wrong !== undefined && world.isRunning && world.blockIdAt(number) === id)
    throw new Violation(NAME, `block ${number} on ${dialect}: ${wrong}`);
}

async function difference(host: Host, dialect: Dialect, number: number): Promise<string | undefined> {
  const { world } = host;
  const ask = async <Result>(method: string, ...params: readonly unknown[]): Promise<Result | undefined> => {
    return resultOf<Result | null>(await host.asker.rpc(dialect, method, params)) ?? undefined;
  };
  const quantity = `0x${number.toString(16)}`;
  const block = await ask<Block>('eth_getBlockByNumber', quantity, true);
  const short = await ask<Members>('eth_getBlockByNumber', quantity, false);
  if (block === undefined || short === undefined || !world.isRunning) return undefined;
  const { transactions } = block;
  const hashes = transactions.map(({ hash }) => hash);
  const i = world.choices.below(Math.max(1, transactions.length));
  const index = `0x${i.toString(16)}`;
  const one = transactions[i];
  // Of the first block on a fork it is the network's.
  const parent = number === 0 ? undefined : world.blockIdAt(number - 1);
  const said: (readonly [what: string, value: unknown, expected: unknown])[] = [
    ['with hashes', short, { ...block, transactions: hashes }],
    ['by its hash', await ask('eth_getBlockByHash', block.hash, true), block],
    ['its count', Number(await ask('eth_getBlockTransactionCountByNumber', quantity)), transactions.length],
    ['its count by hash', Number(await ask('eth_getBlockTransactionCountByHash', block.hash)), transactions.length],
    [`transaction ${i}`, await ask('eth_getTransactionByBlockNumberAndIndex', quantity, index), one],
    [`transaction ${i} by hash`, await ask('eth_getTransactionByBlockHashAndIndex', block.hash, index), one],
    ...(one === undefined
      ? []
      : [[`transaction ${i} by its hash`, await ask('eth_getTransactionByHash', one.hash), one] as const]),
    ['its parent', block.parentHash, parent === undefined ? block.parentHash : `0x${parent}`],
    ...scanned(host, number, block),
    ...(await receiptsSay(host, ask, quantity, block)),
  ];
  if (!world.isRunning) return undefined;
  const wrong = said.find(([, value, expected]) => value !== undefined && text(value) !== text(expected));
  return wrong && `${wrong[0]} is ${text(wrong[1])}, not ${text(wrong[2])}`;
}

function text(value: unknown): string {
  return String(JSON.stringify(value));
}

const priceIn = ({ effectiveGasPrice }: Receipt): unknown => effectiveGasPrice;

type Said = readonly [what: string, value: unknown, expected: unknown];

/** What the rows of the block say. */
function scanned({ world }: Host, number: number, block: Block): readonly Said[] {
  // Transactions of the genesis block have no sender.
  if (number === 0) return [];
  const { ledger } = world.node.chain;
  return [...transactionsIn(ledger, number, number)].map(({ transaction, txId, index }): Said => {
    const fields = (transaction.contract ?? {}) as Readonly<Record<string, unknown>>;
    const shown = block.transactions[index];
    const isCall = fields.call_value !== undefined && fields.data !== undefined;
    // `/eth` may know it by the hash of Ethereum's tools.
    const hash = ledger.state.tables.ethereumHashes.get(txId);
    // One of an impersonated account has none.
    const [signature = '0'.repeat(130)] = transaction.signatures;
    const recovery = Number.parseInt(signature.slice(128, 130), 16) % 27;
    // Ethereum's transactions show the signature that their tool made.
    const isTrons = hash === undefined;
    const expected = {
      ...(isTrons && { signed: [signature.slice(0, 64), signature.slice(64, 128), recovery] }),
      from: `0x${transaction.owner?.slice(2)}`,
      place: [`0x${number.toString(16)}`, `0x${index.toString(16)}`, block.hash],
      isKnown: true,
      ...(isCall && { input: `0x${fields.data}`, value: BigInt(String(fields.call_value)).toString() }),
    };
    return [
      `transaction ${index}`,
      {
        ...(isTrons && {
          signed: [...[shown?.r, shown?.s].map((word) => String(word).slice(2)), Number(shown?.v) % 27],
        }),
        from: shown?.from,
        place: [shown?.blockNumber, shown?.transactionIndex, shown?.blockHash],
        isKnown: shown?.hash === `0x${txId}` || shown?.hash === `0x${hash}`,
        ...(isCall && { input: shown?.input, value: BigInt(String(shown?.value ?? 0)).toString() }),
      },
      expected,
    ];
  });
}

/** Receipts one by one are those of the block; gas adds up; logs are those that `eth_getLogs` finds. */
async function receiptsSay(
  { world }: Host,
  ask: <Result>(method: string, ...params: readonly unknown[]) => Promise<Result | undefined>,
  quantity: string,
  block: Block,
): Promise<readonly Said[]> {
  const number = Number(quantity);
  if (number === 0) return [];
  const receipts: Receipt[] = [];
  for (const { hash } of block.transactions) {
    const receipt = await ask<Receipt>('eth_getTransactionReceipt', hash);
    if (receipt === undefined) return [];
    receipts.push(receipt);
  }
  const logs = receipts.flatMap((receipt) => receipt.logs);
  let gas = 0n;
  const sums: string[] = [];
  for (const { gasUsed } of receipts) {
    gas += BigInt(String(gasUsed));
    sums.push(`0x${gas.toString(16)}`);
  }
  const found = await ask<readonly Members[]>('eth_getLogs', { blockHash: block.hash });
  const stored = [...logsIn(world.node.chain.ledger, number, number)];
  return [
    ['its receipts', await ask('eth_getBlockReceipts', quantity), receipts],
    ['cumulative gas', receipts.map(({ cumulativeGasUsed }) => cumulativeGasUsed), sums],
    ['prices of gas', block.transactions.map(({ gasPrice }) => gasPrice), receipts.map(priceIn)],
    ['its gas', block.gasUsed, `0x${gas.toString(16)}`],
    ['its logs', found, logs],
    [
      'logs',
      logs.map(({ address, topics, data }) => [address, topics, data]),
      stored.map(({ address, topics, data }) => [`0x${address}`, topics.map((topic) => `0x${topic}`), `0x${data}`]),
    ],
  ];
}
