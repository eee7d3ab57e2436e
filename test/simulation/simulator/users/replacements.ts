/**
 * Somebody who replaces blocks and looks at what has become of their transactions: those that are kept keep their order,
 * before what was pending, and none is kept that was not to be. After a reset, clock, mode and lag are those of a start.
 */

import type { Address } from '../../../../src/primitives/ids.js';
import { transactionsIn } from '../invariants/scan.js';
import { Violation } from '../run/violation.js';
import { resultOf } from './asker.js';
import { forgetSnapshots, hasReset, replacing } from './developers.js';
import { asked, BLANKS, hexOf } from './instruments.js';
import { sendHex, transact, transfersInARing } from './transactions.js';
import type { Host, User } from './user.js';

const KEPT = 'transactions of replaced blocks keep their order';
const RESET = 'a reset gives the settings of a start';
const DEEPEST = 6;

const idsAbove = ({ world }: Host, height: number): readonly string[] =>
  Array.from(transactionsIn(world.node.chain.ledger, height + 1), ({ txId }) => txId);

/** In the order in which the pool has them. */
async function pendingIds({ asker }: Host): Promise<readonly string[]> {
  const answer = await asker.post('/wallet/gettransactionlistfrompending', {});
  return answer?.match(/(?<=")[0-9a-f]{64}(?=")/g) ?? [];
}

async function reorganise(host: Host): Promise<void> {
  const { world, asker } = host;
  const { choices } = world;
  const first = world.headNumber;
  // Of many blocks, one part after the other is removed.
  const between = choices.chance(0.5) ? 25 : 0;
  const count = 2 + choices.below(4);
  // They name the present head: a branch above it takes all of them, whatever their blocks were.
  const early = choices.chance(0.6) ? await transfersInARing(host, count) : [];
  for (let i = 0; i < count && world.isQuiet; i++) {
    const transfer = early[i];
    await (transfer === undefined ? transact(host) : sendHex(host, transfer));
    if (choices.chance(0.5) && world.isRunning) await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
    // Empty blocks alone are one step back, however many they are.
    if (i === count - 2)
      for (let k = 0; k < between && world.isQuiet; k++) {
        await asked(host, 'tron_setCode', hexOf(BLANKS[0] as Address), k % 2 === 0 ? '0x00' : '0x5b00');
        await asked(host, 'evm_mine');
      }
  }
  if (!world.isQuiet) return;
  const deeper = early.length > 0 ? 0 : choices.below(DEEPEST);
  const height = Math.max(world.node.chain.config.beginsAt, first - deeper);
  const before = idsAbove(host, height);
  const pending = await pendingIds(host);
  if (!world.isQuiet) return;
  const [depth, keeps] = [world.headNumber - height, choices.chance(0.7)];
  if (depth < 1) return;
  if (!(await replacing(host, height, () => asker.rpc('/tre', 'tron_reorg', [depth, keeps])))) return;
  forgetSnapshots(world, height);
  if (!world.isQuiet) return;
  const after = new Set(idsAbove(host, height));
  const kept = before.filter((txId) => after.has(txId));
  if (!keeps && kept.length > 0) throw new Violation(KEPT, `${kept} were not to be kept`);
  const inOrder = [...after].filter((txId) => before.includes(txId));
  if (inOrder.join() !== kept.join()) throw new Violation(KEPT, `they were ${kept}, and are ${inOrder}`);
  const all = [...after, ...(await pendingIds(host))].filter((txId) => before.includes(txId) || pending.includes(txId));
  const firstPending = all.findIndex((txId) => pending.includes(txId));
  const lastReplaced = all.findLastIndex((txId) => before.includes(txId));
  if (world.isQuiet && firstPending >= 0 && firstPending < lastReplaced)
    throw new Violation(
      KEPT,
      `${all[firstPending]} was pending, and is before ${all[lastReplaced]}, which had a block`,
    );
}

async function resetAll(host: Host): Promise<void> {
  const { world, asker } = host;
  const { choices, shape } = world;
  const { mining, solidified = 'head' } = shape.options;
  await asker.rpc('/tre', 'tron_setMining', [choices.of(['instant', 'manual'])]);
  await asker.rpc('/tre', 'tron_setSolidityLag', [2]);
  await asker.rpc('/tre', 'tron_increaseTime', [1 + choices.below(10_000)]);
  if (!world.isRunning) return;
  if (!(await hasReset(host))) return;
  if (!world.isRunning || world.diskFails) return;
  const clock = resultOf(await asker.rpc('/tre', 'tron_setClock', [{}])) as
    | { offset: number; rate: number }
    | undefined;
  const shown = resultOf(await asker.rpc('/tre', 'tron_getMining', [])) as { mode: string } | undefined;
  const { solidityLag } = world.node.chain;
  const wrong =
    (clock !== undefined && clock.offset !== 0 && `the clock is ${clock.offset} ms away`) ||
    (shown !== undefined && shown.mode !== mining && `the mode is ${shown.mode}`) ||
    (solidityLag !== (solidified === 'head' ? 'none' : 'network') && `the lag is ${solidityLag}`);
  if (wrong && world.isRunning) throw new Violation(RESET, wrong);
}

export const replaceAndLook: User = async (host) => {
  if (!host.world.isQuiet) return;
  if (host.world.choices.chance(0.15)) await resetAll(host);
  else await reorganise(host);
};
