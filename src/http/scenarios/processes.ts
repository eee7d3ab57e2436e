/**
 * Runs scenarios of clients, each in a process of its own, so that the node goes on meanwhile. Not on threads, as the
 * command does: a thread that is ended, or has no memory left, while it recovers a signer in native code aborts the whole
 * process (`Napi::Error`; the third of 25 ended threads did). The code of the process is
 * `scenario-files/scenario-process.ts`; this file knows only its messages.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BusyError, ParametersError, StoppedError } from '../../errors/operation-error.js';
import type { ScenarioRequest } from './request.js';

/** Beside the bundle; from source, where the build leaves it. */
const PLACES = ['./scenario-process.js', '../../../dist/scenario-process.js'];

export interface ScenarioWork {
  readonly kind: 'run' | 'settings';
  readonly request: ScenarioRequest;
}

/** From the process. */
export type ScenarioMessage =
  /** The scenario is valid; it starts. */
  | { readonly type: 'started' }
  | { readonly type: 'progress'; readonly done: number; readonly total: number }
  /** A mistake of the client, in the words of `sunup run`. */
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'done'; readonly json: string };

/** Each takes a processor. */
const MAX_AT_ONCE = 2;
const MAX_HEAP_MB = 1_024;
/** Of the error output, for the report of a failure. */
const MAX_ERROR_CHARS = 10_000;

/** Shared by all chains: they share the processors. */
let running = 0;

/**
 * @param heard called with the start and the progress
 * @returns the result as JSON
 * @throws ParametersError for a mistake of the client, BusyError if too many are running, StoppedError after the signal
 */
export async function inScenarioProcess(
  work: ScenarioWork,
  signal: AbortSignal,
  heard: (message: ScenarioMessage) => void,
): Promise<string> {
  const file = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) => existsSync(place));
  if (file === undefined) throw new Error('the process of scenarios is not there: run npm run build');
  if (signal.aborted) throw stopped();
  if (running >= MAX_AT_ONCE)
    throw new BusyError(
      `${MAX_AT_ONCE} scenarios are running, which is the maximum: wait for one of them, or cancel it`,
    );
  running++;
  try {
    const child = fork(file, {
      // Options of this process may be those of a debugger or a test runner.
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const end = () => child.kill('SIGKILL');
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    try {
      child.send(work);
      return await resultOf(child, signal, heard);
    } finally {
      signal.removeEventListener('abort', end);
    }
  } finally {
    running--;
  }
}

const stopped = () => new StoppedError('the scenario was stopped');

/** Resolves after the exit, so that the next one finds the processor free. */
function resultOf(
  child: ChildProcess,
  signal: AbortSignal,
  heard: (message: ScenarioMessage) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let errors = '';
    let outcome: ScenarioMessage | undefined;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-MAX_ERROR_CHARS);
    });
    child.on('message', (message: ScenarioMessage) => {
      if (message.type === 'done' || message.type === 'refused') outcome = message;
      else heard(message);
    });
    child.on('error', reject);
    child.on('close', () => {
      if (signal.aborted) reject(stopped());
      else if (outcome?.type === 'done') resolve(outcome.json);
      else if (outcome?.type === 'refused') reject(new ParametersError(outcome.message));
      else if (errors.includes('heap out of memory'))
        reject(
          new ParametersError(`the scenario needs more than ${MAX_HEAP_MB} MB of memory: run it with sunup run FILE`),
        );
      else reject(new Error(`the process of the scenario has ended: ${errors}`));
    });
  });
}
