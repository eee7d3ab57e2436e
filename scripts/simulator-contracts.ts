/**
 * Compiles the contracts that users of the simulator trade with: fixtures/contracts/simulator/Bazaar.sol to Bazaar.json
 * beside it. A test compares the two.
 *
 *     npx tsx scripts/simulator-contracts.ts           writes the file
 *     npx tsx scripts/simulator-contracts.ts --print   prints it
 */

import { readFileSync } from 'node:fs';
import solc from 'solc';
import { makeFile } from './made-file.js';

const folder = new URL('../fixtures/contracts/simulator/', import.meta.url);
export const file = new URL('Bazaar.json', folder);

/** Cancun: the newest rules of TRON that the compiler knows. No metadata: nothing but code. */
const SETTINGS = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
  metadata: { appendCBOR: false },
};

export function bazaar(): string {
  const input = {
    language: 'Solidity',
    sources: { Bazaar: { content: readFileSync(new URL('Bazaar.sol', folder), 'utf8') } },
    settings: { ...SETTINGS, outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
  };
  const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input)));
  if (errors?.length > 0) throw new Error(JSON.stringify(errors, null, 2));
  const compiler = `solc ${solc.version()}`;
  const { bytecode } = contracts.Bazaar.Bazaar.evm;
  return `${JSON.stringify({ name: 'Bazaar', compiler, settings: SETTINGS, bytecode: bytecode.object }, null, 2)}\n`;
}

await makeFile(import.meta.filename, { file, text: bazaar });
