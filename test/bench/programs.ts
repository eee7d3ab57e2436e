/** Programs that keep the machine busy with plain steps, storage and calls, against anvil (`compared-programs.ts`). */

import type { Bench } from './bench.js';
import { comparePrograms, type Program, startProgramCommand } from './compared-programs.js';
import { compiledContract } from './contract-source.js';

const program = (name: string, method: string, count: number): Program => ({
  name,
  method,
  args: (seed) => [BigInt(seed), BigInt(count)],
});

const PROGRAMS: readonly Program[] = [
  program('100,000 rounds of unchecked multiply, add, shift, xor', 'mix', 100_000),
  program('50,000 rounds of checked arithmetic and modulo', 'lehmer', 50_000),
  program('50,000 mulmod', 'square', 50_000),
  program('20,000 keccak256 of 64 bytes', 'hashes', 20_000),
  program('insertion sort of 500 words in memory', 'sort', 500),
  program('1,000 storage words written and read', 'store', 1_000),
  program('2,000 calls of itself', 'calls', 2_000),
];

export const bench: Bench = {
  about: 'programs that keep the virtual machine busy, as eth_call, against anvil',

  async *measure(progress) {
    const compiled = compiledContract('Programs');
    const ours = await startProgramCommand(compiled);
    // So that the first time of a program is that of its code, not of the process.
    yield { name: 'the first call of the process', value: await ours.call('hashes', [1n, 1n]), unit: 'ms' };
    yield* comparePrograms(compiled, PROGRAMS, ours, progress);
    await ours.command.stop();
  },
};
