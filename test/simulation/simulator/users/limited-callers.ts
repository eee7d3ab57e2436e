/**
 * Somebody calls a node more often than it allows a caller without a key: by its address, so over how many connections
 * does not matter.
 */

import { Status, StatusError } from '../../../../src/grpc/status.js';
import { GrpcClient } from '../network/grpc-client.js';
import { Violation } from '../run/violation.js';
import { withNode } from './neighbours.js';
import type { User } from './user.js';

const NAME = 'a caller may do what it may';
const OPTIONS = { accounts: 1, mining: 'manual', grpcPort: 0 } as const;

export const callTooOften: User = async (host) => {
  const { world, asker } = host;
  const { choices } = world;
  const anonymous = 2 + choices.below(4);
  const codes: number[] = [];
  await asker.library('a node with limits', () =>
    withNode(host, { ...OPTIONS, rateLimit: { anonymous } }, async (devnet, ports) => {
      const port = devnet.grpc?.port ?? 0;
      const clients = [new GrpcClient(ports.connect(port)), new GrpcClient(ports.connect(port))];
      for (let i = 0; i <= anonymous; i++) codes.push(await statusOf(choices.of(clients)));
      for (const client of clients) client.close();
      return codes;
    }),
  );
  const expected = [...Array.from({ length: anonymous }, () => Status.OK), Status.RESOURCE_EXHAUSTED];
  if (world.isRunning && codes.join() !== expected.join())
    throw new Violation(NAME, `${anonymous + 1} calls of one second, ${anonymous} are allowed: ${codes}`);
};

async function statusOf(client: GrpcClient): Promise<number> {
  try {
    await client.call('/protocol.Wallet/GetNowBlock', new Uint8Array(0));
    return Status.OK;
  } catch (error) {
    if (error instanceof StatusError) return error.code;
    throw error;
  }
}
