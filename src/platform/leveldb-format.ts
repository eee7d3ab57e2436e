/** What LevelDB's logs, manifests and tables have in common: masked checksums, and numbers of variable length. */

/** The message continues the name of the file: `has a damaged block at 0`. */
export class Damage extends Error {}

/** LevelDB stores checksums rotated and shifted, because data with checksums may be checksummed again. */
export function unmasked(stored: number): number {
  const rotated = (stored - 0xa282ead8) >>> 0;
  return ((rotated >>> 17) | (rotated << 15)) >>> 0;
}

/** Reads LevelDB's varints and strings. */
export class Cursor {
  constructor(
    private readonly bytes: Buffer,
    public at = 0,
  ) {}

  get atEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  number(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 63; scale *= 128) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) break;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new Damage('has an unterminated number');
  }

  skip(length: number): void {
    this.at += length;
    if (this.at > this.bytes.length) throw new Damage('ends too early');
  }

  slice(length: number): Buffer {
    const from = this.at;
    this.skip(length);
    return this.bytes.subarray(from, this.at);
  }
}
