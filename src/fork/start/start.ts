/**
 * Reads the start data of a fork in one round of requests: head and genesis, parameters, totals, prices with their
 * histories, witnesses, proposals, exchanges. The ledger's own functions write the rows into a separate state, so that
 * derived rows (schedule, standby group, solidified block) follow the ledger's rules.
 */

import { putAsset, tokensHaveIds } from '../../ledger/accounts/assets.js';
import { ASSUMPTIONS, LATER_PARAMETERS } from '../../ledger/genesis/fork-assumptions.js';
import { unmergedRow } from '../../ledger/genesis/fork-base.js';
import { electActiveWitnesses, rankStandbyWitnesses, setActiveWitnesses } from '../../ledger/schedule/schedule.js';
import { updateSolidified } from '../../ledger/schedule/solidified-block.js';
import { rulesOf } from '../../ledger/stake/staking.js';
import { putExchange } from '../../ledger/trade/exchange.js';
import { enqueue } from '../../ledger/trade/market.js';
import { PARAMETERS } from '../../parameters/definitions.js';
import { genesisProperties, leastValue, presetByName, proposable } from '../../parameters/presets.js';
import type { LongProperty, TextProperty } from '../../parameters/properties.js';
import type { BlockId } from '../../primitives/ids.js';
import { MAX_LONG } from '../../primitives/java-math.js';
import { LAST_MOMENT_MS } from '../../primitives/moment.js';
import type {
  AccountResourceMessage,
  AssetIssueList,
  ExchangeList,
  ProposalList,
  WitnessList,
} from '../../protocol/generated/api.js';
import type { MarketOrder, Votes } from '../../protocol/generated/tron.js';
import type { FetchedRow } from '../../state/remote-rows.js';
import type { State } from '../../state/state.js';
import type { TableSpec } from '../../state/table-spec.js';
import { numberKey, TABLES } from '../../state/tables.js';
import { badAnswer } from '../network/answers.js';
import type { RemoteBlock, RemoteChain } from '../network/remote-chain.js';
import type { RemoteWallet } from '../network/remote-wallet.js';
import { WALLET } from '../network/wallet-requests.js';
import { openOrders } from '../rows/market-book.js';
import { ALL_VOTERS, runningVotes } from '../rows/running-votes.js';
import { unmergedRows } from '../rows/unmerged-rows.js';
import { fixedUsageBefore } from '../rows/usage-before-recovery.js';
import type { ForkStart } from '../terms/fork-start.js';
import { accumulates } from '../terms/network-terms.js';
import { emptyLedger, START_TABLES } from '../terms/start-ledger.js';
import { unusableParameter } from '../terms/usable-start.js';

/** Token ids start above it. */
const NO_TOKENS = 1_000_000n;
/** A head lasts 3 s, and a round of requests takes less: number of rounds before the last one is used. */
const MAX_ROUNDS = 3;
const SLOT_MS = 3_000n;

/** A broken node may report any number of parameters. */
const MAX_LATER_PARAMETERS = 100;

export interface StartOptions {
  /** Slot time of the network. Default 3,000 ms. */
  readonly slotMs?: bigint;
  /** Whether to request the brokerage of each standby witness: up to 127 requests. */
  readonly brokerages?: boolean;
}

/** @throws RemoteError */
export async function readStart(
  wallet: RemoteWallet,
  chain: RemoteChain,
  options: StartOptions = {},
): Promise<ForkStart> {
  const { slotMs = SLOT_MS } = options;
  const assetsAt = await chain.head();
  const [genesis, { assetIssue: assets }] = await Promise.all([
    chain.blockAt(0),
    wallet.ask(WALLET.assets, undefined, 'the tokens'),
  ]);
  const known = { assets, assetsSlot: (assetsAt.timestampMs - genesis.timestampMs) / slotMs };

  let before = chain.recentHead(slotMs) ?? (await chain.head());
  for (let round = 1; ; round++) {
    const answers = await askAtHead(wallet, chain, before);
    const after = await chain.head();
    if (after.id === before.id || round === MAX_ROUNDS) {
      chain.pin(before);
      const brokerages = await askBrokerages(wallet, options.brokerages ? answers.witnesses : []);
      return startOf(before, genesis, { ...answers, ...known, brokerages }, options);
    }
    before = after;
  }
}

/** Data that takes longer to read than a head lasts, and that rarely changes. */
interface Known {
  /** Every TRC-10 token: one answer, some MB on the main network. */
  readonly assets: AssetIssueList['assetIssue'];
  /** Slot of the head at the time of the request. */
  readonly assetsSlot: bigint;
  /** In percent, of the requested witnesses. For others a default is assumed. */
  readonly brokerages: ReadonlyMap<string, bigint>;
}

interface AtHead {
  readonly headMs: bigint;
  readonly parentMs: bigint;
  readonly parameters: ReadonlyMap<string, bigint>;
  readonly nextMaintenanceMs: bigint;
  readonly histories: ReadonlyMap<TextProperty, string>;
  readonly burnedSun: bigint;
  readonly witnesses: WitnessList['witnesses'];
  readonly proposals: ProposalList['proposals'];
  readonly exchanges: ExchangeList['exchanges'];
  readonly totals: AccountResourceMessage;
  readonly cycle: bigint | undefined;
  /** Undefined: the node does not serve them. */
  readonly votes: Votes | undefined;
  readonly orders: readonly MarketOrder[];
}

type Answers = AtHead & Known;

async function askAtHead(wallet: RemoteWallet, chain: RemoteChain, head: RemoteBlock): Promise<AtHead> {
  const witnessesAndTotals = async () => {
    const { witnesses } = await wallet.ask(WALLET.witnesses, undefined, 'the witnesses');
    // The answer for any account contains the totals of the network.
    const [some] = witnesses;
    if (some === undefined) throw badAnswer(wallet.asked(WALLET.witnesses, 'the witnesses'), 'it returns no witnesses');
    const what = 'the totals of stake';
    const totals = await wallet.ask(WALLET.accountResource, some.address, what);
    if (totals.TotalNetLimit + totals.TotalEnergyLimit === 0n)
      throw badAnswer(wallet.asked(WALLET.accountResource, what), 'it returns no limits');
    const votes = await runningVotes(wallet, witnesses);
    return { witnesses, totals, votes };
  };
  const parameters = async () => {
    const what = 'the chain parameters';
    const { chainParameter } = await wallet.ask(WALLET.parameters, undefined, what);
    const asked = wallet.asked(WALLET.parameters, what);
    if (chainParameter.length === 0) throw badAnswer(asked, 'it returns no chain parameters');
    const values = new Map(chainParameter.map(({ key, value }) => [key, value]));
    const unusable = unusableParameter((parameter) => values.get(parameter.key));
    if (unusable !== undefined) throw badAnswer(asked, `its ${unusable}`);
    return values;
  };
  const nextMaintenance = async () => {
    const what = 'the next maintenance';
    const { num } = await wallet.ask(WALLET.nextMaintenance, undefined, what);
    if (num < head.timestampMs)
      throw badAnswer(wallet.asked(WALLET.nextMaintenance, what), 'it is before the head block');
    if (num > LAST_MOMENT_MS) throw badAnswer(wallet.asked(WALLET.nextMaintenance, what), `it is at ${num} ms`);
    return num;
  };
  const cycle = async () => {
    const contract = await chain.contractCalledLately();
    if (contract === undefined) return undefined;
    return (await wallet.ask(WALLET.contract, contract, 'the running cycle')).contract_state?.update_cycle;
  };

  const [parent, known, maintenance, energy, bandwidth, memo, burned, people, proposals, exchanges, running] =
    await Promise.all([
      chain.blockAt(Math.max(0, head.number - 1)),
      parameters(),
      nextMaintenance(),
      wallet.ask(WALLET.energyPrices, undefined, 'the prices of Energy'),
      wallet.ask(WALLET.bandwidthPrices, undefined, 'the prices of bandwidth'),
      wallet.ask(WALLET.memoFees, undefined, 'the fees of memos'),
      wallet.ask(WALLET.burned, undefined, 'the burned amount'),
      witnessesAndTotals(),
      wallet.ask(WALLET.proposals, undefined, 'the proposals'),
      wallet.ask(WALLET.exchanges, undefined, 'the exchanges'),
      cycle(),
    ]);
  return {
    headMs: head.timestampMs,
    parentMs: parent.timestampMs,
    parameters: known,
    nextMaintenanceMs: maintenance,
    histories: new Map([
      ['ENERGY_PRICE_HISTORY', energy.prices],
      ['BANDWIDTH_PRICE_HISTORY', bandwidth.prices],
      ['MEMO_FEE_HISTORY', memo.prices],
    ]),
    burnedSun: burned.num,
    ...people,
    proposals: proposals.proposals,
    exchanges: exchanges.exchanges,
    cycle: running,
    // The main network's market is closed: no request.
    orders: known.get('getAllowMarketTransaction') === 1n ? await openOrders(wallet) : [],
  };
}

/** Of the witnesses that get rewards. */
async function askBrokerages(wallet: RemoteWallet, witnesses: AtHead['witnesses']): Promise<Known['brokerages']> {
  const byVotes = [...witnesses].sort((a, b) => (a.voteCount < b.voteCount ? 1 : a.voteCount > b.voteCount ? -1 : 0));
  const percents = byVotes.slice(0, 127).map(async ({ address }) => {
    const { num } = await wallet.ask(WALLET.brokerage, address, `the brokerage of ${address}`);
    return [address as string, num] as const;
  });
  return new Map(await Promise.all(percents));
}

/** All properties: parameters from the node, values derived from them as after a vote, and default values. */
function properties({ parameters }: Answers) {
  const known = PARAMETERS.flatMap((parameter) => {
    const value = parameters.get(parameter.key);
    // A parameter that the node's release does not know is off; one without a value is 0.
    return value === undefined ? [] : [{ parameter, value }];
  });
  const voted = known.filter(
    ({ parameter, value }) => proposable(parameter) === parameter && value >= leastValue(parameter.name),
  );
  const none = presetByName('none');
  if (none === undefined) throw new Error('there is no preset without values');
  const { longs, texts } = genesisProperties(
    none,
    Object.fromEntries(voted.map(({ parameter, value }) => [parameter.name, value])),
  );
  const all = new Map(longs);
  for (const { parameter, value } of known) all.set(parameter.property, value * parameter.storedScale);
  return { longs: all, texts };
}

/** Active parameters of a newer release that Sunup does not know. */
function laterParameters({ parameters }: Answers): string {
  const known = new Set(PARAMETERS.map(({ key }) => key));
  const later = [...parameters].filter(([key, value]) => value !== 0n && !known.has(key) && /^\w{1,64}$/.test(key));
  return later
    .slice(0, MAX_LATER_PARAMETERS)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}

function startOf(head: RemoteBlock, genesis: RemoteBlock, answers: Answers, options: StartOptions): ForkStart {
  const { slotMs = SLOT_MS } = options;
  const ledger = emptyLedger(genesis, slotMs);
  const { state } = ledger;
  const { tables } = state;
  const { longs, texts } = properties(answers);
  for (const [name, value] of longs) tables.longs.set(name, value);
  for (const [name, value] of texts) tables.texts.set(name, value);
  for (const [name, value] of answers.histories) if (value !== '') tables.texts.set(name, value);
  const { TotalNetWeight, TotalEnergyWeight, TotalTronPowerWeight } = answers.totals;
  const intervalMs = longs.get('MAINTENANCE_TIME_INTERVAL') ?? 1n;
  // Exact for a chain in its first cycle, which has number 0.
  const epochs = (answers.nextMaintenanceMs - genesis.timestampMs) / (intervalMs > 0n ? intervalMs : 1n);
  const cycle = answers.cycle ?? (epochs > 0n ? epochs - 1n : 0n);
  const written: readonly (readonly [LongProperty, bigint])[] = [
    ['latest_block_header_number', BigInt(head.number)],
    ['latest_block_header_timestamp', head.timestampMs],
    ['NEXT_MAINTENANCE_TIME', answers.nextMaintenanceMs],
    ['CURRENT_CYCLE_NUMBER', cycle],
    // All cycles, and the one before the assumed first, in which `reward-rows.ts` puts what is due.
    ['NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE', accumulates(longs) ? -1n : MAX_LONG],
    ['BURN_TRX_AMOUNT', answers.burnedSun],
    ['TOTAL_NET_WEIGHT', TotalNetWeight],
    ['TOTAL_ENERGY_WEIGHT', TotalEnergyWeight],
    ['TOTAL_TRON_POWER_WEIGHT', TotalTronPowerWeight],
    ['LATEST_PROPOSAL_NUM', highest(answers.proposals.map(({ proposal_id }) => proposal_id))],
    ['LATEST_EXCHANGE_NUM', highest(answers.exchanges.map(({ exchange_id }) => exchange_id))],
    ['TOKEN_ID_NUM', highest([NO_TOKENS, ...answers.assets.map(({ id }) => BigInt(id))])],
    ['state_flag', head.number === 1 || endsEpoch(answers, intervalMs) ? 1n : 0n],
  ];
  for (const [name, value] of written) ledger.setLong(name, value);
  ledger.setText('latest_block_header_hash', head.id);

  for (const witness of answers.witnesses) {
    tables.witnesses.set(witness.address, witness);
    const percent = answers.brokerages.get(witness.address) ?? 20n;
    const brokerage = percent === 20n ? undefined : percent;
    tables.witnessRewards.set(witness.address, {
      poolSun: 0n,
      brokerage,
      nextBrokerage: brokerage,
      votes: witness.voteCount,
      perVote: 0n,
      perVoteSoFar: 0n,
    });
  }
  const elected = new Set(answers.witnesses.filter(({ isJobs }) => isJobs).map(({ address }) => address));
  const ranked = electActiveWitnesses(ledger);
  setActiveWitnesses(ledger, elected.size === 0 ? ranked : ranked.filter((address) => elected.has(address)));
  rankStandbyWitnesses(ledger);
  updateSolidified(ledger);
  for (const proposal of answers.proposals) tables.proposals.set(numberKey(proposal.proposal_id), proposal);

  const rules = rulesOf(ledger);
  for (const asset of answers.assets) {
    const { public_free_asset_net_usage: usage, public_latest_free_net_time: lastSlot } = asset;
    const stored = fixedUsageBefore(usage, lastSlot, answers.assetsSlot, rules);
    putAsset(ledger, { ...asset, public_free_asset_net_usage: stored });
  }
  for (const exchange of answers.exchanges) putExchange(ledger, exchange);
  for (const order of answers.orders) enqueue(ledger, order);
  for (const [table, keys] of unmergedRows(answers, tokensHaveIds(ledger)))
    tables.meta.set(unmergedRow(table), keys.join(' '));
  const later = laterParameters(answers);
  if (later !== '') tables.meta.set(LATER_PARAMETERS, later);
  const { votes } = answers;
  if (votes !== undefined && votes.old_votes.length + votes.new_votes.length > 0) tables.votes.set(ALL_VOTERS, votes);

  // Contracts that read a block id usually read the newest.
  const parent = head.header.raw_data?.parentHash;
  if (parent !== undefined && head.number > 0)
    tables.earlierBlockIds.set(numberKey(head.number - 1), parent as BlockId);
  return {
    head,
    genesis: { id: genesis.id, timestampMs: genesis.timestampMs },
    rows: rowsOf(state, head.number),
    assumptions: ASSUMPTIONS.map(({ name }) => name).filter(
      (name) =>
        (name !== 'cycle' || answers.cycle === undefined) &&
        (name !== 'laterParameters' || later !== '') &&
        (name !== 'runningTally' || (votes === undefined && !endsEpoch(answers, intervalMs))) &&
        (name !== 'brokerages' || !options.brokerages),
    ),
  };
}

/**
 * Whether the head ended an epoch: it is the first block at or after the last maintenance time. (The first block of a
 * chain always ends one.)
 */
function endsEpoch({ headMs, parentMs, nextMaintenanceMs }: Answers, intervalMs: bigint): boolean {
  const lastMs = nextMaintenanceMs - intervalMs;
  return headMs >= lastMs && parentMs < lastMs;
}

function highest(ids: readonly bigint[]): bigint {
  return ids.reduce((max, id) => (id > max ? id : max), 0n);
}

/** Sorted by key, independent of the order of changes. */
function rowsOf(state: State, readAtBlock: number): FetchedRow[] {
  return START_TABLES.flatMap((table) => {
    const spec = TABLES[table] as unknown as TableSpec<unknown>;
    return [...state.journal.changedKeys(state.tables[table] as never)].sort().map((key) => {
      const value = state.tables[table].get(key);
      return { table, key, value: value === undefined ? undefined : spec.encode(value), readAtBlock };
    });
  });
}
