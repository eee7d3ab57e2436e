/** The contracts of fixtures/contracts/porting: compiled, and with the lines that a port report has to name. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { InterfaceAbi } from 'ethers';
import solc from 'solc';

const FOLDER = new URL('../../fixtures/contracts/porting/', import.meta.url);
const FILES = ['Quirks.sol', 'Plain.sol'] as const;

export type Codegen = 'plain' | 'optimised' | 'via-ir';

const SETTINGS: Readonly<Record<Codegen, object>> = {
  plain: { optimizer: { enabled: false } },
  optimised: { optimizer: { enabled: true, runs: 200 } },
  'via-ir': { optimizer: { enabled: true, runs: 200 }, viaIR: true },
};

export interface CompiledContract {
  readonly abi: InterfaceAbi;
  readonly bytecode: string;
}

export interface PortingProject {
  contract(name: string): CompiledContract;
  /** Writes sources and the compiler's output. @returns the folder for `--artifacts` */
  write(root: string): string;
}

export function portingProject(
  codegen: Codegen,
  rename: (source: string) => string = (source) => source,
): PortingProject {
  const sources = new Map(FILES.map((file) => [`contracts/${file}`, rename(sourceText(file))]));
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries([...sources].map(([name, content]) => [name, { content }])),
    settings: {
      ...SETTINGS[codegen],
      evmVersion: 'cancun',
      outputSelection: { '*': { '*': ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode'], '': ['ast'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const failed = output.errors?.find(({ severity }: { severity: string }) => severity === 'error');
  if (failed !== undefined) throw new Error(failed.formattedMessage);
  const contracts = new Map<string, CompiledContract>();
  for (const named of Object.values(output.contracts) as Record<string, never>[])
    for (const [name, { abi, evm }] of Object.entries(named) as [string, never][])
      contracts.set(name, { abi, bytecode: `0x${(evm as { bytecode: { object: string } }).bytecode.object}` });
  return {
    contract: (name) => contracts.get(name) as CompiledContract,
    write(root) {
      for (const [name, content] of [...sources, ['build/output.json', JSON.stringify(output)] as const]) {
        mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
        writeFileSync(path.join(root, name), content);
      }
      return path.join(root, 'build');
    },
  };
}

function sourceText(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8');
}

/** `contracts/Quirks.sol:17 selfdestruct`, of every line that is marked. @param mark `finds`, or `finds unused` */
export function markedLines(mark: 'finds' | 'finds unused', codegen: Codegen = 'optimised'): readonly string[] {
  return FILES.flatMap((file) =>
    sourceText(file)
      .split('\n')
      .flatMap((line, at) => {
        const [, ids = '', optimised = ''] =
          new RegExp(`// ${mark}: ([\\w -]+)(?:; optimised: ([\\w -]+))?$`).exec(line) ?? [];
        return [...ids.split(' '), ...(codegen === 'plain' ? [] : optimised.split(' '))].flatMap((id) =>
          id === '' ? [] : [`contracts/${file}:${at + 1} ${id}`],
        );
      }),
  ).sort();
}
