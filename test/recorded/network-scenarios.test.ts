/**
 * What the accounts of recorded chains sent, recorded from a served network (`sunup record --fork --account`), and run on a
 * fork at the block before, where the state is the same: each transaction has the receipt that java-tron gave it, or
 * differs for a reason that the test finds in the recording.
 *
 * SUNUP_SCENARIOS=all records and runs all of it.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Recording, readRecording } from '../../scripts/verify/recording.js';
import { replay } from '../../scripts/verify/replay.js';
import { connect } from '../../src/fork/start/connect.js';
import { blockOutline } from '../../src/ledger/blocks/blocks.js';
import type { Node } from '../../src/node/node.js';
import { wallClock } from '../../src/platform/clock.js';
import { systemRandom } from '../../src/platform/random.js';
import type { Address } from '../../src/primitives/ids.js';
import type { TriggerSmartContract } from '../../src/protocol/generated/smart-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  ResourceReceipt,
  TransactionInfo,
} from '../../src/protocol/generated/tron.js';
import { SignedTransaction } from '../../src/protocol/transaction.js';
import { readDocument } from '../../src/scenario/format/document.js';
import { checkScenario } from '../../src/scenario/reader/read-scenario.js';
import type { TransactionResult } from '../../src/scenario/results/result.js';
import { networkOf } from '../../src/scenario-files/open-network.js';
import { runToEnd } from '../../src/scenario-files/run-to-end.js';
import { NetworkCosts } from '../../src/traffic/costs/read-costs.js';
import { recordTraffic, type TrafficScenario } from '../../src/traffic/recording/recorded-traffic.js';
import { serveChain } from '../simulation/served-chain.js';

const RECORDINGS = new URL('../../fixtures/recorded/', import.meta.url).pathname;
const ALL = process.env.SUNUP_SCENARIOS === 'all';
const SOME = ['contracts-energy', 'delegation', 'dynamic-energy', 'permissions-multisig', 'trc10', 'trc20-costs'];
const SERVED = '4.8.2';
const SLOT_MS = 3_000;
/** Transactions of a scenario; it ends with a block. */
const MOST = 60;

/** Types that `sunup record` writes as steps. */
const REPEATED: ReadonlySet<number> = new Set([
  ContractType.TransferContract,
  ContractType.TransferAssetContract,
  ContractType.TriggerSmartContract,
  ContractType.FreezeBalanceV2Contract,
  ContractType.UnfreezeBalanceV2Contract,
  ContractType.DelegateResourceContract,
  ContractType.UnDelegateResourceContract,
]);

const names = readdirSync(RECORDINGS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && (ALL || SOME.includes(entry.name)))
  .map(({ name }) => name);

interface Sent {
  readonly blockNumber: number;
  readonly transaction: SignedTransaction;
  readonly info: TransactionInfo;
}

interface Block {
  readonly number: number;
  readonly timestampMs: number;
  /** After its parent; a live network has a block in almost every slot. */
  readonly slots: number;
  readonly sent: readonly Sent[];
}

function blocksOf({ chain: { ledger } }: Node, last: number): readonly Block[] {
  const blocks: Block[] = [];
  let parentMs = Number(blockOutline(ledger, 0)?.header.raw_data?.timestamp ?? 0n);
  for (let number = 1; number <= last; number++) {
    const outline = blockOutline(ledger, number)!;
    const timestampMs = Number(outline.header.raw_data?.timestamp ?? 0n);
    const sent = outline.transactionIds.map((txid) => {
      const stored = ledger.state.tables.transactions.get(txid)!;
      const transaction = SignedTransaction.decode(stored.transaction);
      return { blockNumber: number, transaction, info: TransactionInfo.decode(stored.info) };
    });
    blocks.push({ number, timestampMs, slots: Math.round((timestampMs - parentMs) / SLOT_MS), sent });
    parentMs = timestampMs;
  }
  return blocks;
}

/** Blocks whose transactions are all steps of a scenario. A chain that stood still cannot be repeated: time has blocks. */
function partsOf(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const parts: Block[][] = [[]];
  for (const block of blocks) {
    const part = parts.at(-1)!;
    const count = part.reduce((sum, { sent }) => sum + sent.length, 0);
    const isRepeated = block.sent.every(({ transaction }) => REPEATED.has(transaction.contractType));
    const follows = block.slots === 1;
    if (!isRepeated || !follows) parts.push([]);
    else if (count >= MOST) parts.push([block]);
    else if (count > 0 || block.sent.length > 0) part.push(block);
  }
  return parts.filter((part) => part.length > 0);
}

interface Recorded {
  readonly sent: readonly Sent[];
  readonly firstBlock: number;
  readonly scenario: TrafficScenario;
}

async function recordParts(node: Node): Promise<readonly Recorded[]> {
  await node.chain.durable();
  const parts = partsOf(blocksOf(node, node.chain.confirmedHeight));
  const largest = parts.toSorted((a, b) => countOf(b) - countOf(a));
  const server = await serveChain(node, SERVED, true);
  const connection = await connect({ url: server.url }, { fetch, clock: wallClock, random: systemRandom });
  try {
    const costs = await NetworkCosts.open(connection, { maxBlocks: 1 });
    const all: Recorded[] = [];
    for (const part of ALL ? parts : largest.slice(0, 1)) {
      const [first, last] = [part[0]!, part.at(-1)!];
      const range = { fromMs: first.timestampMs, toMs: last.timestampMs };
      const sent = part.flatMap((block) => block.sent);
      const accounts = [...new Set(sent.map(({ transaction }) => transaction.owner as Address))];
      const listed = accounts.map((account) => costs.listed(account, range));
      const recorded = await recordTraffic(connection, { accounts, parts: listed, url: '', cache: '' });
      expect(recorded).toMatchObject({ transactions: sent.length, leftOut: {} });
      all.push({ sent, firstBlock: first.number, scenario: recorded.scenario });
    }
    return all;
  } finally {
    connection.wallet.close();
    await server.close();
  }
}

function countOf(part: readonly Block[]): number {
  return part.reduce((sum, { sent }) => sum + sent.length, 0);
}

interface Again {
  readonly result: TransactionResult;
  /** Undefined: refused. */
  readonly transaction: SignedTransaction | undefined;
  readonly info: TransactionInfo | undefined;
}

/** @param node at the block before the first transaction */
async function runOnFork(node: Node, { scenario }: Recorded): Promise<readonly Again[]> {
  await node.chain.durable();
  const server = await serveChain(node, SERVED);
  try {
    const text = JSON.stringify({ ...scenario, fork: { url: server.url } });
    const checked = checkScenario(readDocument(text, 'recorded.json'));
    const network = await networkOf(checked, '.', {});
    try {
      const results: TransactionResult[] = [];
      const applied = new Map<string, { readonly transaction: SignedTransaction; readonly info: TransactionInfo }>();
      await runToEnd(checked, {
        artifacts: new Map(),
        network,
        db: undefined,
        onResult: (result) => void (result.kind === 'transaction' && results.push(result)),
        observer: {
          blockApplied: ({ transactions }) => {
            for (const one of transactions) applied.set(one.transaction.txId, one);
          },
        },
      });
      return results.map((result) => ({
        result,
        transaction: applied.get(result.txid)?.transaction,
        info: applied.get(result.txid)?.info,
      }));
    } finally {
      await network?.close();
    }
  } finally {
    await server.close();
  }
}

/** All of a receipt but where and when it was, and the addresses that follow from its id. */
function figures({ fee, result, receipt = ResourceReceipt.empty, log, contractResult, ...info }: TransactionInfo) {
  const { net_usage, net_fee, ...energy } = receipt;
  return {
    bandwidth: { net_usage, net_fee, fee: fee - net_fee },
    result: { result, ret: receipt.result, message: info.resMessage },
    energy,
    output: { contractResult, logs: log.map(({ topics, data }) => [topics, data]) },
    internal: info.internal_transactions.map(({ note, callValueInfo, rejected }) => [note, callValueInfo, rejected]),
  };
}

/** Contracts that calls of the part created: their addresses follow from ids of transactions, which are others. */
function createdIn(sent: readonly Sent[]): readonly string[] {
  return sent.flatMap(({ info }) =>
    info.internal_transactions.flatMap(({ note, transferTo_address }) =>
      Buffer.from(note, 'hex').toString('utf8') === 'create' ? [transferTo_address.slice(2)] : [],
    ),
  );
}

/** Why a transaction differs; undefined: no reason that the test knows. Empty: it does not. */
function reasonOf(was: Sent, is: Again, created: readonly string[]): string | undefined {
  const { result, transaction, info } = is;
  const { data = '', contract_address = '' } = was.transaction.contract as Partial<TriggerSmartContract>;
  const readsCreated = created.some((address) => data.includes(address) || contract_address.endsWith(address));
  if (info === undefined || transaction === undefined) return undefined;
  const [then, now] = [figures(was.info), figures(info)];
  const differing = (Object.keys(then) as (keyof typeof then)[]).filter(
    (name) => JSON.stringify(then[name], plain) !== JSON.stringify(now[name], plain),
  );
  if (differing.length === 0) return '';
  const sizes = [was.transaction, transaction].map((one) => one.withRet([]).bytes.length);
  const isOnly = (...parts: readonly (keyof typeof then)[]) => differing.every((name) => parts.includes(name));
  if (isOnly('bandwidth') && then.bandwidth.fee === now.bandwidth.fee && sizes[0] !== sizes[1]) return 'another size';
  if (readsCreated) return 'a contract that was created at another address';
  if (result.assumptions !== undefined) return `assumed: ${result.assumptions.map(({ name }) => name).join(', ')}`;
  if (isOnly('output', 'internal')) return 'reads the block or the id of the transaction';
  return undefined;
}

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

const counted = { scenarios: 0, transactions: 0, equal: 0 };
const reasons = new Map<string, number>();

test.each(names)('%s', { timeout: 1_800_000 }, async (name) => {
  const recording: Recording = readRecording(join(RECORDINGS, name));
  let head: Node | undefined;
  await replay(recording, 'import', {
    maxFindings: 1,
    atHead: async (node) => {
      head = node;
    },
  });
  if (head === undefined) return;
  const recorded = await recordParts(head);
  const unexplained: string[] = [];
  await replay(recording, 'import', {
    maxFindings: 1,
    atHead: async (node, block, afterRefusals) => {
      const part = recorded.find(({ firstBlock }) => firstBlock === block + 1);
      if (part === undefined || afterRefusals) return;
      const again = await runOnFork(node, part);
      expect(again.length).toBe(part.sent.length);
      counted.scenarios++;
      const created = createdIn(part.sent);
      for (const [at, was] of part.sent.entries()) {
        const is = again[at] as Again;
        const reason = reasonOf(was, is, created);
        counted.transactions++;
        if (reason === '') counted.equal++;
        else if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        else {
          const now = is.info === undefined ? is.result : figures(is.info);
          const both = JSON.stringify([figures(was.info), now], plain);
          unexplained.push(`block ${was.blockNumber}, ${was.transaction.txId}: ${both}`);
        }
      }
    },
  });
  expect(unexplained).toEqual([]);
});

test('most receipts are the same', () => {
  if (ALL) console.log(counted, Object.fromEntries(reasons));
  expect(counted.transactions).toBeGreaterThan(100);
  expect(counted.equal / counted.transactions).toBeGreaterThan(0.9);
});
