/** ABIs and data that strangers wrote: whatever is in them, they are read, left out or refused in words. */

import fc from 'fast-check';
import { utils } from 'tronweb';
import { expect, it } from 'vitest';
import { encodeValues } from '../../../src/abi/encode-values.js';
import { errorOf, eventOf, functionOf } from '../../../src/abi/items.js';
import { readJsonAbi, wellFormedEntries } from '../../../src/abi/read-json-abi.js';
import { decodeValues } from '../../../src/abi/values.js';
import { ArtifactError } from '../../../src/artifacts/artifact.js';
import { readArtifacts } from '../../../src/artifacts/read-artifact.js';
import { readAbi } from '../../../src/contracts/artifact.js';
import { callData } from '../../../src/contracts/call-data.js';
import { Codec } from '../../../src/contracts/codec.js';
import { hashOf } from '../../../src/contracts/fragments.js';
import { abiOfAnswer } from '../../../src/contracts/known-abis.js';

const NAMES = ['transfer', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '\u001b[2J', '<b>'];
const TYPES = [
  'uint256',
  'address',
  'tuple',
  'tuple[]',
  'uint8[][][]',
  'bytes',
  '__proto__',
  'uint',
  '[]',
  'uint8[',
  '',
];

const wild = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>(7, -1, null, [], {}, ...NAMES, ...TYPES));
const parameter = fc.letrec((tie) => ({
  parameter: fc.record(
    {
      name: fc.oneof(fc.constantFrom<unknown>(...NAMES), wild),
      type: fc.oneof({ weight: 4, arbitrary: fc.constantFrom<unknown>(...TYPES) }, { weight: 1, arbitrary: wild }),
      indexed: fc.oneof(fc.boolean() as fc.Arbitrary<unknown>, wild),
      components: fc.oneof({ depthSize: 'small' }, wild, fc.array(tie('parameter'), { maxLength: 3 })),
    },
    { requiredKeys: ['type'] },
  ),
})).parameter;
const kinds = ['Function', 'function', 'event', 'Event', 'error', 'Constructor', 'constructor', 'fallback', 'receive'];
const entry = fc.record(
  {
    type: fc.oneof(fc.constantFrom<unknown>(...kinds), wild),
    name: fc.oneof(fc.constantFrom<unknown>(...NAMES), wild),
    inputs: fc.oneof(
      { weight: 4, arbitrary: fc.array(parameter, { maxLength: 4 }) as fc.Arbitrary<unknown> },
      { weight: 1, arbitrary: wild },
    ),
    outputs: fc.oneof(fc.array(parameter, { maxLength: 2 }) as fc.Arbitrary<unknown>, wild),
    stateMutability: fc.oneof(fc.constantFrom<unknown>('view', 'Payable'), wild),
    payable: fc.oneof(fc.boolean() as fc.Arbitrary<unknown>, wild),
    anonymous: fc.oneof(fc.boolean() as fc.Arbitrary<unknown>, wild),
  },
  { requiredKeys: [] },
);
const anyAbi = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.oneof(entry, wild), { maxLength: 6 }) as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: wild },
);

const ENCODING = { encodeValues, addressOf: () => undefined };

/** What was thrown has to be a sentence of ours. */
function inWords(call: () => unknown, kind: new (...given: never[]) => Error): void {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(kind);
    expect((error as Error).message).not.toMatch(/is not a function|Cannot read|undefined \(reading|call stack/);
  }
}

it('an ABI on the chain whose entry has a number as its kind leaves the others as they are', () => {
  const transfer = {
    name: 'transfer',
    inputs: [{ name: 'to', type: 'address' }],
    type: 'Function',
    stateMutability: 'View',
  };
  const answer = { name: 'Token', abi: { entrys: [{ type: 77, name: 'transfer' }, null, transfer] } };
  const abi = abiOfAnswer(answer)?.abi;
  expect(abi).toEqual([{ ...transfer, type: 'function', stateMutability: 'view' }]);
  const given = { encodeValues, addressOf: () => `41${'11'.repeat(20)}` as never };
  expect(callData(abi, 'transfer', ['T'], given).method).toBe('transfer(address)');
});

it('any ABI of an answer is read, and calls by it are made or refused in words', () => {
  fc.assert(
    fc.property(anyAbi, wild, fc.constantFrom(...NAMES), (entrys, name, method) => {
      const known = abiOfAnswer({ name, abi: { entrys } });
      inWords(() => callData(known?.abi, method, ['1'], ENCODING), TypeError);
      inWords(() => callData(known?.abi, `${method}(uint256)`, ['1'], ENCODING), TypeError);
      for (const one of known?.abi ?? []) expect(hashOf(one)).toMatch(/^[0-9a-f]{64}$/);
    }),
    { numRuns: 2_000 },
  );
});

it('any ABI of a compiler is read by its names, or refused with the place of what is wrong', () => {
  const [topic, selector] = ['dd'.repeat(32), 'a9059cbb'];
  fc.assert(
    fc.property(anyAbi, (given) => {
      const abi = wellFormedEntries(given);
      functionOf(abi, selector);
      errorOf([abi], selector);
      eventOf(abi, [topic]);
      const read = readJsonAbi(given);
      if ('problem' in read) expect(read.problem.message).toMatch(/^(expected|it is missing|there may be|tuples may)/);
      inWords(() => readArtifacts({ abi: given, bytecode: '0x00' }), ArtifactError);
      inWords(() => readArtifacts({ contracts: { 'a.sol': { A: { abi: given } } } }), ArtifactError);
    }),
    { numRuns: 2_000 },
  );
});

interface Deep {
  readonly type: string;
  readonly components?: readonly Deep[];
}

function nested(depth: number): Deep {
  let parameter: Deep = { type: 'uint256' };
  for (let at = 0; at < depth; at++) parameter = { type: 'tuple', components: [parameter] };
  return parameter;
}

it('tuples ten thousand deep, a hundred thousand inputs and types without an end are refused', async () => {
  const bombs: readonly unknown[] = [
    [{ type: 'function', name: 'f', inputs: [nested(10_000)] }],
    [{ type: 'function', name: 'f', inputs: Array.from({ length: 100_000 }, () => ({ type: 'uint256' })) }],
    [{ type: 'event', name: 'f', inputs: [{ type: `uint8${'[]'.repeat(100_000)}` }] }],
    [{ type: 'event', name: 'f'.repeat(100_000) }],
    Array.from({ length: 100_000 }, () => ({ type: 'function', name: 'f' })),
  ];
  for (const abi of bombs) {
    expect(wellFormedEntries(abi)).toEqual([]);
    expect(() => readArtifacts({ abi, bytecode: '0x00' })).toThrow(ArtifactError);
    await expect(readAbi(abi as never)).rejects.toThrow(/^not a valid ABI: /);
    await expect(readAbi({ abi } as never)).rejects.toThrow(ArtifactError);
  }
  expect('abi' in readJsonAbi([{ type: 'function', name: 'f', inputs: [nested(16)] }])).toBe(true);
  expect(decodeValues([`uint8${'[]'.repeat(100_000)}`], '00'.repeat(64))).toBeUndefined();
});

const word = (value: number): string => value.toString(16).padStart(64, '0');

/** Lists in lists, all of whose elements are one list, and in the innermost all are one long text. */
function bomb(lists: number, elements: number): string {
  let data = '';
  for (let list = 0; list < lists; list++) {
    const behind = 32 * elements;
    data += word(elements) + Array.from({ length: elements }, () => word(behind)).join('');
  }
  return word(32) + data + word(16_000) + 'ab'.repeat(16_000);
}

it('data that lead to the same bytes again and again are no encoding', () => {
  expect(decodeValues(['bytes[]'], bomb(1, 500))).toBeUndefined();
  expect(decodeValues(['bytes[][]'], bomb(2, 300))).toBeUndefined();
  expect(decodeValues(['string[][][]'], bomb(3, 200))).toBeUndefined();
  expect(
    decodeValues(
      [{ type: 'tuple[]', components: [{ name: '', type: 'bytes', indexed: false }] } as never],
      bomb(1, 500),
    ),
  ).toBeUndefined();
  expect(decodeValues(['uint256[99999][99999]'], word(1))).toBeUndefined();
  const codec = new Codec(utils.ethersUtils as never);
  const refused = 'the data refer to the same bytes too often';
  expect(() => codec.decode([{ type: 'bytes[]' }], bomb(1, 1_000))).toThrow(refused);
  expect(() => codec.decode([{ type: 'string[][][]' }], bomb(3, 200))).toThrow(refused);
  const members = [{ name: 'text', type: 'bytes' }];
  expect(() => codec.decode([{ type: 'tuple[]', components: members }], bomb(1, 1_000))).toThrow(refused);
  expect(codec.decode([{ type: 'bytes[]' }], bomb(1, 1))).toEqual([[`0x${'ab'.repeat(16_000)}`]]);
  // Every text once.
  expect(decodeValues(['bytes[]'], bomb(1, 1))).toEqual([[`0x${'ab'.repeat(16_000)}`]]);
});

it('whatever is encoded honestly reads its data once', () => {
  const codec = new Codec(utils.ethersUtils as never);
  const text = fc.string({ maxLength: 40 });
  const row = fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 255n }), fc.array(text, { maxLength: 3 }), fc.boolean());
  const components = [{ type: 'uint256' }, { type: 'string[]' }, { type: 'bool' }];
  const inputs = [
    { type: 'tuple[]', components },
    { type: 'string' },
    { type: 'tuple[2]', components },
    { type: 'uint8[3][]' },
  ];
  const bytes = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 0, max: 255 })));
  const values = fc.tuple(fc.array(row, { maxLength: 3 }), text, fc.tuple(row, row), fc.array(bytes, { maxLength: 3 }));
  fc.assert(
    fc.property(values, (given) => {
      const data = codec.encode({ type: 'function', name: 'f', inputs }, given as never);
      expect(() => codec.decode(inputs, data)).not.toThrow();
    }),
  );
});
