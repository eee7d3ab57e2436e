/**
 * How much of its data an encoding reads. An encoder writes each value once, so what is read is no more than what there
 * is; data that lead to the same bytes again and again were written to fill a memory. The coder of TronWeb takes 26 s and
 * 1.7 GB for such 64 KB; viem's, which `abi/values.ts` decodes with, has a bound of its own.
 */

/** A type as decoders have it: `bytes[]`, `tuple[2]` with its components. */
export interface EncodedType {
  readonly type: string;
  readonly components?: readonly EncodedType[];
}

const WORD_BYTES = 32;
/** Some encoders let equal tails stand once. */
const MOST_TIMES = 4;

/** Whether decoding `data` as `types` reads it a few times at most. What is no encoding may be said to be either. */
export function readsOnce(types: readonly EncodedType[], data: Uint8Array): boolean {
  const walk = new Walk(data);
  return walk.members(types, 0);
}

class Walk {
  #left: number;

  constructor(private readonly data: Uint8Array) {
    this.#left = MOST_TIMES * (data.length + WORD_BYTES);
  }

  members(types: readonly EncodedType[], base: number): boolean {
    let head = base;
    for (const type of types) {
      if (!this.#value(type, base, head)) return false;
      head += headBytes(type);
    }
    return true;
  }

  #value(type: EncodedType, base: number, head: number): boolean {
    if (!this.#takes(WORD_BYTES)) return false;
    if (!isDynamic(type)) {
      if (elementOf(type) === undefined && !isTuple(type)) return true;
      return this.#content(type, head);
    }
    return this.#content(type, base + this.#number(head));
  }

  /** Of what stands elsewhere, or of more than one word. */
  #content(type: EncodedType, start: number): boolean {
    const element = elementOf(type);
    if (element !== undefined) {
      const isCounted = type.type.endsWith('[]');
      const count = isCounted ? this.#number(start) : lengthOf(type);
      const first = isCounted ? start + WORD_BYTES : start;
      const step = headBytes(element);
      for (let at = 0; at < count; at++) if (!this.#value(element, first, first + at * step)) return false;
      return true;
    }
    if (isTuple(type)) return this.members(type.components ?? [], start);
    return this.#takes(this.#number(start));
  }

  #takes(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /** A word beyond the data, or beyond all numbers, is as good as none: the decoder refuses it. */
  #number(at: number): number {
    const { data } = this;
    if (at + WORD_BYTES > data.length) return 0;
    for (let i = at; i < at + WORD_BYTES - 4; i++) if (data[i] !== 0) return data.length;
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength).readUInt32BE(at + WORD_BYTES - 4);
  }
}

function isTuple({ components }: EncodedType): boolean {
  return components !== undefined;
}

/** The last pair of brackets is the outermost array. */
function elementOf({ type, components }: EncodedType): EncodedType | undefined {
  if (!type.endsWith(']')) return undefined;
  return { type: type.slice(0, type.lastIndexOf('[')), ...(components && { components }) };
}

function lengthOf({ type }: EncodedType): number {
  return Number(type.slice(type.lastIndexOf('[') + 1, -1));
}

function isDynamic(one: EncodedType): boolean {
  const { type, components } = one;
  if (type.endsWith('[]') || type === 'bytes' || type === 'string') return true;
  const element = elementOf(one);
  if (element !== undefined) return isDynamic(element);
  return components?.some(isDynamic) ?? false;
}

function headBytes(one: EncodedType): number {
  if (isDynamic(one)) return WORD_BYTES;
  const element = elementOf(one);
  if (element !== undefined) return lengthOf(one) * headBytes(element);
  return one.components?.reduce((sum, component) => sum + headBytes(component), 0) ?? WORD_BYTES;
}
