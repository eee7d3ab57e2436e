/** Contracts without an ABI on the chain, created by other contracts, get their names from folders of artifacts. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AbiCoder } from 'ethers';
import { expect, onTestFinished, test } from 'vitest';
import { type BlockReport, createDevnet, type DeployedContract } from '../../src/index.js';
import { compile, TronWebDevnet } from './tronweb-devnet.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
struct Order { address to; uint256 amount; }
contract Child {
  uint256 public immutable number;
  event Placed(Order order, uint256 indexed number);
  error TooMuch(Order order, uint256 most);
  error NotZero(uint256 given);
  constructor(uint256 given) { if (given == 0) revert NotZero(given); number = given; }
  function place(Order calldata order) external {
    if (order.amount > 10) revert TooMuch(order, 10);
    emit Placed(order, number);
  }
}
contract Factory {
  Child public made;
  function make(uint256 number) external { made = new Child(number); }
}`;

function folder(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'artifacts-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Child as Hardhat 2 writes it, without the positions of immutable values. */
function writeChild(directory: string): void {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const settings = {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: 'shanghai',
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'] } },
  };
  const sources = { 'contracts/Factory.sol': { content: SOURCE } };
  const { contracts } = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })));
  const { abi, evm } = contracts['contracts/Factory.sol'].Child;
  mkdirSync(path.join(directory, 'contracts/Factory.sol'), { recursive: true });
  writeFileSync(
    path.join(directory, 'contracts/Factory.sol/Child.json'),
    JSON.stringify({
      ...{ _format: 'hh-sol-artifact-1', contractName: 'Child', sourceName: 'contracts/Factory.sol', abi },
      bytecode: `0x${evm.bytecode.object}`,
      deployedBytecode: `0x${evm.deployedBytecode.object}`,
      ...{ linkReferences: {}, deployedLinkReferences: {} },
    }),
  );
}

async function factoryOn(
  chain: TronWebDevnet,
): Promise<{ readonly factory: string; readonly make: () => Promise<string> }> {
  const { transactionBuilder, address } = chain.client(0);
  const { abi, bytecode } = compile(SOURCE, 'Factory');
  const options = { abi, bytecode, feeLimit: 1e9, name: 'Factory' };
  const info = await chain.send(0, transactionBuilder.createSmartContract(options as never, chain.address(0)));
  const factory = address.fromHex(info.contract_address as string);
  const make = async () => {
    const { transaction } = await transactionBuilder.triggerSmartContract(factory, 'make(uint256)', { feeLimit: 1e9 }, [
      { type: 'uint256', value: 7 },
    ]);
    const made = (await chain.send(0, transaction)) as unknown as {
      internal_transactions: { transferTo_address: string }[];
    };
    return address.fromHex(made.internal_transactions[0]!.transferTo_address);
  };
  return { factory, make };
}

async function place(chain: TronWebDevnet, child: string, amount: number): Promise<string> {
  const { transactionBuilder, address } = chain.client(0);
  const to = `0x${address.toHex(chain.address(1)).slice(2)}`;
  const rawParameter = AbiCoder.defaultAbiCoder()
    .encode(['tuple(address,uint256)'], [[to, amount]])
    .slice(2);
  const { transaction } = await transactionBuilder.triggerSmartContract(
    child,
    'place((address,uint256))',
    { feeLimit: 1e9, rawParameter } as never,
    [],
  );
  return (await chain.send(0, transaction)).id;
}

test.each([false, true])(
  'errors of contracts that did not come into being are named, of transactions and of calls (on a fork: %s)',
  async (isFork) => {
    const directory = folder();
    writeChild(directory);
    await using network = await createDevnet();
    const fork = isFork ? { fork: network.http.url } : {};
    await using devnet = await createDevnet({ httpPort: false, artifacts: [directory], ...fork });
    const failures: unknown[] = [];
    devnet.on('block', ({ transactions }) => failures.push(...transactions.map(({ outcome }) => outcome.reason)));
    devnet.on('callFailed', ({ outcome }) => failures.push(outcome.reason));
    const { abi, bytecode } = compile(SOURCE, 'Factory');
    const factory = await devnet.deploy({ abi: abi as DeployedContract['abi'], bytecode });
    failures.length = 0;
    const { txid } = await factory.write.make([0n], { allowFailure: true });
    await expect(factory.simulate.make([0n])).rejects.toThrow();
    await devnet.mine(0);
    const reason = { error: 'NotZero', arguments: [{ name: 'given', type: 'uint256', value: '0' }] };
    expect(failures).toMatchObject([reason, reason]);
    expect((await devnet.explain(txid)).text.join('\n')).toContain('NotZero(given: 0)');
  },
);

test('log, explain and /v1 name a contract that a factory created', async () => {
  const directory = folder();
  const warnings: string[] = [];
  const log = { warn: (text: string) => warnings.push(text), error: (text: string) => warnings.push(text) };
  await using chain = await TronWebDevnet.start({ artifacts: [directory], log });
  const blocks: BlockReport[] = [];
  chain.devnet.on('block', (block) => blocks.push(block));
  const { make } = await factoryOn(chain);
  // Invalid files, and one that is no artifact.
  writeFileSync(path.join(directory, 'settings.json'), '{"abi": [');
  writeFileSync(path.join(directory, 'broken.json'), '{"abi":[],"bytecode":"0xyz"}');
  writeFileSync(path.join(directory, 'package.json'), '{"name":"mine"}');
  // Written while the devnet runs.
  writeChild(directory);
  const child = await make();
  const placed = await place(chain, child, 3);
  const failed = await place(chain, child, 11);
  await chain.devnet.mine(0);

  const [last] = blocks.at(-1)!.transactions;
  expect(last).toMatchObject({
    action: { contract: { address: child, name: 'Child' }, method: { signature: 'place((address,uint256))' } },
    outcome: {
      reason: {
        error: 'TooMuch',
        arguments: [
          { name: 'order', type: 'tuple', value: [chain.address(1), '11'] },
          { name: 'most', type: 'uint256', value: '10' },
        ],
      },
    },
  });
  expect((await chain.devnet.explain(failed)).text.join('\n')).toContain(
    `TooMuch(order: [${chain.address(1)}, 11], most: 10)`,
  );
  const response = await fetch(`${chain.devnet.http.url}/v1/transactions/${placed}/events`);
  expect(((await response.json()) as { data: unknown[] }).data).toMatchObject([
    { event_name: 'Placed', result: { order: [expect.stringMatching(/^0x/), '3'], number: '7' } },
  ]);
  expect(warnings).toEqual([
    `artifact ${path.join(directory, 'broken.json')} is skipped: it looks like an artifact of Hardhat or TronBox, but bytecode is not valid: expected hex`,
    expect.stringMatching(/settings\.json is skipped: .*JSON/),
  ]);
});

test('tuples, whose components are not on the chain, are named by the artifact of a contract with an ABI', async () => {
  const directory = folder();
  writeChild(directory);
  for (const artifacts of [[], [directory]]) {
    await using chain = await TronWebDevnet.start({ artifacts });
    const blocks: BlockReport[] = [];
    chain.devnet.on('block', (block) => blocks.push(block));
    const { transactionBuilder, address } = chain.client(0);
    const options = { ...compile(SOURCE, 'Child'), feeLimit: 1e9, name: 'Own', parameters: [7] };
    const info = await chain.send(0, transactionBuilder.createSmartContract(options as never, chain.address(0)));
    await place(chain, address.fromHex(info.contract_address as string), 3);
    await chain.devnet.mine(0);
    const named = artifacts.length === 0 ? {} : { signature: 'place((address,uint256))' };
    expect(blocks.at(-1)!.transactions[0]!.action).toMatchObject({ contract: { name: 'Own' } });
    expect(blocks.at(-1)!.transactions[0]!.action).toHaveProperty('method', { selector: expect.any(String), ...named });
  }
});

test('a missing folder is reported, and changes nothing else', async () => {
  const warnings: string[] = [];
  const log = { warn: (text: string) => warnings.push(text), error: (text: string) => warnings.push(text) };
  const missing = path.join(folder(), 'nowhere');
  await using chain = await TronWebDevnet.start({ artifacts: [missing], log });
  const blocks: BlockReport[] = [];
  chain.devnet.on('block', (block) => blocks.push(block));
  const { make } = await factoryOn(chain);
  await place(chain, await make(), 3);
  await chain.devnet.mine(0);
  expect(blocks.at(-1)!.transactions[0]!.action).toMatchObject({ contract: { name: '' }, method: {} });
  expect(warnings).toEqual([expect.stringContaining(`artifacts of ${missing} cannot be read: ENOENT`)]);
});
