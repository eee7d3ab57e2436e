/** Builds a text from many small pieces in one growing array of UTF-16 units, instead of one string for each piece. */

export class TextUnits {
  #units: Uint16Array;
  #length = 0;

  constructor(capacity: number) {
    this.#units = new Uint16Array(capacity);
  }

  push(unit: number): void {
    if (this.#length === this.#units.length) this.#grow(1);
    this.#units[this.#length] = unit;
    this.#length += 1;
  }

  append(text: string, from: number, to: number): void {
    if (this.#length + to - from > this.#units.length) this.#grow(to - from);
    for (let i = from; i < to; i += 1) {
      this.#units[this.#length] = text.charCodeAt(i);
      this.#length += 1;
    }
  }

  #grow(by: number): void {
    const grown = new Uint16Array(2 * (this.#length + by));
    grown.set(this.#units);
    this.#units = grown;
  }

  toString(): string {
    return Buffer.from(this.#units.buffer, 0, 2 * this.#length).toString('utf16le');
  }
}

/** The value of `length` hex digits at `from`; -1 for other characters. */
export function hexUnit(text: string, from: number, length: number): number {
  let unit = 0;
  for (let i = from; i < from + length; i += 1) {
    const digit = hexDigit(text.charCodeAt(i));
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
