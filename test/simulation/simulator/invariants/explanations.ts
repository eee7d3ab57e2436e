/**
 * What is said about the cost of a transaction adds up to its receipt: an explanation with its charges, frames and
 * contracts, the call tree, and the statistics of the block. What a transfer moved is what is gone and what has come.
 */

import { operationsAfter } from '../../../../src/ledger/operations/operation.js';
import { fromBase58, toBase58 } from '../../../../src/protocol/address.js';
import type { TransferContract } from '../../../../src/protocol/generated/balance-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Transaction_Contract_ContractType_type as ContractTypes,
  Transaction_Result_contractResult_type as Outcomes,
} from '../../../../src/protocol/generated/tron.js';
import { COIN } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { resultOf } from '../users/asker.js';
import type { Host } from '../users/user.js';
import { type ScannedTransaction, transactionsIn } from './scan.js';

const NAME = 'an explanation adds up to the receipt';
const BLOCKS_BACK = 30;
/** An explanation shows so many frames, and no more. */
const MOST_FRAMES = 1_000;

type Amount = number | string;

interface Charge {
  readonly payer: string;
  readonly resource: 'bandwidth' | 'energy' | 'coin';
  readonly source: string;
  readonly amount: Amount;
  readonly reason: string;
  readonly units?: Amount;
  readonly unitPriceSun?: Amount;
}

type Amounts = Readonly<Record<string, Amount>>;

interface ChangedAccount {
  readonly address: string;
  readonly values: readonly { readonly name: string; readonly before: Amount; readonly after: Amount }[];
}

interface StakeLimit extends Readonly<Record<'limit' | 'ownStakeSun' | 'networkLimit' | 'networkStakeCoins', Amount>> {
  readonly delegated: readonly { readonly stakeSun: Amount }[];
}

interface Explanation {
  readonly txid: string;
  readonly block: Readonly<Record<'number' | 'index' | 'transactions', number>>;
  readonly type: string;
  readonly owner: string;
  readonly outcome: { readonly succeeded: boolean; readonly result: string };
  readonly feeSun: Amount;
  readonly charges: readonly Charge[];
  readonly bandwidth?: { readonly bytes: Amount; readonly staked?: StakeLimit };
  readonly energy?: {
    readonly total: Amount;
    readonly penalty: Amount;
    readonly unreportedPenalty?: Amount;
    readonly priceSun: Amount;
    readonly contracts: readonly Amounts[];
    readonly frames: readonly Amounts[];
    readonly caller: Readonly<Record<'owed' | 'staked' | 'bought' | 'feeSun' | 'limit', Amount>> & {
      readonly stake: StakeLimit;
    };
    readonly origin?: Readonly<Record<'paid' | 'limit', Amount>>;
    readonly limit: Amount;
  };
}

interface TracedCall {
  readonly energy: { readonly total: Amount; readonly own: Amount };
  readonly events: readonly { readonly type: string; readonly call?: TracedCall; readonly energy?: Amount }[];
  readonly omitted?: number;
}

interface Traced {
  readonly call?: TracedCall;
  readonly changes?: { readonly accounts: readonly ChangedAccount[] };
}

/** What is said, and what it has to be. */
type Said = readonly [what: string, value: unknown, expected: unknown];

export async function explanationsAddUp(host: Host): Promise<void> {
  const { world, asker } = host;
  const { ledger } = world.node.chain;
  const recent = [...transactionsIn(ledger, ledger.headNumber - BLOCKS_BACK)];
  if (recent.length === 0) return;
  const chosen = world.choices.of(recent);
  const ofBlock = recent.filter(({ block }) => block === chosen.block);
  const answer = await asker.get(`/sunup/explain?txid=${chosen.txId}`);
  // Its state may not be kept any more, or the network of a fork does not answer.
  if (!answer?.startsWith('200 ')) return;
  const explanation = JSON.parse(answer.slice(4)) as Explanation;
  const tree = await asker.get(`/sunup/trace?txid=${chosen.txId}&changes=true`);
  const { call, changes } = tree?.startsWith('200 ') ? (JSON.parse(tree.slice(4)) as Traced) : {};
  // Nothing else has happened between two heights.
  const isAlone = ofBlock.length === 1 && operationsAfter(ledger, chosen.block) === 0;
  const said = [
    ...aboutReceipt(chosen, explanation, ofBlock.length),
    ...aboutEnergy(explanation, call),
    // Of a fork's network, nobody knows all lenders.
    ...(world.shape.isFork
      ? []
      : [explanation.bandwidth?.staked, explanation.energy?.caller.stake].flatMap((limit) => aboutStake(limit))),
    ...(isAlone ? await aboutTransfer(host, chosen) : []),
    ...(isAlone ? await aboutChanges(host, chosen, changes) : []),
    ...(await aboutBlock(host, ofBlock)),
  ];
  const wrong = said.find(([, value, expected]) => String(value) !== String(expected));
  if (wrong !== undefined && world.isRunning)
    throw new Violation(NAME, `of ${chosen.txId} in block ${chosen.block}: ${wrong[0]} ${wrong[1]}, not ${wrong[2]}`);
}

function sum<Item>(items: readonly Item[], of: (item: Item) => Amount): bigint {
  return items.reduce((total, item) => total + BigInt(of(item)), 0n);
}

function aboutReceipt(
  { txId, info, block, index, transaction }: ScannedTransaction,
  said: Explanation,
  count: number,
): readonly Said[] {
  const { charges, bandwidth } = said;
  const of = (resource: string, ...reasons: readonly string[]) =>
    charges.filter((one) => one.resource === resource && (reasons.length === 0 || reasons.includes(one.reason)));
  const total = (some: readonly Charge[]) => sum(some, ({ amount }) => amount);
  const from = (source: string) => total(of('energy').filter((one) => one.source === source));
  const { receipt } = info;
  const netFee = of('coin', 'bandwidth', 'account-creation-bandwidth');
  const bytes = sum([...of('bandwidth'), ...netFee], ({ resource, units, amount }) =>
    resource === 'coin' ? (units ?? 0n).toString() : amount,
  );
  const isFlat = netFee.some(({ reason }) => reason === 'account-creation-bandwidth');
  return [
    ['its id', said.txid, txId],
    ['its place', [said.block.number, said.block.index, said.block.transactions], [block, index, count]],
    ['its type', said.type, ContractTypes.nameOf(transaction.contractType)],
    ['its owner', said.owner, toBase58(transaction.owner ?? '')],
    ['its outcome', said.outcome.result, Outcomes.nameOf(transaction.message.ret[0]?.contractRet ?? 1)],
    ['its fee', said.feeSun, info.fee],
    ['charges in TRX', total(of('coin')), info.fee],
    ['staked Energy', from('staked'), receipt?.energy_usage ?? 0n],
    ["the deployer's Energy", from('origin'), receipt?.origin_energy_usage ?? 0n],
    ['burned for Energy', total(of('coin', 'energy')), receipt?.energy_fee ?? 0n],
    ['bandwidth', total(of('bandwidth')), receipt?.net_usage ?? 0n],
    ['burned for bandwidth', total(netFee), receipt?.net_fee ?? 0n],
    ...(bandwidth === undefined || isFlat ? [] : [['bytes', bandwidth.bytes, bytes] as const]),
    ...charges.flatMap(({ reason, amount, units, unitPriceSun }): readonly Said[] =>
      units === undefined || unitPriceSun === undefined
        ? []
        : [[`${units} units for ${reason}`, amount, BigInt(units) * BigInt(unitPriceSun)]],
    ),
    ['Energy', said.energy?.total ?? 0, receipt?.energy_usage_total ?? 0n],
    ['penalty', said.energy?.penalty ?? 0, receipt?.energy_penalty_total ?? 0n],
  ];
}

/** A limit is what the stakes give that are named with it; some rules count whole TRX only, and round. */
function aboutStake(said: StakeLimit | undefined): readonly Said[] {
  if (said === undefined) return [];
  const [limit, own, whole, coins] = [said.limit, said.ownStakeSun, said.networkLimit, said.networkStakeCoins].map(
    BigInt,
  ) as [bigint, bigint, bigint, bigint];
  if (coins <= 0n) return [];
  const stakeSun = own + sum(said.delegated, (one) => one.stakeSun);
  const most = (stakeSun * whole) / (COIN * coins) + 1n;
  const least = ((stakeSun / COIN) * whole) / coins - 1n;
  return [[`a stake of ${stakeSun} gives`, limit, limit < least ? least : limit > most ? most : limit]];
}

function aboutEnergy({ energy }: Explanation, call: TracedCall | undefined): readonly Said[] {
  if (energy === undefined) return [];
  const { total, penalty, unreportedPenalty = 0, priceSun, contracts, frames, caller, origin, limit } = energy;
  const whole = (contract: Amounts) =>
    sum(['base', 'penalty', 'precompiles', 'deposit', 'forfeited'], (part) => contract[part] ?? 0) -
    BigInt(contract.stipends ?? 0);
  return [
    ["the caller's part", caller.owed, BigInt(total) - BigInt(origin?.paid ?? 0)],
    ['staked and bought', BigInt(caller.staked) + BigInt(caller.bought), caller.owed],
    ['the price of what is bought', caller.feeSun, BigInt(caller.bought) * BigInt(priceSun)],
    ['limits of caller and deployer', BigInt(caller.limit) + BigInt(origin?.limit ?? 0), limit],
    ...(contracts.length === 0
      ? []
      : ([
          ['Energy of its contracts', sum(contracts, (one) => one.total ?? 0), total],
          ['Energy of its contracts by kind', contracts.map(whole), contracts.map((one) => one.total)],
          ['penalties', sum(contracts, (one) => one.penalty ?? 0), BigInt(penalty) + BigInt(unreportedPenalty)],
        ] as const)),
    ...(frames.length === 0 || frames.length === MOST_FRAMES
      ? []
      : ([
          ['Energy of its frames', sum(frames, (one) => one.own ?? 0), total],
          ['Energy of the first frame', frames[0]?.total, total],
        ] as const)),
    ...(call === undefined
      ? []
      : ([
          ['Energy of its call tree', call.energy.total, total],
          ...(ownOf(call) === undefined ? [] : [['Energy of all calls', ownOf(call), total] as const]),
        ] as const)),
  ];
}

/** What all calls used themselves; undefined if some are not shown. */
function ownOf({ energy, events, omitted }: TracedCall): bigint | undefined {
  if (omitted !== undefined) return undefined;
  let own = BigInt(energy.own);
  for (const { call } of events) {
    if (call === undefined) continue;
    const below = ownOf(call);
    if (below === undefined) return undefined;
    own += below;
  }
  return own;
}

/** @returns undefined where the state of that height is not kept */
export async function balanceAt({ asker }: Host, address: string, number: number): Promise<bigint | undefined> {
  const answer = await asker.rpc('/eth', 'eth_getBalance', [`0x${address.slice(2)}`, `0x${number.toString(16)}`]);
  const result = resultOf<string>(answer);
  // The blackhole's is negative.
  return result === undefined ? undefined : BigInt.asIntN(64, BigInt(result));
}

/** The balances before and after a transaction that is alone between two heights. */
async function aboutChanges(
  host: Host,
  { block }: ScannedTransaction,
  changes: Traced['changes'],
): Promise<readonly Said[]> {
  const said: Said[] = [];
  for (const { address, values } of changes?.accounts.slice(0, 3) ?? []) {
    const balance = values.find(({ name }) => name === 'balance');
    const hex = fromBase58(address);
    if (balance === undefined || hex === undefined) continue;
    const before = await balanceAt(host, hex, block - 1);
    const after = await balanceAt(host, hex, block);
    if (before === undefined || after === undefined) continue;
    said.push([`the balance of ${address} before`, balance.before, before]);
    said.push([`the balance of ${address} after`, balance.after, after]);
  }
  return said;
}

/** A transfer that is alone between two heights. */
async function aboutTransfer(host: Host, { block, transaction, info }: ScannedTransaction): Promise<readonly Said[]> {
  const { contractType, owner = '' } = transaction;
  if (contractType !== ContractType.TransferContract) return [];
  const { to_address: to, amount } = transaction.contract as TransferContract;
  if (to === owner) return [];
  const moved = async (address: string) => {
    const before = await balanceAt(host, address, block - 1);
    const after = await balanceAt(host, address, block);
    return before === undefined || after === undefined ? undefined : after - before;
  };
  const gone = await moved(owner);
  const came = await moved(to);
  return [
    ...(gone === undefined ? [] : [["the sender's balance changed by", gone, -amount - info.fee] as const]),
    ...(came === undefined ? [] : [["the receiver's balance changed by", came, amount] as const]),
  ];
}

/** The statistics of a block are the sums of its receipts. */
async function aboutBlock({ asker }: Host, all: readonly ScannedTransaction[]): Promise<readonly Said[]> {
  const [first] = all;
  const answer = first && (await asker.get(`/v1/blocks/${first.block}/stats?get_tx_detail=true`));
  if (!answer?.startsWith('200 ')) return [];
  const { data } = JSON.parse(answer.slice(4)) as {
    readonly data: readonly [
      { readonly feeStat: Amounts; readonly txStat: Readonly<Record<string, number | object>> }?,
    ];
  };
  if (data[0] === undefined) return [];
  const { feeStat, txStat } = data[0];
  const infos = all.map(({ info }) => info);
  const receipts = infos.map(({ receipt }) => receipt);
  const types: Record<number, number> = {};
  for (const { transaction } of all) types[transaction.contractType] = (types[transaction.contractType] ?? 0) + 1;
  const inside = infos.map(({ internal_transactions: internal }) => internal.length);
  const fees = sum(infos, ({ fee }) => String(fee));
  const burned = (member: 'energy_fee' | 'net_fee') => sum(receipts, (one) => String(one?.[member] ?? 0n));
  const used = (member: 'energy_usage' | 'origin_energy_usage' | 'energy_usage_total' | 'net_usage') =>
    sum(receipts, (one) => String(one?.[member] ?? 0n));
  const failed = all.filter(({ transaction }) => (transaction.message.ret[0]?.contractRet ?? 1) > 1);
  return [
    ['Energy of the block', feeStat.energyUsage, used('energy_usage_total')],
    ['staked Energy of the block', feeStat.freeEnergyUsageCnt, used('energy_usage') + used('origin_energy_usage')],
    ['bandwidth of the block', feeStat.netUsage, used('net_usage')],
    ['burned for Energy in the block', feeStat.energyBurnFeeSunAmt, burned('energy_fee')],
    ['burned for bandwidth in the block', feeStat.bandwidthBurnFeeSunAmt, burned('net_fee')],
    ['other fees of the block', feeStat.otherFee, fees - burned('energy_fee') - burned('net_fee')],
    ['internal transactions of the block', txStat.internalTxCount, sum(inside, (count) => count)],
    ['transactions with internal ones', txStat.containInternalTxCount, inside.filter((count) => count > 0).length],
    ['failed transactions of the block', txStat.failTxCount, failed.length],
    ['types of the block', JSON.stringify(txStat.contractTypeDistribute), JSON.stringify(types)],
  ];
}
