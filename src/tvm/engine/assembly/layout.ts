/**
 * Where things are in the linear memory that both sides share. `../linear-memory.ts` has the same numbers.
 *
 * 0 to 1023 belong to the keccak module (`scripts/generate-keccak.ts`): the state at 0, the block at 512.
 */

/** The running frame: written before each run, read after it. */
export const STATE: usize = 1024;
export const PC: usize = 0;
export const HEIGHT: usize = 4;
export const ENERGY_LEFT: usize = 8;
export const PENALTY: usize = 16;
export const WORK_LEFT: usize = 24;
export const FACTOR: usize = 32;
export const MEMORY_SIZE: usize = 40;
export const CODE: usize = 44;
export const CODE_LENGTH: usize = 48;
export const FRAME: usize = 52;
export const INPUT: usize = 56;
export const INPUT_LENGTH: usize = 60;
export const MEMORY: usize = 64;
export const RETURN_DATA_LENGTH: usize = 68;

/** Eight bytes for each opcode; see `step` in `machine.ts`. */
export const STEPS: usize = 2048;
/** Four bytes for each opcode: work for each Energy of a computed price. */
export const WORK_PER_ENERGY: usize = 4096;
/** Numbers in the middle of a division or a power. */
export const SCRATCH: usize = 5120;

/** In a frame: three words of its message, then its stack of 1,024 words. */
export const CALLER: usize = 0;
export const CALL_VALUE: usize = 32;
export const ADDRESS: usize = 64;
export const STACK: usize = 96;
