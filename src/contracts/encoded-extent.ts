/**
 * How much of its data an encoding reads. An encoder writes each value once, so a decoder reads at most the length of
 * the data. Malicious data refer to the same bytes repeatedly to exhaust memory: TronWeb's coder takes 26 s and 1.7 GB
 * for 64 KB of such data. viem's decoder, used by `abi/values.ts`, has its own limit.
 */

/** A type in the decoders' form: `bytes[]`, `tuple[2]` with its components. */
export interface EncodedType {
  readonly type: string;
  readonly components?: readonly EncodedType[];
}

const WORD_BYTES = 32;
/** Some encoders write equal tails once. */
const MAX_TIMES = 4;

/** Whether decoding `data` as `types` reads it at most a few times. For invalid encodings either result is possible. */
export function readsOnce(types: readonly EncodedType[], data: Uint8Array): boolean {
  const walk = new Walk(data);
  return walk.members(types, 0);
}

class Walk {
  #left: number;

  constructor(private readonly data: Uint8Array) {
    this.#left = MAX_TIMES * (data.length + WORD_BYTES);
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

  /** A dynamic type, or a static one of more than one word. */
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

  /** A word beyond the data, or a too large number, counts as none: the decoder refuses it. */
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
