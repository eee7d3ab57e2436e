import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MemoryStore } from '../../../src/state/memory-store.js';
import { preImagesOf, restorePreImages } from '../../../src/state/pre-images.js';
import { State } from '../../../src/state/state.js';
import { StoreSource } from '../../../src/state/store-source.js';

const key = fc.constantFrom('a', 'b', 'c');
const change = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), key, value: fc.constantFrom('1', '2') }),
  fc.record({ kind: fc.constant('delete' as const), key }),
);
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;
const step = fc.oneof(
  change,
  fc.record({ kind: fc.constant('dry run' as const), changes: fc.array(change, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('reverted' as const), changes: fc.array(change, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('seal' as const) }),
  fc.record({ kind: fc.constant('back over the seal' as const) }),
);

it('equal versions mean equal rows, whatever happened in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const state = new State(await StoreSource.open(new MemoryStore()));
      const { meta } = state.tables;
      const content = () => ['a', 'b', 'c'].map((name) => meta.get(name) ?? '-').join('');
      const apply = (one: Change) => {
        if (one.kind === 'set') meta.set(one.key, one.value);
        else meta.delete(one.key);
      };
      const seen = new Map<number, string>();
      let images = preImagesOf([]);
      const check = () => {
        const known = seen.get(state.journal.version);
        if (known === undefined) seen.set(state.journal.version, content());
        else expect(content()).toBe(known);
      };
      check();
      for (const one of steps) {
        if (one.kind === 'set' || one.kind === 'delete') apply(one);
        else if (one.kind === 'dry run') {
          const before = state.journal.version;
          state.dryRun(() => {
            for (const inner of one.changes) {
              apply(inner);
              check();
            }
          });
          // Nothing has changed: what was derived before still holds.
          expect(state.journal.version).toBe(before);
        } else if (one.kind === 'reverted') {
          const mark = state.mark();
          for (const inner of one.changes) {
            apply(inner);
            check();
          }
          state.revert(mark);
        } else if (one.kind === 'seal') images = preImagesOf(state.journal.seal());
        else {
          state.revert(0);
          restorePreImages(state, images);
          images = [];
        }
        check();
      }
    }),
    { numRuns: 500 },
  );
});
