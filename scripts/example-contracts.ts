/**
 * Compiles examples/first-contract/Counter.sol, and writes the artifact into each example that deploys it. A test compares
 * them.
 *
 *     npx tsx scripts/example-contracts.ts
 */

import { readFileSync, writeFileSync } from 'node:fs';
import solc from 'solc';

const examples = new URL('../examples/', import.meta.url);
const SOURCE = 'first-contract/Counter.sol';
const ARTIFACTS = ['ethereum-libraries', 'first-contract', 'go', 'python', 'tronweb'] as const;

/** Cancun: the newest rules of TRON that the compiler knows. No metadata: nothing but code. */
const SETTINGS = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
  metadata: { appendCBOR: false },
};

/** Files by their path in examples/. */
export function exampleContracts(): ReadonlyMap<string, string> {
  const input = {
    language: 'Solidity',
    sources: { Counter: { content: readFileSync(new URL(SOURCE, examples), 'utf8') } },
    settings: { ...SETTINGS, outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  };
  const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input)));
  if (errors?.length > 0) throw new Error(JSON.stringify(errors, null, 2));
  const { abi, evm } = contracts.Counter.Counter;
  const bytecode: string = evm.bytecode.object;
  const artifact = `${JSON.stringify({ contractName: 'Counter', abi, bytecode }, null, 2)}\n`;
  return new Map([
    ...ARTIFACTS.map((example) => [`${example}/Counter.json`, artifact] as const),
    ['java/Counter.abi', `${JSON.stringify(abi)}\n`],
    ['java/Counter.bin', `${bytecode}\n`],
  ]);
}

if (process.argv[1] === import.meta.filename)
  for (const [file, text] of exampleContracts()) writeFileSync(new URL(file, examples), text);
