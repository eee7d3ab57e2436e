import { describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../../src/index.js';
import type { WallClock } from '../../../src/platform/clock.js';

/** A wall clock that a test turns. */
class TurnedClock implements WallClock {
  readonly #due: { readonly atMs: bigint; readonly task: () => void }[] = [];

  constructor(private time: bigint) {}

  nowMs(): bigint {
    return this.time;
  }

  at(atMs: bigint, task: () => void): () => void {
    const entry = { atMs, task };
    this.#due.push(entry);
    return () => {
      const index = this.#due.indexOf(entry);
      if (index >= 0) this.#due.splice(index, 1);
    };
  }

  get waiting(): number {
    return this.#due.length;
  }

  /** Time passes without anything running; then what is overdue runs. */
  sleep(forMs: number): void {
    this.time += BigInt(forMs);
    this.turn(0);
  }

  /** Turns it on, running what is due on the way at its time. */
  turn(byMs: number): void {
    const target = this.time + BigInt(byMs);
    for (;;) {
      const next = this.#due.filter(({ atMs }) => atMs <= target).sort((a, b) => Number(a.atMs - b.atMs))[0];
      if (next === undefined) break;
      this.#due.splice(this.#due.indexOf(next), 1);
      if (next.atMs > this.time) this.time = next.atMs;
      next.task();
    }
    this.time = target;
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

  it('blocks that are mined ahead take time along, and a snapshot takes it back', async () => {
    const clock = new TurnedClock(NOW_MS);
    await using devnet = await createDevnet({ clock, mining: 'interval' });
    const snapshot = devnet.snapshot();
    const start = await headOf(devnet);
    const ahead = await devnet.mine({ advanceMs: 3_600_000 });
    expect(ahead.timestampMs).toBeGreaterThan(Number(NOW_MS) + 3_600_000 - 3_000);
    clock.turn(3_000);
    expect((await headOf(devnet)).timestamp).toBe(ahead.timestampMs + 3_000);
    await devnet.revert(snapshot);
    expect(await headOf(devnet)).toEqual(start);
    clock.turn(3_000);
    const { timestamp } = await headOf(devnet);
    expect(BigInt(timestamp)).toBeLessThanOrEqual(clock.nowMs());
    expect(BigInt(timestamp)).toBeGreaterThan(clock.nowMs() - 3_000n);
  });

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

describe('under a virtual clock', () => {
  it('time stands still between blocks, and two devnets tell the same time', async () => {
    await using a = await createDevnet();
    await using b = await createDevnet();
    await transfer(a);
    await transfer(b);
    expect(await headOf(a)).toEqual(await headOf(b));
    const before = await headOf(a);
    await transfer(a, 2);
    expect((await headOf(a)).timestamp).toBe(before.timestamp + 1);
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
