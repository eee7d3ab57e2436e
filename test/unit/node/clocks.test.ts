import { describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../../src/index.js';
import type { WallClock } from '../../../src/platform/clock.js';

/** A wall clock that a test turns, and sets. */
class TurnedClock implements WallClock {
  readonly #due: { readonly atMs: number; readonly task: () => void }[] = [];
  /** What timers count, whatever the clock shows. */
  #elapsedMs = 0;

  constructor(private time: bigint) {}

  nowMs(): bigint {
    return this.time;
  }

  after(delayMs: number, task: () => void): () => void {
    const entry = { atMs: this.#elapsedMs + delayMs, task };
    this.#due.push(entry);
    return () => {
      const index = this.#due.indexOf(entry);
      if (index >= 0) this.#due.splice(index, 1);
    };
  }

  get waiting(): number {
    return this.#due.length;
  }

  /** Shows another time; timers do not notice. */
  set(byMs: number): void {
    this.time += BigInt(byMs);
  }

  /** Time passes without anything running; then what is overdue runs. */
  sleep(forMs: number): void {
    this.#pass(forMs);
    this.turn(0);
  }

  /** Turns it on, running what is due on the way at its time. */
  turn(byMs: number): void {
    const targetMs = this.#elapsedMs + byMs;
    for (;;) {
      const next = this.#due.filter(({ atMs }) => atMs <= targetMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      this.#due.splice(this.#due.indexOf(next), 1);
      this.#pass(Math.max(0, next.atMs - this.#elapsedMs));
      next.task();
    }
    this.#pass(Math.max(0, targetMs - this.#elapsedMs));
  }

  #pass(ms: number): void {
    this.#elapsedMs += ms;
    this.time += BigInt(ms);
  }
}

/** A moment in the middle of a slot. */
const NOW_MS = 1_800_000_001_234n;

interface Head {
  readonly number: number;
  readonly timestamp: number;
}

async function headOf(devnet: Devnet, path = 'wallet'): Promise<Head> {
  const answer = await fetch(`${devnet.http.url}/${path}/getnowblock`);
  const block = (await answer.json()) as { block_header: { raw_data: Head } };
  return block.block_header.raw_data;
}

async function transfer(devnet: Devnet, amount = 1): Promise<string> {
  const [from, to] = devnet.accounts;
  const { TronWeb } = await import('tronweb');
  const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: from!.privateKey });
  return (await tronWeb.trx.sendTransaction(to!.address, amount)).txid;
}

describe('under a wall clock', () => {
  it('blocks 1 and 2 are in the past, and the next comes with its slot', async () => {
    const clock = new TurnedClock(NOW_MS);
    await using devnet = await createDevnet({ clock, mining: 'interval' });
    const first = await headOf(devnet);
    expect(first.number).toBe(2);
    expect(BigInt(first.timestamp)).toBeLessThanOrEqual(NOW_MS);
    expect(BigInt(first.timestamp)).toBeGreaterThan(NOW_MS - 3_000n);
    const untilSlot = first.timestamp + 3_000 - Number(NOW_MS);
    clock.turn(untilSlot - 1);
    expect((await headOf(devnet)).number).toBe(2);
    clock.turn(1);
    expect(await headOf(devnet)).toMatchObject({ number: 3, timestamp: first.timestamp + 3_000 });
    clock.turn(30_000);
    expect(await headOf(devnet)).toMatchObject({ number: 13, timestamp: first.timestamp + 33_000 });
  });

  it('comes to no block that no chain can have, and goes on when it is set back', async () => {
    const clock = new TurnedClock(NOW_MS);
    const warned: string[] = [];
    const log = { warn: (text: string) => void warned.push(text), error: () => {} };
    await using devnet = await createDevnet({ clock, mining: 'interval', log });
    const ended: Error[] = [];
    devnet.on('failed', (failure) => ended.push(failure));
    const begun = devnet.snapshot();
    await devnet.setClock({ time: 9_999_999_999_998 });
    clock.turn(60_000);
    expect(ended).toEqual([]);
    expect(warned.filter((text) => text.startsWith('no block at its regular time: a time must be'))).toHaveLength(1);
    await devnet.revert(begun);
    const { number } = await headOf(devnet);
    clock.turn(6_000);
    expect((await headOf(devnet)).number).toBeGreaterThan(number);
  });

  it('has blocks a day apart at most', async () => {
    await using devnet = await createDevnet({ clock: new TurnedClock(NOW_MS), mining: 'interval' });
    const text = 'the interval must be from 1 to 86400000 ms, got';
    await expect(devnet.setBlockTimestampInterval(86_401)).rejects.toThrow(`${text} 86401000`);
    await expect(devnet.setBlockTimestampInterval(0)).rejects.toThrow(`${text} 0`);
    await expect(devnet.setMining('interval', 86_400_001)).rejects.toThrow(`${text} 86400001`);
    await expect(devnet.setMining('manual', 0)).rejects.toThrow(`${text} 0`);
    expect(await devnet.setMining('interval', 86_400_000)).toMatchObject({ blockTimeMs: 86_400_000 });
  });

  it('is halted, goes faster, and goes on, and a snapshot takes its pace back', async () => {
    const clock = new TurnedClock(NOW_MS);
    await using devnet = await createDevnet({ clock, mining: 'interval' });
    const first = await headOf(devnet);
    const begun = devnet.snapshot();
    expect(await devnet.setClock({ mode: 'freeze' })).toMatchObject({ mode: 'freeze', rate: 0 });
    clock.turn(60_000);
    expect(await headOf(devnet)).toMatchObject({ number: first.number });
    await devnet.mine(2);
    expect(await headOf(devnet)).toMatchObject({ number: first.number + 2, timestamp: first.timestamp + 6_000 });
    // An hour a minute: twenty slots a second.
    expect(await devnet.setClock({ mode: 'run', rate: 60 })).toMatchObject({ mode: 'run', rate: 60 });
    clock.turn(10_000);
    const fast = await headOf(devnet);
    expect(fast.timestamp - first.timestamp).toBeGreaterThanOrEqual(600_000);
    expect(fast.number).toBe(first.number + (fast.timestamp - first.timestamp) / 3_000);
    await devnet.revert(begun);
    // As much time has passed as on the machine, and at its pace.
    clock.turn(3_000);
    expect((await headOf(devnet)).timestamp).toBeLessThanOrEqual(Number(clock.nowMs()));
    clock.turn(30_000);
    expect((await headOf(devnet)).timestamp).toBeGreaterThan(Number(clock.nowMs()) - 3_000);
    await using standing = await createDevnet();
    await expect(standing.setClock({ mode: 'run' })).rejects.toThrow('a virtual clock stands still');
  });

  it('a machine that slept makes one block, in the slot it wakes up in', async () => {
    const clock = new TurnedClock(NOW_MS);
    await using devnet = await createDevnet({ clock, mining: 'interval' });
    const { timestamp } = await headOf(devnet);
    // The timer fires late: the machine was suspended for a minute.
    clock.sleep(60_000);
    const head = await headOf(devnet);
    expect(head.number).toBe(3);
    expect((head.timestamp - timestamp) % 3_000).toBe(0);
    expect(BigInt(head.timestamp)).toBeGreaterThan(clock.nowMs() - 3_000n);
    expect(BigInt(head.timestamp)).toBeLessThanOrEqual(clock.nowMs());
  });

  it('the head is never ahead of it, however many transactions come at once', async () => {
    const clock = new TurnedClock(NOW_MS);
    await using devnet = await createDevnet({ clock, mining: 'instant' });
    clock.turn(5_000);
    const txid = await transfer(devnet, 1);
    expect(txid).toMatch(/^[0-9a-f]{64}$/);
    expect(BigInt((await headOf(devnet)).timestamp)).toBe(clock.nowMs());
    // The clock stands still: each block of a burst is a millisecond after the one before, not three seconds.
    for (let i = 2; i <= 20; i++) await transfer(devnet, i);
    const { number, timestamp } = await headOf(devnet);
    expect([number, BigInt(timestamp)]).toEqual([22, clock.nowMs() + 19n]);
    clock.turn(1_000);
    await transfer(devnet, 100);
    expect(BigInt((await headOf(devnet)).timestamp)).toBe(clock.nowMs());
  });

  it('time that was let pass is gone, and a snapshot takes it back', async () => {
    const clock = new TurnedClock(NOW_MS);
    await using devnet = await createDevnet({ clock, mining: 'interval' });
    const snapshot = devnet.snapshot();
    const start = await headOf(devnet);
    const ahead = await devnet.mine({ advanceMs: 3_600_000 });
    // A chain that is strict so far: its head lies in the first slot after that time.
    expect(ahead.timestampMs).toBe(Number(NOW_MS) + 3_600_000 + ahead.lateMs!);
    expect([ahead.timestampMs % 3_000, ahead.lateMs! < 3_000]).toEqual([start.timestamp % 3_000, true]);
    clock.turn(3_000);
    expect((await headOf(devnet)).timestamp).toBe(ahead.timestampMs + 3_000);
    await devnet.revert(snapshot);
    expect(await headOf(devnet)).toEqual(start);
    clock.turn(3_000);
    const { timestamp } = await headOf(devnet);
    expect(BigInt(timestamp)).toBeLessThanOrEqual(clock.nowMs());
    expect(BigInt(timestamp)).toBeGreaterThan(clock.nowMs() - 3_000n);
  });

  it('an interval chain waits with its next block until the clock has caught up with those that were mined', async () => {
    const clock = new TurnedClock(NOW_MS);
    await using devnet = await createDevnet({ clock, mining: 'interval' });
    const { timestamp } = await headOf(devnet);
    const { number, timestampMs } = await devnet.mine(100);
    expect([number, timestampMs]).toEqual([102, timestamp + 300_000]);
    clock.turn(timestampMs + 2_999 - Number(clock.nowMs()));
    expect((await headOf(devnet)).number).toBe(102);
    clock.turn(1);
    expect(await headOf(devnet)).toMatchObject({ number: 103, timestamp: timestampMs + 3_000 });
    // Unless the clock is taken along.
    const { timestampMs: ahead } = await devnet.mine(100);
    expect(await devnet.mine({ advanceMs: 0 })).toMatchObject({ number: 203, blocks: 0 });
    clock.turn(3_000);
    expect(await headOf(devnet)).toMatchObject({ number: 204, timestamp: ahead + 3_000 });
  });

  it.each(['instant', 'manual'] as const)('%s: a mined block has the time at which it is made', async (mining) => {
    const clock = new TurnedClock(NOW_MS);
    await using devnet = await createDevnet({ clock, mining });
    clock.turn(5_000);
    expect((await devnet.mine()).timestampMs).toBe(Number(clock.nowMs()));
    expect(await devnet.mine(10)).toMatchObject({ number: 13, timestampMs: Number(clock.nowMs()) + 10, blocks: 10 });
    clock.turn(777);
    expect((await devnet.mine()).timestampMs).toBe(Number(clock.nowMs()));
    for (const advanceMs of [1, 777, 3_000, 86_400_000]) {
      const before = await headOf(devnet);
      expect((await devnet.mine({ advanceMs })).timestampMs - before.timestamp).toBe(advanceMs);
    }
    const timestampMs = (await headOf(devnet)).timestamp + 12_345;
    expect(await devnet.mine({ timestampMs })).toMatchObject({ timestampMs, lateMs: 0 });
  });

  it.each([
    [0.5, 500, false],
    [1, 1_000, false],
    [6, 6_000, true],
  ])(
    'a block time of %d s is how often a block is made, in slots where it is a multiple of theirs',
    async (blockTime, ms, slots) => {
      const clock = new TurnedClock(NOW_MS);
      await using devnet = await createDevnet({ clock, mining: 'interval', blockTime });
      clock.turn(12_000);
      const before = await headOf(devnet);
      clock.turn(60_000);
      const after = await headOf(devnet);
      expect(after.number - before.number).toBe(60_000 / ms);
      expect(after.timestamp - before.timestamp).toBe(60_000);
      expect(after.timestamp % 3_000 === 0).toBe(slots);
    },
  );

  it('manual means that time alone makes no block', async () => {
    const clock = new TurnedClock(NOW_MS);
    await using devnet = await createDevnet({ clock, mining: 'manual' });
    clock.turn(600_000);
    expect((await headOf(devnet)).number).toBe(2);
    expect(clock.waiting).toBe(0);
  });

  it('nothing waits for it any more when the devnet is closed', async () => {
    const clock = new TurnedClock(NOW_MS);
    const devnet = await createDevnet({ clock, mining: 'interval' });
    expect(clock.waiting).toBe(1);
    await devnet.close();
    expect(clock.waiting).toBe(0);
  });
});

describe('blocks made at once by a wall clock', () => {
  it('are a second apart where that was asked for, and the clock goes along', async () => {
    const clock = new TurnedClock(NOW_MS);
    await using devnet = await createDevnet({ clock, blockStepMs: 1_000 });
    clock.turn(10_000);
    await transfer(devnet);
    const { timestamp } = await headOf(devnet);
    expect(BigInt(timestamp)).toBe(clock.nowMs());
    await transfer(devnet, 2);
    await transfer(devnet, 3);
    expect((await headOf(devnet)).timestamp).toBe(timestamp + 2_000);
    expect((await devnet.mine(2)).timestampMs).toBe(timestamp + 4_000);
    clock.turn(6_500);
    await transfer(devnet, 4);
    expect((await headOf(devnet)).timestamp).toBe(timestamp + 10_500);
  });
});

describe('an interval chain whose wall clock is set', () => {
  /** A chain with ten blocks, its clock, and what it says. */
  async function running() {
    const clock = new TurnedClock(NOW_MS);
    const said: string[] = [];
    const log = { warn: (text: string) => said.push(text), error: (text: string) => said.push(text) };
    const devnet = await createDevnet({ clock, mining: 'interval', log });
    clock.turn(30_000);
    expect((await headOf(devnet)).number).toBe(12);
    return { clock, devnet, said };
  }

  it.each([
    // As an NTP client does; less than the wait of the timer is not noticed, and waited for.
    [1_000, []],
    [3_600_000, [/was set back by 59 min/]],
    [365 * 86_400_000, [/was set back by 364 d 23 h/]],
  ])('back by %d ms goes on with a block every three seconds, and says so', async (backMs, expected) => {
    const { clock, devnet, said } = await running();
    await using _ = devnet;
    const before = await headOf(devnet);
    clock.set(-backMs);
    clock.turn(60_000);
    const after = await headOf(devnet);
    expect(after.number - before.number).toBeGreaterThanOrEqual(19);
    expect(after.timestamp - before.timestamp).toBe(3_000 * (after.number - before.number));
    expect(said).toEqual(expected.map((text) => expect.stringMatching(text)));
  });

  it('forward makes one block with the new time, goes on from there, and says so', async () => {
    const { clock, devnet, said } = await running();
    await using _ = devnet;
    const before = await headOf(devnet);
    clock.set(3_600_000);
    clock.turn(3_000);
    const after = await headOf(devnet);
    expect(after.number).toBe(before.number + 1);
    expect(BigInt(after.timestamp)).toBeGreaterThan(clock.nowMs() - 3_000n);
    clock.turn(30_000);
    expect(await headOf(devnet)).toMatchObject({ number: after.number + 10, timestamp: after.timestamp + 30_000 });
    expect(said).toEqual([expect.stringMatching(/^the node did not run for 1 h/)]);
  });

  it('back and then right again tells the right time again', async () => {
    const { clock, devnet } = await running();
    await using _ = devnet;
    clock.set(-3_600_000);
    clock.turn(30_000);
    clock.set(3_600_000);
    clock.turn(30_000);
    const { timestamp } = await headOf(devnet);
    // Up to one wait of the timer is lost each way, because nobody looked at the clock during it.
    expect(Math.abs(timestamp - Number(clock.nowMs()))).toBeLessThan(9_000);
  });

  it('back, with a snapshot from before it, goes on after the revert', async () => {
    const { clock, devnet } = await running();
    await using _ = devnet;
    const snapshot = devnet.snapshot();
    const before = await headOf(devnet);
    clock.set(-3_600_000);
    clock.turn(30_000);
    await devnet.revert(snapshot);
    clock.turn(6_000);
    const { number, timestamp } = await headOf(devnet);
    expect(number).toBeGreaterThan(before.number);
    expect(timestamp).toBeLessThan(before.timestamp + 60_000);
  });

  it('while it waits for the clock to catch up notices when it has', async () => {
    const { clock, devnet } = await running();
    await using _ = devnet;
    const { number, timestampMs } = await devnet.mine(1_000);
    clock.turn(30_000);
    clock.set(timestampMs - Number(clock.nowMs()));
    clock.turn(6_000);
    expect((await headOf(devnet)).number).toBeGreaterThan(number);
  });
});

describe('under a virtual clock', () => {
  it('time stands still between blocks, and two devnets tell the same time', async () => {
    await using a = await createDevnet();
    await using b = await createDevnet();
    await transfer(a);
    await transfer(b);
    expect(await headOf(a)).toEqual(await headOf(b));
    const before = await headOf(a);
    await transfer(a, 2);
    expect((await headOf(a)).timestamp).toBe(before.timestamp + 1_000);
  });

  it('a transaction is a second after the one before, or as far as was asked for', async () => {
    for (const [blockStepMs, stepMs] of [
      [undefined, 1_000],
      [1, 1],
      [3_000, 3_000],
    ] as const) {
      await using devnet = await createDevnet({ blockStepMs });
      const { timestamp } = await headOf(devnet);
      const begun = devnet.snapshot();
      for (let i = 1; i <= 3; i++) {
        await transfer(devnet, i);
        expect((await headOf(devnet)).timestamp).toBe(timestamp + i * stepMs);
      }
      // A snapshot takes the time back too.
      await devnet.revert(begun);
      await transfer(devnet, 1);
      expect((await headOf(devnet)).timestamp).toBe(timestamp + stepMs);
    }
  });

  it('a jump is as long as it says', async () => {
    await using devnet = await createDevnet();
    await transfer(devnet);
    const { timestamp } = await headOf(devnet);
    for (const advanceMs of [1, 999, 2_000, 3_000, 7_777, 86_400_000]) {
      const before = await headOf(devnet);
      const after = await devnet.mine({ advanceMs });
      expect(after.timestampMs - before.timestamp).toBe(advanceMs);
    }
    expect((await headOf(devnet)).timestamp - timestamp).toBe(1 + 999 + 2_000 + 3_000 + 7_777 + 86_400_000);
  });
});
