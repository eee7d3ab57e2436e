/** Many requests with large bodies: whatever the node keeps of each would be seen in its memory. */

import { Violation } from '../run/violation.js';
import type { RealHost, RealUser } from './real-host.js';

const REQUESTS = 600;
const AT_ONCE = 20;
const BODY_BYTES = 200_000;
/** The first rounds fill what a node may keep: caches, buffers, the heap before its collector has work. */
const ROUNDS_BEFORE = 2;
const ROUNDS = 4;
/** A quarter of what the last rounds have sent. */
const MOST_GROWTH_BYTES = ((ROUNDS - ROUNDS_BEFORE) * REQUESTS * BODY_BYTES) / 4;

const WAYS: readonly ((host: RealHost, padding: string) => Promise<unknown>)[] = [
  ({ asker }, padding) => asker.post('/wallet/getnowblock', { padding }),
  ({ asker }, padding) => asker.post('/wallet/broadcasthex', { transaction: padding }),
  ({ asker }, padding) => asker.post('/eth', { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [padding] }),
  ({ asker }, padding) => asker.rpcOverSocket('/eth', 'eth_sendRawTransaction', [`0x${padding}`]),
  ({ asker }, padding) => asker.grpc('/protocol.Wallet/BroadcastTransaction', Buffer.from(padding, 'hex')),
];

export const flood: RealUser = async (host) => {
  const { world } = host;
  if (world.diskFails) return;
  const ask = world.choices.of(WAYS);
  let before = 0;
  for (let round = 0; round < ROUNDS; round++) {
    if (!world.isRunning) return;
    if (round === ROUNDS_BEFORE) before = world.process.residentBytes;
    for (let sent = 0; sent < REQUESTS; sent += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) =>
          ask(
            host,
            (sent + i)
              .toString(16)
              .padStart(4, '0')
              .repeat(BODY_BYTES / 4),
          ),
        ),
      );
  }
  if (!world.isRunning) return;
  const growth = world.process.residentBytes - before;
  if (growth > MOST_GROWTH_BYTES)
    throw new Violation('memory stays bounded', `it has grown by ${Math.round(growth / 2 ** 20)} MB in a flood`);
};
