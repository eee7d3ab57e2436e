/**
 * A call tree as lines for a terminal: one line for each call, log and transfer, with its subcalls below. It needs only
 * the data of `explanation/calls/call-tree.ts` alone.
 */

import type { AbiValue } from '../abi/values.js';
import type { CallResult, CallTree, TracedCall, TracedValue, TraceEvent } from '../explanation/calls/call-tree.js';
import type { ContractRef } from '../explanation/model/explanation.js';
import type { Component, NamedValue } from '../explanation/model/named-value.js';
import { formatTrx, formatUnits, formatValue, quoted, safeName } from './amounts.js';
import { wrapped } from './explanation.js';
import { errorText, hintText } from './failure.js';
import { actionText, methodText } from './names.js';
import { sourceLineTexts, stackLines } from './source-lines.js';

/** The kind of a line, for colours. */
export type Tone = 'call' | 'failed' | 'event' | 'plain';

export interface TreeLine {
  readonly text: string;
  readonly tone: Tone;
}

export interface CallTreeInWords extends CallTree {
  readonly text: readonly string[];
}

/** @param isTrial whether the transaction was not sent: then `block` is the next block */
export function callTreeInWords(tree: CallTree, isTrial = false): CallTreeInWords {
  const { txid, owner, type, action, outcome, block, call, lines: ofSources, stack = [] } = tree;
  const { succeeded, result } = outcome;
  const head = [
    isTrial ? `not sent; result in block ${block}: ${result}` : `transaction ${txid} in block ${block}: ${result}`,
    `${actionText(owner, type, action, succeeded ? 'done' : 'failed')}${call === undefined ? ', which runs no contract' : ''}`,
  ];
  const lines = call === undefined ? [] : ['', ...callTreeLines(call).map(({ text }) => text)];
  const places = stack.length === 0 ? [] : ['', ...stackLines(stack)];
  const sources = ofSources === undefined ? [] : ['', ...sourceLineTexts(ofSources, COLUMNS)];
  return { ...tree, text: [...wrapped(head, COLUMNS), ...lines, ...places, ...sources] };
}

const COLUMNS = 120;

/** @param margin start of every line */
export function callTreeLines(call: TracedCall, margin = ''): readonly TreeLine[] {
  const lines: TreeLine[] = [];
  new Writer(lines, namesOf(call), COLUMNS).call(call, margin, margin);
  return lines;
}

/** Names that several contracts share; these are shown with their addresses. */
function namesOf(top: TracedCall): ReadonlySet<string> {
  const addresses = new Map<string, Set<string>>();
  const waiting = [top];
  for (let call = waiting.pop(); call !== undefined; call = waiting.pop()) {
    for (const { name, address } of [call.contract, ...(call.storage === undefined ? [] : [call.storage])]) {
      const known = addresses.get(name);
      if (known === undefined) addresses.set(name, new Set([address]));
      else known.add(address);
    }
    for (const event of call.events) if (event.type === 'call') waiting.push(event.call);
  }
  return new Set([...addresses].filter(([, known]) => known.size > 1).map(([name]) => name));
}

/** CREATE2 nests as deep as Energy allows; deeper lines stay at this margin. */
const DEEPEST_MARGIN = 60;

/** A line of the tree without its margin. */
interface Item {
  readonly text: string;
  readonly tone: Tone;
  /** Writes the lines below it. */
  readonly below?: (first: string, rest: string) => void;
}

class Writer {
  constructor(
    private readonly lines: TreeLine[],
    private readonly shared: ReadonlySet<string>,
    private readonly columns: number,
  ) {}

  /** @param first margin of the line, @param rest of those below it */
  call(call: TracedCall, first: string, rest: string): void {
    const items = this.#itemsOf(call);
    this.#wrap(
      this.#callText(call),
      endedBadly(call.result) ? 'failed' : 'call',
      first,
      rest + (items.length > 0 ? '│ ' : '  '),
    );
    this.#branches(items, rest);
  }

  #branches(items: readonly Item[], margin: string): void {
    for (const [at, { text, tone, below }] of items.entries()) {
      const last = at === items.length - 1;
      const isDeep = margin.length >= DEEPEST_MARGIN;
      const first = isDeep ? margin : margin + (last ? '└ ' : '├ ');
      const rest = isDeep ? margin : margin + (last ? '  ' : '│ ');
      if (below === undefined) this.#wrap(text, tone, first, `${rest}  `);
      else below(first, rest);
    }
  }

  #itemsOf({ events, result, omitted }: TracedCall): readonly Item[] {
    const end = endText(result);
    return [
      ...events.map((event) => this.#itemOf(event)),
      ...(omitted === undefined ? [] : [{ text: `… and ${formatUnits(omitted)} more`, tone: 'plain' as const }]),
      ...(end === undefined ? [] : [{ text: end, tone: 'failed' as const }]),
    ];
  }

  #itemOf(event: TraceEvent): Item {
    switch (event.type) {
      case 'call': {
        const { call } = event;
        return { text: '', tone: 'call', below: (first, rest) => this.call(call, first, rest) };
      }
      case 'transfer':
        return { text: this.#transferText(event), tone: event.succeeded ? 'plain' : 'failed' };
      case 'precompile': {
        const { address, name, data, output, energy, succeeded } = event;
        const given = `${name === '' ? `precompiled contract ${address}` : name}(${hexText(data)})`;
        const result = succeeded ? ` → ${hexText(output)}` : ' fails';
        return { text: `${given}${result}  [${formatUnits(energy)} Energy]`, tone: succeeded ? 'plain' : 'failed' };
      }
      case 'log':
        return { text: logText(event), tone: 'event' };
      case 'console':
        return { text: `console.log: ${quoted(event.line).slice(1, -1).replaceAll('\\"', '"')}`, tone: 'event' };
      case 'operation':
        return { text: this.#operationText(event), tone: event.refused ? 'failed' : 'plain' };
    }
  }

  #callText(call: TracedCall): string {
    const { kind, contract, storage, energy, result } = call;
    const place = storage === undefined ? '' : ` on the storage of ${this.#ref(storage)}`;
    const deed = `${VERBS[kind] ?? ''}${this.#ref(contract)}${methodCall(call)}${place}${valueText(call)}`;
    return `${deed}${resultText(result)}  [${energyText(energy, call)}]`;
  }

  #transferText(event: Extract<TraceEvent, { readonly type: 'transfer' }>): string {
    const { to, succeeded, data, kind } = event;
    const sends = movesSomething(event);
    const receiver = to === undefined ? '' : this.#ref(to);
    if (kind.startsWith('CREATE')) return `${kind} fails${valueText(event)}`;
    if (sends) {
      const what = valueText(event).replace(/^, /, '');
      return succeeded ? `sends ${what} to ${receiver}` : `cannot send ${what} to ${receiver}`;
    }
    const input = data === '' ? '' : `(${hexText(data)})`;
    return `${succeeded ? 'calls' : 'cannot call'} ${receiver}${input}${succeeded ? ', which has no code' : ''}`;
  }

  #operationText(event: Extract<TraceEvent, { readonly type: 'operation' }>): string {
    const { note, to, valueSun, tokens, refused } = event;
    const coins = valueSun === 0n ? [] : [formatTrx(valueSun)];
    const amounts = [...coins, ...tokens.map(({ id, amount }) => `${formatUnits(amount)} of token ${id}`)];
    const receiver = to === undefined ? '' : ` to ${this.#ref(to)}`;
    const word = note === 'suicide' ? 'self-destructs' : note;
    return `${word}${amounts.length === 0 ? '' : `, ${amounts.join(', ')}`}${receiver}${refused ? ': refused' : ''}`;
  }

  /** The name, with the end of the address if several contracts share it; the address if there is no name. */
  #ref({ name, address }: ContractRef): string {
    if (name === '') return address;
    return this.shared.has(name) ? `${safeName(name)}@${address.slice(-6)}` : safeName(name);
  }

  /** Breaks at spaces, or at the end of the line if there is none. */
  #wrap(text: string, tone: Tone, first: string, rest: string): void {
    let margin = first;
    let left = text;
    while (margin.length + left.length > this.columns) {
      const room = this.columns - margin.length;
      // Keeps an amount with its unit, and the Energy in its brackets.
      let blank = left.lastIndexOf(' ', room);
      while (blank > room / 2 && UNBROKEN.test(left.slice(blank))) blank = left.lastIndexOf(' ', blank - 1);
      const at = blank > room / 2 ? blank : room;
      this.lines.push({ text: margin + left.slice(0, at).trimEnd(), tone });
      left = left.slice(at).trimStart();
      margin = rest;
    }
    this.lines.push({ text: margin + left, tone });
  }
}

const UNBROKEN = /^ (TRX\b|Energy\b|penalty [\d,]+\]|own [\d,]+[,\]]|\()/;

const VERBS: Readonly<Record<string, string>> = {
  CALLCODE: 'callcode ',
  DELEGATECALL: 'delegatecall ',
  STATICCALL: 'staticcall ',
  CREATE: 'creates ',
  CREATE2: 'creates ',
};

function endedBadly({ kind }: CallResult): boolean {
  return kind === 'reverted' || kind === 'failed';
}

function movesSomething({ valueSun, token }: TracedValue): boolean {
  return valueSun !== 0n || token !== undefined;
}

function methodCall({ method, arguments: values, data, result }: TracedCall): string {
  if (method === undefined) {
    const given = values === undefined ? '' : `(${valuesText(values)})`;
    return result.kind === 'created' ? `${given} (${formatUnits(result.codeBytes)} bytes)` : given;
  }
  const { signature, selector } = method;
  if (selector === '') return data === undefined ? '' : `.${hexText(data)}`;
  const name = signature === undefined ? methodText(method) : safeName(signature.slice(0, signature.indexOf('(')));
  const given = values === undefined ? hexText((data ?? '').slice(selector.length)) : valuesText(values);
  return `.${name}(${given})`;
}

function valuesText(values: readonly NamedValue[]): string {
  return values.map((value) => namedText(value, value.value)).join(', ');
}

function namedText(component: Component, value: AbiValue): string {
  const text = componentText(component, value);
  return component.name === '' ? text : `${safeName(component.name)}: ${text}`;
}

/** Tuples by the names of their components: `{to: T…, amount: 8}`. */
function componentText({ name, type, components }: Component, value: AbiValue): string {
  if (components === undefined || !Array.isArray(value)) return formatValue(value, type);
  const values = value as readonly AbiValue[];
  if (type === 'tuple') return `{${components.map((one, at) => namedText(one, values[at] ?? '')).join(', ')}}`;
  const element = { name, type: type.replace(/\[\d*\]$/, ''), components };
  return `[${values.map((one) => componentText(element, one)).join(', ')}]`;
}

function valueText({ valueSun, token }: TracedValue): string {
  const coins = valueSun === 0n ? '' : `, ${formatTrx(valueSun)}`;
  return token === undefined ? coins : `${coins}, ${formatUnits(token.amount)} of token ${token.id}`;
}

function resultText(result: CallResult): string {
  if (result.kind !== 'returned') return '';
  if (result.data !== undefined) return ` → ${hexText(result.data)}`;
  return result.values === undefined ? '' : ` → ${valuesText(result.values)}`;
}

/** The failure of a call. */
function endText(result: CallResult): string | undefined {
  if (result.kind === 'failed') return `fails: ${quoted(result.exception).slice(1, -1)}`;
  if (result.kind !== 'reverted') return undefined;
  const { reason, passedOn } = result;
  if (passedOn) return 'reverts with the same error';
  const lack = reason.lackedCoin;
  const text =
    errorText(reason) ??
    hintText(reason) ??
    (lack && `it tried to send ${formatTrx(lack.valueSun)} but had only ${formatTrx(lack.balanceSun)}`);
  return text === undefined ? 'reverts without a reason' : `reverts: ${text}`;
}

function energyText({ total, own, penalty }: TracedCall['energy'], { events }: TracedCall): string {
  const calls = events.some(({ type }) => type === 'call');
  const parts = [
    `${formatUnits(total)} Energy`,
    ...(calls ? [`own ${formatUnits(own)}`] : []),
    ...(penalty === 0n ? [] : [`penalty ${formatUnits(penalty)}`]),
  ];
  return parts.join(', ');
}

function logText({ event, arguments: values, topics, data }: Extract<TraceEvent, { readonly type: 'log' }>): string {
  if (event !== undefined) return `emits ${safeName(event)}(${valuesText(values ?? [])})`;
  const shown = topics.map((topic) => `0x${topic}`).join(', ');
  return `logs ${[shown, data === '' ? '' : hexText(data)].filter((text) => text !== '').join(' ')}`.trimEnd();
}

const SHOWN_DIGITS = 64;

/** Long data as its start and its length. */
function hexText(data: string): string {
  const bytes = Math.floor(data.replace('…', '').length / 2);
  if (data.length <= SHOWN_DIGITS) return data === '' ? '' : `0x${data}`;
  return `0x${data.slice(0, SHOWN_DIGITS)}… (${data.endsWith('…') ? 'over ' : ''}${formatUnits(bytes)} bytes)`;
}
