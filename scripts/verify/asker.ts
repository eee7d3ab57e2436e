/** A way to ask the recorded questions. */

import type { AnswerLine } from './recording.js';

export type Surface = AnswerLine['surface'];

export interface Answer {
  readonly status: number | string;
  readonly contentType?: string | undefined;
  /** Text, or for gRPC message bytes in hex. */
  readonly response?: string | undefined;
  readonly details?: string | undefined;
}

/** One way to reach the node; a surface is added by adding an asker. */
export interface Asker {
  readonly surfaces: readonly Surface[];
  ask(line: AnswerLine): Promise<Answer>;
  close(): Promise<void>;
}
