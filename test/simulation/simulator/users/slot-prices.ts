/**
 * What it costs to write a slot: a contract calls itself, and measures. A slot that was never written costs more, and what
 * a call wrote that reverted was never written (protocol/opcodes.md#storage). Its code is lent for the call.
 */

import { Violation } from '../run/violation.js';
import { resultOf } from './asker.js';
import { bytesIn, OP, push, pushPlace } from './assembler.js';
import type { User } from './user.js';
import { hexOf } from './word-steps.js';

const NAME = 'the machine calculates what the model does';
const NEW_SLOT = 20_000n;
const KNOWN_SLOT = 5_000n;
/** Two pushes, and the second look at what is left. */
const AROUND = 8n;
const STEPS = 8;
const SLOTS = 3;
/** Behind the results. */
const INPUT_AT = 0x800;

/** With data: stores the value of the second word in the slot of the first, and reverts if there is a third. */
const INSIDE = [
  [OP.JUMPDEST, push(32), OP.CALLDATALOAD, push(0), OP.CALLDATALOAD, OP.SSTORE].join(''),
  [push(64), OP.CALLDATALOAD, OP.ISZERO].join(''),
] as const;

export const priceSlots: User = async (host) => {
  const { world, asker } = host;
  const { choices } = world;
  if (!world.isRunning || world.shape.isFork) return;
  const known = new Set<number>();
  const expected: bigint[] = [];
  let steps = '';
  for (let i = 0; i < STEPS; i++) {
    const [slot, value] = [choices.below(SLOTS), choices.of([0n, 1n, 1n, 77n])];
    if (choices.chance(0.5)) {
      const reverts = choices.chance(0.6);
      const words = [BigInt(slot), value, reverts ? 1n : 0n];
      steps += words.map((word, at) => push(word) + pushPlace(INPUT_AT + 32 * at) + OP.MSTORE).join('');
      steps += push(0) + push(0) + push(96) + pushPlace(INPUT_AT) + push(0) + OP.ADDRESS + OP.GAS + OP.CALL + OP.POP;
      if (!reverts) known.add(slot);
      continue;
    }
    // What is left, before and after.
    steps += OP.GAS + push(value) + push(slot) + OP.SSTORE + OP.GAS;
    steps += OP.SWAP1 + OP.SUB + pushPlace(32 * expected.length) + OP.MSTORE;
    expected.push((known.has(slot) || value === 0n ? KNOWN_SLOT : NEW_SLOT) + AROUND);
    known.add(slot);
  }
  const measured = steps + pushPlace(32 * expected.length) + push(0) + OP.RETURN;
  const start = OP.CALLDATASIZE + pushPlace(0) + OP.JUMPI;
  const place = bytesIn(start + measured);
  const [store, ends] = INSIDE;
  const stop = place + bytesIn(store + ends + pushPlace(0) + OP.JUMPI + push(0) + push(0) + OP.REVERT);
  const code = [
    [OP.CALLDATASIZE, pushPlace(place), OP.JUMPI, measured].join(''),
    [store, ends, pushPlace(stop), OP.JUMPI, push(0), push(0), OP.REVERT, OP.JUMPDEST, OP.STOP].join(''),
  ].join('');
  const to = `0x${choices.hex(20)}`;
  const answer = await asker.rpc('/eth', 'eth_call', [{ to, data: '0x' }, 'latest', { [to]: { code: `0x${code}` } }]);
  const output = resultOf<string>(answer);
  if (answer === undefined || world.diskFails || !world.isRunning) return;
  const told = expected.map((_, i) => output?.slice(2 + 64 * i, 66 + 64 * i));
  const at = expected.findIndex((one, i) => told[i] !== hexOf(one));
  if (at >= 0)
    throw new Violation(NAME, `writing ${at} of ${code} costs ${told[at] ?? answer}, and has to cost ${expected[at]}`);
};
