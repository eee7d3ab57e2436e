/**
 * A text that is put together of many small pieces, of which it is known how long it can become: one array of UTF-16
 * units, in place of a string per piece.
 */

export class TextUnits {
  readonly #units: Uint16Array;
  #length = 0;

  constructor(capacity: number) {
    this.#units = new Uint16Array(capacity);
  }

  push(unit: number): void {
    this.#units[this.#length] = unit;
    this.#length += 1;
  }

  append(text: string, from: number, to: number): void {
    for (let i = from; i < to; i += 1) this.#units[this.#length + i - from] = text.charCodeAt(i);
    this.#length += to - from;
  }

  toString(): string {
    return Buffer.from(this.#units.buffer, 0, 2 * this.#length).toString('utf16le');
  }
}
