/** Instruments of a developer for blocks: their times, witnesses and epochs; and what each should do. */

import type { Address } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { type Answer, resultOf } from './asker.js';
import { OP, push } from './assembler.js';
import { asked, headOf, hexOf, type Instrument, mined } from './instruments.js';
import type { Host } from './user.js';

/** What `tron_setClock` answers. */
interface ShownClock {
  readonly now: number;
  readonly rate: number;
}

/** Of all blocks from one on. */
async function witnessesFrom({ world, asker }: Host, first: number): Promise<readonly (string | undefined)[]> {
  if (!world.isQuiet) return [];
  const range = { startNum: first, endNum: world.headNumber + 1 };
  const answer = await asker.post('/wallet/getblockbylimitnext', range);
  return Array.from((answer ?? '').matchAll(/"witness_address": ?"(\w+)"/g), ([, witness]) => witness);
}

/** The next blocks are those of the schedule, and not all of this witness. */
async function isBackInTurn(host: Host, witness: Address): Promise<string | undefined> {
  if (new Set([0, 1, 2].map((i) => host.people.witness(i))).size < 3) return undefined;
  const scheduled = [await mined(host), await mined(host), await mined(host)];
  return scheduled.every((block) => block?.witness === witness)
    ? `the schedule was to come back, and three blocks are of ${witness} again`
    : undefined;
}

export const BLOCK_INSTRUMENTS: readonly Instrument[] = [
  {
    name: 'time of the clock',
    isReverted: true,
    use: async (host) => {
      const head = await headOf(host);
      if (head === undefined) return undefined;
      const at = head.timeMs + 1_000 * (host.world.choices.below(20_000) - 10_000);
      const shown = resultOf(await asked(host, 'tron_setTime', at)) as { readonly nowMs: number } | undefined;
      return shown === undefined || shown.nowMs === at
        ? undefined
        : `the clock was set to ${at}, and is at ${shown.nowMs}`;
    },
  },
  {
    name: 'pace of the clock',
    isReverted: true,
    use: async (host) => {
      const { clock, choices } = host.world;
      const rate = choices.of([0, 0.5, 2, 60]);
      const first = resultOf(await asked(host, 'tron_setClock', {})) as ShownClock | undefined;
      const before = resultOf(await asked(host, 'tron_setClock', { rate })) as ShownClock | undefined;
      const sinceMs = clock.timeOfDayMs;
      if (first === undefined || before === undefined) return undefined;
      // A request takes its time.
      if (Math.abs(before.now - first.now) > 1_000)
        return `at ${first.now} the rate was set to ${rate}, and the clock is at ${before.now}`;
      if (before.rate !== rate) return `the rate was set to ${rate}, and is ${before.rate}`;
      await host.world.pass(choices.of([100, 4_000]));
      const after = resultOf(await asked(host, 'tron_setClock', {})) as ShownClock | undefined;
      // A request takes its time.
      const expected = before.now + (clock.timeOfDayMs - sinceMs) * rate;
      if (after === undefined || Math.abs(after.now - expected) <= 2 + rate) return undefined;
      return `at a rate of ${rate} the clock was to be at ${expected}, and is at ${after.now}`;
    },
  },
  {
    name: 'time of the next block',
    onlyManual: true,
    use: async (host) => {
      const head = await headOf(host);
      if (head === undefined) return undefined;
      const at = head.timeMs + 1_000 * (1 + host.world.choices.below(5_000));
      const done = resultOf(await asked(host, 'tron_setNextBlockTimestamp', at));
      const block = done === undefined ? undefined : await mined(host);
      if (block === undefined || block.timeMs === at) return undefined;
      return `the next block was to have the time ${at}, and has ${block.timeMs}`;
    },
  },
  {
    name: 'calls of older blocks, when the next one has a time',
    isReverted: true,
    use: async (host) => {
      const head = await headOf(host);
      if (head === undefined || head.number < 2) return undefined;
      const older = head.number - 1;
      const seen =
        OP.NUMBER + push(0) + OP.MSTORE + OP.TIMESTAMP + push(32) + OP.MSTORE + push(64) + push(0) + OP.RETURN;
      const to = hexOf(host.people.address(0));
      const overrides = { [to]: { code: `0x${seen}` } };
      const call = async () =>
        resultOf(await host.asker.rpc('/eth', 'eth_call', [{ to, data: '0x' }, `0x${older.toString(16)}`, overrides]));
      const before = await call();
      const done = resultOf(await asked(host, 'tron_setNextBlockTimestamp', head.timeMs + 60_000));
      const after = await call();
      if (before === undefined || done === undefined || after === undefined || before === after) return undefined;
      return `a call of block ${older} saw ${before}; since the next block has a time, it sees ${after}`;
    },
  },
  {
    name: 'time between blocks',
    onlyManual: true,
    use: async (host) => {
      const seconds = 1 + host.world.choices.below(100);
      const done = resultOf(await asked(host, 'tron_setBlockTimestampInterval', seconds));
      const [one, other] = [await mined(host), await mined(host)];
      await asked(host, 'tron_removeBlockTimestampInterval');
      if (done === undefined || one === undefined || other === undefined) return undefined;
      const apart = other.timeMs - one.timeMs;
      return apart === 1_000 * seconds ? undefined : `blocks were to be ${seconds} s apart, and are ${apart} ms apart`;
    },
  },
  {
    name: 'witness of the next block',
    onlyManual: true,
    use: async (host) => {
      const witness = host.people.witness(host.world.choices.below(3));
      const done = resultOf(await asked(host, 'tron_setNextWitness', toBase58(witness)));
      const block = done === undefined ? undefined : await mined(host);
      if (block === undefined) return undefined;
      if (block.witness !== witness) return `the next block was to be of ${witness}, and is of ${block.witness}`;
      return isBackInTurn(host, witness);
    },
  },
  {
    name: 'witness of all blocks',
    onlyManual: true,
    use: async (host) => {
      const witness = host.people.witness(host.world.choices.below(3));
      const done = resultOf(await asked(host, 'tron_setCoinbase', toBase58(witness)));
      const first = host.world.headNumber + 1;
      // Many empty ones at once are made in another way.
      await asked(host, 'hardhat_mine', `0x${host.world.choices.of([1, 2, 20]).toString(16)}`);
      const witnesses = await witnessesFrom(host, first);
      const ended = resultOf(await asked(host, 'tron_setCoinbase'));
      const wrong = witnesses.findIndex((one) => one !== witness);
      if (done === undefined) return undefined;
      if (wrong >= 0)
        return `all blocks were to be of ${witness}, and block ${first + wrong} is of ${witnesses[wrong]}`;
      return ended === undefined ? undefined : isBackInTurn(host, witness);
    },
  },
  {
    name: 'epochs',
    onlyManual: true,
    use: async (host) => {
      const count = 1 + host.world.choices.below(3);
      // Block 1 ends no epoch: the maintenance of the genesis is due then.
      if ((await headOf(host))?.number === 0) return undefined;
      // They are counted for rewards.
      if (!host.world.ledger.on('CHANGE_DELEGATION')) return undefined;
      const cycleOf = (answer: Answer) => (resultOf(answer) as { tron?: { cycle: number } } | undefined)?.tron?.cycle;
      const before = cycleOf(await asked(host, 'tron_nodeInfo'));
      const done = resultOf(await asked(host, 'tron_advanceCycles', count));
      const after = cycleOf(await asked(host, 'tron_nodeInfo'));
      if (done === undefined || before === undefined || after === undefined || after === before + count)
        return undefined;
      return `${count} epochs were to pass after ${before}, and this is epoch ${after}`;
    },
  },
  {
    name: 'pause that a new mode ends',
    onlyManual: true,
    use: async (host) => {
      const steps = [
        // None comes meanwhile.
        ['evm_setIntervalMining', 3_600_000],
        ['tron_pauseMining'],
        ['tron_setMining', 'manual'],
        ['tron_resumeMining'],
      ] as const;
      const done: unknown[] = [];
      for (const [method, ...params] of steps) done.push(resultOf(await asked(host, method, ...params)));
      const mode = /"mode":"(\w+)"/.exec((await asked(host, 'tron_getMining')) ?? '')?.[1];
      await asked(host, 'tron_setMining', 'manual');
      if (done.includes(undefined) || mode === undefined || mode === 'instant') return undefined;
      return `the mode is ${mode} after a resumption, although manual mode was chosen since the pause`;
    },
  },
  {
    name: 'blocks at intervals',
    use: async (host) => {
      if (host.world.miningMode === 'interval') return undefined;
      const modeOf = async () => /"mode":"(\w+)"/.exec((await asked(host, 'tron_getMining')) ?? '')?.[1];
      const before = await modeOf();
      // None comes meanwhile.
      const isOn = resultOf(await asked(host, 'evm_setIntervalMining', 3_600_000));
      const isOff = resultOf(await asked(host, 'evm_setIntervalMining', 0));
      const after = await modeOf();
      if (isOn === undefined || isOff === undefined || after === undefined || after === before) return undefined;
      return `the mode was ${before}, and is ${after} after an interval`;
    },
  },
];
