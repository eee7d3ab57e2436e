/** A project with several files, compiled by solc with and without its optimiser, written to disk. */

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import solc from 'solc';

/** Offsets of source maps count bytes: there are multi-byte characters before the tested text. */
const MATH = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
// Ünïcode: ∑ of 数 and 🚀 comes first.
library Sums {
  error TooMuch(uint256 given);
  function capped(uint256 a, uint256 b) internal pure returns (uint256) {
    uint256 sum = a + b;
    if (sum > 1000) revert TooMuch(sum);
    return sum;
  }
  function square(uint256 a) external pure returns (uint256) { return a * a; }
}
`;

/** Windows line ends. */
const OWNED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract Owned {
  address public immutable owner;
  constructor() { owner = msg.sender; }
  modifier onlyOwner() {
    require(msg.sender == owner, unicode"only the öwner 🔑");
    _;
  }
}
`.replaceAll('\n', '\r\n');

const SHOP = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "./Owned.sol";
import {Sums} from "./lib/Sums.sol";

contract Till {
  uint256 public taken;
  mapping(address => uint256) public paid;
  function take(address who, uint256 amount) external payable {
    /* {"contract"} */ taken = Sums.capped(taken, amount);
    paid[who] += amount;
  }
  function spin(uint256 n) external returns (uint256 sum) {
    for (uint256 i = 0; i < n; i++) sum += Sums.square(i);
  }
}

contract Shop is Owned {
  Till public till = new Till();
  uint256[] public prices;
  constructor(uint256[] memory given) payable {
    for (uint256 i = 0; i < given.length; i++) add(given[i]);
  }
  function add(uint256 price) internal {
    require(price > 0, "no price");
    prices.push(price);
  }
  function buy(uint256 which, uint256 count) external {
    uint256 amount = total(which, count);
    till.take(msg.sender, amount);
  }
  function total(uint256 which, uint256 count) public view returns (uint256) {
    return prices[which] * count;
  }
  function tip() external payable { till.take{value: msg.value}(msg.sender, 1); }
  function close() external onlyOwner { prices.pop(); }
  function digest(bytes calldata data) external returns (bytes32) { return sha256(data); }
  function hopeless() external { this.hopeless(); }
  function careful(uint256 which) external returns (bool) {
    try this.buy(which, 1_000_000) { return true; } catch { return false; }
  }
}
`;

export const SOURCES: Readonly<Record<string, string>> = {
  'contracts/Shop.sol': SHOP,
  'contracts/Owned.sol': OWNED,
  'contracts/lib/Sums.sol': MATH,
};

export type Codegen = 'plain' | 'optimised' | 'via-ir';

const SETTINGS: Readonly<Record<Codegen, object>> = {
  plain: { optimizer: { enabled: false } },
  optimised: { optimizer: { enabled: true, runs: 200 } },
  'via-ir': { optimizer: { enabled: true, runs: 200 }, viaIR: true },
};

export interface StandardOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly sources: Readonly<Record<string, { readonly id: number; readonly ast: { readonly src: string } }>>;
  readonly contracts: Readonly<Record<string, Readonly<Record<string, StandardContract>>>>;
}

export interface StandardContract {
  readonly abi: readonly object[];
  readonly metadata: string;
  readonly evm: { readonly bytecode: StandardCode; readonly deployedBytecode: StandardCode };
}

interface StandardCode {
  readonly object: string;
  readonly sourceMap: string;
  readonly linkReferences: Readonly<Record<string, object>>;
  readonly immutableReferences?: object;
}

const compiled = new Map<Codegen, { readonly output: StandardOutput }>();

export function compileProject(codegen: Codegen): { readonly output: StandardOutput } {
  let known = compiled.get(codegen);
  if (known === undefined) {
    const input = {
      language: 'Solidity',
      sources: Object.fromEntries(Object.entries(SOURCES).map(([name, content]) => [name, { content }])),
      settings: {
        ...SETTINGS[codegen],
        evmVersion: 'shanghai',
        outputSelection: {
          '*': { '*': ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode'], '': ['ast'] },
        },
      },
    };
    const output = JSON.parse(solc.compile(JSON.stringify(input))) as StandardOutput;
    const [error] = (output.errors ?? []).filter(({ severity }) => severity === 'error');
    if (error !== undefined) throw new Error(error.formattedMessage);
    known = { output };
    compiled.set(codegen, known);
  }
  return known;
}

/** The input for solc. */
export type Form = 'standard-json' | 'combined-json';

/**
 * Writes sources and the compiler's output. (solc from npm has no `--combined-json`: its format is reproduced.)
 *
 * @returns the folder for `--artifacts`
 */
export function writeProject(form: Form, codegen: Codegen, root: string): string {
  const { output } = compileProject(codegen);
  const write = (file: string, value: unknown) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), typeof value === 'string' ? value : JSON.stringify(value));
  };
  const contracts = Object.entries(output.contracts).flatMap(([source, named]) =>
    Object.entries(named).map(([name, contract]) => ({ source, name, ...contract })),
  );
  for (const [name, content] of Object.entries(SOURCES)) write(name, content);
  switch (form) {
    case 'standard-json':
      write('build/output.json', output);
      return path.join(root, 'build');
    case 'combined-json':
      write('build/combined.json', {
        contracts: Object.fromEntries(
          contracts.map(({ source, name, abi, evm }) => [
            `${source}:${name}`,
            {
              abi,
              ...{ bin: evm.bytecode.object, srcmap: evm.bytecode.sourceMap },
              ...{ 'bin-runtime': evm.deployedBytecode.object, 'srcmap-runtime': evm.deployedBytecode.sourceMap },
            },
          ]),
        ),
        sourceList: Object.entries(output.sources)
          .sort(([, a], [, b]) => a.id - b.id)
          .map(([name]) => name),
        version: '0.8',
      });
      return path.join(root, 'build');
  }
}
