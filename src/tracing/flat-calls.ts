/** The frames of an execution as a list, in the form of geth's `flatCallTracer`, which is Parity's `trace_…` form. */

import type { CallFrame } from './call-tracer.js';

/** The traced transaction; absent for a call. */
export interface TransactionPosition {
  readonly blockHash: string;
  readonly blockNumber: number;
  readonly transactionHash: string;
  readonly transactionPosition: number;
}

type Members = Readonly<Record<string, unknown>>;

interface FlatFrame extends Partial<TransactionPosition> {
  readonly action: Members;
  readonly error?: string;
  /** Absent if the frame failed without output. */
  readonly result?: Members;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
  readonly type: 'call' | 'create' | 'suicide';
}

/** A frame, followed by its descendants, each with its path: `[1, 0]` is the first call of the second call. */
export function flatCalls(top: CallFrame, place: TransactionPosition | undefined): readonly FlatFrame[] {
  const flat: FlatFrame[] = [];
  const waiting: { readonly frame: CallFrame; readonly at: readonly number[] }[] = [{ frame: top, at: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { frame, at } = next;
    const calls = frame.calls ?? [];
    const { error } = frame;
    const { type, action, result } = formOf(frame);
    flat.push({
      action,
      ...place,
      ...(error !== undefined && { error }),
      ...((error === undefined || error === 'execution reverted') && { result }),
      subtraces: calls.length,
      traceAddress: at,
      type,
    });
    for (let i = calls.length - 1; i >= 0; i--) waiting.push({ frame: calls[i] as CallFrame, at: [...at, i] });
  }
  return flat;
}

function formOf(frame: CallFrame): Pick<FlatFrame, 'type' | 'action'> & { readonly result: Members } {
  const { type, from, to, gas, gasUsed, input, output = '0x', value, tokenId, tokenValue } = frame;
  const amounts = {
    ...(value !== undefined && { value }),
    ...(tokenId !== undefined && { tokenId, tokenValue }),
  };
  switch (type) {
    case 'CREATE':
    case 'CREATE2': {
      const action = { creationMethod: type.toLowerCase(), from, gas, init: input, ...amounts };
      return { type: 'create', action, result: { address: to, code: output, gasUsed } };
    }
    case 'SELFDESTRUCT': {
      const action = { address: from, balance: value, ...(to !== undefined && { refundAddress: to }) };
      return { type: 'suicide', action, result: {} };
    }
    default: {
      // TRON's own opcodes have the note of their internal transaction as type.
      const callType = type === type.toUpperCase() ? type.toLowerCase() : type;
      const action = { callType, from, gas, input, ...(to !== undefined && { to }), ...amounts };
      return { type: 'call', action, result: { gasUsed, output } };
    }
  }
}
