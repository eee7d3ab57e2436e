/**
 * A random history behind a socket, forked as `sunup --fork URL` forks a network; then the fork and the chain itself do the
 * same, at the same times, and must give the same receipts, charges, accounts, resources and rows, to the sun. What
 * differs has to be the effect of an assumption that was not true of the chain when it was forked.
 *
 * SUNUP_FORK_RUNS and SUNUP_FORK_SEED: how many histories of each kind, and which; without them always the same few.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Difference, differences, show } from '../../scripts/verify/difference.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { firstSlotFrom, slotTimeMs } from '../../src/ledger/schedule/schedule.js';
import type { Node } from '../../src/node/node.js';
import { withRows } from '../../src/node/with-rows.js';
import { utf8ToHex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import type { ContractState } from '../../src/protocol/generated/smart-contract.js';
import { Account } from '../../src/protocol/generated/tron.js';
import { caughtUp } from '../../src/resources/dynamic-energy.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import type { Store } from '../../src/state/store.js';
import type { TableSpec } from '../../src/state/table-spec.js';
import { TABLES } from '../../src/state/tables.js';
import { getAccount } from '../../src/wallet/accounts.js';
import { getAssetIssueList, getPaginatedAssetIssueList } from '../../src/wallet/assets.js';
import { fullContext, type WalletContext } from '../../src/wallet/context.js';
import { getDelegatedResourceAccountIndexV2 } from '../../src/wallet/delegations.js';
import { listExchanges } from '../../src/wallet/exchange.js';
import { getPaginatedNowWitnessList, listProposals, listWitnesses } from '../../src/wallet/governance.js';
import {
  getMarketOrderByAccount,
  getMarketOrderListByPair,
  getMarketPairList,
  getMarketPriceByPair,
} from '../../src/wallet/market.js';
import { getAccountResource } from '../../src/wallet/resources.js';
import { type Compared, uncountedTraders, unexplained, untrueAssumptions } from './assumed-differences.js';
import { NOT_SERVED } from './fork-comparison.js';
import { type ForkedNode, openForkedNode } from './forked-node.js';
import { BEGINNING, EVENTFUL, history, marketHistory, type Operation, perform, refusable } from './operations.js';
import { allAddresses } from './portrait.js';
import { serveChain } from './served-chain.js';
import { COMPARED, plain } from './served-rows.js';
import { openNode, SimulatedChain, type SimulationOptions } from './simulated-chain.js';

/**
 * Tables whose rows are compared in the end, by the names that java-tron's stores have, as far as rows that say the same
 * are the same.
 */
const STORES = {
  accounts: 'account',
  longs: 'properties',
  texts: 'properties',
  contracts: 'contract',
  contractStates: 'contract-state',
  abis: 'abi',
  codes: 'code',
  storage: 'storage-row',
  delegations: 'DelegatedResource',
  witnesses: 'witness',
  proposals: 'proposal',
  assets: 'asset-issue-v2',
  exchanges: 'exchange-v2',
  marketOrders: 'market_order',
  marketAccounts: 'market_account',
  marketPairs: 'market_pair_to_price',
  marketPrices: 'market_pair_price_to_order',
} as const satisfies Partial<Record<keyof typeof TABLES, string>>;

function shown(ledger: Ledger, table: keyof typeof STORES, row: unknown): unknown {
  if (table === 'contractStates') {
    const { energy_usage, energy_factor } = caughtUp(row as ContractState | undefined, {
      cycle: ledger.long('CURRENT_CYCLE_NUMBER'),
      threshold: ledger.long('DYNAMIC_ENERGY_THRESHOLD'),
      increaseFactor: ledger.long('DYNAMIC_ENERGY_INCREASE_FACTOR'),
      maxFactor: ledger.long('DYNAMIC_ENERGY_MAX_FACTOR'),
    });
    return { energy_usage, energy_factor };
  }
  if (row === undefined || !(table in COMPARED)) return row;
  return plain(COMPARED[table as keyof typeof COMPARED](row as never));
}

async function copyOf(store: Store): Promise<MemoryStore> {
  const copy = new MemoryStore();
  const rows = [];
  for await (const { key, value } of store.rows('')) rows.push({ key, value });
  await copy.write(rows);
  return copy;
}

class Pair {
  readonly found: Compared[] = [];
  transactions = 0;

  constructor(
    readonly chain: SimulatedChain,
    readonly fork: ForkedNode,
  ) {}

  get #fork(): Node {
    return this.fork.node;
  }

  async perform(operation: Operation): Promise<void> {
    if (operation.what === 'mine' || operation.what === 'advance') {
      const request =
        operation.what === 'mine'
          ? { blocks: operation.blocks }
          : { timestampMs: slotAfter(this.chain.ledger, operation.byMs) };
      await this.chain.node.mining.mine(request);
      await this.#fork.mining.mine(request);
      await this.compareHeads();
      return;
    }
    const before = this.chain.sent.length;
    const applied = perform(this.chain, operation);
    const transaction = this.chain.sent[before];
    if (transaction === undefined) return;
    const onFork = await withRows(() => refusable(() => this.#fork.broadcast(transaction)));
    this.transactions++;
    const where = `block ${this.chain.node.chain.headNumber + 1}, transaction of ${show(operation)}`;
    this.#compare(where, 'TransactionInfo', applied?.info, onFork?.info);
    this.#compare(where, 'charges', applied?.charges, onFork?.charges);
  }

  async compareHeads(): Promise<void> {
    const { chain } = this.chain.node;
    const where = `block ${chain.headNumber}`;
    this.#compare(where, 'id', chain.headId, this.#fork.chain.headId);
    const [here, there] = [fullContext(this.chain.node), fullContext(this.#fork)];
    await this.#compareLists(where, here, there);
    for (const address of await allAddresses(this.chain)) {
      const request = Account.create({ address });
      const account = await withRows(() => getAccount(there, request));
      // When java-tron has merged a record (`wallet/asset-store.ts`) no fork knows.
      const seen = (of: typeof account) => of && { ...of, asset_optimized: false };
      this.#compare(`${where}, account ${address}`, 'Account', seen(getAccount(here, request)), seen(account));
      const resources = await withRows(() => getAccountResource(there, request));
      this.#compare(
        `${where}, resources of ${address}`,
        'AccountResource',
        getAccountResource(here, request),
        resources,
      );
    }
  }

  /** Every list that has an order. */
  async #compareLists(where: string, here: WalletContext, there: WalletContext): Promise<void> {
    const everything = { offset: 0n, limit: 1_000n };
    const lists: Record<string, (context: WalletContext) => unknown> = {
      tokens: (context) => getAssetIssueList(context, {}),
      'tokens by name': (context) => getPaginatedAssetIssueList(context, everything),
      witnesses: (context) => listWitnesses(context, {}),
      'witnesses by votes': (context) => refusable(() => getPaginatedNowWitnessList(context, everything)),
      proposals: (context) => listProposals(context, {}),
      exchanges: (context) => listExchanges(context, {}),
      pairs: (context) => getMarketPairList(context, {}),
    };
    const { orderPair } = getMarketPairList(here, {});
    for (const pair of orderPair) {
      const name = `${pair.sell_token_id} for ${pair.buy_token_id}`;
      lists[`orders of ${name}`] = (context) => getMarketOrderListByPair(context, pair);
      lists[`prices of ${name}`] = (context) => getMarketPriceByPair(context, pair);
    }
    for (const { addressHex: value } of this.chain.accounts) {
      lists[`orders of ${value}`] = (context) => getMarketOrderByAccount(context, { value });
      lists[`partners of ${value}`] = (context) => getDelegatedResourceAccountIndexV2(context, { value });
    }
    const { chain } = this.chain.node;
    const isMerged =
      chain.mergedHeight > this.#fork.chain.config.beginsAt || chain.headNumber === this.#fork.chain.config.beginsAt;
    for (const [name, list] of Object.entries(lists)) {
      const seen = (answer: unknown) => (isMerged || !SCANNED.has(name) ? answer : inAnyOrder(answer));
      this.#compare(`${where}, list of ${name}`, 'list', seen(list(here)), seen(await withRows(() => list(there))));
    }
    count('lists', Object.keys(lists).length);
  }

  /** Every row of the chain. */
  async compareRows(): Promise<void> {
    const { ledger } = this.#fork.chain;
    await this.chain.node.chain.durable();
    for (const [table, name] of Object.entries(STORES) as [keyof typeof STORES, string][]) {
      const spec = TABLES[table] as unknown as TableSpec<unknown>;
      for await (const { key, value } of this.chain.store.rows(spec.prefix)) {
        const at = key.slice(spec.prefix.length);
        const row = await withRows(() => rowOf(ledger, table, at));
        if (row === UNREAD || NOT_SERVED.has(at)) continue;
        // Of a contract that is gone no node tells.
        if (table === 'contractStates' && !this.chain.ledger.state.tables.contracts.has(at as Address)) continue;
        count('rows');
        const known = shown(this.chain.ledger, table, spec.decode(value));
        this.#compare(`in the end, store ${name}, ${at}`, 'row', known, shown(ledger, table, row));
      }
    }
  }

  #compare(where: string, what: string, expected: unknown, actual: unknown): void {
    const found: readonly Difference[] = differences(expected, actual);
    if (found.length > 0) this.found.push({ where, what, differences: found });
  }
}

/**
 * Lists in the order of a scan. Which block wrote a row that was not merged yet when the fork began, no node tells: until
 * all of them are merged the order may differ (`unmergedRows`).
 */
const SCANNED = new Set(['tokens', 'tokens by name', 'witnesses', 'proposals', 'exchanges', 'pairs']);

const inAnyOrder = (answer: unknown): unknown =>
  Object.values((answer as object | undefined) ?? {}).map((list: readonly unknown[]) => list.map(show).sort());

/**
 * The time of a slot so much later, which has a block after whatever maintenance lies before it. Others are exact on the
 * fork of whose witnesses we have no keys, and the next slot's on the chain.
 */
function slotAfter(ledger: Ledger, byMs: number): number {
  const slotMs = ledger.config.slotMs;
  const maintenanceMs = ledger.long('NEXT_MAINTENANCE_TIME');
  const intervalMs = ledger.long('MAINTENANCE_TIME_INTERVAL');
  const targetMs = slotTimeMs(ledger, firstSlotFrom(ledger, ledger.headTimeMs + BigInt(byMs)));
  const sinceMs = targetMs < maintenanceMs ? -1n : (targetMs - maintenanceMs) % intervalMs;
  return Number(sinceMs > 0n && sinceMs <= 2n * slotMs ? targetMs + 2n * slotMs : targetMs);
}

const UNREAD = Symbol('a slot that the fork has not read');

/** A slot's key is a hash: only who reads it by its name can have it fetched. */
function rowOf(ledger: Ledger, table: keyof typeof STORES, key: string): unknown {
  const { tables } = ledger.state;
  try {
    return tables[table].get(key as never);
  } catch (missing) {
    if (table === 'storage') return UNREAD;
    throw missing;
  }
}

/** What an assumption that is not true makes another history of is not done. */
function isDone(
  chain: SimulatedChain,
  operation: Operation,
  { taken, uncounted }: { readonly taken: ReadonlySet<string>; readonly uncounted: ReadonlySet<string> },
): boolean {
  switch (operation.what) {
    case 'rename':
      return !taken.has(utf8ToHex(`name ${operation.owner} ${operation.choice}`));
    case 'sell':
      return !uncounted.has(chain.address(operation.owner));
    case 'withdrawReward':
      // Of a witness of the genesis: `guards`.
      return operation.choice <= 5;
    default:
      return true;
  }
}

const compared = new Map<string, number>();
const count = (name: string, many = 1): void => void compared.set(name, (compared.get(name) ?? 0) + many);

interface Played {
  readonly options: SimulationOptions;
  readonly before: readonly Operation[];
  readonly after: readonly Operation[];
  /** Whether a day passes before the fork, to the end of an epoch. */
  readonly settled: boolean;
  /** Whether the fork signs as the witnesses; otherwise, as above a network, its chain is not strict. */
  readonly holdsKeys: boolean;
}

const DAY_MS = 86_400_000;

async function expectSame({ options, before, after, settled, holdsKeys }: Played): Promise<void> {
  const chain = await SimulatedChain.open(options);
  for (const operation of [...BEGINNING, ...before]) perform(chain, operation);
  chain.node.mine(1);
  if (settled) {
    chain.node.advance(BigInt(DAY_MS) + 3_000n);
    chain.node.advance(chain.ledger.long('NEXT_MAINTENANCE_TIME') - chain.ledger.headTimeMs);
  }
  await chain.node.chain.durable();
  const untrue = await untrueAssumptions(chain.node);
  const uncounted = await uncountedTraders(chain.node);
  const taken = new Set<string>();
  for await (const { key } of chain.store.rows(TABLES.accountNames.prefix))
    taken.add(key.slice(TABLES.accountNames.prefix.length));
  const still = await openNode(chain.genesis, chain.witnessKeys, await copyOf(chain.store), options);
  still.chain.restoreSolidity(chain.node.chain.back.snapshot().solidity);
  const server = await serveChain(still);
  const witnessKeys = holdsKeys ? chain.witnessKeys : new Map([[chain.address(5), chain.keyOf(chain.address(5))]]);
  const fork = await openForkedNode({ url: server.url, genesis: chain.genesis, witnessKeys });
  try {
    const pair = new Pair(chain, fork);
    await pair.compareHeads();
    // Until transactions refer to a block that both have.
    do await pair.perform({ what: 'mine', blocks: 1 });
    while (chain.ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM') <= still.chain.headNumber);
    const maintenanceMs = chain.ledger.long('NEXT_MAINTENANCE_TIME');
    for (const operation of after) {
      // From the first maintenance on others may be elected, and make other blocks.
      if (untrue.has('runningTally') && chain.ledger.long('NEXT_MAINTENANCE_TIME') !== maintenanceMs) break;
      if (isDone(chain, operation, { taken, uncounted })) await pair.perform(operation);
    }
    await pair.perform({ what: 'mine', blocks: 1 });
    await pair.compareRows();
    const left = unexplained(pair.found, untrue);
    if (left.length > 0)
      throw new Error(`${[...untrue].join(', ')} do not hold, and:\n${left.slice(0, 6).map(inWords).join('\n')}`);
    count('transactions', pair.transactions);
    for (const name of untrue) count(`${name} does not hold`);
    if (pair.found.every(({ what }) => what === 'row')) count('exact');
    count('forks');
  } finally {
    await fork.close();
    await server.close();
    await still.close();
    await chain.close();
  }
}

const inWords = ({ where, what, differences: found }: Compared): string =>
  `${where}: ${what}${found.map(({ path, expected, actual }) => `\n    ${path}: ${show(expected)} on the chain, ${show(actual)} on the fork`).join('')}`;

const MAINNET: SimulationOptions = { parameters: EVENTFUL, witnessVotes: [100, 50], release: '4.8.2' };
/** So that contracts are above the threshold in some epochs. */
const DEAR = {
  DYNAMIC_ENERGY_THRESHOLD: 60_000,
  DYNAMIC_ENERGY_INCREASE_FACTOR: 2_000,
  DYNAMIC_ENERGY_MAX_FACTOR: 34_000,
};
const seed = Number(process.env.SUNUP_FORK_SEED ?? 13);

const MIXED = history(5, 40);

test.each<[string, boolean, SimulationOptions, fc.Arbitrary<Operation[]>]>([
  ['above a day without transactions', true, MAINNET, MIXED],
  ['in the middle of things', false, MAINNET, MIXED],
  ['of a busy network', false, { ...MAINNET, networkStake: 'mainnet' }, MIXED],
  ['of dear contracts', false, { ...MAINNET, parameters: { ...EVENTFUL, ...DEAR } }, MIXED],
  [
    'before windows had fractions',
    false,
    { ...MAINNET, parameters: { ...EVENTFUL, ALLOW_CANCEL_ALL_UNFREEZE_V2: 0 } },
    MIXED,
  ],
  ['of a market', false, MAINNET, marketHistory(5, 40)],
  ['of a node that does not tell of running votes', false, { ...MAINNET, release: '4.8.0' }, MIXED],
])('a fork %s does what the chain does', { timeout: 0 }, async (_, settled, options, operations) => {
  await fc.assert(
    fc.asyncProperty(operations, operations, fc.boolean(), (before, after, holdsKeys) =>
      expectSame({ options, before, after, settled, holdsKeys }),
    ),
    { numRuns: Number(process.env.SUNUP_FORK_RUNS ?? 2), seed, endOnFailure: true },
  );
});

/** Those before would have found nothing either if they had compared nothing. */
test('all of it was compared', () => {
  if (process.env.SUNUP_FORK_RUNS !== undefined) console.log(Object.fromEntries(compared));
  expect(compared.get('transactions') ?? 0).toBeGreaterThan(compared.get('forks') ?? 0);
  expect(compared.get('rows') ?? 0).toBeGreaterThan(100 * (compared.get('forks') ?? 0));
});
