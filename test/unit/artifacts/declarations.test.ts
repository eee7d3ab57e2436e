/** Declarations in sources of every version of the language, and places in texts. */

import { expect, test } from 'vitest';
import { declarationsOf } from '../../../src/artifacts/declarations.js';
import { SourceMap } from '../../../src/artifacts/source-map.js';
import { SourceText } from '../../../src/artifacts/source-text.js';

const SOURCE = `// contract NotThis { function no() {} }
/* function nor() { this } */
pragma solidity ^0.4.0;
function free(uint256 a) pure returns (uint256) { return a; }
interface Thing { function thing() external; }
library Lib { function f(function (uint256) external returns (uint256) g) internal { g; } }
abstract contract Old { string s = "contract X { function y() {} }"; string t = 'it\\'s {';
  constructor(uint256 given) { if (given > 0) { revert("}"); } }
  function () external payable { }
  modifier only() virtual { _; }
  receive() external payable {}
  fallback(bytes calldata) external returns (bytes memory) { assembly { function inner(a) -> b { b := a } } }
  function callback(uint256 fallback_) public { function (uint256) internal h = other; h(fallback_); }
}`;

test('are found with what is around them', () => {
  const bytes = Buffer.from(SOURCE);
  const found = declarationsOf(bytes).map(({ kind, contract, name }) => [kind, contract, name]);
  expect(found).toEqual([
    ['function', undefined, 'free'],
    ['contract', undefined, 'Thing'],
    ['contract', undefined, 'Lib'],
    ['function', 'Lib', 'f'],
    ['contract', undefined, 'Old'],
    ['function', 'Old', 'constructor'],
    ['function', 'Old', 'fallback'],
    ['modifier', 'Old', 'only'],
    ['function', 'Old', 'receive'],
    ['function', 'Old', 'fallback'],
    ['function', 'Old', 'inner'],
    ['function', 'Old', 'callback'],
  ]);
});

test('no source is too broken to be read', () => {
  for (const text of [
    '',
    '}}}}',
    '{{{{',
    'contract',
    'contract A {',
    'function f( {',
    '"',
    '/*',
    'contract A { function',
  ]) {
    expect(() => declarationsOf(Buffer.from(text))).not.toThrow();
  }
});

test('positions are lines and columns as editors count them, offsets are bytes', () => {
  const text = new SourceText(Buffer.from('// ∑🚀 x\r\nsecond\rthird\n\nfifth'));
  const at = (part: string) => text.positionAt(Buffer.from('// ∑🚀 x\r\nsecond\rthird\n\nfifth').indexOf(part));
  expect(at('x')).toEqual({ line: 1, column: 8 });
  expect(at('second')).toEqual({ line: 2, column: 1 });
  expect(at('third')).toEqual({ line: 3, column: 1 });
  expect(at('fth')).toEqual({ line: 5, column: 3 });
  expect([1, 2, 3, 4, 5, 6].map((line) => text.lineText(line))).toEqual([
    '// ∑🚀 x',
    'second',
    'third',
    '',
    'fifth',
    '',
  ]);
  expect(text.lineText(0)).toBe('');
});

test('of a source map, places in the code: bytes that a PUSH takes along are no instructions', () => {
  // PUSH2 0x5b5b, JUMP, JUMPDEST, and data behind the last instruction.
  const map = new SourceMap('1:2:0:-:0;:3::i;7::1', Uint8Array.of(0x61, 0x5b, 0x5b, 0x56, 0x5b, 0xfe));
  expect([0, 1, 2, 3, 4, 5, 6].map((pc) => map.rangeAt(pc))).toEqual([
    { start: 1, length: 2, file: 0 },
    undefined,
    undefined,
    { start: 1, length: 3, file: 0 },
    { start: 7, length: 3, file: 1 },
    undefined,
    undefined,
  ]);
  expect([0, 3, 4, 5].map((pc) => map.jumpAt(pc))).toEqual(['none', 'in', 'in', 'none']);
});
