/** What stays of the steps of a file with rollbacks, against a list from which each rollback removes steps. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type GoBack, Rollbacks } from '../../../src/chain-file/rollbacks.js';
import type { StepLine } from '../../../src/chain-file/step-of-line.js';
import type { BlockId } from '../../../src/primitives/ids.js';

interface Step {
  readonly name: string;
  readonly blocks: number;
}

/** The list. */
class Naive {
  readonly steps: Step[] = [];
  at = 0;

  add(step: Step): void {
    this.steps.push(step);
    this.at += step.blocks;
  }

  goBack({ block, operations, id }: GoBack): boolean {
    if (block > this.at) return false;
    while (this.at > block) {
      this.at -= this.steps.pop()!.blocks;
      if (this.at < block) this.add({ name: `up to ${id}`, blocks: block - this.at });
    }
    let after = 0;
    while (this.steps.at(-1 - after)?.blocks === 0) after++;
    if (operations > after) return false;
    this.steps.length -= after - operations;
    return true;
  }
}

const line = (name: string) => ({ operation: name }) as StepLine;
const nameOf = (of: StepLine) =>
  'produceEmpty' in of ? `up to ${of.produceEmpty.id}` : ((of as { readonly operation: unknown }).operation as string);

const blocks = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constant(1), fc.integer({ min: 2, max: 6 }));
const event = fc.oneof(
  { weight: 3, arbitrary: fc.record({ blocks }) },
  fc.record({ back: fc.nat({ max: 8 }), operations: fc.nat({ max: 3 }) }),
);

it('is the same, for any rollbacks', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const naive = new Naive();
      const rollbacks = new Rollbacks(0);
      /** What the file has. */
      const kept: ({ readonly step: Step } | { readonly back: GoBack })[] = [];
      events.forEach((one, at) => {
        if ('blocks' in one) {
          const step = { name: `step ${at}`, blocks: one.blocks };
          naive.add(step);
          rollbacks.step(step.blocks);
          kept.push({ step });
          return;
        }
        const back = { block: naive.at - one.back, operations: one.operations, id: `id ${at}` as BlockId };
        const before = [...naive.steps];
        const then = naive.at;
        const isThere = back.block >= 0 && naive.goBack(back);
        expect(rollbacks.goBack(back)).toBe(isThere);
        if (isThere) kept.push({ back });
        else {
          naive.steps.splice(0, Number.POSITIVE_INFINITY, ...before);
          naive.at = then;
        }
      });
      expect(rollbacks.at).toBe(naive.at);
      const remaining = rollbacks.remaining();
      const left: Step[] = [];
      let to = 0;
      for (const one of kept) {
        if ('back' in one) remaining.goBack(one.back);
        else {
          const found = remaining.step(line(one.step.name), one.step.blocks);
          if (found === undefined) continue;
          left.push({ name: nameOf(found.line), blocks: found.to - to });
          to = found.to;
        }
      }
      expect(left).toEqual(naive.steps);
    }),
    { numRuns: 2_000 },
  );
});
