/** keccak256 of linear memory, with the permutation of `protocol/keccak-module.ts` on the same memory. */

const STATE: usize = 0;
const BLOCK: usize = 512;
const RATE: usize = 136;

declare function absorb(): void;

/** Hashes `length` bytes to the word at `to`. */
export function keccak(from: usize, length: usize, to: usize): void {
  for (let i: usize = 0; i < 200; i += 8) store<u64>(STATE + i, 0);
  while (length >= RATE) {
    for (let i: usize = 0; i < RATE; i += 8) store<u64>(BLOCK + i, load<u64>(from + i));
    absorb();
    from += RATE;
    length -= RATE;
  }
  for (let i: usize = 0; i < RATE; i += 8) store<u64>(BLOCK + i, 0);
  const whole = length & ~7;
  for (let i: usize = 0; i < whole; i += 8) store<u64>(BLOCK + i, load<u64>(from + i));
  for (let i = whole; i < length; i++) store<u8>(BLOCK + i, load<u8>(from + i));
  store<u8>(BLOCK + length, 0x01);
  store<u8>(BLOCK + RATE - 1, load<u8>(BLOCK + RATE - 1) ^ 0x80);
  absorb();
  for (let i: usize = 0; i < 32; i += 8) store<u64>(to + i, bswap<u64>(load<u64>(STATE + 24 - i)));
}
