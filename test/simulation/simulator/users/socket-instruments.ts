/** Subscriptions over a WebSocket of one's own: what has ended counts no more, and is not heard again. */

import { SocketClient } from '../../../wire/socket-client.js';
import { MemorySockets } from '../network/memory-sockets.js';
import { asked, type Instrument } from './instruments.js';
import type { Host } from './user.js';

/** Three subscriptions of 4,000 topics are more than a connection may have at once. */
const TOPICS_IN_A_PLACE = 1_000;
const PLACES = 4;
const ROUNDS = 3;

const topics = Array.from({ length: PLACES }, (_, place) =>
  Array.from(
    { length: TOPICS_IN_A_PLACE },
    (_, at) => `0x${(place * TOPICS_IN_A_PLACE + at).toString(16).padStart(64, '0')}`,
  ),
);

/** @returns what is wrong */
async function subscribeAndLeave(client: SocketClient): Promise<string | undefined> {
  for (let round = 0; round < ROUNDS; round++) {
    const { result: id, error } = await client.request('eth_subscribe', 'logs', { topics });
    if (error !== undefined) return `subscription ${round} after others that had ended: ${error.message}`;
    const { result } = await client.request('eth_unsubscribe', id);
    if (result !== true) return `the end of ${id} was ${result}`;
  }
  return undefined;
}

/** @returns the subscription */
async function followAndLeave(client: SocketClient): Promise<string> {
  const id = await client.ask('eth_subscribe', 'newHeads');
  await client.ask('eth_unsubscribe', id);
  return id;
}

/** @returns undefined: the process has ended */
async function overSocket<Value>({ world }: Host, work: Promise<Value>): Promise<Value | undefined> {
  const outcome = await world.settle(work, { what: 'a WebSocket' });
  if ('refusal' in outcome) throw outcome.refusal;
  return 'value' in outcome ? outcome.value : undefined;
}

/** @param path of a dialect @returns undefined: the process has ended */
export function socketTo(host: Host, path: string): Promise<SocketClient | undefined> {
  return overSocket(host, SocketClient.over(new MemorySockets(host.world.process.server).open(path)));
}

export const SOCKET_INSTRUMENTS: readonly Instrument[] = [
  {
    name: 'subscriptions that end',
    use: async (host) => {
      const { world } = host;
      const dialect = world.choices.of(['/eth', '/jsonrpc', '/tre'] as const);
      const settled = <Value>(work: Promise<Value>) => overSocket(host, work);
      const client = await socketTo(host, dialect);
      if (client === undefined) return undefined;
      try {
        const wrong = await settled(subscribeAndLeave(client));
        if (wrong !== undefined || !world.isRunning) return wrong;
        const ended = await settled(followAndLeave(client));
        if (world.isRunning) await asked(host, 'evm_mine');
        if (world.isRunning) await settled(client.request('eth_blockNumber'));
        const isHeard = client.notifications.some(({ subscription }) => subscription === ended);
        return isHeard ? 'a subscription was heard after its end' : undefined;
      } finally {
        client.socket.close();
      }
    },
  },
];
