/** Source maps and sources that strangers wrote: every instruction is somewhere or nowhere, and soon. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CodePlaces } from '../../../src/artifacts/code-places.js';
import { declarationsOf } from '../../../src/artifacts/declarations.js';
import { readArtifacts } from '../../../src/artifacts/read-artifact.js';
import { readSources } from '../../../src/artifacts/read-sources.js';
import { SourceMap } from '../../../src/artifacts/source-map.js';
import { SourceText } from '../../../src/artifacts/source-text.js';

const SOURCE = new SourceText(Buffer.from('contract A {\n  function f() {}\n}\n'));
const CODE = Buffer.from('600160020100', 'hex');
const number = fc.constantFrom(
  '',
  '0',
  '3',
  '-1',
  '-5',
  '1e3',
  '99999999999999999999',
  'NaN',
  'Infinity',
  '0x10',
  ' 1',
  'x',
  '1.5',
);
const field = fc.oneof(number, fc.string({ maxLength: 6 }));
const map = fc
  .array(
    fc.array(field, { maxLength: 6 }).map((fields) => fields.join(':')),
    { maxLength: 12 },
  )
  .map((all) => all.join(';'));

it('any map puts an instruction into the source, or nowhere', () => {
  fc.assert(
    fc.property(map, fc.uint8Array({ maxLength: 40 }), (text, code) => {
      const places = new CodePlaces('A', new SourceMap(text, code), () => ({ path: 'A.sol', text: SOURCE }));
      for (let pc = -1; pc <= code.length; pc++) {
        const place = places.at(pc);
        places.jumpAt(pc);
        if ('why' in place) continue;
        expect(SOURCE.lineText(place.line).length + 1).toBeGreaterThanOrEqual(place.column);
        expect(place.column).toBeGreaterThan(0);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('what is no number, or negative, is no place', () => {
  for (const text of ['-5:1:0', '1e1:1:0', 'NaN:1:0', '0:-1:0', '99999999999999999999:1:0', '0:1:0.5']) {
    const places = new CodePlaces('A', new SourceMap(text, CODE), () => ({ path: 'A.sol', text: SOURCE }));
    expect([text, places.at(0)]).toEqual([text, expect.objectContaining({ why: expect.any(String) })]);
  }
});

it('a map with millions of entries for a few instructions is read as far as they are', () => {
  const places = new SourceMap(`1:2:0${';'.repeat(30_000_000)}7:7:7`, CODE);
  expect(places.files).toEqual(new Set([0]));
  expect(places.rangeAt(0)).toEqual({ start: 1, length: 2, file: 0 });
});

it('declarations of a source that nothing ends are found in one pass', () => {
  const deep = 200_000;
  const nested = `${'function f{'.repeat(deep)}${'}'.repeat(deep)}`;
  expect(declarationsOf(Buffer.from(nested))).toHaveLength(deep);
  // Each quote could be the first of a string that ends nowhere.
  for (const quotes of ['\\"', "\\'", '"a', '/*', '//', '("']) declarationsOf(Buffer.from(quotes.repeat(500_000)));
  const inside = 'contract A { contract B { function f() {} } string s = "}"; // }\n function g() {} }';
  expect(declarationsOf(Buffer.from(inside)).map(({ name, contract }) => [name, contract])).toEqual([
    ['A', undefined],
    ['B', 'A'],
    ['f', 'A'],
    ['g', 'A'],
  ]);
});

it('files of tools with any member in any form are read, or no artifacts', () => {
  const names = [
    'sources',
    'contracts',
    'output',
    'input',
    'metadata',
    'sourceList',
    'source_id_to_path',
    'ast',
    'id',
    'abi',
    'bytecode',
    '__proto__',
    'sourceMap',
  ];
  const any = fc.object({ key: fc.oneof(fc.constantFrom(...names), fc.string()), maxDepth: 4 });
  fc.assert(
    fc.property(any, (json) => {
      readSources(json);
      try {
        readArtifacts(json);
      } catch (error) {
        expect((error as Error).name).toBe('ArtifactError');
      }
    }),
    { numRuns: 1_000 },
  );
});
