/**
 * The traffic of accounts as a model instead of single steps: a day with its rates by hour, in which the kinds of
 * transactions keep their shares. It can be scaled, and it has no order of its own: the seed decides it.
 */

import { functionOf } from '../../abi/items.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { TransferContract } from '../../protocol/generated/balance-contract.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import { calledContract } from '../costs/listed-transaction.js';
import type { NetworkContracts } from '../network-contracts.js';
import type { SentTransaction } from './sent-transaction.js';
import { type NameOf, scenarioAmount } from './traffic-step.js';

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Shares are exact to one of so many. */
const ROUND = 100;
/** Receivers and call data that a flow draws from. */
const MAX_EXAMPLES = 50;
/** SSTORE of an empty slot costs so much more: the receiver had none of the token. */
const NEW_HOLDER_ENERGY = 15_000n;
const TOKEN_TRANSFER = 'transfer(address,uint256)';
/** New holders are drawn from ten times as many, so that few are drawn twice. */
const SPARE_HOLDERS = 10;
const MAX_HOLDERS = 50_000;

/** Transactions of one kind. */
interface Flow {
  readonly label: string;
  count: number;
  energy: bigint;
  readonly receivers: Set<string>;
  readonly data: Set<string>;
  least: bigint;
  most: bigint;
  readonly step: (flow: Flow) => object;
}

export interface TrafficModel {
  /** Members of the group `newHolders`; 0: no receiver was new. */
  readonly newHolders: number;
  readonly steps: readonly object[];
  /** What each kind of transaction was on the network: lines for people. */
  readonly summary: readonly string[];
  readonly modelled: number;
}

/**
 * @param scale 2: twice the traffic
 * @param isOther called for each transaction that no flow has
 */
export function trafficModel(
  sent: readonly SentTransaction[],
  payer: string,
  {
    nameOf,
    contracts,
    scale,
    isOther,
  }: {
    readonly nameOf: NameOf;
    readonly contracts: NetworkContracts;
    readonly scale: number;
    readonly isOther: (one: SentTransaction) => void;
  },
): TrafficModel {
  const flows = new Map<string, Flow>();
  const least = leastEnergies(sent);
  const byHour = new Array<number>(HOURS).fill(0);
  const modelled: SentTransaction[] = [];
  for (const one of sent) {
    const kind = kindOf(one, payer, nameOf, contracts, least);
    if (kind === undefined) {
      isOther(one);
      continue;
    }
    modelled.push(one);
    const { key, receiver, data, amount, ...start } = kind;
    const flow = flows.get(key) ?? { ...start, ...emptyFlow(amount) };
    flows.set(key, flow);
    flow.count++;
    flow.energy += one.info.receipt?.energy_usage_total ?? 0n;
    if (receiver !== undefined && flow.receivers.size < MAX_EXAMPLES) flow.receivers.add(receiver);
    if (data !== undefined && flow.data.size < MAX_EXAMPLES) flow.data.add(data);
    if (amount < flow.least) flow.least = amount;
    if (amount > flow.most) flow.most = amount;
    const hour = Math.floor(one.listed.timestampMs / HOUR_MS) % HOURS;
    byHour[hour] = (byHour[hour] ?? 0) + 1;
  }
  const all = [...flows.values()].sort((a, b) => b.count - a.count);
  const [first, last] = [modelled[0], modelled.at(-1)];
  const spanMs = first === undefined || last === undefined ? 0 : last.listed.timestampMs - first.listed.timestampMs;
  const days = Math.max(1, Math.round(spanMs / (HOURS * HOUR_MS)));
  const inner = all.map((flow) => ({
    repeat: { times: { oneOf: shareOf(flow.count, modelled.length) }, counter: 'once', steps: [flow.step(flow)] },
  }));
  const hours = byHour.map((count, hour) => {
    const rate = Number(((count / days) * scale).toFixed(3));
    if (rate === 0) return { advance: '1h' };
    return {
      label: `${String(hour).padStart(2, '0')}:00 UTC`,
      traffic: { for: '1h', rate: `${rate} per hour`, steps: inner },
    };
  });
  const fresh = all.filter(({ label }) => label.endsWith(NEW)).reduce((sum, { count }) => sum + count, 0);
  return {
    newHolders: Math.min(MAX_HOLDERS, Math.ceil(fresh * scale) * SPARE_HOLDERS),
    steps: modelled.length === 0 ? [] : [{ repeat: { times: days, counter: 'day', steps: hours } }],
    summary: all.map(
      ({ label, count, energy }) =>
        `${label}: ${count} times${energy === 0n ? '' : `, ${energy / BigInt(count)} Energy on average`}`,
    ),
    modelled: modelled.length,
  };
}

const NEW = 'to new holders';

interface Kind {
  readonly key: string;
  readonly label: string;
  readonly receiver?: string;
  readonly data?: string;
  readonly amount: bigint;
  readonly step: Flow['step'];
}

const emptyFlow = (amount: bigint) => ({
  count: 0,
  energy: 0n,
  receivers: new Set<string>(),
  data: new Set<string>(),
  least: amount,
  most: amount,
});

/** Of each contract, the Energy of its cheapest call of `transfer`: to somebody who has the token. */
function leastEnergies(sent: readonly SentTransaction[]): ReadonlyMap<Address, bigint> {
  const least = new Map<Address, bigint>();
  for (const one of sent) {
    const contract = calledContract(one.listed.transaction);
    if (contract === undefined || one.info.resMessage !== '') continue;
    const base = baseEnergy(one);
    if (base < (least.get(contract) ?? base + 1n)) least.set(contract, base);
  }
  return least;
}

function baseEnergy({ info: { receipt } }: SentTransaction): bigint {
  return (receipt?.energy_usage_total ?? 0n) - (receipt?.energy_penalty_total ?? 0n);
}

function kindOf(
  one: SentTransaction,
  payer: string,
  nameOf: NameOf,
  contracts: NetworkContracts,
  least: ReadonlyMap<Address, bigint>,
): Kind | undefined {
  const { transaction } = one.listed;
  if (transaction.contractType === ContractType.TransferContract) {
    const { to_address, amount } = transaction.contract as unknown as TransferContract;
    return {
      key: 'transfer',
      label: 'TRX transfers',
      receiver: nameOf(to_address as Address),
      amount,
      step: (flow) => ({
        transfer: { from: payer, to: { oneOf: [...flow.receivers] }, amount: between(flow, exactNumber) },
      }),
    };
  }
  const contract = calledContract(transaction);
  if (contract === undefined) return undefined;
  const { data, call_value } = transaction.contract as unknown as TriggerSmartContract;
  const feeLimit = scenarioAmount(transaction.raw.fee_limit);
  const name = nameOf(contract);
  const signature = functionOf(contracts.abiOf(contract), data)?.signature;
  if (signature === TOKEN_TRANSFER && data.length === 136 && call_value === 0n && one.info.resMessage === '') {
    const isNew = baseEnergy(one) >= (least.get(contract) ?? 0n) + NEW_HOLDER_ENERGY;
    return {
      key: `${contract} ${isNew}`,
      label: `${name}.transfer ${isNew ? NEW : 'to holders'}`,
      receiver: toBase58(`41${data.slice(32, 72)}` as Address),
      amount: BigInt(`0x${data.slice(72)}`),
      step: (flow) => ({
        call: {
          from: payer,
          contract: name,
          method: signature,
          args: [isNew ? { oneOf: 'newHolders' } : { oneOf: [...flow.receivers] }, between(flow, exactNumber)],
          feeLimit,
        },
      }),
    };
  }
  return {
    key: `${contract} ${data.slice(0, 8)} ${one.info.resMessage === ''}`,
    label: `${name}.${signature ?? `0x${data.slice(0, 8)}`}${one.info.resMessage === '' ? '' : ' (failed)'}`,
    data: `0x${data}`,
    amount: call_value,
    step: (flow) => ({
      call: {
        from: payer,
        contract: name,
        data: { oneOf: [...flow.data] },
        ...(flow.most > 0n && { value: between(flow, exactNumber) }),
        feeLimit,
      },
    }),
  };
}

function between({ least, most }: Flow, shown: (amount: bigint) => string | number | undefined): unknown {
  const [from, to] = [shown(least), shown(most)];
  return least === most || to === undefined ? (from ?? String(least)) : { random: [from, to] };
}

/** Bounds of a random amount are whole numbers, of sun or of a token; undefined: too large for one. */
function exactNumber(amount: bigint): number | undefined {
  return amount <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(amount) : undefined;
}

/**
 * Whether an arrival is of this kind: drawn from a list with as many ones as its share. Kinds are drawn independently, so an
 * arrival may be of two kinds or of none; their numbers are right on average.
 */
function shareOf(count: number, total: number): readonly number[] {
  const length = count === total ? 1 : Math.min(ROUND, total);
  const ones = Math.max(1, Math.round((count / total) * length));
  return Array.from({ length }, (_, at) => (at < ones ? 1 : 0));
}
