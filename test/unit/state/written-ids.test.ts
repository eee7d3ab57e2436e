import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WrittenIds } from '../../../src/node/storage/written-ids.js';
import { sha256OfHex } from '../../../src/protocol/hashes.js';

const hash = fc.nat().map((number) => sha256OfHex(number.toString(16).padStart(16, '0')));

it('has every id that was added, and tells most others apart', () => {
  fc.assert(
    fc.property(fc.uniqueArray(hash, { minLength: 1, maxLength: 500 }), (ids) => {
      const written = new WrittenIds();
      for (const id of ids) expect(written.mayHave(id)).toBe(false);
      for (const id of ids) written.add(id);
      for (const id of ids) expect(written.mayHave(id)).toBe(true);
    }),
    { numRuns: 20 },
  );
  const written = new WrittenIds();
  for (let number = 0; number < 50_000; number++) written.add(sha256OfHex(`aa${number.toString(16).padStart(8, '0')}`));
  const vain = Array.from({ length: 10_000 }, (_, number) => sha256OfHex(`bb${number.toString(16).padStart(8, '0')}`));
  expect(vain.filter((id) => written.mayHave(id)).length).toBeLessThan(10);
});

it('has every id and tells most others apart, however many were added', () => {
  const written = new WrittenIds();
  const idOf = (number: number) =>
    sha256OfHex(`${number < 0 ? 'bb' : 'aa'}${Math.abs(number).toString(16).padStart(8, '0')}`);
  const count = 1_200_000;
  for (let number = 0; number < count; number++) written.add(idOf(number));
  for (let number = 0; number < count; number += 1_000) expect(written.mayHave(idOf(number))).toBe(true);
  const vain = Array.from({ length: 10_000 }, (_, number) => idOf(-1 - number));
  expect(vain.filter((id) => written.mayHave(id)).length).toBeLessThan(200);
});
