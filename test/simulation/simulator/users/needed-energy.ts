/**
 * Somebody asks what a call would have needed that ran out of Energy. The call gives half of what is left to another one,
 * which fails with too little, so that the call ends well and gives something else: what was needed is what gives the same
 * as plenty, and one unit less does not.
 */

import type { Address } from '../../../../src/primitives/ids.js';
import { Violation } from '../run/violation.js';
import { resultOf } from './asker.js';
import { OP, push } from './assembler.js';
import { asked, hexOf } from './instruments.js';
import { CALLERS, placed } from './places.js';
import type { Host, User } from './user.js';

const NAME = 'a transaction costs what was said beforehand';
const [OUTER, INNER] = CALLERS as [Address, Address];
const TOO_LITTLE = 40n;

/** Calls with half of what is left, and returns whether that succeeded. */
const HALVING = [
  ...[push(0), push(0), push(0), push(0), push(0), push({ hex: INNER.slice(2) })],
  ...[push(2), OP.GAS, OP.DIV, OP.CALL],
  ...[push(0), OP.MSTORE, push(32), push(0), OP.RETURN],
].join('');

/** @returns the word that it returns; undefined: it failed, or there is no answer */
async function given(host: Host, from: string, energy: number): Promise<bigint | undefined> {
  const call = { from, to: hexOf(OUTER), gas: `0x${energy.toString(16)}` };
  const result = resultOf<string>(await host.asker.rpc('/eth', 'eth_call', [call, 'latest']));
  return result === undefined ? undefined : BigInt(result);
}

export const askWhatWasNeeded: User = async (host) => {
  const { world, people } = host;
  const { choices } = world;
  // Rows of a fork may be its network's.
  if (!world.isQuiet || world.shape.isFork || world.node.chain.pool.size > 0) return;
  const work = Array.from({ length: 1 + choices.below(4) }, (_, i) => push(1 + choices.below(3)) + push(i) + OP.SSTORE);
  if (!(await placed(host, { [OUTER]: HALVING, [INNER]: work.join('') + OP.STOP }))) return;
  const { headId } = world.node.chain;
  const from = hexOf(people.address(choices.below(6)));
  const changes = { feeLimit: `${TOO_LITTLE * world.ledger.long('ENERGY_FEE')} sun` };
  const preview = await asked(host, 'tron_preview', { from, to: hexOf(OUTER) }, { changes });
  const { energy } = resultOf<{ readonly energy?: { readonly needed?: { readonly energy?: number } } }>(preview) ?? {};
  const needed = Number(energy?.needed?.energy ?? 0);
  if (needed === 0) return;
  const [enough, less] = [await given(host, from, needed), await given(host, from, needed - 1)];
  if (!world.isQuiet || world.node.chain.headId !== headId) return;
  if (enough !== 1n || less === 1n)
    throw new Violation(NAME, `${needed} Energy was needed; with it, the call gives ${enough}, with one less ${less}`);
};
