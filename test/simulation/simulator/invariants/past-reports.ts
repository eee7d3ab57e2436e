/**
 * What a node reports of balances and of storage is the difference of two heights, and the rows: the balance changes of a
 * block, the block that gave an account its balance, and all words of a contract, page by page.
 */

import { operationsAfter } from '../../../../src/ledger/operations/operation.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { TABLES } from '../../../../src/state/tables.js';
import { storageRowKey } from '../../../../src/tvm/storage.js';
import type { Cold } from '../disk/stored-rows.js';
import { Violation } from '../run/violation.js';
import { type Answer, resultOf } from '../users/asker.js';
import type { Host } from '../users/user.js';
import { transactionsIn } from './scan.js';

const NAME = 'a report of the past is the difference of two heights';
const BLOCKS_BACK = 30;
/** Half of a word's key is its contract's. */
const PREFIX_LENGTH = 32;

export async function pastReportsAgree(host: Host, cold: () => Promise<Cold>): Promise<void> {
  const { world } = host;
  // Rows of a fork's past are its network's, which may not answer now.
  if (world.shape.isFork || world.node.chain.pool.size > 0) return;
  const { headId } = world.node.chain;
  for (const check of [blockBalanceAgrees, accountBalanceAgrees, storageAgrees]) {
    const wrong = world.isRunning ? await check(host, cold) : undefined;
    // A block of the clock may have come meanwhile.
    if (wrong !== undefined && world.isRunning && world.node.chain.headId === headId) throw new Violation(NAME, wrong);
  }
}

function balanceAt({ world }: Host, address: string, height: number): bigint {
  const { accounts } = world.node.chain.ledgerAt(height).state.tables;
  return accounts.get(address as Address)?.balance ?? 0n;
}

/** @returns whether a node that has no fault gives an error */
function isRefused({ world }: Host, answer: Answer): boolean {
  // What was changed last may be older than what is kept.
  const isKept = answer !== undefined && !/is not kept/.test(answer);
  return world.isQuiet && isKept && answer.startsWith('200 ') && answer.includes('"Error"');
}

interface BlockBalance {
  readonly transaction_balance_trace?: readonly {
    readonly operation: readonly { readonly address: string; readonly amount?: number }[];
  }[];
}

async function blockBalanceAgrees(host: Host): Promise<string | undefined> {
  const { world, asker, people } = host;
  const { chain } = world.node;
  const { ledger } = chain;
  const from = Math.max(ledger.headNumber - BLOCKS_BACK, chain.commits.stateFrom + 1);
  // What developers do after a block belongs to its height.
  const blocks = [...transactionsIn(ledger, from)].filter(({ block }) => operationsAfter(ledger, block) === 0);
  if (blocks.length === 0) return undefined;
  const { block: number, blockId: hash } = world.choices.of(blocks);
  const answer = await asker.post('/wallet/getblockbalance', { hash, number });
  if (isRefused(host, answer)) return `the balances of block ${number} are refused: ${answer}`;
  if (!answer?.startsWith('200 {') || answer.includes('"Error"') || !world.isRunning) return undefined;
  const { transaction_balance_trace: traces = [] } = JSON.parse(answer.slice(4)) as BlockBalance;
  const changes = new Map<string, bigint>(people.addresses.map((address) => [address, 0n]));
  for (const { operation } of traces)
    for (const { address, amount = 0 } of operation)
      changes.set(address, (changes.get(address) ?? 0n) + BigInt(amount));
  for (const [address, change] of changes) {
    const [had, has] = [balanceAt(host, address, number - 1), balanceAt(host, address, number)];
    if (had + change !== has)
      return `${address} had ${had} before block ${number}, which says ${change}, and has ${has}`;
  }
  return undefined;
}

async function accountBalanceAgrees(host: Host): Promise<string | undefined> {
  const { world, asker, people } = host;
  const { choices } = world;
  const { stateFrom } = world.node.chain.commits;
  const lowest = Math.max(stateFrom, world.headNumber - BLOCKS_BACK, 1);
  if (lowest > world.headNumber) return undefined;
  const height = lowest + choices.below(world.headNumber - lowest + 1);
  const address = choices.of(people.addresses);
  const answer = await asker.post('/wallet/getaccountbalance', {
    account_identifier: { address },
    block_identifier: { hash: world.blockIdAt(height), number: height },
  });
  const then = world.isRunning ? world.node.chain.ledgerAt(height).state.tables.accounts : undefined;
  if (then?.has(address as Address) && isRefused(host, answer))
    return `the balance of ${address} at block ${height} is refused: ${answer}`;
  if (!answer?.startsWith('200 {') || answer.includes('"Error"') || !world.isRunning) return undefined;
  const { balance = 0, block_identifier: block } = JSON.parse(answer.slice(4)) as {
    readonly balance?: number;
    readonly block_identifier?: { readonly hash?: string; readonly number?: number };
  };
  const number = block?.number ?? 0;
  const has = balanceAt(host, address, height);
  const said = `of ${address} at block ${height} the node says ${balance} since block ${number}`;
  if (BigInt(balance) !== has) return `${said}; it was ${has}`;
  if (number > height || block?.hash !== world.blockIdAt(number)) return `${said}, which is ${world.blockIdAt(number)}`;
  if (number <= stateFrom) return undefined;
  const [before, since] = [balanceAt(host, address, number - 1), balanceAt(host, address, number)];
  return since === has && before !== since ? undefined : `${said}; there it came from ${before} to ${since}`;
}

interface StorageRange {
  readonly storage: Readonly<Record<string, { readonly value: string }>>;
  readonly nextKey: string | null;
}

async function storageAgrees({ world, asker, people }: Host, cold: () => Promise<Cold>): Promise<string | undefined> {
  const { choices } = world;
  const address = choices.of([people.notebook, ...(people.bazaar?.coins ?? []), ...people.programs.slice(-3)]);
  const contract = world.node.chain.ledger.state.tables.contracts.get(address as Address);
  if (address === undefined || contract === undefined) return undefined;
  const limit = 1 + choices.below(5);
  const listed: string[] = [];
  for (let start = ''; ; ) {
    const answer = await asker.rpc('/eth', 'debug_storageRangeAt', [
      'latest',
      0,
      `0x${address.slice(2)}`,
      start,
      limit,
    ]);
    const page = resultOf<StorageRange>(answer);
    if (page === undefined || !world.isRunning) return undefined;
    for (const [row, { value }] of Object.entries(page.storage)) listed.push(`${row} ${BigInt(`0x${value}`)}`);
    if (page.nextKey === null) break;
    if (page.nextKey <= start)
      return `storage of ${address}: a page from ${start} is followed by one from ${page.nextKey}`;
    start = page.nextKey;
  }
  const { database, ledger } = await cold();
  const { prefix } = TABLES.storage;
  const own = prefix + storageRowKey(address as Address, contract, 0n).slice(0, PREFIX_LENGTH);
  const rows = database.keysWith(own).map((key) => key.slice(prefix.length));
  const stored = rows.map((row) => `${row} ${ledger.state.tables.storage.get(row)}`);
  return listed.join() === stored.join()
    ? undefined
    : `storage of ${address}: ${listed.join(', ')}; by the rows ${stored.join(', ')}`;
}
