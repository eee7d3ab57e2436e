/** Compiles a contract of fixtures/contracts/bench. */

import { readFileSync } from 'node:fs';
import solc from 'solc';
import type { Hex } from '../../src/primitives/hex.js';

export interface CompiledContract {
  readonly abi: readonly unknown[];
  readonly bytecode: Hex;
}

/** @param name of the contract and of its file */
export function compiledContract(name: string): CompiledContract {
  const source = `fixtures/contracts/bench/${name}.sol`;
  const { contracts, errors } = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { [source]: { content: readFileSync(source, 'utf8') } },
        settings: {
          optimizer: { enabled: true, runs: 200 },
          evmVersion: 'london',
          outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
        },
      }),
    ),
  );
  if (contracts === undefined) throw new Error(JSON.stringify(errors));
  const { abi, evm } = contracts[source][name];
  return { abi, bytecode: evm.bytecode.object };
}
