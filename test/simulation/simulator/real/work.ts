/**
 * Work that is under way when something happens to a node, and what anybody was told by then. Of a block that a listener
 * was told, of a height and of an accepted transaction a client may be sure, as soon as it has heard of it.
 */

import { hexToBytes } from '../../../../src/primitives/hex.js';
import { BlockExtention } from '../../../../src/protocol/generated/api.js';
import { resultOf } from '../users/asker.js';
import { burst } from '../users/transactions.js';
import type { RealAsker } from './real-asker.js';
import type { RealHost } from './real-host.js';

/** How long a write may take, in a machine whose disk is slow. */
export const SLOW_MS: readonly number[] = [5, 30, 100];

const BLOCK_NUMBER = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] };

/** Several users who act at once. */
export function busy(host: RealHost): Promise<unknown> {
  return Promise.all([burst(host), burst(host), burst(host), grow(host)]);
}

/** Who asks how many blocks there are, over each transport. */
const ASKING: readonly ((asker: RealAsker) => Promise<number>)[] = [
  async (asker) => Number(resultOf<string>(await asker.post('/eth', BLOCK_NUMBER))),
  async (asker) => Number(resultOf<string>(await asker.rpcOverSocket('/eth', 'eth_blockNumber', []))),
  async (asker) => Number(resultOf<string>(await asker.rpcOverSocket('/jsonrpc', 'eth_blockNumber', []))),
  async (asker) => heightOf(await asker.grpc('/protocol.Wallet/GetNowBlock2', new Uint8Array())),
];

/** Makes blocks, and asks how many there are. */
async function grow({ world, asker }: RealHost): Promise<void> {
  const { choices, told } = world;
  for (let count = 6; count > 0 && world.isRunning; count--) {
    let isMined = false;
    const mined = asker.rpc('/tre', 'evm_mine', []).finally(() => {
      isMined = true;
    });
    // Who asks meanwhile must not hear of a block that is still on its way to the disk.
    while (!isMined) {
      const height = await choices.of(ASKING)(asker);
      if (height > 0) told.height(height);
      await world.pass(1 + choices.below(4));
    }
    await mined;
  }
}

function heightOf(answer: string | undefined): number {
  if (answer === undefined || answer.startsWith('refused')) return 0;
  return Number(BlockExtention.decode(hexToBytes(answer)).block_header?.raw_data?.number ?? 0);
}

/** After so many more answers and news; sooner, if the work is done. */
export async function afterHearing({ world }: RealHost, more: number, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  work.finally(() => {
    isOver = true;
  });
  const until = world.heard + more;
  while (!isOver && world.heard < until) await new Promise(setImmediate);
}

/**
 * Waits until all listeners know the head, so that what they are told from now on is of this chain.
 *
 * @returns its height; undefined: nothing can be promised now
 */
export async function allEars({ world, asker }: RealHost): Promise<number | undefined> {
  if (world.diskFails) return undefined;
  // A connection is there before the work begins.
  for (const ask of ASKING) await ask(asker);
  return await world.settleDown(async () => {
    // The block after a rollback takes the place of what they knew before.
    await asker.rpc('/tre', 'evm_mine', []);
    const head = await world.head();
    if (head === undefined) return undefined;
    await world.audience.untilAllKnow(head);
    return head.number;
  });
}

/** What listeners were told since then has to last. */
export function rememberNews({ world }: RealHost, since: number | undefined): void {
  if (since === undefined) return;
  for (const [number, id] of world.audience.newsAbove(since)) world.told.block(number, id);
}
