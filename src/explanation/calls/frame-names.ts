/**
 * Names the frames of an execution: contracts, functions, events and errors. Lookups use the state of the execution, so
 * they happen at once; the decoder of values is loaded later, on demand.
 */

import { constructorData } from '../../abi/constructor-data.js';
import {
  type AbiItem,
  type AbiParameter,
  type ContractAbi,
  constructorOf,
  errorOf,
  eventOf,
  functionOf,
} from '../../abi/items.js';
import type { Ledger } from '../../ledger/ledger.js';
import { CONSOLE_ADDRESS } from '../../ledger/smart-contracts/console-calls.js';
import { abiAt, namesOn } from '../../ledger/smart-contracts/names.js';
import { consoleLine } from '../../node/chain/console-log.js';
import { bytesToHex, type Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import {
  allFrames,
  type BareCall,
  type FrameEvent,
  type FrameRecord,
  failed,
  type Value,
} from '../../tracing/frames.js';
import type { InternalTransaction } from '../../tvm/internal-transactions.js';
import type { Log } from '../../tvm/substate.js';
import { type CreatedContract, contractsCreatedIn } from '../model/created-contracts.js';
import type { ContractRef, FailureReason } from '../model/explanation.js';
import { precompileName } from '../model/precompile-names.js';
import { contractRef, methodRef } from '../outcome/action.js';
import { hintOf } from '../outcome/failure.js';
import { type Decode, loggedValues, namedValues } from '../outcome/named-values.js';
import { callSource, type NumberedFiles } from '../sources/call-sources.js';
import { failureSites, sourceLines } from '../sources/source-lines.js';
import type { SourceSpending } from '../sources/source-spending.js';
import { speedscopeOf } from '../sources/speedscope.js';
import type { CallResult, CallTree, TracedCall, TracedValue, TraceEvent } from './call-tree.js';

/** The limit of readable output; further events are counted. */
const MAX_EVENTS = 2_000;
const MAX_SHOWN_BYTES = 1_024;

/** The part of the tree that needs the decoder. */
export type Deferred<Part> = (decode: Decode) => Part;

/** Names the frames under `top`. Create it on the ledger of the execution. */
export class FrameNames {
  readonly #created: ReadonlyMap<Address, CreatedContract>;
  readonly #abis: readonly ContractAbi[];
  /** Frames in execution order. Only known if sources are asked for. */
  readonly #numbers: ReadonlyMap<FrameRecord, number> = new Map();
  #eventsLeft = MAX_EVENTS;

  constructor(
    private readonly ledger: Ledger,
    top: FrameRecord,
    private readonly transaction: SignedTransaction | undefined,
    private readonly sources?: { readonly spending: SourceSpending; readonly files: NumberedFiles },
  ) {
    this.#created = contractsCreatedIn(ledger, top, transaction);
    const frames = [...allFrames(top)];
    if (sources !== undefined) this.#numbers = new Map(frames.map((frame, number) => [frame, number]));
    const addresses = new Set(frames.map(({ codeAddress }) => codeAddress));
    this.#abis = [...addresses].map((address) => this.#abiOf(address)).filter((abi) => abi !== undefined);
  }

  callOf(frame: FrameRecord): Deferred<TracedCall> {
    const { kind, caller, codeAddress, context, isCreation, input, value, energy, energyUsed } = frame;
    const abi = this.#abiOf(codeAddress);
    const data = bytesToHex(input.subarray(0, MAX_SHOWN_BYTES));
    const item = isCreation ? abi && constructorOf(abi) : functionOf(abi, data);
    const shown = this.#shownEvents(frame);
    const result = this.#resultOf(frame, abi, isCreation ? undefined : item);
    const head = {
      kind,
      from: toBase58(caller),
      contract: this.#refOf(codeAddress),
      ...(context !== codeAddress && { storage: this.#refOf(context) }),
      ...(!isCreation && { method: methodRef(abi, data) }),
    };
    const rest = {
      ...tracedValue(value),
      energy: { total: BigInt(energyUsed), own: BigInt(energy.total), penalty: BigInt(energy.penalty) },
    };
    const omitted = frame.events.length - shown.length;
    const placed = this.#placeOf(frame);
    const inputs = item?.inputs ?? [];
    const whole = isCreation ? initialData(input, inputs) : item && bytesToHex(input).slice(SELECTOR_DIGITS);
    return (decode) => {
      const values = whole === undefined ? undefined : namedValues(inputs, whole, decode);
      return {
        ...head,
        ...(values !== undefined ? { arguments: values } : !isCreation && input.length > 0 && { data: cut(input) }),
        ...rest,
        result: result(decode),
        events: shown.map((event) => event(decode)),
        ...(omitted > 0 && { omitted }),
        ...placed,
      };
    };
  }

  sourcesOf(
    spending: SourceSpending,
    top: FrameRecord,
    lines: boolean,
    profile: 'function' | 'line' | undefined,
  ): Pick<CallTree, 'lines' | 'stack' | 'profile'> {
    const nameOf = (address: Address) => this.#refOf(address);
    const frameName = (contract: Address, selector: string, isCreation: boolean, isMapped: boolean) => {
      const { name, address } = nameOf(contract);
      const shown = name === '' ? address : name;
      if (isCreation) return `${shown} (creation)`;
      if (isMapped || selector === '') return shown;
      return `${shown}.${functionOf(this.#abiOf(contract), selector)?.name ?? `0x${selector}`}`;
    };
    return {
      ...(lines && { lines: sourceLines(spending, top, nameOf) }),
      ...(lines && failed(top) && { stack: failureSites(spending, top, nameOf) }),
      ...(profile !== undefined && {
        profile: speedscopeOf(this.transaction?.txId ?? '', spending, top, profile, frameName),
      }),
    };
  }

  #placeOf(frame: FrameRecord): Pick<TracedCall, 'frame' | 'source'> {
    const number = this.#numbers.get(frame);
    if (this.sources === undefined || number === undefined) return {};
    const { spending, files } = this.sources;
    const source = callSource(spending.tracks[number]?.lines ?? new Map(), files);
    return { frame: number, ...(source !== undefined && { source }) };
  }

  #shownEvents({ events, context }: FrameRecord): readonly Deferred<TraceEvent>[] {
    const shown: Deferred<TraceEvent>[] = [];
    for (const event of events) {
      if (this.#eventsLeft === 0) break;
      this.#eventsLeft--;
      shown.push(this.#eventOf(event, context));
    }
    return shown;
  }

  #eventOf(event: FrameEvent, context: Address): Deferred<TraceEvent> {
    switch (event.type) {
      case 'frame': {
        const call = this.callOf(event.frame);
        return (decode) => ({ type: 'call', call: call(decode) });
      }
      case 'call':
        return this.#bareCall(event.call);
      case 'log':
        return this.#log(event.log, context);
      case 'operation':
        return this.#operation(event.operation);
    }
  }

  #bareCall({ kind, to, value, input, succeeded, precompile }: BareCall): Deferred<TraceEvent> {
    if (precompile !== undefined) {
      const { address, energy, output } = precompile;
      const shown = { energy: BigInt(energy), data: cut(input), output: cut(output) };
      const named = { address: `0x${address.toString(16)}`, name: precompileName(address) };
      return () => ({ type: 'precompile', ...named, ...shown, succeeded });
    }
    const line = to === CONSOLE_ADDRESS ? consoleLine(bytesToHex(input)) : undefined;
    if (line !== undefined) return () => ({ type: 'console', line });
    const receiver = to && this.#refOf(to);
    return () => ({
      type: 'transfer',
      kind,
      ...(receiver !== undefined && { to: receiver }),
      ...tracedValue(value),
      data: cut(input),
      succeeded,
    });
  }

  #log({ topics, data }: Log, context: Address): Deferred<TraceEvent> {
    const contract = this.#refOf(context);
    const abi = this.#abiOf(context);
    // A log of a library or an implementation is described by that contract's ABI.
    const item = eventOf(abi, topics) ?? this.#firstOf((other) => eventOf(other, topics));
    const bytes = data.length > 2 * MAX_SHOWN_BYTES ? `${data.slice(0, 2 * MAX_SHOWN_BYTES)}…` : data;
    return (decode) => {
      const values = item && loggedValues(item.inputs, topics, data, decode);
      return {
        type: 'log',
        contract,
        ...(item !== undefined && values !== undefined && { event: item.name, arguments: values }),
        topics,
        data: bytes,
      };
    };
  }

  #firstOf(find: (abi: ContractAbi) => AbiItem | undefined): AbiItem | undefined {
    for (const abi of this.#abis) {
      const found = find(abi);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #operation({
    note,
    transferToAddress: to,
    callValueSun,
    tokens,
    rejected,
  }: InternalTransaction): Deferred<TraceEvent> {
    const receiver = to === '' ? undefined : this.#refOf(to);
    return () => ({
      type: 'operation',
      note,
      ...(receiver !== undefined && { to: receiver }),
      valueSun: callValueSun,
      tokens: tokens.map(([id, amount]) => ({ id, amount })),
      refused: rejected,
    });
  }

  #resultOf(frame: FrameRecord, abi: ContractAbi | undefined, item: AbiItem | undefined): Deferred<CallResult> {
    const { exception, reverted, output, isCreation } = frame;
    if (exception !== undefined) return () => ({ kind: 'failed', exception: exception.message });
    if (reverted) return this.#revertOf(frame, abi);
    if (isCreation) return () => ({ kind: 'created', codeBytes: output.length });
    return (decode) => {
      if (output.length === 0) return { kind: 'returned' };
      const values =
        item && item.outputs.length > 0 ? namedValues(item.outputs, bytesToHex(output), decode) : undefined;
      return { kind: 'returned', ...(values === undefined ? { data: cut(output) } : { values }) };
    };
  }

  #revertOf(frame: FrameRecord, abi: ContractAbi | undefined): Deferred<CallResult> {
    const { output, children, lackedCoin, input, value, isCreation, context } = frame;
    const last = children.at(-1);
    const data = bytesToHex(output);
    const passedOn = last !== undefined && failed(last) && last.reverted && bytesToHex(last.output) === data;
    const item = errorOf([...(abi === undefined ? [] : [abi]), ...this.#abis], data);
    const call = { data: bytesToHex(input), call_value: value.sun };
    const hint = data === '' && !passedOn && !isCreation ? hintOf(abi, call) : undefined;
    const contract = this.#refOf(context);
    return (decode) => {
      const values = item && namedValues(item.inputs, data.slice(SELECTOR_DIGITS), decode);
      const reason: FailureReason = {
        ...(item !== undefined && values !== undefined && { error: item.name, arguments: values }),
        ...(data !== '' && { data: cut(output) }),
        ...(hint !== undefined && { hint }),
        ...(lackedCoin !== undefined && {
          lackedCoin: {
            contract,
            balanceSun: lackedCoin.balanceSun,
            valueSun: lackedCoin.valueSun,
          },
        }),
      };
      return { kind: 'reverted', reason, passedOn };
    };
  }

  #refOf(address: Address): ContractRef {
    return contractRef(namesOn(this.ledger), address, this.#created.get(address)?.name);
  }

  #abiOf(address: Address): ContractAbi | undefined {
    return this.#created.get(address)?.abi ?? abiAt(this.ledger, address);
  }
}

const SELECTOR_DIGITS = 8;

function cut(bytes: Uint8Array): string {
  const shown = bytesToHex(bytes.subarray(0, MAX_SHOWN_BYTES));
  return bytes.length > MAX_SHOWN_BYTES ? `${shown}…` : shown;
}

function tracedValue({ sun, token }: Value): TracedValue {
  return {
    valueSun: sun,
    ...(token !== undefined && { token: { id: String(token.id), amount: token.amount } }),
  };
}

/** The constructor's arguments; undefined if there are none, or if they cannot be separated from the code. */
function initialData(initCode: Uint8Array, inputs: readonly AbiParameter[]): Hex | undefined {
  return inputs.length === 0 ? undefined : constructorData(initCode, inputs);
}
