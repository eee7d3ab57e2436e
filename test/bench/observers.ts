/**
 * What observing an execution costs: TRC-20 transfers on the machine alone, unobserved, with an observer that wants to
 * know nothing, with frames recorded, and with every step told.
 */

import { SourceSpending } from '../../src/explanation/sources/source-spending.js';
import { FrameRecorder } from '../../src/tracing/frame-recorder.js';
import { StepRecorder } from '../../src/tracing/step-recorder.js';
import { runCall, runCreate } from '../../src/tvm/run.js';
import type { Tracer } from '../../src/tvm/trace.js';
import { AA, address, bytes, contextWith, OWNER } from '../unit/tvm/fixture.js';
import { MAINNET_FLAGS } from '../unit/tvm/mainnet-flags.js';
import { MemoryHost } from '../unit/tvm/memory-host.js';
import { type Bench, median } from './bench.js';
import { tokenInitCode, transferData } from './token.js';

const ROUNDS = 15;
const TRANSFERS = 2_000;
const transfers = Array.from({ length: TRANSFERS }, (_, i) => bytes(transferData(address(0x10000 + i))));

const OBSERVERS: readonly (readonly [name: string, make: (() => Tracer) | undefined])[] = [
  ['unobserved', undefined],
  ['an observer without interest', () => ({})],
  ['frames', () => new FrameRecorder()],
  ['frames and source lines', () => new FrameRecorder(new SourceSpending(() => undefined, 'function', false))],
  [
    'steps, with stack and storage',
    () => new StepRecorder({ stack: true, memory: false, storage: true, returnData: false }, () => {}),
  ],
];

export const bench: Bench = {
  about: 'TRC-20 transfers per second on the machine alone, unobserved and observed',

  async *measure(progress) {
    const run = transferring();
    for (let warm = 0; warm < 3; warm++) for (const [, make] of OBSERVERS) run(make);
    const times = OBSERVERS.map((): number[] => []);
    // In turn, so that a busy moment of the machine meets all of them.
    for (let round = 0; round < ROUNDS; round++) {
      progress(`round ${round + 1} of ${ROUNDS}`);
      for (const [at, [, make]] of OBSERVERS.entries()) times[at]!.push(run(make));
    }
    const rates = times.map((taken) => Math.round((1000 * TRANSFERS) / median(taken)));
    for (const [at, [name]] of OBSERVERS.entries()) {
      const reference = at === 0 ? undefined : { name: 'unobserved', value: rates[0]! };
      yield { name, value: rates[at]!, unit: '/s', reference };
    }
  },
};

/** @returns a function that makes all transfers and tells how many milliseconds that took */
function transferring(): (make: (() => Tracer) | undefined) => number {
  const host = new MemoryHost();
  host.addAccount(OWNER);
  host.createContract({ address: AA, creator: OWNER, version: 0, trxHash: '' });
  const context = { ...contextWith(), flags: MAINNET_FLAGS };
  const payment = { owner: OWNER, contract: AA, callValueSun: 0n, tokenId: 0n, tokenValue: 0n, energyLimit: 1e7 };
  runCreate(host, context, { ...payment, initCode: bytes(tokenInitCode()) });
  return (make) => {
    const from = performance.now();
    for (const data of transfers) {
      const tracer = make?.();
      const { runtimeError } = runCall(host, tracer === undefined ? context : { ...context, tracer }, {
        ...payment,
        data,
      });
      if (runtimeError !== undefined) throw new Error(runtimeError);
    }
    return performance.now() - from;
  };
}
