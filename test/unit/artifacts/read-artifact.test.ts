/** Artifacts as the tools write them: the forms are made here from one contract, as solc gave it. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { ArtifactError } from '../../../src/artifacts/artifact.js';
import { readArtifact, readArtifacts } from '../../../src/artifacts/read-artifact.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
library Sums { function sum(uint256 a, uint256 b) external pure returns (uint256) { return a + b; } }
interface Thing { function thing() external; }
struct Pair { uint256 a; uint256 b; }
contract Box {
  uint256 public immutable size;
  error TooBig(uint256 given, Pair pair);
  event Added(Pair pair);
  constructor(uint256 given) { size = given; }
  function add(Pair calldata pair) external returns (uint256 c) { c = Sums.sum(pair.a, pair.b); emit Added(pair); }
}`;

/** By the compiler that the tools use, once. */
const standard = JSON.parse(
  (createRequire(import.meta.url)('solc') as { compile(input: string): string }).compile(
    JSON.stringify({
      language: 'Solidity',
      sources: { 'contracts/Box.sol': { content: SOURCE } },
      settings: { outputSelection: { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'metadata'] } } },
    }),
  ),
);
const { abi, evm, metadata } = standard.contracts['contracts/Box.sol'].Box;
const expected = readArtifact(standard, 'Box');

test("solc's standard JSON output", () => {
  expect(readArtifacts(standard).map(({ name }) => name)).toEqual(
    ['Box', 'Pair', 'Sums', 'Thing'].filter((n) => n !== 'Pair'),
  );
  expect(expected).toMatchObject({ name: 'Box', sourceName: 'contracts/Box.sol', abi });
  const { bytecode, deployedBytecode } = expected;
  expect(bytecode.object).toMatch(/^6[\da-f]+$/);
  expect(bytecode.links).toEqual([{ library: 'contracts/Box.sol:Sums', start: expect.any(Number), length: 20 }]);
  expect(deployedBytecode.links).toHaveLength(1);
  const { start } = deployedBytecode.links[0]!;
  expect(deployedBytecode.object.slice(2 * start - 2, 2 * start + 40)).toBe(`73${'0'.repeat(40)}`);
  expect(deployedBytecode.immutables).toEqual([{ start: expect.any(Number), length: 32 }]);
  expect(deployedBytecode.sourceMap).toMatch(/^\d+:\d+:0/);
  expect(readArtifact({ id: '1', output: standard, input: {} }, 'contracts/Box.sol:Box')).toEqual(expected);
});

test("one contract of solc's standard JSON output, with the name that its metadata tells, or that of its file", () => {
  expect(readArtifact({ abi, evm, metadata })).toEqual(expected);
  for (const unknown of [undefined, 'no JSON', ''])
    expect(readArtifact({ abi, evm, metadata: unknown }, undefined, 'Cube')).toMatchObject({
      name: 'Cube',
      bytecode: expected.bytecode,
    });
});

test('Foundry', () => {
  const artifact = {
    abi,
    bytecode: { ...evm.bytecode, object: `0x${evm.bytecode.object}` },
    deployedBytecode: { ...evm.deployedBytecode, object: `0x${evm.deployedBytecode.object}` },
    methodIdentifiers: {},
    metadata: JSON.parse(metadata),
    id: 3,
  };
  expect(readArtifact(artifact)).toEqual(expected);
  const { metadata: _, ...older } = artifact;
  expect(readArtifact({ ...older, rawMetadata: metadata })).toEqual(expected);
  expect(readArtifact(older, undefined, 'Cube').name).toBe('Cube');
  expect(readArtifacts({ ...artifact, metadata: undefined }, 'Box')[0]).toEqual({ ...expected, sourceName: '' });
});

test('Hardhat', () => {
  const artifact = {
    _format: 'hh3-artifact-1',
    contractName: 'Box',
    sourceName: 'contracts/Box.sol',
    abi,
    bytecode: `0x${evm.bytecode.object}`,
    deployedBytecode: `0x${evm.deployedBytecode.object}`,
    linkReferences: evm.bytecode.linkReferences,
    deployedLinkReferences: evm.deployedBytecode.linkReferences,
    immutableReferences: evm.deployedBytecode.immutableReferences,
  };
  const without = (code: object) => ({ ...code, sourceMap: undefined });
  expect(readArtifact(artifact)).toEqual({
    ...expected,
    bytecode: without(expected.bytecode),
    deployedBytecode: without(expected.deployedBytecode),
  });
});

test('TronBox', () => {
  const found = readArtifact({
    contractName: 'Box',
    abi,
    bytecode: `0x${evm.bytecode.object}`,
    deployedBytecode: `0x${evm.deployedBytecode.object}`,
    sourceMap: evm.bytecode.sourceMap,
    deployedSourceMap: evm.deployedBytecode.sourceMap,
    source: SOURCE,
    sourcePath: '/home/me/contracts/Box.sol',
    networks: {},
    schemaVersion: '3.4.0',
  });
  const { bytecode, deployedBytecode } = expected;
  const placeholder = evm.bytecode.object.match(/__\$.{34}\$__/)[0];
  const links = (code: typeof bytecode) => code.links.map((link) => ({ ...link, library: placeholder }));
  expect(found).toEqual({
    ...expected,
    sourceName: '/home/me/contracts/Box.sol',
    bytecode: { ...bytecode, links: links(bytecode) },
    deployedBytecode: { ...deployedBytecode, links: links(deployedBytecode), immutables: undefined },
  });
});

test("solc's --combined-json, of now and of old", () => {
  const contract = {
    bin: evm.bytecode.object,
    'bin-runtime': evm.deployedBytecode.object,
    srcmap: evm.bytecode.sourceMap,
  };
  for (const form of [abi, JSON.stringify(abi)]) {
    const combined = { contracts: { 'contracts/Box.sol:Box': { ...contract, abi: form } }, version: '0.8.37' };
    expect(readArtifact(combined)).toMatchObject({
      name: 'Box',
      sourceName: 'contracts/Box.sol',
      abi,
      bytecode: { object: expected.bytecode.object, sourceMap: evm.bytecode.sourceMap },
    });
  }
});

test('placeholders of compilers before 0.5', () => {
  const object = `6001${'__contracts/Math.sol:Math'.padEnd(40, '_')}6002`;
  const { bytecode } = readArtifact({ contractName: 'A', abi: [], bytecode: object });
  expect(bytecode.object).toBe(`6001${'0'.repeat(40)}6002`);
  expect(bytecode.links).toEqual([{ library: 'contracts/Math.sol:Math', start: 2, length: 20 }]);
});

test('what was recorded with the chains', () => {
  const recorded = JSON.parse(
    readFileSync(new URL('../../../fixtures/contracts/Factory.json', import.meta.url), 'utf8'),
  ) as { name: string; abi: unknown; bytecode: string; runtime: string };
  const { name: contractName, abi: entries, bytecode, runtime: deployedBytecode } = recorded;
  expect(readArtifact({ contractName, abi: entries, bytecode, deployedBytecode }).deployedBytecode.object).toBe(
    deployedBytecode,
  );
});

test.each<[string, unknown, string]>([
  ['nothing', null, 'not an artifact of solc, Hardhat, Foundry or TronBox'],
  ['a package.json', { name: 'x', version: '1.0.0', dependencies: {} }, 'not an artifact'],
  ['an ABI alone', abi, 'not an artifact'],
  [
    'code that is none',
    { contractName: 'Box', abi, bytecode: '0x60zz' },
    'it looks like an artifact of Hardhat or TronBox, but bytecode is not valid: expected hex',
  ],
  [
    'a form that is far off',
    { abi: 'x'.repeat(5_000), evm: {}, contracts: { a: 'x'.repeat(5_000) } },
    'not an artifact',
  ],
  [
    'an ABI with a number for a name',
    { abi: [{ type: 'function', name: 5 }], bytecode: '0x' },
    'but abi.0.name is not valid: expected text',
  ],
  [
    'a parameter without a type',
    { abi: [{ type: 'function', inputs: [{ name: 'a' }] }], bytecode: '0x' },
    'but abi.0.inputs.0.type is not valid: it is missing',
  ],
  ['an ABI that is none', { abi: [{ inputs: [{ name: 'a' }] }], bytecode: '0x' }, 'but abi.0.inputs.0.type is not'],
  ['nothing to deploy', { contracts: {} }, 'the file has no deployable contract'],
  [
    'several to deploy',
    standard,
    'the file has several contracts, choose one: contracts/Box.sol:Box, contracts/Box.sol:Sums',
  ],
])('%s is refused with a reason', (_, json, message) => {
  expect(() => readArtifact(json)).toThrow(ArtifactError);
  expect(() => readArtifact(json)).toThrow(message);
});

test('a contract that is not in the file', () => {
  expect(() => readArtifact(standard, 'Bix')).toThrow('the file has no contract Bix; it has contracts/Box.sol:Box,');
});
