/**
 * Transactions of accounts of a network as a scenario on a fork: the same calls, as far apart in time as they were, each
 * with what it was (`was`).
 */

import { typeName } from '../../explanation/summary/summary.js';
import type { Connection } from '../../fork/start/connect.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { CostsError } from '../costs/costs-error.js';
import { calledContract, type TransactionParts } from '../costs/listed-transaction.js';
import { Receipts } from '../costs/receipts.js';
import { NetworkContracts } from '../network-contracts.js';
import type { SentTransaction } from './sent-transaction.js';
import { trafficModel } from './traffic-model.js';
import { type NameOf, severalSigners, type TrafficStep, trafficStep } from './traffic-step.js';

/** A file with more steps is not read by people any more. */
export const MAX_STEPS = 20_000;

const SLOT_MS = 3_000;

export interface TrafficScenario {
  readonly about: string;
  readonly fork: { readonly url: string; readonly cache: string };
  readonly accounts: Readonly<Record<string, { readonly address: string } | { readonly count: number }>>;
  readonly contracts?: Readonly<Record<string, { readonly address: string }>>;
  readonly steps: readonly object[];
}

export interface RecordedTraffic {
  readonly scenario: TrafficScenario;
  readonly transactions: number;
  /** Number of transactions that are no step, by contract type. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Of a model: what each kind of transaction was on the network. */
  readonly summary: readonly string[];
}

/**
 * @param parts of one account each, oldest first
 * @param url of the network, as the scenario names it
 * @throws CostsError for no transactions, and for more than a scenario has steps; RemoteError
 */
export async function recordTraffic(
  connection: Connection,
  {
    accounts,
    parts,
    url,
    cache,
    model,
  }: {
    readonly accounts: readonly Address[];
    readonly parts: readonly TransactionParts[];
    readonly url: string;
    readonly cache: string;
    /** A model instead of single steps, with so many times the traffic. */
    readonly model?: { readonly scale: number } | undefined;
  },
): Promise<RecordedTraffic> {
  const sent = await read(connection, parts);
  const [first, last] = [sent[0], sent.at(-1)];
  if (first === undefined || last === undefined)
    throw new CostsError('there are none in this time. Set another --since, --from or --to');
  const contracts = new NetworkContracts(connection);
  const called = sent.map(({ listed: { transaction } }) => calledContract(transaction));
  const known = [...new Set(called.filter((one) => one !== undefined))];
  await contracts.learn(known);
  for (const [at, contract] of called.entries()) {
    const data = (sent[at]?.listed.transaction.contract as { readonly data?: string } | undefined)?.data ?? '';
    if (contract !== undefined) await contracts.learnImplementation(contract, data as never);
  }
  const names = new Map<Address, string>();
  for (const [at, account] of accounts.entries())
    names.set(account, accounts.length === 1 ? 'payer' : `payer${at + 1}`);
  // A scenario signs for the accounts that it names.
  const signers = [...new Set(sent.flatMap(({ listed: { transaction } }) => severalSigners(transaction)))];
  const others = signers.filter((signer) => !names.has(signer));
  for (const [at, signer] of others.entries()) names.set(signer, `signer${at + 1}`);
  for (const contract of known) names.set(contract, freeName(contracts.nameOf(contract), new Set(names.values())));
  const nameOf: NameOf = (address) => names.get(address) ?? toBase58(address);
  const { steps, leftOut, summary, newHolders } =
    model === undefined
      ? { ...stepsOf(sent, await stepMaker(contracts, nameOf)), summary: [], newHolders: 0 }
      : modelOf(sent, nameOf, contracts, model.scale);
  const addressed = (addresses: readonly Address[]) =>
    Object.fromEntries(addresses.map((address) => [names.get(address) ?? '', { address: toBase58(address) }]));
  const day = ({ listed }: SentTransaction) =>
    new Date(listed.timestampMs).toISOString().slice(0, 16).replace('T', ' ');
  return {
    scenario: {
      about: `What ${accounts.map(toBase58).join(', ')} sent from ${day(first)} to ${day(last)} UTC, on the state of today.`,
      fork: { url, cache },
      accounts: {
        ...addressed([...accounts, ...(model === undefined ? others : [])]),
        ...(newHolders > 0 && { newHolders: { count: newHolders } }),
      },
      ...(known.length > 0 && { contracts: addressed(known) }),
      steps,
    },
    transactions: sent.length,
    leftOut,
    summary,
  };
}

function modelOf(sent: readonly SentTransaction[], nameOf: NameOf, contracts: NetworkContracts, scale: number) {
  const leftOut: Record<string, number> = {};
  const isOther = (one: SentTransaction) => leaveOut(leftOut, one);
  const { steps, summary, newHolders } = trafficModel(sent, 'payer', { nameOf, contracts, scale, isOther });
  return { steps, leftOut, summary, newHolders };
}

function leaveOut(leftOut: Record<string, number>, { listed }: SentTransaction): void {
  const type = typeName(listed.transaction.contractType);
  leftOut[type] = (leftOut[type] ?? 0) + 1;
}

async function read(connection: Connection, parts: readonly TransactionParts[]): Promise<readonly SentTransaction[]> {
  const asked = new Receipts(connection);
  const all: SentTransaction[] = [];
  for (const part of parts) {
    for await (const listed of part) {
      const receipts = await asked.of(listed);
      for (const one of listed) {
        const info = receipts.get(one.transaction.txId) ?? one.info;
        if (info !== undefined) all.push({ listed: one, info });
      }
      if (all.length > MAX_STEPS)
        throw new CostsError(`more than ${MAX_STEPS} transactions: choose a shorter time, or --limit ${MAX_STEPS}`);
    }
  }
  all.sort((a, b) => a.listed.timestampMs - b.listed.timestampMs);
  return inBlockOrder(all, asked);
}

/** Lists have no positions within a block, and several accounts may have sent in one block. */
async function inBlockOrder(sent: readonly SentTransaction[], receipts: Receipts): Promise<readonly SentTransaction[]> {
  const byBlock = new Map<number, SentTransaction[]>();
  for (const one of sent) {
    const { blockNumber } = one.listed;
    const inBlock = byBlock.get(blockNumber);
    if (inBlock === undefined) byBlock.set(blockNumber, [one]);
    else inBlock.push(one);
  }
  await Promise.all(
    [...byBlock].map(async ([number, inBlock]) => {
      if (inBlock.length === 1) return;
      const positions = new Map((await receipts.orderIn(number)).map((id, at) => [id, at]));
      const positionOf = ({ listed: { transaction } }: SentTransaction) => positions.get(transaction.txId) ?? 0;
      inBlock.sort((a, b) => positionOf(a) - positionOf(b));
    }),
  );
  return [...byBlock.values()].flat();
}

type MakeStep = (sent: SentTransaction) => TrafficStep | undefined;

async function stepMaker(contracts: NetworkContracts, nameOf: NameOf): Promise<MakeStep> {
  const { decodeValues: decode } = await import('../../abi/values.js');
  const { encodeValues: encode } = await import('../../abi/encode-values.js');
  const codec = { decode, encode };
  return ({ listed: { transaction }, info }) => trafficStep(transaction, info, nameOf, contracts, codec);
}

/** Transactions of one block stay in one block; time passes between blocks as it did. */
function stepsOf(sent: readonly SentTransaction[], make: MakeStep) {
  const steps: object[] = [];
  const leftOut: Record<string, number> = {};
  let lastMs: number | undefined;
  for (let at = 0; at < sent.length; ) {
    const { timestampMs } = (sent[at] as SentTransaction).listed;
    const inBlock: TrafficStep[] = [];
    for (; at < sent.length && sent[at]?.listed.timestampMs === timestampMs; at++) {
      const one = sent[at] as SentTransaction;
      const step = make(one);
      if (step !== undefined) inBlock.push(step);
      else leaveOut(leftOut, one);
    }
    const [only] = inBlock;
    if (only === undefined) continue;
    // The block of a step is one slot after the last block.
    const pauseMs = lastMs === undefined ? 0 : timestampMs - lastMs - SLOT_MS;
    if (pauseMs > 0) steps.push({ advance: `${Math.round(pauseMs / 1_000)}s` });
    steps.push(inBlock.length === 1 ? only : { block: inBlock });
    lastMs = timestampMs;
  }
  return { steps, leftOut };
}

/** Names of contracts are foreign text; those of a scenario are letters, digits, _ and -. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const plain = /^[A-Za-z_][\w-]{0,39}$/.test(name) ? name : 'contract';
  if (!taken.has(plain)) return plain;
  let number = 2;
  while (taken.has(`${plain}${number}`)) number++;
  return `${plain}${number}`;
}
