/** `/walletsolidity` shows the height that its lag says, and the state of that height. */

import { Violation } from '../run/violation.js';
import { resultOf } from '../users/asker.js';
import type { Host } from '../users/user.js';

const NAME = 'the solidity view is the state of its height';

export async function solidityViewIsAPast(host: Host): Promise<void> {
  const { world, asker, people } = host;
  const { chain } = world.node;
  const { headId, solidityLag: lag } = chain;
  const now = await asker.post('/walletsolidity/getnowblock', {});
  if (!now?.startsWith('200 ') || !world.isRunning || chain.headId !== headId) return;
  const height = Number(/"number": ?(\d+)/.exec(now)?.[1] ?? 0);
  const id = /"blockID": ?"([0-9a-f]+)"/.exec(now)?.[1];
  // The network's lag depends on the blocks before; its view is some block of the chain.
  const expected = lag === 'network' ? height : Math.max(0, chain.headNumber - (lag === 'none' ? 0 : lag));
  // A state that is no longer kept is refused.
  if (expected < chain.commits.stateFrom) return;
  // Below a fork is its network.
  const isOwn = expected > chain.ledger.config.beginsAt;
  if (isOwn && (height !== expected || id !== world.blockIdAt(height)))
    throw new Violation(NAME, `at head ${chain.headNumber} with the lag ${lag} it shows block ${height} ${id}`);
  if (!isOwn || height < chain.commits.stateFrom || (height === chain.headNumber && chain.pool.size > 0)) return;
  const address = people.address(world.choices.below(6));
  const shown = await asker.post('/walletsolidity/getaccount', { address });
  const past = await asker.rpc('/eth', 'eth_getBalance', [`0x${address.slice(2)}`, `0x${height.toString(16)}`]);
  const balance = resultOf<string>(past);
  if (!shown?.startsWith('200 ') || balance === undefined || chain.headId !== headId) return;
  const sun = BigInt(/"balance": ?(\d+)/.exec(shown)?.[1] ?? 0);
  if (sun !== BigInt(balance))
    throw new Violation(NAME, `the balance of ${address} is ${sun} there, and ${BigInt(balance)} at block ${height}`);
}
