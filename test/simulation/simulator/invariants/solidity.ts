/**
 * `/walletsolidity` shows the height that its lag says, the state of that height, and nothing above it. `/walletpbft` shows
 * the same.
 */

import { Violation } from '../run/violation.js';
import { resultOf } from '../users/asker.js';
import type { Host } from '../users/user.js';
import { transactionsIn } from './scan.js';

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
  const wrong = (await aboveIsShown(host, height)) ?? (await pbftDiffers(host));
  if (wrong !== undefined && world.isRunning && chain.headId === headId && chain.solidityLag === lag)
    throw new Violation(NAME, `at head ${chain.headNumber} it shows block ${height}: ${wrong}`);
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

/** Blocks and transactions up to the height are there, those above are not. */
async function aboveIsShown({ world, asker }: Host, height: number): Promise<string | undefined> {
  const { ledger, headNumber } = world.node.chain;
  const number = Math.min(headNumber, height + world.choices.below(3));
  const block = await asker.post('/walletsolidity/getblockbynum', { num: number });
  const isThere = /"blockID"/.test(block ?? '');
  if (block?.startsWith('200 ') && isThere !== number <= height) return `block ${number} is ${block.slice(0, 200)}`;
  const recent = [...transactionsIn(ledger, Math.max(1, height - 5))];
  const chosen = recent.length === 0 ? undefined : world.choices.of(recent);
  if (chosen === undefined) return undefined;
  const method = world.choices.of(['gettransactionbyid', 'gettransactioninfobyid'] as const);
  const found = await asker.post(`/walletsolidity/${method}`, { value: chosen.txId });
  const isFound = found?.includes(chosen.txId) ?? false;
  return found?.startsWith('200 ') && isFound !== chosen.block <= height
    ? `${method} of ${chosen.txId} in block ${chosen.block} is ${found.slice(0, 200)}`
    : undefined;
}

async function pbftDiffers({ world, asker, people }: Host): Promise<string | undefined> {
  if (world.shape.options.pbft !== true) return undefined;
  const address = people.address(world.choices.below(6));
  const [method, body] = world.choices.of([
    ['getnowblock', {}],
    ['getaccount', { address }],
    ['getassetissuelist', {}],
    ['listwitnesses', {}],
    ['getblockbynum', { num: world.choices.below(world.headNumber + 1) }],
  ] as const);
  const one = await asker.post(`/walletsolidity/${method}`, body);
  const other = await asker.post(`/walletpbft/${method}`, body);
  return one === undefined || other === undefined || one === other
    ? undefined
    : `${method}: ${one.slice(0, 300)}; /walletpbft: ${other.slice(0, 300)}`;
}
