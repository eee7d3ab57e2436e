/**
 * Somebody asks a fork for blocks of its network, while another chain answers at the network's address for a moment. What
 * is told is of the network, or nothing is.
 */

import { blockIdAt } from '../../../../src/ledger/blocks/block-ids.js';
import { Violation } from '../run/violation.js';
import { resultOf } from './asker.js';
import type { Host, User } from './user.js';

const NAME = "a fork's list is its own and its network's";

async function idOfBlock({ asker }: Host, number: number): Promise<string | undefined> {
  const answer = await asker.rpc('/eth', 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
  return resultOf<{ readonly hash: string } | null>(answer)?.hash.slice(2);
}

export const askForOlderBlocks: User = async (host) => {
  const { world } = host;
  const { choices, network } = world;
  const { town } = network;
  if (town === undefined || !world.isWell || network.isElsewhere) return;
  const { beginsAt } = world.ledger.config;
  for (const isElsewhere of [false, true]) {
    const number = 1 + choices.below(beginsAt);
    network.isElsewhere = isElsewhere;
    const id = await idOfBlock(host, number);
    network.isElsewhere = false;
    if (id === undefined || number >= town.replacedFrom || number >= beginsAt) continue;
    const expected = blockIdAt(town.node.chain.ledger, number);
    if (id !== expected) throw new Violation(NAME, `block ${number} is ${id}; that of the network is ${expected}`);
  }
};
