/**
 * What a fork begins with, in one round of questions: head and genesis, parameters, totals, prices with their histories,
 * witnesses, proposals, exchanges. The rows are made by the ledger's own functions on a state of their own, so that what
 * follows from them (schedule, standby group, solidified block) follows by the ledger's rules.
 */

import { putAsset } from '../ledger/accounts/assets.js';
import { ASSUMPTIONS } from '../ledger/blocks/fork-assumptions.js';
import { type ChainConfig, NETWORK_SETTINGS } from '../ledger/config.js';
import { electActiveWitnesses, rankStandbyWitnesses, setActiveWitnesses } from '../ledger/epoch/schedule.js';
import { updateSolidified } from '../ledger/epoch/solidified-block.js';
import { Ledger } from '../ledger/ledger.js';
import { putExchange } from '../ledger/trade/exchange.js';
import { enqueue } from '../ledger/trade/market.js';
import { PARAMETERS } from '../parameters/definitions.js';
import { approvable, genesisProperties, leastValue, presetByName } from '../parameters/presets.js';
import type { LongProperty, TextProperty } from '../parameters/properties.js';
import type { Address, BlockId } from '../primitives/ids.js';
import { MAX_LONG } from '../primitives/java-math.js';
import {
  AccountResourceMessage,
  AssetIssueList,
  ExchangeList,
  ProposalList,
  WitnessList,
} from '../protocol/generated/api.js';
import { SmartContractDataWrapper } from '../protocol/generated/smart-contract.js';
import { ChainParameters, type MarketOrder, type Votes } from '../protocol/generated/tron.js';
import { type JsonObject, textMember } from '../protocol/json/value.js';
import { resourceRules } from '../resources/rules.js';
import type { FetchedRow } from '../state/fork/remote-rows.js';
import { State } from '../state/state.js';
import type { RowSource, TableSpec } from '../state/table-spec.js';
import { numberKey, TABLES } from '../state/tables.js';
import { lies, longOf, messageOf, objectOf } from './answers.js';
import type { ForkStart, TableName } from './fork-start.js';
import { openOrders } from './market-book.js';
import type { NetworkTerms } from './network-terms.js';
import type { RemoteBlock, RemoteChain } from './remote-chain.js';
import type { RemoteClient } from './remote-client.js';
import { ALL_VOTERS, runningVotes } from './running-votes.js';
import { fixedUsageBefore } from './usage-before-recovery.js';

/** Ids of tokens begin after it. */
const NO_TOKENS = 1_000_000n;
/** The head stands still for 3 s, a round of questions takes less: so often it is tried. */
const MOST_ROUNDS = 3;
const MS_PER_DAY = 86_400_000n;

const NO_ROWS: RowSource = { read: () => undefined, scan: () => [] };

export interface StartOptions {
  /** A slot of the network. Default 3,000 ms. */
  readonly slotMs?: bigint;
  /** Whether each standby witness is asked for its brokerage: up to 127 questions. */
  readonly brokerages?: boolean;
}

export interface ReadStart {
  readonly start: ForkStart;
  readonly terms: NetworkTerms;
}

/** @throws RemoteError */
export async function readStart(
  client: RemoteClient,
  chain: RemoteChain,
  options: StartOptions = {},
): Promise<ReadStart> {
  let before = await chain.head();
  const genesis = await chain.blockAt(0);
  for (let round = 1; ; round++) {
    const answers = await askAll(client, chain, before, options);
    const after = await chain.head();
    if (after.id === before.id || round === MOST_ROUNDS) {
      chain.pin(before);
      return startOf(before, genesis, answers, options);
    }
    before = after;
  }
}

interface Answers {
  readonly headMs: bigint;
  readonly parentMs: bigint;
  readonly parameters: ReadonlyMap<string, bigint>;
  readonly nextMaintenanceMs: bigint;
  readonly histories: ReadonlyMap<TextProperty, string>;
  readonly burnedSun: bigint;
  readonly witnesses: WitnessList['witnesses'];
  readonly proposals: ProposalList['proposals'];
  readonly exchanges: ExchangeList['exchanges'];
  /** Every TRC-10 token: some megabytes of the main network, in one answer. */
  readonly assets: AssetIssueList['assetIssue'];
  readonly totals: AccountResourceMessage;
  readonly cycle: bigint | undefined;
  readonly brokerages: ReadonlyMap<string, bigint>;
  /** Undefined: the node does not tell. */
  readonly votes: Votes | undefined;
  readonly orders: readonly MarketOrder[];
}

async function askAll(
  client: RemoteClient,
  chain: RemoteChain,
  head: RemoteBlock,
  { brokerages }: StartOptions,
): Promise<Answers> {
  const ask = async (method: string, what: string, body = '{}') => {
    const asked = { url: `${client.url}/wallet/${method}`, what };
    return { json: objectOf(await client.wallet(method, body, what), asked), asked };
  };
  const number = async (method: string, member: string, what: string) => {
    const { json, asked } = await ask(method, what);
    return longOf(json, member, asked);
  };
  const prices = async (method: string, what: string): Promise<string> =>
    textMember((await ask(method, what)).json, 'prices') ?? '';

  const witnessesAndTotals = async () => {
    const { json, asked } = await ask('listwitnesses', 'the witnesses');
    const { witnesses } = messageOf(WitnessList, json, asked);
    // Any account will do: its answer has the totals of the network.
    const [some] = witnesses;
    if (some === undefined) throw lies(asked, 'it knows no witnesses');
    const resource = await ask('getaccountresource', 'the totals of stake', `{"address":"${some.address}"}`);
    const votes = await runningVotes(client, witnesses);
    const standby = brokerages ? byVotes(witnesses).slice(0, 127) : [];
    const percents = await Promise.all(
      standby.map(async ({ address }) => {
        const answer = await ask('getBrokerage', `the brokerage of ${address}`, `{"address":"${address}"}`);
        return [address as string, longOf(answer.json, 'brokerage', answer.asked)] as const;
      }),
    );
    return {
      witnesses,
      totals: messageOf(AccountResourceMessage, resource.json, resource.asked),
      brokerages: new Map(percents),
      votes,
    };
  };
  const parameters = async () => {
    const { json, asked } = await ask('getchainparameters', 'the chain parameters');
    const { chainParameter } = messageOf(ChainParameters, json, asked);
    if (chainParameter.length === 0) throw lies(asked, 'it knows no chain parameters');
    return new Map(chainParameter.map(({ key, value }) => [key, value]));
  };
  const cycle = async () => {
    const contract = await chain.contractCalledLately();
    if (contract === undefined) return undefined;
    const { json, asked } = await ask('getcontractinfo', 'the running cycle', `{"value":"${contract}"}`);
    return messageOf(SmartContractDataWrapper, json, asked).contract_state?.update_cycle;
  };
  const list = async <M>(method: string, what: string, read: (json: JsonObject, url: string) => M): Promise<M> => {
    const { json, asked } = await ask(method, what);
    return read(json, asked.url);
  };

  const [
    parent,
    known,
    nextMaintenanceMs,
    energy,
    bandwidth,
    memo,
    burnedSun,
    people,
    proposals,
    exchanges,
    assets,
    running,
  ] = await Promise.all([
    chain.blockAt(Math.max(0, head.number - 1)),
    parameters(),
    number('getnextmaintenancetime', 'num', 'the next maintenance'),
    prices('getenergyprices', 'the prices of Energy'),
    prices('getbandwidthprices', 'the prices of bandwidth'),
    prices('getmemofee', 'the fees of memos'),
    number('getburntrx', 'burnTrxAmount', 'what was burned'),
    witnessesAndTotals(),
    list('listproposals', 'the proposals', (json, url) =>
      messageOf(ProposalList, json, { url, what: 'the proposals' }),
    ),
    list('listexchanges', 'the exchanges', (json, url) =>
      messageOf(ExchangeList, json, { url, what: 'the exchanges' }),
    ),
    list('getassetissuelist', 'the tokens', (json, url) =>
      messageOf(AssetIssueList, json, { url, what: 'the tokens' }),
    ),
    cycle(),
  ]);
  return {
    headMs: head.timestampMs,
    parentMs: parent.timestampMs,
    parameters: known,
    nextMaintenanceMs,
    histories: new Map([
      ['ENERGY_PRICE_HISTORY', energy],
      ['BANDWIDTH_PRICE_HISTORY', bandwidth],
      ['MEMO_FEE_HISTORY', memo],
    ]),
    burnedSun,
    ...people,
    proposals: proposals.proposals,
    exchanges: exchanges.exchanges,
    assets: assets.assetIssue,
    cycle: running,
    // Closed on the main network, where nobody is asked.
    orders: known.get('getAllowMarketTransaction') === 1n ? await openOrders(client) : [],
  };
}

function byVotes(witnesses: Answers['witnesses']): Answers['witnesses'] {
  return [...witnesses].sort((a, b) => (a.voteCount < b.voteCount ? 1 : a.voteCount > b.voteCount ? -1 : 0));
}

/** Every property: parameters as the node says, what follows from them as if they had been voted for, first values. */
function properties({ parameters }: Answers) {
  const known = PARAMETERS.flatMap((parameter) => {
    const value = parameters.get(parameter.key);
    // A parameter that the release of the node does not know is off; one without a value stands at 0.
    return value === undefined ? [] : [{ parameter, value }];
  });
  const voted = known.filter(
    ({ parameter, value }) => approvable(parameter) === parameter && value >= leastValue(parameter.name),
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

function startOf(head: RemoteBlock, genesis: RemoteBlock, answers: Answers, options: StartOptions): ReadStart {
  const { slotMs = 3_000n } = options;
  const state = new State(NO_ROWS);
  const ledger = new Ledger(state, configOf(genesis, slotMs));
  const { tables } = state;
  const { longs, texts } = properties(answers);
  for (const [name, value] of longs) tables.longs.set(name, value);
  for (const [name, value] of texts) tables.texts.set(name, value);
  for (const [name, value] of answers.histories) if (value !== '') tables.texts.set(name, value);
  const { TotalNetWeight, TotalEnergyWeight, TotalTronPowerWeight } = answers.totals;
  const intervalMs = longs.get('MAINTENANCE_TIME_INTERVAL') ?? 1n;
  const cycle =
    answers.cycle ?? (answers.nextMaintenanceMs - genesis.timestampMs) / (intervalMs > 0n ? intervalMs : 1n);
  const written: readonly (readonly [LongProperty, bigint])[] = [
    ['latest_block_header_number', BigInt(head.number)],
    ['latest_block_header_timestamp', head.timestampMs],
    ['NEXT_MAINTENANCE_TIME', answers.nextMaintenanceMs],
    ['CURRENT_CYCLE_NUMBER', cycle],
    // Since when does not matter to what is owed from here on (`reward-rows.ts`).
    ['NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE', accumulates(longs) ? 0n : MAX_LONG],
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

  const slot = (head.timestampMs - genesis.timestampMs) / slotMs;
  for (const asset of answers.assets) {
    const { public_free_asset_net_usage: usage, public_latest_free_net_time: lastSlot } = asset;
    const stored = fixedUsageBefore(usage, lastSlot, slot, MS_PER_DAY / slotMs);
    putAsset(ledger, { ...asset, public_free_asset_net_usage: stored });
  }
  for (const exchange of answers.exchanges) putExchange(ledger, exchange);
  for (const order of answers.orders) enqueue(ledger, order);
  const { votes } = answers;
  if (votes !== undefined && votes.old_votes.length + votes.new_votes.length > 0) tables.votes.set(ALL_VOTERS, votes);

  // Contracts that ask for one id mostly ask for the newest.
  const parent = head.header.raw_data?.parentHash;
  if (parent !== undefined && head.number > 0)
    tables.earlierBlockIds.set(numberKey(head.number - 1), parent as BlockId);
  return {
    start: {
      head,
      genesis: { id: genesis.id, timestampMs: genesis.timestampMs },
      rows: rowsOf(state, head.number),
      assumptions: ASSUMPTIONS.map(({ name }) => name).filter(
        (name) =>
          (name !== 'cycle' || answers.cycle === undefined) &&
          (name !== 'runningTally' || votes === undefined) &&
          (name !== 'brokerages' || !options.brokerages),
      ),
    },
    terms: {
      genesisTimestampMs: genesis.timestampMs,
      slotMs,
      rules: resourceRules((name) => ledger.long(name), MS_PER_DAY / slotMs),
      cycle,
      paysVoters: ledger.on('CHANGE_DELEGATION'),
      accumulates: accumulates(longs),
      tokensHaveIds: ledger.on('ALLOW_SAME_TOKEN_NAME'),
      delegationPairs: ledger.on('ALLOW_DELEGATE_OPTIMIZATION'),
      votesOfWitness: new Map(answers.witnesses.map(({ address, voteCount }) => [address, voteCount])),
    },
  };
}

/**
 * Whether the head is the block that ended an epoch: the first not before the time of the maintenance before the next. (The
 * first block of a chain always does.)
 */
function endsEpoch({ headMs, parentMs, nextMaintenanceMs }: Answers, intervalMs: bigint): boolean {
  const lastMs = nextMaintenanceMs - intervalMs;
  return headMs >= lastMs && parentMs < lastMs;
}

function accumulates(longs: ReadonlyMap<LongProperty, bigint>): boolean {
  return longs.get('ALLOW_NEW_REWARD') === 1n || longs.get('ALLOW_TVM_VOTE') === 1n;
}

function highest(ids: readonly bigint[]): bigint {
  return ids.reduce((most, id) => (id > most ? id : most), 0n);
}

function configOf(genesis: RemoteBlock, slotMs: bigint): ChainConfig {
  return {
    ...NETWORK_SETTINGS,
    slotMs,
    beginsAt: 0,
    genesisTimestampMs: genesis.timestampMs,
    genesisId: genesis.id,
    blackhole: '' as Address,
    genesisWitnesses: new Map(),
    genesisContracts: new Set(),
    genesisAccounts: new Set(),
    signFor: () => '',
  };
}

const STARTED = [
  'assets',
  'assetsByName',
  'earlierBlockIds',
  'exchanges',
  'exchangesByName',
  'longs',
  'marketOrders',
  'marketPairs',
  'marketPrices',
  'proposals',
  'texts',
  'votes',
  'witnessRewards',
  'witnesses',
] as const satisfies TableName[];

/** In one order, whatever the order in which they came about. */
function rowsOf(state: State, readAtBlock: number): FetchedRow[] {
  return STARTED.flatMap((table) => {
    const spec = TABLES[table] as unknown as TableSpec<unknown>;
    return [...state.journal.changedKeys(state.tables[table] as never)].sort().map((key) => {
      const value = state.tables[table].get(key);
      return { table, key, value: value === undefined ? undefined : spec.encode(value), readAtBlock };
    });
  });
}
