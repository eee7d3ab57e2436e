/** `/sunup/contracts`: all contracts of a chain by page, sorted, searched, also after a revert and on a fork. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDevnet, type DeployedContract, type Devnet, type DevnetOptions } from '../../src/index.js';
import { type Compiled, compile } from '../clients/tronweb-devnet.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Child { uint256 public number; }
contract Factory {
  event Made(address child);
  uint256 public count;
  function make() external { count++; emit Made(address(new Child())); }
  function spend(uint256 rounds) external { for (uint256 i; i < rounds; i++) count++; }
}
contract Bank { function withdraw(uint256 amount) external {} function make(uint256 what) external {} }`;

type Abi = DeployedContract['abi'];

interface Listed {
  readonly name: string;
  readonly address: string;
  readonly deployer: string;
  readonly createdIn?: number;
  readonly callerPercent: number;
  readonly energyUsage: number;
  readonly energyFactor: number;
  readonly methods?: readonly string[];
}

interface List {
  readonly total: number;
  readonly forkBlock?: number;
  readonly contracts: readonly Listed[];
}

let compiled: { readonly factory: Compiled; readonly bank: Compiled };
beforeAll(() => {
  compiled = { factory: compile(SOURCE, 'Factory'), bank: compile(SOURCE, 'Bank') };
});

async function open(options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await createDevnet({ mining: 'instant', ...options });
  onTestFinished(() => devnet.close());
  return devnet;
}

function deploy(devnet: Devnet, { abi, bytecode }: Compiled, contractName: string) {
  return devnet.deploy({ contractName, abi: abi as Abi, bytecode: `0x${bytecode}` });
}

async function ask(devnet: Devnet, query: Readonly<Record<string, string | number>> = {}) {
  const answer = await devnet.fetch('/sunup/contracts', { method: 'POST', body: JSON.stringify(query) });
  return { status: answer.status, json: (await answer.json()) as List & { readonly Error?: string } };
}

const list = async (devnet: Devnet, query?: Readonly<Record<string, string | number>>) =>
  (await ask(devnet, query)).json;
const names = ({ contracts }: List) => contracts.map(({ name }) => name);

it('lists none after a revert to a chain without contracts', async () => {
  const devnet = await open();
  const snapshot = devnet.snapshot();
  await deploy(devnet, compiled.bank, 'Bank');
  expect(names(await list(devnet))).toEqual(['Bank']);
  await devnet.revert(snapshot);
  expect(await list(devnet)).toMatchObject({ total: 0, contracts: [] });
});

describe('a chain with contracts', () => {
  it('lists those of the genesis, of deployments and of other contracts, and follows the chain', async () => {
    const devnet = await open({ predeploy: ['usdt'] });
    expect(names(await list(devnet))).toEqual(['USDT']);
    const factory = await deploy(devnet, compiled.factory, 'Factory');
    const { contracts } = await list(devnet);
    expect(contracts[0]).toEqual({
      address: factory.address,
      name: 'Factory',
      deployer: devnet.accounts[0]!.address,
      createdIn: factory.deployment!.blockNumber,
      callerPercent: 100,
      energyUsage: Number((await devnet.getContractEnergy(factory.address)).current.energyUsage),
      energyFactor: 0,
    });
    expect(contracts[1]!.createdIn).toBeUndefined();

    const snapshot = await devnet.snapshot();
    const receipt = await factory.write.make!();
    const after = await list(devnet);
    expect(after.total).toBe(3);
    expect(after.contracts[0]).toMatchObject({ name: '', deployer: factory.address, createdIn: receipt.blockNumber });
    expect(after.contracts[1]!.energyUsage).toBeGreaterThan(contracts[0]!.energyUsage);
    await devnet.revert(snapshot);
    expect(names(await list(devnet))).toEqual(['Factory', 'USDT']);
    expect((await list(devnet)).contracts[0]!.energyUsage).toBe(contracts[0]!.energyUsage);
  });

  it('is in the order asked for, by page', async () => {
    const devnet = await open();
    for (const name of ['Bank', 'apple', 'Zoo']) await deploy(devnet, compiled.bank, name);
    const factory = await deploy(devnet, compiled.factory, 'Factory');
    await factory.write.spend!([20n]);
    expect(names(await list(devnet, { order: 'newest' }))).toEqual(['Factory', 'Zoo', 'apple', 'Bank']);
    expect(names(await list(devnet, { order: 'oldest' }))).toEqual(['Bank', 'apple', 'Zoo', 'Factory']);
    expect(names(await list(devnet, { order: 'name' }))).toEqual(['apple', 'Bank', 'Factory', 'Zoo']);
    expect(names(await list(devnet, { order: 'energy' }))[0]).toBe('Factory');
    await devnet.setContractEnergy((await list(devnet, { search: 'zoo' })).contracts[0]!.address, {
      energyFactor: 5_000,
    });
    expect((await list(devnet, { order: 'factor' })).contracts[0]).toMatchObject({ name: 'Zoo', energyFactor: 5_000 });
    const page = await list(devnet, { order: 'name', offset: 1, limit: 2 });
    expect(page.total).toBe(4);
    expect(names(page)).toEqual(['Bank', 'Factory']);
    expect((await list(devnet, { offset: 9 })).contracts).toEqual([]);
  });

  it('is searched by name, by method and by address', async () => {
    const devnet = await open();
    const bank = await deploy(devnet, compiled.bank, 'Bank');
    await deploy(devnet, compiled.bank, 'Make');
    await deploy(devnet, compiled.factory, 'Factory');
    expect(names(await list(devnet, { search: 'ban' }))).toEqual(['Bank']);
    // A name that is the text comes first, then methods of that name.
    const made = await list(devnet, { search: 'make' });
    expect(names(made)).toEqual(['Make', 'Factory', 'Bank']);
    expect(made.contracts[1]!.methods).toEqual(['make()']);
    expect(names(await list(devnet, { search: 'withdraw(uint256)' }))).toEqual(['Make', 'Bank']);
    expect(names(await list(devnet, { search: `0x${bank.addressHex.slice(2)}` }))).toEqual(['Bank']);
    expect((await list(devnet, { search: 'nothing like this' })).total).toBe(0);
    const answer = await devnet.fetch('/sunup/contracts?search=factory&limit=1');
    expect(names((await answer.json()) as List)).toEqual(['Factory']);
  });

  it('says which parameter is wrong', async () => {
    const devnet = await open();
    expect(await ask(devnet, { order: 'size' })).toEqual({
      status: 400,
      json: { Error: 'order: expected newest, oldest, name, energy, factor, got size' },
    });
    expect(await ask(devnet, { limit: 201 })).toEqual({
      status: 400,
      json: { Error: 'limit: expected a whole number from 1 to 200, got 201' },
    });
  });

  it('is the same after a restart', async () => {
    const db = mkdtempSync(path.join(tmpdir(), 'sunup-contracts-'));
    onTestFinished(() => rmSync(db, { recursive: true, force: true }));
    const first = await createDevnet({ mining: 'instant', db });
    const factory = await deploy(first, compiled.factory, 'Factory');
    await factory.write.make!();
    const before = await list(first);
    await first.close();
    const second = await open({ db });
    expect(await list(second)).toEqual(before);
    await deploy(second, compiled.bank, 'Bank');
    expect((await list(second)).total).toBe(3);
  });
});

it('a fork lists the contracts of its own blocks, and changes none of its network', async () => {
  const network = await open({ predeploy: ['usdt'] });
  await deploy(network, compiled.bank, 'Bank');
  const fork = await open({ fork: network.http.url });
  const { forkBlock, total } = await list(fork);
  expect({ forkBlock, total }).toEqual({ forkBlock: (await network.mine(0)).number, total: 0 });
  const factory = await deploy(fork, compiled.factory, 'Factory');
  await factory.write.make!();
  // A changed contract of the network remains the network's.
  await fork.setCode(network.predeployed[0]!.address, '0x00');
  expect(names(await list(fork))).toEqual(['', 'Factory']);
});
