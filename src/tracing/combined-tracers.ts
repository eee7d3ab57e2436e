/** Runs several tracers on one execution: each receives every event, in turn. */

import type { Tracer } from '../tvm/trace.js';

export function combineTracers(tracers: readonly Tracer[]): Tracer {
  return {
    enter: (frame) => {
      for (const tracer of tracers) tracer.enter?.(frame);
    },
    step: (frame, opcode, cost, penalty) => {
      for (const tracer of tracers) tracer.step?.(frame, opcode, cost, penalty);
    },
    precompile: (frame, address, input, output, energy) => {
      for (const tracer of tracers) tracer.precompile?.(frame, address, input, output, energy);
    },
    internal: (frame, transaction) => {
      for (const tracer of tracers) tracer.internal?.(frame, transaction);
    },
    log: (frame, log) => {
      for (const tracer of tracers) tracer.log?.(frame, log);
    },
    fault: (frame, exception) => {
      for (const tracer of tracers) tracer.fault?.(frame, exception);
    },
    exit: (frame) => {
      for (const tracer of tracers) tracer.exit?.(frame);
    },
  };
}
