/** Shares the network of a fork with threads: the main thread fetches each row once for all of them. */

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { NO_BLOCKS } from '../fork/network/network-blocks.js';
import { RemoteError } from '../fork/network/remote-error.js';
import type { Remote } from '../fork/start/open-remote.js';
import type { ForkStart } from '../fork/terms/fork-start.js';
import type { FetchedRow, RemoteRows, WantedRow } from '../state/remote-rows.js';

interface RowRequest {
  readonly id: number;
  readonly wanted: readonly WantedRow[];
}

type Answer = { readonly id: number } & (
  | { readonly rows: readonly FetchedRow[] }
  /** The members of a `RemoteError`: the class does not cross the thread boundary. */
  | { readonly failure: readonly [url: string, what: string, why: string, advice: string] }
);

/** A message port for a thread; it closes with the thread. */
export function portTo(rows: RemoteRows): { readonly port: MessagePort; close(): void } {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', async ({ id, wanted }: RowRequest) => {
    port1.postMessage(await answered(rows, wanted, id));
  });
  return { port: port2, close: () => port1.close() };
}

async function answered(rows: RemoteRows, wanted: readonly WantedRow[], id: number): Promise<Answer> {
  try {
    return { id, rows: await rows.fetch(wanted) };
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    const { url, what, why, advice } = error;
    return { id, failure: [url, what, why, advice] };
  }
}

/** The network, on the thread's side. */
export function networkOver(port: MessagePort, start: ForkStart): Remote {
  let lastId = 0;
  const waiting = new Map<number, (answer: Answer) => void>();
  port.on('message', (answer: Answer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  const fetch = async (wanted: readonly WantedRow[]) => {
    const id = ++lastId;
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      port.postMessage({ id, wanted } satisfies RowRequest);
    });
    if ('rows' in answer) return answer.rows;
    throw new RemoteError(...answer.failure);
  };
  return {
    start,
    rows: { fetch },
    // No step of a scenario reads a block of the network.
    blocks: NO_BLOCKS,
    requests: () => lastId,
    close: async () => port.close(),
  };
}
