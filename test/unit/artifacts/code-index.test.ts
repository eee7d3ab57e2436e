/** Contracts are found by what a deployment has made of their code. */

import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/artifacts/artifact.js';
import { CodeIndex } from '../../../src/artifacts/code-index.js';
import { readArtifacts } from '../../../src/artifacts/read-artifact.js';

function compiled(source: string, immutables = true): ReadonlyMap<string, Artifact> {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const input = {
    language: 'Solidity',
    sources: { 'a.sol': { content: `// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n${source}` } },
    settings: { outputSelection: { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'] } } },
  };
  const artifacts = readArtifacts(JSON.parse(solc.compile(JSON.stringify(input))));
  return new Map(
    artifacts.map((artifact) => {
      const { deployedBytecode } = artifact;
      return [
        artifact.name,
        immutables ? artifact : { ...artifact, deployedBytecode: { ...deployedBytecode, immutables: undefined } },
      ];
    }),
  );
}

const SOURCE = `
library Sums { function sum(uint256 a, uint256 b) external pure returns (uint256) { return a + b; } }
contract Box {
  uint256 public immutable size;
  constructor(uint256 given) { size = given; }
  function add(uint256 a, uint256 b) external view returns (uint256) { return Sums.sum(a, b) + size; }
}
abstract contract Half { function x() external virtual; }`;

/** The code on the chain: every place that a deployment fills, filled. */
function deployed({ deployedBytecode: { object, links, immutables } }: Artifact): Buffer {
  const code = Buffer.from(object, 'hex');
  for (const { start, length } of [...links, ...(immutables ?? [])]) code.fill(0xab, start, start + length);
  return code;
}

/** Under the index, with the artifacts as tools give them that do and do not say where immutable values stand. */
test.each([true, false])('a deployed contract, places of immutable values known: %s', (known) => {
  const truth = compiled(SOURCE);
  const index = new CodeIndex<Artifact>();
  for (const artifact of compiled(SOURCE, known).values()) index.add(artifact.deployedBytecode, artifact);
  expect(index.find(deployed(truth.get('Box')!))?.name).toBe('Box');
  const library = deployed(truth.get('Sums')!);
  library.fill(0xcd, 1, 21);
  expect(index.find(library)?.name).toBe('Sums');
});

test('of another source only a comment differs: the same code', () => {
  const index = new CodeIndex<Artifact>();
  for (const artifact of compiled(`${SOURCE}\n// more`).values()) index.add(artifact.deployedBytecode, artifact);
  const code = deployed(compiled(SOURCE).get('Box')!);
  expect(index.find(code)?.name).toBe('Box');
});

test('another program is not found, nor one that differs in one byte', () => {
  const index = new CodeIndex<Artifact>();
  for (const artifact of compiled(SOURCE).values()) index.add(artifact.deployedBytecode, artifact);
  expect(index.find(deployed(compiled(SOURCE.replace('a + b', 'a * b')).get('Sums')!))).toBeUndefined();
  const code = deployed(compiled(SOURCE).get('Box')!);
  code[0]! ^= 1;
  expect(index.find(code)).toBeUndefined();
  expect(index.find(new Uint8Array(0))).toBeUndefined();
  expect(index.find(Uint8Array.of(1))).toBeUndefined();
});

test('what has no code is nobody', () => {
  const index = new CodeIndex<Artifact>();
  const half = compiled(SOURCE).get('Half')!;
  index.add(half.deployedBytecode, half);
  expect(index.find(new Uint8Array(0))).toBeUndefined();
});

test('of several sources with the same code, the one with the same metadata is found', () => {
  const twins = compiled('contract First { uint256 a; } contract Second { address b; } contract Third { bool c; }');
  const index = new CodeIndex<Artifact>();
  for (const artifact of twins.values()) index.add(artifact.deployedBytecode, artifact);
  for (const [name, artifact] of twins) expect(index.find(deployed(artifact))?.name).toBe(name);
});
