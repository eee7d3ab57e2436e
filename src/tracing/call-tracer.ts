/** The frames of an execution in the form of geth's `callTracer`: amounts and Energy as `0x` quantities, bytes as hex. */

import { bytesToHex, type Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import type { InternalTransaction } from '../tvm/internal-transactions.js';
import {
  type BareCall,
  type CallKind,
  type FrameEvent,
  type FrameRecord,
  failed,
  keepsLogs,
  type Value,
} from './frames.js';
import { TraceTooLong } from './trace-too-long.js';

export interface CallTracerConfig {
  /** Only the frame of the transaction itself. */
  readonly onlyTopCall: boolean;
  /** Whether to include the logs of the receipt. */
  readonly withLog: boolean;
  /** Whether calls of precompiled contracts are included. Default true. */
  readonly precompiles?: boolean;
}

/** One frame. Values are in sun; a call with TRC-10 tokens has `tokenId` and `tokenValue`. */
export interface CallFrame {
  readonly from: string;
  /** Energy limit of the frame. */
  readonly gas: string;
  readonly gasUsed: string;
  readonly to?: string;
  readonly input: string;
  readonly output?: string;
  readonly error?: string;
  readonly revertReason?: string;
  readonly calls?: readonly CallFrame[];
  readonly logs?: readonly CallLog[];
  readonly value?: string;
  readonly tokenId?: string;
  readonly tokenValue?: string;
  readonly type: string;
}

interface CallLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  /** Number of calls of the frame before it. */
  readonly position: string;
}

/** An address in Ethereum's form: without the network's prefix byte. */
export function ethereumAddress(address: Address | string): string {
  return `0x${address.slice(2)}`;
}

function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

interface Scope extends CallTracerConfig {
  readonly room: TextBudget;
}

/** Limits the text. Each byte takes two characters, and a program may pass the same bytes many times. */
class TextBudget {
  constructor(private left: number) {}

  data(bytes: Uint8Array): string {
    this.left -= 2 * bytes.length;
    if (this.left < 0) throw new TraceTooLong();
    return `0x${bytesToHex(bytes)}`;
  }
}

/**
 * @param top frame of an execution
 * @param room maximum number of characters of all bytes
 * @throws TraceTooLong
 */
export function callTrace(top: FrameRecord, config: CallTracerConfig, room: number): CallFrame {
  return callFrame(top, { ...config, room: new TextBudget(room) }, keepsLogs(top));
}

/** @param hasLogs whether the receipt has the logs of the frame */
function callFrame(frame: FrameRecord, scope: Scope, hasLogs: boolean): CallFrame {
  const { kind, caller, context, codeAddress, energyLimit, energyUsed, input, output, events, isCreation } = frame;
  const isTop = kind === 'transaction';
  const { onlyTopCall, withLog, room } = scope;
  const calls = onlyTopCall ? [] : events.flatMap((event) => callOf(event, frame, scope, hasLogs));
  const logs = withLog && hasLogs ? logsOf(events) : [];
  return {
    from: ethereumAddress(caller),
    gas: quantity(energyLimit),
    gasUsed: quantity(energyUsed),
    // A failed creation has no address.
    ...(!(isCreation && failed(frame)) && { to: ethereumAddress(isCreation ? context : codeAddress) }),
    input: room.data(input),
    ...(output.length > 0 && { output: room.data(output) }),
    ...failureOf(frame),
    ...(calls.length > 0 && { calls }),
    ...(logs.length > 0 && { logs }),
    ...amounts(kind === 'STATICCALL' ? undefined : frame.value),
    type: isTop ? (isCreation ? 'CREATE' : 'CALL') : kind,
  };
}

function callOf(event: FrameEvent, { context }: FrameRecord, scope: Scope, hasLogs: boolean): readonly CallFrame[] {
  switch (event.type) {
    case 'frame':
      return [callFrame(event.frame, scope, hasLogs && !failed(event.frame))];
    case 'call':
      if (event.call.precompile !== undefined && scope.precompiles === false) return [];
      return [bareFrame(event.call, scope)];
    case 'operation':
      return [operationFrame(event.operation, context)];
    default:
      return [];
  }
}

const NOT_CALLED: ReadonlySet<CallKind> = new Set(['STATICCALL', 'DELEGATECALL']);

function bareFrame({ kind, caller, to, value, input, succeeded, precompile }: BareCall, { room }: Scope): CallFrame {
  const output = precompile?.output;
  const hasAddress = to !== undefined && (succeeded || !kind.startsWith('CREATE'));
  return {
    from: ethereumAddress(caller),
    gas: quantity(precompile?.energy ?? 0),
    gasUsed: quantity(precompile?.energy ?? 0),
    // As of a creation that failed when it ran.
    ...(hasAddress && { to: ethereumAddress(to) }),
    input: room.data(input),
    ...(output !== undefined && output.length > 0 && { output: room.data(output) }),
    ...(!succeeded && { error: 'call failed' }),
    ...amounts(NOT_CALLED.has(kind) ? undefined : value),
    type: kind,
  };
}

/**
 * TRON's own opcodes with an effect, as frames without children, named after the note of their internal transaction.
 */
function operationFrame(operation: InternalTransaction, context: Address): CallFrame {
  const { note, transferToAddress: to, callValueSun, rejected } = operation;
  return {
    from: ethereumAddress(context),
    gas: '0x0',
    gasUsed: '0x0',
    ...(to !== '' && { to: ethereumAddress(to) }),
    input: '0x',
    ...(rejected && { error: 'refused' }),
    value: quantity(callValueSun < 0n ? 0n : callValueSun),
    type: note === 'suicide' ? 'SELFDESTRUCT' : note,
  };
}

function logsOf(events: readonly FrameEvent[]): readonly CallLog[] {
  const logs: CallLog[] = [];
  let position = 0;
  for (const event of events) {
    if (event.type !== 'log') {
      position++;
      continue;
    }
    const { address, topics, data: bytes } = event.log;
    logs.push({
      address: `0x${address}`,
      topics: topics.map((topic) => `0x${topic}`),
      data: `0x${bytes}`,
      position: quantity(position),
    });
  }
  return logs;
}

function amounts(value: Value | undefined): Pick<CallFrame, 'value' | 'tokenId' | 'tokenValue'> {
  if (value === undefined) return {};
  const { sun, token } = value;
  return {
    value: quantity(sun),
    ...(token !== undefined && { tokenId: quantity(token.id), tokenValue: quantity(token.amount) }),
  };
}

function failureOf({ reverted, exception, output }: FrameRecord): Pick<CallFrame, 'error' | 'revertReason'> {
  if (exception !== undefined) return { error: exception.message };
  if (!reverted) return {};
  const revertReason = errorText(bytesToHex(output));
  return { error: 'execution reverted', ...(revertReason !== undefined && { revertReason }) };
}

const ERROR_SELECTOR = '08c379a0';
const PANIC_SELECTOR = '4e487b71';
const WORD_DIGITS = 64;

/** geth's texts for Solidity's panics. */
const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic panic'],
  [0x01n, 'assert(false)'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'enum overflow'],
  [0x22n, 'invalid encoded storage byte array accessed'],
  [0x31n, 'out-of-bounds array access; popping on an empty array'],
  [0x32n, 'out-of-bounds access of an array or bytesN'],
  [0x41n, 'out of memory'],
  [0x51n, 'uninitialized function'],
]);

/** The text of Solidity's `Error(string)` and `Panic(uint256)`; undefined for other data. */
function errorText(output: Hex): string | undefined {
  if (output.startsWith(PANIC_SELECTOR)) return panicText(output.slice(PANIC_SELECTOR.length));
  if (!output.startsWith(ERROR_SELECTOR)) return undefined;
  const words = output.slice(ERROR_SELECTOR.length);
  const at = Number(BigInt(`0x0${words.slice(0, WORD_DIGITS)}`)) * 2;
  const length = Number(BigInt(`0x0${words.slice(at, at + WORD_DIGITS)}`)) * 2;
  const text = words.slice(at + WORD_DIGITS, at + WORD_DIGITS + length);
  return text.length === length ? Buffer.from(text, 'hex').toString('utf8') : undefined;
}

function panicText(word: Hex): string | undefined {
  if (word.length !== WORD_DIGITS) return undefined;
  const code = BigInt(`0x${word}`);
  return PANICS.get(code) ?? `unknown panic code: 0x${code.toString(16)}`;
}
