/**
 * The compression of BLAKE2b with any number of rounds (EIP-152, RFC 7693).
 *
 * The working vector is in memory between calls, so that a long compression can be many short calls: V8 replaces this
 * function by its optimised form only when it is called again. Its words are variables inside, which is twice as fast.
 */

/** Where things are: `../blake2f.ts` has the same numbers. */
const VECTOR: usize = 0;
const MESSAGE: usize = 128;
/** Ten permutations of the message, a byte for each word: its offset in the message. */
const PERMUTATIONS: usize = 256;

// @ts-ignore: a decorator of AssemblyScript
@inline
function word(at: usize): u64 {
  return load<u64>(MESSAGE + <usize>load<u8>(at));
}

/** Does the rounds `from` to `end`; the permutations repeat after ten. */
export function rounds(from: u32, end: u32): void {
  let v0: u64 = load<u64>(VECTOR + 0);
  let v1: u64 = load<u64>(VECTOR + 8);
  let v2: u64 = load<u64>(VECTOR + 16);
  let v3: u64 = load<u64>(VECTOR + 24);
  let v4: u64 = load<u64>(VECTOR + 32);
  let v5: u64 = load<u64>(VECTOR + 40);
  let v6: u64 = load<u64>(VECTOR + 48);
  let v7: u64 = load<u64>(VECTOR + 56);
  let v8: u64 = load<u64>(VECTOR + 64);
  let v9: u64 = load<u64>(VECTOR + 72);
  let v10: u64 = load<u64>(VECTOR + 80);
  let v11: u64 = load<u64>(VECTOR + 88);
  let v12: u64 = load<u64>(VECTOR + 96);
  let v13: u64 = load<u64>(VECTOR + 104);
  let v14: u64 = load<u64>(VECTOR + 112);
  let v15: u64 = load<u64>(VECTOR + 120);
  let at: usize = PERMUTATIONS + 16 * <usize>(from % 10);
  for (let round = from; round < end; round++) {
    v0 += v4 + word(at + 0);
    v12 = rotr(v12 ^ v0, 32);
    v8 += v12;
    v4 = rotr(v4 ^ v8, 24);
    v0 += v4 + word(at + 1);
    v12 = rotr(v12 ^ v0, 16);
    v8 += v12;
    v4 = rotr(v4 ^ v8, 63);

    v1 += v5 + word(at + 2);
    v13 = rotr(v13 ^ v1, 32);
    v9 += v13;
    v5 = rotr(v5 ^ v9, 24);
    v1 += v5 + word(at + 3);
    v13 = rotr(v13 ^ v1, 16);
    v9 += v13;
    v5 = rotr(v5 ^ v9, 63);

    v2 += v6 + word(at + 4);
    v14 = rotr(v14 ^ v2, 32);
    v10 += v14;
    v6 = rotr(v6 ^ v10, 24);
    v2 += v6 + word(at + 5);
    v14 = rotr(v14 ^ v2, 16);
    v10 += v14;
    v6 = rotr(v6 ^ v10, 63);

    v3 += v7 + word(at + 6);
    v15 = rotr(v15 ^ v3, 32);
    v11 += v15;
    v7 = rotr(v7 ^ v11, 24);
    v3 += v7 + word(at + 7);
    v15 = rotr(v15 ^ v3, 16);
    v11 += v15;
    v7 = rotr(v7 ^ v11, 63);

    v0 += v5 + word(at + 8);
    v15 = rotr(v15 ^ v0, 32);
    v10 += v15;
    v5 = rotr(v5 ^ v10, 24);
    v0 += v5 + word(at + 9);
    v15 = rotr(v15 ^ v0, 16);
    v10 += v15;
    v5 = rotr(v5 ^ v10, 63);

    v1 += v6 + word(at + 10);
    v12 = rotr(v12 ^ v1, 32);
    v11 += v12;
    v6 = rotr(v6 ^ v11, 24);
    v1 += v6 + word(at + 11);
    v12 = rotr(v12 ^ v1, 16);
    v11 += v12;
    v6 = rotr(v6 ^ v11, 63);

    v2 += v7 + word(at + 12);
    v13 = rotr(v13 ^ v2, 32);
    v8 += v13;
    v7 = rotr(v7 ^ v8, 24);
    v2 += v7 + word(at + 13);
    v13 = rotr(v13 ^ v2, 16);
    v8 += v13;
    v7 = rotr(v7 ^ v8, 63);

    v3 += v4 + word(at + 14);
    v14 = rotr(v14 ^ v3, 32);
    v9 += v14;
    v4 = rotr(v4 ^ v9, 24);
    v3 += v4 + word(at + 15);
    v14 = rotr(v14 ^ v3, 16);
    v9 += v14;
    v4 = rotr(v4 ^ v9, 63);

    at += 16;
    if (at === PERMUTATIONS + 160) at = PERMUTATIONS;
  }
  store<u64>(VECTOR + 0, v0);
  store<u64>(VECTOR + 8, v1);
  store<u64>(VECTOR + 16, v2);
  store<u64>(VECTOR + 24, v3);
  store<u64>(VECTOR + 32, v4);
  store<u64>(VECTOR + 40, v5);
  store<u64>(VECTOR + 48, v6);
  store<u64>(VECTOR + 56, v7);
  store<u64>(VECTOR + 64, v8);
  store<u64>(VECTOR + 72, v9);
  store<u64>(VECTOR + 80, v10);
  store<u64>(VECTOR + 88, v11);
  store<u64>(VECTOR + 96, v12);
  store<u64>(VECTOR + 104, v13);
  store<u64>(VECTOR + 112, v14);
  store<u64>(VECTOR + 120, v15);
}
