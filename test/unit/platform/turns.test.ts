/** Whose turn is next once a turn was long: who has used little of the loop, and asks for little, goes first. */

import { expect, test, vi } from 'vitest';
import { Caller, nextTurn, takeTurn, turn } from '../../../src/platform/turns.js';

/** More than a caller may use of the loop before others go first. */
const MUCH_MS = 60;

function hold(): void {
  for (const began = performance.now(); performance.now() - began < MUCH_MS; );
}

/** The order in which those who ask in the middle of a long turn of `caller` have theirs. */
async function orderAfter(caller: Caller, asked: Readonly<Record<string, () => Promise<void> | undefined>>) {
  const order: string[] = [];
  const waiting: Promise<unknown>[] = [];
  await new Promise<void>((resolve) => {
    takeTurn(() => {
      for (const [name, ask] of Object.entries(asked))
        waiting.push(Promise.resolve(ask()).then(() => void order.push(name)));
      hold();
      resolve();
    }, caller);
  });
  await Promise.all(waiting);
  return order;
}

test('as long as no turn was long, nobody goes behind others', async () => {
  // Others of this process may have had long ones.
  vi.resetModules();
  const { costlyTurn, nextTurn } = await import('../../../src/platform/turns.js');
  const order: string[] = [];
  expect(costlyTurn()).toBeUndefined();
  await Promise.all([
    nextTurn(undefined, true).then(() => order.push('costly')),
    nextTurn().then(() => order.push('brief')),
  ]);
  expect(order).toEqual(['costly', 'brief']);
});

test('who has used much waits behind others, whatever it asks', async () => {
  const greedy = new Caller();
  const other = new Caller();
  const order = await orderAfter(greedy, {
    greedy: () => nextTurn(greedy),
    other: () => nextTurn(other),
    nobody: () => nextTurn(),
  });
  expect(order).toEqual(['other', 'nobody', 'greedy']);
});

test('what may take long waits behind what does not', async () => {
  const order = await orderAfter(new Caller(), {
    costly: () => nextTurn(new Caller(), true),
    brief: () => nextTurn(new Caller()),
  });
  expect(order).toEqual(['brief', 'costly']);
});

test('of what may take long that goes first whose caller has used least, and of one caller what came first', async () => {
  const greedy = new Caller();
  const other = new Caller();
  const order = await orderAfter(greedy, {
    first: () => nextTurn(greedy, true),
    second: () => nextTurn(greedy, true),
    other: () => nextTurn(other, true),
  });
  expect(order).toEqual(['other', 'first', 'second']);
});

test('callers that have used little go in order of arrival, whatever the little was', async () => {
  const [most, less, none] = [new Caller(), new Caller(), new Caller()];
  most.charge(20, performance.now());
  less.charge(5, performance.now());
  const order = await orderAfter(new Caller(), {
    most: () => nextTurn(most, true),
    less: () => nextTurn(less, true),
    none: () => nextTurn(none, true),
  });
  expect(order).toEqual(['most', 'less', 'none']);
});

test('of several who ask in the same others only the first may go on at once', async () => {
  await nextTurn();
  const first = turn(new Caller());
  const second = turn(new Caller());
  expect(second).toBeInstanceOf(Promise);
  await Promise.all([first, second]);
});
