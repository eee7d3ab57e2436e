/** The tools that `npm run tools` runs pages with. */

import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DevnetOptions } from '../../src/index.js';
import {
  folderOf,
  type Installation,
  installPackages,
  installPackagesWithNode,
  putCompilerAsPageSays,
  putCompilerForHardhat,
  putForgeStd,
  run,
  writeCompilerCommand,
} from './installations.js';

export interface Tool {
  readonly page: string;
  readonly example: string;
  /** The package that the page is about, with its version. */
  readonly version: string;
  readonly installation?: Installation;
  /** Whether the tool reads the packages of its folder as the project's own, and compilers from it as from its home. */
  readonly isHome?: boolean;
  /** Fills a folder as the tool's own `init` does, where the page begins with that. */
  readonly template?: (folder: string) => void;
  readonly env?: Readonly<Record<string, string>>;
  /** Beside what all have. */
  readonly devnet?: DevnetOptions;
  /** Whether the command that it needs is on this machine. */
  readonly needs: string;
}

const npm = (name: string, packages: readonly string[], after: (folder: string) => void = () => {}): Installation => ({
  name,
  install: (folder) => {
    const programs = installPackages(folder, packages);
    after(folder);
    return programs;
  },
});

const pip = (name: string, requirement: string): Installation => ({
  name,
  install: (folder) => {
    run('python3', ['-m', 'venv', '.'], folder);
    run('bin/pip', ['install', '--quiet', requirement], folder);
    return path.join(folder, 'bin');
  },
});

const PORTING = { page: 'docs/how-to/port-from-ethereum.md', example: 'port-from-ethereum', isHome: true } as const;
const PORTING_DEVNET: DevnetOptions = { createNonces: true };

const HARDHAT_3: Installation = {
  name: 'hardhat-3.18.0',
  install: (folder) => {
    const ofNomic = [
      'toolbox-mocha-ethers@3.0.7',
      'toolbox-viem@5.0.7',
      'ethers@4.2.0',
      'ignition@3.1.8',
      'viem@3.0.9',
    ];
    const programs = installPackagesWithNode(folder, '22.23.3', [
      'hardhat@3.18.0',
      ...ofNomic.map((name) => `@nomicfoundation/hardhat-${name}`),
      ...['mocha@11.8.0', 'chai@6.2.2', 'ethers@6.17.0', 'viem@2.57.20', 'tronweb@6', 'solc@0.8.34'],
    ]);
    putCompilerForHardhat(folder, 'compilers-v3');
    putForgeStd(path.join(folder, 'node_modules'));
    return programs;
  },
};

const HARDHAT_2 = npm(
  'hardhat-2.29.1',
  ['hardhat@2.29.1', '@nomicfoundation/hardhat-toolbox@6.1.2', 'tronweb@6', 'solc@0.8.28'],
  (folder) => putCompilerForHardhat(folder, 'compilers-v2'),
);

const HARDHAT_2_VIEM = npm(
  'hardhat-2.29.1-viem',
  ['hardhat@2.29.1', '@nomicfoundation/hardhat-toolbox-viem@4.1.2', 'viem@2.57.20', 'solc@0.8.28'],
  (folder) => putCompilerForHardhat(folder, 'compilers-v2'),
);

const FOUNDRY = npm(
  'foundry-1.7.1',
  [...['forge', 'cast', 'anvil'].map((name) => `@foundry-rs/${name}@1.7.1`), 'tronweb@6', 'solc@0.8.30'],
  writeCompilerCommand,
);

/** The template of an installed package. */
const templateOf =
  ({ name }: Installation, template: string) =>
  (folder: string) =>
    cpSync(path.join(folderOf(name), 'node_modules/hardhat', template), folder, { recursive: true });

/** A template of Hardhat 2, for which `npm init` makes the package. */
const sampleOf =
  (installation: Installation, sample: string) =>
  (folder: string): void => {
    templateOf(installation, `sample-projects/${sample}`)(folder);
    writeFileSync(path.join(folder, 'package.json'), '{"name":"hardhat-project"}');
  };

export const TOOLS: Readonly<Record<string, Tool>> = {
  'hardhat3-ethers': {
    ...PORTING,
    version: 'hardhat 3.18.0, @nomicfoundation/hardhat-toolbox-mocha-ethers 3.0.7',
    installation: HARDHAT_3,
    template: templateOf(HARDHAT_3, 'templates/02-mocha-ethers'),
    devnet: PORTING_DEVNET,
    needs: 'npm',
  },
  'hardhat3-viem': {
    ...PORTING,
    version: 'hardhat 3.18.0, @nomicfoundation/hardhat-toolbox-viem 5.0.7',
    installation: HARDHAT_3,
    template: templateOf(HARDHAT_3, 'templates/01-node-test-runner-viem'),
    devnet: PORTING_DEVNET,
    needs: 'npm',
  },
  hardhat2: {
    ...PORTING,
    version: 'hardhat 2.29.1, @nomicfoundation/hardhat-toolbox 6.1.2',
    installation: HARDHAT_2,
    template: sampleOf(HARDHAT_2, 'javascript'),
    devnet: PORTING_DEVNET,
    needs: 'npm',
  },
  'hardhat2-viem': {
    ...PORTING,
    version: 'hardhat 2.29.1, @nomicfoundation/hardhat-toolbox-viem 4.1.2',
    installation: HARDHAT_2_VIEM,
    template: sampleOf(HARDHAT_2_VIEM, 'typescript-viem'),
    // The template sends 0.001 ether.
    devnet: { ...PORTING_DEVNET, balance: 4_000_000_000_000 },
    needs: 'npm',
  },
  foundry: {
    ...PORTING,
    version: '@foundry-rs/forge 1.7.1',
    installation: FOUNDRY,
    template: (folder) => {
      run(path.join(folderOf(FOUNDRY.name), 'node_modules/.bin/forge'), ['init', '--no-git', '--offline'], folder);
      putForgeStd(path.join(folder, 'lib'));
    },
    env: {
      FOUNDRY_SOLC: path.join(folderOf(FOUNDRY.name), 'solc'),
      FOUNDRY_OFFLINE: 'true',
      FOUNDRY_FUZZ_SEED: '0x1',
    },
    devnet: PORTING_DEVNET,
    needs: 'jq',
  },
  cast: {
    page: 'docs/how-to/ethereum-libraries.md',
    example: 'ethereum-libraries',
    version: '@foundry-rs/cast 1.7.1',
    installation: FOUNDRY,
    needs: 'jq',
  },
  'web3.js': {
    page: 'docs/how-to/ethereum-libraries.md',
    example: 'ethereum-libraries',
    version: 'web3 4.16.0',
    installation: npm('web3-4.16.0', ['web3@4.16.0']),
    isHome: true,
    needs: 'npm',
  },
  'web3.py': {
    page: 'docs/how-to/ethereum-libraries.md',
    example: 'ethereum-libraries',
    version: 'web3 8.0.0 (PyPI)',
    installation: pip('web3-py-8.0.0', 'web3==8.0.0'),
    needs: 'python3',
  },
  tronbox: {
    page: 'docs/how-to/tronbox.md',
    example: 'tronbox',
    version: 'tronbox 4.10.0',
    installation: npm('tronbox-4.10.0', ['tronbox@4.10.0', 'solc@0.8.29'], (folder) =>
      putCompilerAsPageSays(folder, 'bash', ['-euc'], '# where TronBox looks'),
    ),
    isHome: true,
    devnet: { tre: true },
    needs: 'npm',
  },
  hardhat: {
    page: 'docs/how-to/hardhat.md',
    example: 'hardhat',
    version: '@openzeppelin/hardhat-tron 0.1.0',
    installation: npm(
      'hardhat-tron-0.1.0',
      [
        ...['hardhat@2.29.1', '@openzeppelin/hardhat-tron@0.1.0', 'chai@4', 'ethers@6', 'solc@0.8.29'],
        ...['ethers@3', 'chai-matchers@2', 'network-helpers@1'].map((name) => `@nomicfoundation/hardhat-${name}`),
      ],
      (folder) => putCompilerAsPageSays(folder, process.execPath, ['-e'], '// puts solc where hardhat-tron looks'),
    ),
    isHome: true,
    devnet: { tre: true },
    needs: 'npm',
  },
  python: {
    page: 'docs/how-to/python.md',
    example: 'python',
    version: 'tronpy 0.6.2',
    installation: pip('tronpy-0.6.2', 'tronpy==0.6.2'),
    needs: 'python3',
  },
  go: {
    page: 'docs/how-to/go.md',
    example: 'go',
    version: 'github.com/decred/dcrd/dcrec/secp256k1/v4 v4.4.1',
    needs: 'go',
  },
  java: {
    page: 'docs/how-to/java.md',
    example: 'java',
    version: 'io.github.tronprotocol:trident 0.10.0',
    needs: 'mvn',
  },
};
