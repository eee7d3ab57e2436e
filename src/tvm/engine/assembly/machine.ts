/**
 * Steps a program until a step needs anything but stack, memory, code and call data, or cannot be paid or done.
 *
 * It then returns, with the state from before that step; the interpreter does this step, and finds the error if there
 * is one. So no error and no effect on the chain is known here.
 */

import { keccak } from './keccak';
import {
  ADDRESS,
  CALL_VALUE,
  CALLER,
  CODE,
  CODE_LENGTH,
  ENERGY_LEFT,
  FACTOR,
  FRAME,
  HEIGHT,
  INPUT,
  INPUT_LENGTH,
  MEMORY,
  MEMORY_SIZE,
  PC,
  PENALTY,
  RETURN_DATA_LENGTH,
  STACK,
  STATE,
  STEPS,
  WORK_LEFT,
  WORK_PER_ENERGY,
} from './layout';
import * as words from './words';

/** Paid memory ends here: `MEMORY_LIMIT` of `../../memory.ts`. */
const MEMORY_LIMIT: u64 = 3 * 1024 * 1024;
/** Factor of the base price: `FACTOR_UNIT` of `../../energy-cost.ts`. */
const FACTOR_UNIT: f64 = 10000;
/** Jumps until it returns, so that V8 can replace this function by its optimised form. */
const JUMPS: i32 = 1 << 16;
/** In a step's cost: there is more, by operands. */
const BY_OPERANDS: u64 = 0x8000;
const WORD: usize = 32;
const JUMPDEST: u8 = 0x5b;
const PUSH1: u8 = 0x60;
const PUSH32: u8 = 0x7f;
/** Zeros behind a program: what PUSH reads there, and a step that is not done here. */
const CODE_END: usize = 64;

/** Marks the jump destinations of a program: a byte for each of its bytes, behind the program. */
export function analyse(code: usize, length: usize): void {
  const map = code + length + CODE_END;
  memory.fill(code + length, 0, CODE_END + length);
  for (let pc: usize = 0; pc < length; pc++) {
    const opcode = load<u8>(code + pc);
    if (opcode === JUMPDEST) store<u8>(map + pc, 1);
    else if (opcode >= PUSH1 && opcode <= PUSH32) pc += opcode - PUSH1 + 1;
  }
}

@inline
function penaltyOf(cost: i64, factor: f64): i64 {
  return <i64>floor((<f64>cost * factor) / FACTOR_UNIT) - cost;
}

/** Energy for memory up to so many words. */
@inline
function memoryPrice(count: u64): u64 {
  return 3 * count + count * count / 512;
}

@inline
function wordsOf(bytes: u64): u64 {
  return (bytes + 31) >> 5;
}

/** A range's end; beyond the limit of memory if it does not fit. */
@inline
function rangeEnd(offset: usize, length: usize): u64 {
  if (words.isZero(length)) return 0;
  if (!words.isSmall(offset) || !words.isSmall(length)) return u64.MAX_VALUE;
  const from = load<u64>(offset);
  const count = load<u64>(length);
  return from > MEMORY_LIMIT || count > MEMORY_LIMIT ? u64.MAX_VALUE : from + count;
}

/** Writes `length` bytes of a source from an offset; zeros beyond its end. */
function copyIn(to: usize, source: usize, sourceLength: usize, offset: usize, length: usize): void {
  const from = words.isSmall(offset) && load<u64>(offset) < sourceLength ? <usize>load<u64>(offset) : sourceLength;
  const available = min(length, sourceLength - from);
  memory.copy(to, source + from, available);
  memory.fill(to + available, 0, length - available);
}

/** Runs the frame at `STATE`. Returns if there is a step that it leaves to the interpreter. */
export function run(): void {
  const code = <usize>load<u32>(STATE, CODE);
  const codeLength = <usize>load<u32>(STATE, CODE_LENGTH);
  const jumps = code + codeLength + CODE_END;
  const frame = <usize>load<u32>(STATE, FRAME);
  const stack = frame + STACK;
  const bytes = <usize>load<u32>(STATE, MEMORY);
  const input = <usize>load<u32>(STATE, INPUT);
  const inputLength = <usize>load<u32>(STATE, INPUT_LENGTH);
  const factor = load<f64>(STATE, FACTOR);
  const hasPenalty = factor > FACTOR_UNIT;
  let pc = <usize>load<u32>(STATE, PC);
  let sp = stack + (<usize>load<u32>(STATE, HEIGHT) << 5);
  let size = <u64>load<u32>(STATE, MEMORY_SIZE);
  let energy = <i64>load<f64>(STATE, ENERGY_LEFT);
  let work = <i64>load<f64>(STATE, WORK_LEFT);
  let penalties: i64 = 0;
  let jumpsLeft = JUMPS;

  for (;;) {
    const opcode = load<u8>(code + pc);
    // Sixteen bits each: cost, work, the lowest height of the stack, and how many words above it are allowed.
    const step = load<u64>(STEPS + (<usize>opcode << 3));
    if (<u32>((sp - stack) >> 5) - <u32>((step >> 32) & 0xffff) > <u32>(step >> 48)) break;
    let cost = <i64>(step & 0x7fff);
    let effort = <i64>((step >> 16) & 0xffff);

    // The operands, from the top.
    const a = sp - WORD;
    const b = sp - 2 * WORD;
    const c = sp - 3 * WORD;

    let end: u64 = 0;
    if ((step & BY_OPERANDS) !== 0) {
      let more: u64 = 0;
      switch (opcode) {
        case 0x0a: {
          more = 10 * words.bytesOccupied(b);
          break;
        }
        case 0x20: {
          end = rangeEnd(a, b);
          more = 6 * wordsOf(load<u64>(b));
          break;
        }
        case 0x37:
        case 0x39: {
          end = rangeEnd(a, c);
          more = 3 * wordsOf(load<u64>(c));
          break;
        }
        case 0x51:
        case 0x52: {
          end = words.isSmall(a) && load<u64>(a) <= MEMORY_LIMIT ? load<u64>(a) + 32 : u64.MAX_VALUE;
          break;
        }
        case 0x53: {
          end = words.isSmall(a) && load<u64>(a) <= MEMORY_LIMIT ? load<u64>(a) + 1 : u64.MAX_VALUE;
          break;
        }
        // A jump costs the same everywhere, but one that fails is left to the interpreter before it is paid.
        case 0x57:
          if (words.isZero(b)) break;
        case 0x56: {
          const to = load<u64>(a);
          if (!words.isSmall(a) || to >= codeLength || load<u8>(jumps + <usize>to) === 0 || --jumpsLeft === 0)
            end = u64.MAX_VALUE;
          break;
        }
        default: {
          end = rangeEnd(words.below(a, b) ? b : a, c);
          more = 3 * wordsOf(load<u64>(c));
        }
      }
      if (end > MEMORY_LIMIT) break;
      if (end > size) more += memoryPrice(wordsOf(end)) - memoryPrice(size >> 5);
      cost += more;
      effort += more * load<u32>(WORK_PER_ENERGY + (<usize>opcode << 2));
    }

    const penalty = hasPenalty ? penaltyOf(cost, factor) : 0;
    const energyThen = energy - cost - penalty;
    const workThen = work - effort;
    if ((energyThen | workThen) < 0) break;
    energy = energyThen;
    work = workThen;
    penalties += penalty;
    if (end > size) {
      const grown = wordsOf(end) << 5;
      if (grown - size > 1024) memory.fill(bytes + <usize>size, 0, <usize>(grown - size));
      else for (let at = size; at < grown; at += 8) store<u64>(bytes + <usize>at, 0);
      size = grown;
    }
    pc++;

    switch (opcode) {
      case 0x01: {
        words.add(a, b);
        sp = a;
        break;
      }
      case 0x02: {
        words.multiply(a, b);
        sp = a;
        break;
      }
      case 0x03: {
        words.subtract(a, b);
        sp = a;
        break;
      }
      case 0x04: {
        words.quotient(a, b);
        sp = a;
        break;
      }
      case 0x05: {
        words.signedQuotient(a, b);
        sp = a;
        break;
      }
      case 0x06: {
        words.remainder(a, b);
        sp = a;
        break;
      }
      case 0x07: {
        words.signedRemainder(a, b);
        sp = a;
        break;
      }
      case 0x08: {
        words.addModulo(a, b, c);
        sp = b;
        break;
      }
      case 0x09: {
        words.multiplyModulo(a, b, c);
        sp = b;
        break;
      }
      case 0x0a: {
        words.power(a, b);
        sp = a;
        break;
      }
      case 0x0b: {
        words.signExtend(a, b);
        sp = a;
        break;
      }
      case 0x10: {
        words.setSmall(b, u64(words.below(a, b)));
        sp = a;
        break;
      }
      case 0x11: {
        words.setSmall(b, u64(words.below(b, a)));
        sp = a;
        break;
      }
      case 0x12: {
        words.setSmall(b, u64(words.signedBelow(a, b)));
        sp = a;
        break;
      }
      case 0x13: {
        words.setSmall(b, u64(words.signedBelow(b, a)));
        sp = a;
        break;
      }
      case 0x14: {
        words.setSmall(b, u64(words.equal(a, b)));
        sp = a;
        break;
      }
      case 0x15: {
        words.setSmall(a, u64(words.isZero(a)));
        break;
      }
      case 0x16: {
        store<u64>(b, load<u64>(a) & load<u64>(b));
        store<u64>(b, load<u64>(a, 8) & load<u64>(b, 8), 8);
        store<u64>(b, load<u64>(a, 16) & load<u64>(b, 16), 16);
        store<u64>(b, load<u64>(a, 24) & load<u64>(b, 24), 24);
        sp = a;
        break;
      }
      case 0x17: {
        store<u64>(b, load<u64>(a) | load<u64>(b));
        store<u64>(b, load<u64>(a, 8) | load<u64>(b, 8), 8);
        store<u64>(b, load<u64>(a, 16) | load<u64>(b, 16), 16);
        store<u64>(b, load<u64>(a, 24) | load<u64>(b, 24), 24);
        sp = a;
        break;
      }
      case 0x18: {
        store<u64>(b, load<u64>(a) ^ load<u64>(b));
        store<u64>(b, load<u64>(a, 8) ^ load<u64>(b, 8), 8);
        store<u64>(b, load<u64>(a, 16) ^ load<u64>(b, 16), 16);
        store<u64>(b, load<u64>(a, 24) ^ load<u64>(b, 24), 24);
        sp = a;
        break;
      }
      case 0x19: {
        store<u64>(a, ~load<u64>(a));
        store<u64>(a, ~load<u64>(a, 8), 8);
        store<u64>(a, ~load<u64>(a, 16), 16);
        store<u64>(a, ~load<u64>(a, 24), 24);
        break;
      }
      case 0x1a: {
        words.byteOf(a, b);
        sp = a;
        break;
      }
      case 0x1b: {
        words.shiftLeft(a, b);
        sp = a;
        break;
      }
      case 0x1c: {
        words.shiftRight(a, b);
        sp = a;
        break;
      }
      case 0x1d: {
        words.shiftRightSigned(a, b);
        sp = a;
        break;
      }
      case 0x1e: {
        words.setSmall(a, words.leadingZeros(a));
        break;
      }
      case 0x20: {
        keccak(bytes + (words.isZero(b) ? 0 : <usize>load<u64>(a)), <usize>load<u64>(b), b);
        sp = a;
        break;
      }
      case 0x30: {
        words.copy(sp, frame + ADDRESS);
        sp += WORD;
        break;
      }
      case 0x33: {
        words.copy(sp, frame + CALLER);
        sp += WORD;
        break;
      }
      case 0x34: {
        words.copy(sp, frame + CALL_VALUE);
        sp += WORD;
        break;
      }
      case 0x35: {
        const at = load<u64>(a);
        if (!words.isSmall(a) || at >= inputLength) words.setSmall(a, 0);
        else words.readBytes(a, input + <usize>at);
        break;
      }
      case 0x36: {
        words.setSmall(sp, inputLength);
        sp += WORD;
        break;
      }
      case 0x37: {
        if (end !== 0) copyIn(bytes + <usize>load<u64>(a), input, inputLength, b, <usize>load<u64>(c));
        sp = c;
        break;
      }
      case 0x38: {
        words.setSmall(sp, codeLength);
        sp += WORD;
        break;
      }
      case 0x39: {
        if (end !== 0) copyIn(bytes + <usize>load<u64>(a), code, codeLength, b, <usize>load<u64>(c));
        sp = c;
        break;
      }
      case 0x3d: {
        words.setSmall(sp, load<u32>(STATE, RETURN_DATA_LENGTH));
        sp += WORD;
        break;
      }
      case 0x50: {
        sp = a;
        break;
      }
      case 0x51: {
        words.readBytes(a, bytes + <usize>load<u64>(a));
        break;
      }
      case 0x52: {
        words.writeBytes(bytes + <usize>load<u64>(a), b);
        sp = b;
        break;
      }
      case 0x53: {
        store<u8>(bytes + <usize>load<u64>(a), load<u8>(b));
        sp = b;
        break;
      }
      case 0x56: {
        pc = <usize>load<u64>(a);
        sp = a;
        break;
      }
      case 0x57: {
        if (!words.isZero(b)) pc = <usize>load<u64>(a);
        sp = b;
        break;
      }
      case 0x58: {
        words.setSmall(sp, pc - 1);
        sp += WORD;
        break;
      }
      case 0x59: {
        words.setSmall(sp, size);
        sp += WORD;
        break;
      }
      case 0x5a: {
        words.setSmall(sp, energy);
        sp += WORD;
        break;
      }
      case 0x5b:
        break;
      case 0x5e: {
        if (end !== 0) memory.copy(bytes + <usize>load<u64>(a), bytes + <usize>load<u64>(b), <usize>load<u64>(c));
        sp = c;
        break;
      }
      case 0x5f: {
        words.setSmall(sp, 0);
        sp += WORD;
        break;
      }
      case 0x60: {
        words.setSmall(sp, load<u8>(code + pc));
        pc++;
        sp += WORD;
        break;
      }
      case 0x61: {
        words.setSmall(sp, (<u64>load<u8>(code + pc) << 8) | <u64>load<u8>(code + pc, 1));
        pc += 2;
        sp += WORD;
        break;
      }
      default: {
        if (opcode >= 0x90) {
          words.exchange(a, a - (<usize>(opcode - 0x8f) << 5));
        } else if (opcode >= 0x80) {
          words.copy(sp, sp - (<usize>(opcode - 0x7f) << 5));
          sp += WORD;
        } else {
          const count = <usize>(opcode - 0x5f);
          push(sp, code + pc, count);
          pc += count;
          sp += WORD;
        }
      }
    }
  }

  store<u32>(STATE, <u32>pc, PC);
  store<u32>(STATE, <u32>((sp - stack) >> 5), HEIGHT);
  store<u32>(STATE, <u32>size, MEMORY_SIZE);
  store<f64>(STATE, <f64>energy, ENERGY_LEFT);
  store<f64>(STATE, <f64>penalties, PENALTY);
  store<f64>(STATE, <f64>work, WORK_LEFT);
}

/** The word of `count` bytes at `from`. */
@inline
function push(to: usize, from: usize, count: usize): void {
  if (count <= 8) {
    words.setSmall(to, words.bytesSwapped(from) >> (64 - (<u64>count << 3)));
    return;
  }
  const last = from + count;
  store<u64>(to, words.bytesSwapped(last - 8));
  for (let i: usize = 8; i < WORD; i += 8) {
    const begin = last - i - 8;
    const limb = begin >= from ? words.bytesSwapped(begin) : i >= count ? 0 : words.bytesSwapped(from) >> (64 - (<u64>(count - i) << 3));
    store<u64>(to + i, limb);
  }
}
