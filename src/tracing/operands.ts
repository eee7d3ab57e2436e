/** Operands of call and creation opcodes on the stack, read before the opcode runs. */

import type { Address } from '../primitives/ids.js';
import type { TracedFrame } from '../tvm/trace.js';
import { addressOfWord } from '../tvm/words.js';
import type { CallKind, Value } from './frames.js';

export interface Operands {
  readonly kind: CallKind;
  /** The word on the stack; undefined for creations. */
  readonly target: bigint | undefined;
  readonly to: Address | undefined;
  readonly value: Value;
  readonly inputAt: bigint;
  readonly inputLength: bigint;
}

interface Shape {
  readonly kind: CallKind;
  readonly hasTarget: boolean;
  readonly hasValue: boolean;
  readonly hasToken: boolean;
  /** Position of the input on the stack. */
  readonly inputAt: number;
}

const call = (kind: CallKind, inputAt: number, rest: Partial<Shape> = {}): Shape => ({
  ...{ kind, hasTarget: true, hasValue: false, hasToken: false, inputAt },
  ...rest,
});
const creation = (kind: CallKind): Shape => ({ kind, hasTarget: false, hasValue: true, hasToken: false, inputAt: 1 });

const SHAPES: ReadonlyMap<number, Shape> = new Map([
  [0xd0, call('CALLTOKEN', 4, { hasValue: true, hasToken: true })],
  [0xf0, creation('CREATE')],
  [0xf1, call('CALL', 3, { hasValue: true })],
  [0xf2, call('CALLCODE', 3, { hasValue: true })],
  [0xf4, call('DELEGATECALL', 2)],
  [0xf5, creation('CREATE2')],
  [0xfa, call('STATICCALL', 2)],
]);

/** Undefined for all other opcodes. */
export function operandsOf(frame: TracedFrame, opcode: number): Operands | undefined {
  const shape = SHAPES.get(opcode);
  if (shape === undefined) return undefined;
  const { kind, hasTarget, hasValue, hasToken, inputAt } = shape;
  const target = hasTarget ? frame.peek(1) : undefined;
  const amount = hasValue ? frame.peek(hasTarget ? 2 : 0) : 0n;
  return {
    kind,
    target,
    to: target === undefined ? undefined : addressOfWord(target),
    value: hasToken ? { sun: 0n, token: { id: frame.peek(3), amount } } : { sun: amount },
    inputAt: frame.peek(inputAt),
    inputLength: frame.peek(inputAt + 1),
  };
}

/**
 * A copy of a part of the frame's memory, with zeros beyond its end. Does not expand the memory.
 *
 * @param max bytes
 */
export function memoryPart({ memory }: TracedFrame, at: bigint, length: bigint, max: number): Uint8Array {
  const wanted = Number(length > BigInt(max) ? BigInt(max) : length);
  const part = new Uint8Array(wanted);
  if (at < BigInt(memory.size)) {
    const start = Number(at);
    part.set(memory.read(start, Math.min(wanted, memory.size - start)));
  }
  return part;
}
