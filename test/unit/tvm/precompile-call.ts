/** One call of a precompiled contract by a contract, for tests: what it answers, and what it asks for. */

import type { TvmFlags } from '../../../src/tvm/flags.js';
import type { Tracer } from '../../../src/tvm/trace.js';
import { hex, run, type Scene } from './fixture.js';

export interface PrecompileAnswer {
  readonly result: ReturnType<typeof run>;
  readonly success: boolean;
  /** What the contract asked for, beyond the price of the call. */
  readonly energy: number;
  readonly output: string;
}

const SUCCESS = '1'.padStart(64, '0');

/** The word as PUSH. */
export function push(value: number | bigint): string {
  const digits = value.toString(16);
  const even = digits.padStart(digits.length + (digits.length % 2), '0');
  return `${(0x5f + even.length / 2).toString(16)}${even}`;
}

/** Hands `input` to a precompiled contract in a STATICCALL with all Energy; the program returns success and return data. */
export function callPrecompile(
  target: number,
  input: string,
  flags: Partial<TvmFlags> = {},
  more: Partial<Scene> = {},
): PrecompileAnswer {
  let energy = Number.NaN;
  const tracer: Tracer = {
    precompile: (_frame, _target, _input, _output, required) => {
      energy = required;
    },
  };
  const code = `365f5f375f5f365f${push(target)}5afa5f523d5f60203e3d6020015ff3`;
  const result = run({ code, input, flags, energyLimit: 900_000, context: { tracer }, ...more });
  const output = hex(result.output);
  return { result, success: output.slice(0, 64) === SUCCESS, energy, output: output.slice(64) };
}
