/**
 * Work of a node that may take minutes, and a person who waits for it: how far it is, and Ctrl-C, which ends the work in
 * the node because it ends the request.
 */

import { interruptible } from './interruptible.js';
import { ask } from './node-client.js';
import { progressBar } from './progress-bar.js';
import type { Speaker } from './speaker.js';

/** How often it is asked how far the work is. */
const LOOK_MS = 500;

interface Progress {
  readonly name?: string;
  readonly progress?: { readonly done: number; readonly total: number; readonly unit: string };
}

/**
 * Asks for work by `POST /sunup/NAME`, as {@link ask}.
 *
 * @param stopped says where the chain is, once a signal has ended the work
 */
export async function askForWork(
  node: URL,
  name: string,
  body: object,
  say: Speaker,
  stopped: (head: Record<string, unknown>) => string,
): Promise<Record<string, unknown>> {
  const bar = progressBar(say);
  const ended = new AbortController();
  // A question that nobody answers now is asked again.
  const show = async () => {
    const { name: of, progress } = (await ask(node, 'progress', {})) as Progress;
    if (of !== undefined && progress !== undefined && !ended.signal.aborted)
      await bar.show(progress.unit === 'ms' ? of : `${of} ${progress.done}`, progress.done, progress.total);
  };
  const looking = setInterval(() => void show().catch(() => {}), LOOK_MS).unref();
  const end = async () => {
    clearInterval(looking);
    ended.abort();
    bar.clear();
    // It has its turn when the work has ended.
    say.err(`${name}: stopped; the completed blocks are kept\n${stopped(await ask(node, 'mine', { blocks: 0 }))}`);
  };
  try {
    return await interruptible(end, async () => {
      try {
        return await ask(node, name, body, ended.signal);
      } catch (error) {
        // The process ends when the node has said where the chain is.
        if (ended.signal.aborted) await new Promise(() => {});
        throw error;
      }
    });
  } finally {
    clearInterval(looking);
    bar.clear();
  }
}
