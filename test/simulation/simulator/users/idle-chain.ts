/** Somebody makes a further chain and leaves it alone: it is there while somebody uses it, and then as long as it was to. */

import { Violation } from '../run/violation.js';
import { furtherChain } from './neighbours.js';
import { socketTo } from './socket-instruments.js';
import type { Host, User } from './user.js';

const NAME = 'a further chain lasts while it is used';
const PILE = 'timers do not pile up';

async function listsIt({ asker, world }: Host, id: string): Promise<boolean | undefined> {
  const list = await asker.get('/sunup/chains');
  return world.isRunning && list?.startsWith('200 ') ? list.includes(id) : undefined;
}

export const leaveAChainAlone: User = async (host) => {
  const { world, asker } = host;
  const { choices } = world;
  if (!world.isQuiet || (world.shape.isFork && world.network.isElsewhere)) return;
  const timers = () => world.process.clock.timers().length;
  const before = timers();
  const idleMs = 2_000 + choices.below(30_000);
  const id = await furtherChain(host, { idleMs });
  if (id === undefined) return;
  const mustBeThere = async (is: boolean, when: string) => {
    const lists = await listsIt(host, id);
    if (lists !== undefined && lists !== is)
      throw new Violation(NAME, `/~${id}/ ${lists ? 'is' : 'is not'} there, ${when}; it was to be idle ${idleMs} ms`);
  };

  if (choices.chance(0.3)) {
    const client = await socketTo(host, `/~${id}/eth`);
    if (client === undefined) return;
    await world.pass(idleMs * 2);
    await mustBeThere(true, 'and somebody has a WebSocket to it');
    client.socket.close();
    await world.quiet();
  } else if (choices.chance(0.7)) {
    let stream: Response | undefined;
    await asker.library(`a stream of /~${id}/`, async () => {
      const { devnet } = world;
      stream = (await devnet.fetch(`http://localhost/~${id}/sunup/events`)) as Response;
      return stream.status;
    });
    if (stream === undefined || !world.isRunning) return;
    await world.pass(idleMs * 2);
    await mustBeThere(true, 'and somebody listens');
    void stream.body?.cancel();
    await world.quiet();
  } else {
    await world.pass(idleMs / 2);
    if (world.isRunning) await asker.post(`/~${id}/wallet/getnowblock`, {});
  }
  if (!world.isRunning) return;
  await world.pass(idleMs * 0.7);
  await mustBeThere(true, 'and somebody has just used it');
  if (!world.isRunning) return;
  await world.pass(idleMs);
  await mustBeThere(false, 'and nobody uses it');
  if (world.isQuiet && timers() > before)
    throw new Violation(
      PILE,
      `${before} timers waited before there was a further chain, and ${timers()} do when it is gone`,
    );
};
