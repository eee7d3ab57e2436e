/** Requests that may take minutes: shows their progress. Ctrl-C ends the request, and so the work in the node. */

import { interruptible } from './interruptible.js';
import { ask } from './node-client.js';
import { progressBar } from './progress-bar.js';
import type { Terminal } from './terminal.js';

/** The interval between two progress requests. */
const POLL_MS = 500;

interface Progress {
  readonly name?: string;
  readonly progress?: { readonly done: number; readonly total: number; readonly unit: string };
}

/**
 * Shows the progress of the node's work while a request runs.
 *
 * @param stopped the text after a signal has ended the request
 */
export async function withProgress<Result>(
  node: URL,
  terminal: Terminal,
  request: (signal: AbortSignal) => Promise<Result>,
  stopped: () => Promise<string>,
): Promise<Result> {
  const bar = progressBar(terminal);
  const ended = new AbortController();
  // A failed progress request is repeated.
  const show = async () => {
    const { name: of, progress } = (await ask(node, 'progress', {})) as Progress;
    if (of !== undefined && progress !== undefined && !ended.signal.aborted)
      await bar.show(progress.unit === 'ms' ? of : `${of} ${progress.done}`, progress.done, progress.total);
  };
  const looking = setInterval(() => void show().catch(() => {}), POLL_MS).unref();
  const end = async () => {
    clearInterval(looking);
    ended.abort();
    bar.clear();
    terminal.err(await stopped());
  };
  try {
    return await interruptible(end, async () => {
      try {
        return await request(ended.signal);
      } catch (error) {
        // Waits: the process ends when the node has reported the position of the chain.
        if (ended.signal.aborted) await new Promise(() => {});
        throw error;
      }
    });
  } finally {
    clearInterval(looking);
    bar.clear();
  }
}
