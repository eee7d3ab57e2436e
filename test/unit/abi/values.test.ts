/** Decoded values against those of ethers, and data that is no encoding of anything. */

import { AbiCoder, ParamType } from 'ethers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AbiValue, decodeValues } from '../../../src/abi/values.js';
import { toBase58 } from '../../../src/protocol/address.js';

const coder = AbiCoder.defaultAbiCoder();

const SCALARS = ['uint8', 'uint256', 'int16', 'int256', 'address', 'bool', 'bytes4', 'bytes32', 'bytes', 'string'];

const type = fc
  .tuple(fc.constantFrom(...SCALARS), fc.array(fc.constantFrom('[]', '[2]'), { maxLength: 2 }))
  .map(([scalar, dimensions]) => scalar + dimensions.join(''));

/** Some value of a type, as ethers takes it. */
function valueOfType({ baseType, type: name, arrayChildren, arrayLength }: ParamType): fc.Arbitrary<unknown> {
  if (baseType === 'array') {
    const child = valueOfType(arrayChildren!);
    return arrayLength === -1 ? fc.array(child, { maxLength: 3 }) : fc.tuple(...Array(arrayLength!).fill(child));
  }
  if (name === 'bool') return fc.boolean();
  if (name === 'string') return fc.string({ unit: 'grapheme', maxLength: 40 });
  if (name === 'bytes') return fc.uint8Array({ maxLength: 70 }).map(hex);
  if (name === 'address') return fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hex);
  const [, kind, size = '32'] = /^(bytes|uint|int)(\d+)/.exec(name)!;
  const bytes = Number(size);
  if (kind === 'bytes') return fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(hex);
  const bits = BigInt(size);
  return kind === 'uint'
    ? fc.bigInt({ min: 0n, max: 2n ** bits - 1n })
    : fc.bigInt({ min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n });
}

function hex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

/** The value as we show it. */
function shown(name: string, value: unknown): AbiValue {
  if (Array.isArray(value)) return value.map((one) => shown(name.replace(/\[\d*\]$/, ''), one));
  if (typeof value === 'boolean') return value;
  return name === 'address' ? toBase58(`41${String(value).slice(2)}`) : String(value);
}

describe('decodeValues', () => {
  it('gives back what ethers has encoded', () => {
    const encoded = fc
      .array(type, { minLength: 1, maxLength: 4 })
      .chain((types) =>
        fc.tuple(fc.constant(types), fc.tuple(...types.map((one) => valueOfType(ParamType.from(one))))),
      );
    fc.assert(
      fc.property(encoded, ([types, values]) => {
        const data = coder.encode(types, values).slice(2);
        expect(decodeValues(types, data)).toEqual(values.map((value, at) => shown(types[at]!, value)));
      }),
      { numRuns: 300 },
    );
  });

  it('gives values or nothing for any data, and ends', () => {
    fc.assert(
      fc.property(fc.array(type, { maxLength: 4 }), fc.uint8Array({ maxLength: 600 }), (types, bytes) => {
        const values = decodeValues(types, Buffer.from(bytes).toString('hex'));
        expect(values === undefined || values.length === types.length).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, readonly string[], string]>([
    ['a tuple, whose components the chain does not keep', ['tuple'], '00'.repeat(64)],
    [
      'arrays of nothing, of which any number fit into any data',
      ['uint256[0][]'],
      `${'20'.padStart(64, '0')}${'f'.repeat(64)}`,
    ],
    ['a length beyond the data', ['uint256[]'], `${'20'.padStart(64, '0')}${'f'.repeat(64)}`],
    ['a type that is none', ['uint256; drop'], '00'.repeat(32)],
    ['half a byte', ['bool'], '0'.repeat(63)],
    ['more than a person reads', ['bytes'], '00'.repeat(65_537)],
    [
      'lists that all lie in the same place',
      ['string[][][][]'],
      `${'20'.padStart(64, '0')}${'40'.padStart(64, '0')}${'0'.repeat(64)}`.repeat(600),
    ],
  ])('does not decode %s', (_, types, data) => {
    expect(decodeValues(types, data)).toBeUndefined();
  });

  it('reads the id of a token, which Solidity has no type for', () => {
    expect(
      decodeValues(['trcToken', 'trcToken[]'], coder.encode(['uint256', 'uint256[]'], [1_000_001, [7]]).slice(2)),
    ).toEqual(['1000001', ['7']]);
  });
});
