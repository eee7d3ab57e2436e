/** A text that is put together of many small pieces: one array of UTF-16 units that grows, in place of a string a piece. */

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

/** What `length` hex digits at `from` say; -1 where there is something else. */
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
