/**
 * Traces of a transaction are its receipt, seen from inside: its calls are the internal transactions, its logs those of the
 * receipt, its Energy adds up, and each tracer says the same alone, beside others, and of the whole block. Differences of
 * accounts are those between the heights.
 */

import { operationsAfter } from '../../../../src/ledger/operations/operation.js';
import type { Address } from '../../../../src/primitives/ids.js';
import type { TransactionInfo_Log } from '../../../../src/protocol/generated/tron.js';
import { fullContext } from '../../../../src/wallet/context.js';
import { isPrecompile } from '../../../../src/wallet/precompiles.js';
import { word } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { resultOf } from '../users/asker.js';
import { OP, push } from '../users/assembler.js';
import type { Host } from '../users/user.js';
import { type ScannedTransaction, transactionsIn } from './scan.js';

const NAME = 'a trace is the receipt from inside';
const BLOCKS_BACK = 30;

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly position?: string;
}

interface Frame {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly gas: string;
  readonly gasUsed: string;
  readonly value?: string;
  readonly error?: string;
  readonly input: string;
  readonly output?: string;
  readonly calls?: readonly Frame[];
  readonly logs?: readonly Log[];
}

interface FlatFrame {
  readonly action: Readonly<Record<string, string | undefined>>;
  readonly result?: Readonly<Record<string, string | undefined>>;
  readonly error?: string;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
}

interface AccountState {
  readonly balance?: string;
  readonly code?: string;
  readonly storage?: Readonly<Record<string, string>>;
}

type AccountStates = Readonly<Record<string, AccountState>>;

interface Traces {
  readonly callTracer: Frame;
  readonly flatCallTracer: readonly FlatFrame[];
  readonly prestateTracer: { readonly pre: AccountStates; readonly post: AccountStates };
  readonly '4byteTracer': Readonly<Record<string, number>>;
}

const WITH_LOGS = { tracer: 'callTracer', tracerConfig: { withLog: true } };
const ALL = {
  tracer: 'muxTracer',
  tracerConfig: {
    callTracer: WITH_LOGS.tracerConfig,
    flatCallTracer: { includePrecompiles: true },
    prestateTracer: { diffMode: true },
    '4byteTracer': {},
  },
};

export async function tracesAgree(host: Host): Promise<void> {
  const { world } = host;
  const { ledger } = world.node.chain;
  const ran = [...transactionsIn(ledger, ledger.headNumber - BLOCKS_BACK)].filter(
    ({ info }) => info.receipt !== undefined && info.receipt.energy_usage_total > 0n,
  );
  if (ran.length === 0) return;
  const chosen = world.choices.of(ran);
  const wrong = await difference(host, chosen);
  // A block of the clock takes nothing back.
  if (wrong !== undefined && world.isRunning)
    throw new Violation(NAME, `transaction ${chosen.txId} of block ${chosen.block}: ${wrong}`);
}

async function difference(host: Host, chosen: ScannedTransaction): Promise<string | undefined> {
  const ask = async <Result>(method: string, ...params: readonly unknown[]): Promise<Result | undefined> =>
    resultOf<Result | null>(await host.asker.rpc('/eth', method, params)) ?? undefined;
  const hash = `0x${chosen.txId}`;
  const traces = await ask<Traces>('debug_traceTransaction', hash, ALL);
  if (traces === undefined) return undefined;
  const alone = await ask<Frame>('debug_traceTransaction', hash, WITH_LOGS);
  const block = await ask<readonly { readonly result: Frame }[]>(
    'debug_traceBlockByNumber',
    `0x${chosen.block.toString(16)}`,
    WITH_LOGS,
  );
  const { callTracer: top, flatCallTracer: flat } = traces;
  const frames = framesOf(top, [], false);
  return (
    differ('callTracer alone', alone, 'beside others', top) ??
    differ('callTracer of the block', block?.[chosen.index]?.result, 'of the transaction', top) ??
    differ('flatCallTracer', flat.map(shownFlat), 'callTracer', frames.map(shownAsFlat)) ??
    differ('logs of callTracer', logsOf(top), 'the receipt', chosen.info.log.map(shownLog)) ??
    internalDiffer(
      frames.flatMap((one) => shownAsInternal(host, one)),
      internalOf(chosen),
    ) ??
    energyWrong(top, Number(chosen.info.receipt?.energy_usage_total ?? 0n)) ??
    (await placeWrong(host, chosen, ask)) ??
    (await accountsWrong(host, chosen, frames, traces.prestateTracer, ask))
  );
}

/** Of an answer that is not there nothing is said. */
function differ(one: string, value: unknown, other: string, expected: unknown): string | undefined {
  if (value === undefined || JSON.stringify(value) === JSON.stringify(expected)) return undefined;
  return `${one} ${JSON.stringify(value)}, ${other} ${JSON.stringify(expected)}`;
}

/** A frame, its path, and whether it or one around it failed. */
interface Placed {
  readonly frame: Frame;
  readonly path: readonly number[];
  readonly isUndone: boolean;
}

/** In the order of their starts. */
function framesOf(frame: Frame, path: readonly number[], isUndone: boolean): readonly Placed[] {
  const undone = isUndone || frame.error !== undefined;
  const below = (frame.calls ?? []).flatMap((call, i) => framesOf(call, [...path, i], undone));
  return [{ frame, path, isUndone: undone }, ...below];
}

function shownFlat({ action, result, error, subtraces, traceAddress }: FlatFrame): readonly unknown[] {
  const { from, address, to, refundAddress, gas } = action;
  const gasUsed = result?.gasUsed;
  return [
    traceAddress.join('.'),
    subtraces,
    from ?? address,
    to ?? refundAddress ?? result?.address,
    gas,
    gasUsed,
    error,
  ];
}

function shownAsFlat({ frame, path }: Placed): readonly unknown[] {
  const { type, from, to, gas, gasUsed, error, calls } = frame;
  const isEnded = type === 'SELFDESTRUCT';
  const hasResult = (error === undefined || error === 'execution reverted') && !isEnded;
  return [
    path.join('.'),
    calls?.length ?? 0,
    from,
    to,
    isEnded ? undefined : gas,
    hasResult ? gasUsed : undefined,
    error,
  ];
}

function shownLog({ address, topics, data }: TransactionInfo_Log): string {
  return `0x${address} ${topics.map((topic) => `0x${topic}`)} 0x${data}`;
}

/** The logs of a frame and of its calls, in the order of the chain: each says how many calls are before it. */
function logsOf({ calls = [], logs = [] }: Frame): readonly string[] {
  const at = (position: number) =>
    logs.filter((log) => Number(log.position) === position).map((log) => `${log.address} ${log.topics} ${log.data}`);
  return [...calls.flatMap((call, i) => [...at(i), ...logsOf(call)]), ...at(calls.length)];
}

const NOTES: Readonly<Record<string, string>> = {
  CALL: 'call',
  CALLCODE: 'call',
  DELEGATECALL: 'call',
  STATICCALL: 'call',
  CALLTOKEN: 'call',
  CREATE: 'create',
  CREATE2: 'create',
  SELFDESTRUCT: 'suicide',
};

/** A call as an internal transaction; one of a precompiled contract is none. */
interface Internal {
  readonly text: string;
  /** Absent for a creation that failed: its address is not shown. */
  readonly to: string | undefined;
  /** One that lacked coin did not begin. */
  readonly mayLack: boolean;
}

function shownAsInternal({ world }: Host, { frame, path, isUndone }: Placed): readonly Internal[] {
  const { type, from, to, value = '0x0', error } = frame;
  if (path.length === 0) return [];
  const isPrecompiled = to !== undefined && isPrecompile(fullContext(world.node), `41${to.slice(2)}` as Address);
  if (isPrecompiled && type !== 'SELFDESTRUCT') return [];
  const isOwn = type === 'DELEGATECALL' || type === 'CALLCODE';
  const amount = type === 'DELEGATECALL' || type === 'STATICCALL' ? 0n : BigInt(value);
  return [
    {
      text: `${NOTES[type] ?? type} ${from} ${amount}${isUndone ? ' undone' : ''}`,
      to: isOwn ? from : to,
      mayLack: error === 'call failed',
    },
  ];
}

/** Amounts of refused stakes may be below zero. A call has no such value. */
const amountOf = (value = 0n): bigint => (value < 0n ? 0n : value);

function internalOf({ info }: ScannedTransaction): readonly Omit<Internal, 'mayLack'>[] {
  return info.internal_transactions.map(
    ({ note, caller_address: from, transferTo_address: to, callValueInfo: [value], rejected }) => ({
      text: `${Buffer.from(note, 'hex')} 0x${from.slice(2)} ${amountOf(value?.callValue)}${rejected ? ' undone' : ''}`,
      to: `0x${to.slice(2)}`,
    }),
  );
}

/**
 * A call that lacked coin may look like a later one that began, so each possible position is kept.
 *
 * @returns the first difference
 */
function internalDiffer(calls: readonly Internal[], internal: ReturnType<typeof internalOf>): string | undefined {
  let positions: ReadonlySet<number> = new Set([0]);
  for (const { text, to, mayLack } of calls) {
    const next = new Set<number>();
    for (const at of positions) {
      const one = internal[at];
      if (one?.text === text && (to === undefined || one.to === to)) next.add(at + 1);
      if (mayLack) next.add(at);
    }
    if (next.size === 0) {
      const at = Math.max(...positions);
      return `call ${text} ${to} is internal transaction ${at}: ${internal[at]?.text} ${internal[at]?.to}`;
    }
    positions = next;
  }
  if (positions.has(internal.length)) return undefined;
  const at = Math.max(...positions);
  return `internal transaction ${at} (${internal[at]?.text} ${internal[at]?.to}) is in no trace`;
}

function energyWrong(top: Frame, total: number): string | undefined {
  if (Number(top.gasUsed) !== total) return `callTracer used ${Number(top.gasUsed)}, the receipt says ${total}`;
  for (const { frame } of framesOf(top, [], false)) {
    const below = (frame.calls ?? []).reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0);
    if (below > Number(frame.gasUsed) || Number(frame.gasUsed) > Number(frame.gas))
      return `a frame with ${frame.gas} used ${frame.gasUsed}, its calls ${below}`;
  }
  return undefined;
}

type Ask = <Result>(method: string, ...params: readonly unknown[]) => Promise<Result | undefined>;

/** Gives back the block's number and its time. */
const TELLS_ITS_PLACE = [
  ...[OP.NUMBER, push(0), OP.MSTORE],
  ...[OP.TIMESTAMP, push(32), OP.MSTORE],
  ...[push(64), push(0), OP.RETURN],
].join('');

/** A call in the place of a transaction is in its block. */
async function placeWrong({ world }: Host, { block, blockId, index }: ScannedTransaction, ask: Ask) {
  const to = `0x${'c0de'.repeat(10)}`;
  const options = { txIndex: `0x${index.toString(16)}`, stateOverrides: { [to]: { code: `0x${TELLS_ITS_PLACE}` } } };
  const number = `0x${block.toString(16)}`;
  const told = await ask<Frame>('debug_traceCall', { to }, number, { tracer: 'callTracer', ...options });
  const { timestamp } = (await ask<{ readonly timestamp: string }>('eth_getBlockByNumber', number, false)) ?? {};
  if (timestamp === undefined || world.blockIdAt(block) !== blockId) return undefined;
  const expected = `0x${word(BigInt(block)) + word(BigInt(timestamp))}`;
  return told && differ('a call in its place', told.output, 'its block', expected);
}

/** If the transaction is alone between two heights, its differences are those of the heights. */
async function accountsWrong(
  { world }: Host,
  { block, blockId }: ScannedTransaction,
  frames: readonly Placed[],
  { pre, post }: Traces['prestateTracer'],
  ask: Ask,
): Promise<string | undefined> {
  const { ledger } = world.node.chain;
  const alone = [...transactionsIn(ledger, block, block)].length === 1 && operationsAfter(ledger, block) === 0;
  const named = frames.flatMap(({ frame: { from, to } }) => (to === undefined ? [from] : [from, to]));
  const addresses = [...new Set([...Object.keys(pre), ...Object.keys(post), ...named])];
  if (!alone || addresses.length === 0 || world.blockIdAt(block) !== blockId) return undefined;
  const address = world.choices.of(addresses);
  const [was, is] = [pre[address], post[address]];
  const [before, after] = [block - 1, block].map((number) => `0x${number.toString(16)}`);
  const zero = `0x${'0'.repeat(64)}`;
  const slots = Object.keys({ ...was?.storage, ...is?.storage });
  const said: (readonly [string, unknown, unknown])[] = [];
  const balance = (height: string | undefined) => ask<string>('eth_getBalance', address, height);
  if (was === undefined && is === undefined)
    said.push(['its balance after', await balance(after), await balance(before)]);
  if (was !== undefined) said.push(['its balance before', await balance(before), was.balance]);
  if (is?.balance !== undefined) said.push(['its balance after', await balance(after), is.balance]);
  if (is?.code !== undefined) said.push(['its code', await ask('eth_getCode', address, after), is.code]);
  for (const slot of slots.slice(0, 3)) {
    const at = (height: string | undefined) => ask<string>('eth_getStorageAt', address, slot, height);
    said.push([`slot ${slot} before`, await at(before), was?.storage?.[slot] ?? zero]);
    if (is !== undefined) said.push([`slot ${slot} after`, await at(after), is.storage?.[slot] ?? zero]);
  }
  const wrong = said.find(([, value, expected]) => value !== undefined && value !== expected);
  return wrong && `prestateTracer says of ${address} that ${wrong[0]} is ${wrong[2]}; at the height it is ${wrong[1]}`;
}
