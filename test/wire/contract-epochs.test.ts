/** `/sunup/contractepochs`: usage and Energy factor of past epochs, as the calls of those epochs were charged. */

import { TronWeb } from 'tronweb';
import { toFunctionSelector } from 'viem';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { createDevnet, type DeployedContract, type Devnet, type DevnetOptions } from '../../src/index.js';
import { type Compiled, compile } from '../clients/tronweb-devnet.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Counter { uint256 public count; function spend(uint256 rounds) external { for (uint256 i; i < rounds; i++) count++; } }`;

interface Epoch {
  readonly cycle: number;
  readonly energyUsage: number;
  readonly energyFactor: number;
  readonly threshold: number;
  readonly endBlock?: number;
}

interface Epochs {
  readonly enabled: boolean;
  readonly current: Epoch;
  readonly epochs: readonly Epoch[];
  readonly end: string;
  readonly Error?: string;
}

const DYNAMIC = {
  getAllowDynamicEnergy: 1,
  getDynamicEnergyThreshold: 10_000,
  getDynamicEnergyIncreaseFactor: 2_000,
  getDynamicEnergyMaxFactor: 34_000,
};

let compiled: Compiled;
beforeAll(() => {
  compiled = compile(SOURCE, 'Counter');
});

async function open(options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await createDevnet({ mining: 'instant', parameters: DYNAMIC, ...options });
  onTestFinished(() => devnet.close());
  return devnet;
}

function deploy(devnet: Devnet): Promise<DeployedContract> {
  return devnet.deploy({
    contractName: 'Counter',
    abi: compiled.abi as DeployedContract['abi'],
    bytecode: compiled.bytecode,
  });
}

async function ask(devnet: Devnet, contract: string, query: object = {}) {
  const answer = await devnet.fetch('/sunup/contractepochs', {
    method: 'POST',
    body: JSON.stringify({ contract, ...query }),
  });
  return { status: answer.status, json: (await answer.json()) as Epochs };
}

const epochsOf = async (devnet: Devnet, contract: string, query?: object) => (await ask(devnet, contract, query)).json;

/** What the node says while the epoch runs. */
async function seen(devnet: Devnet, contract: string) {
  const { energyUsage, energyFactor } = (await devnet.getContractEnergy(contract)).current;
  return { energyUsage: Number(energyUsage), energyFactor };
}

const hex = (address: string) => `0x${String(TronWeb.address.toHex(address)).slice(2)}`;

async function ethereum(devnet: Devnet, method: string, ...params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await devnet.fetch('/eth', { method: 'POST', body });
  return ((await answer.json()) as { readonly result: unknown }).result;
}

it('has the usage and the factor of each epoch as they were at its end', async () => {
  const devnet = await open();
  await devnet.runMaintenance({ count: 2 });
  const counter = await deploy(devnet);
  const during: object[] = [];
  // Above the threshold, above, unused, below it.
  for (const rounds of [40n, 40n, 0n, 1n]) {
    if (rounds > 0n) await counter.write.spend!([rounds]);
    during.push(await seen(devnet, counter.address));
    await devnet.runMaintenance();
  }
  const { epochs, current, end, enabled } = await epochsOf(devnet, counter.address);
  expect(enabled).toBe(true);
  expect(end).toBe('creation');
  expect(epochs.map(({ energyUsage, energyFactor }) => ({ energyUsage, energyFactor })).toReversed()).toEqual(during);
  expect(epochs.map(({ cycle }) => cycle)).toEqual([1, 2, 3, 4].map((back) => current.cycle - back));
  expect(epochs[2]).toMatchObject({ energyFactor: 2_000, threshold: 10_000 });
  expect(epochs[1]).toMatchObject({ energyUsage: 0, energyFactor: 4_400 });
  expect(current).toMatchObject(await seen(devnet, counter.address));

  const newest = await epochsOf(devnet, counter.address, { limit: 3 });
  expect(newest).toMatchObject({ end: 'limit', epochs: epochs.slice(0, 3) });
  const older = await epochsOf(devnet, counter.address, { limit: 3, before: newest.epochs.at(-1)!.cycle });
  expect(older).toMatchObject({ end: 'creation', epochs: epochs.slice(3) });
});

it('belongs to the epoch: a call in the maintenance block does, what is set after it does not', async () => {
  const devnet = await open();
  const counter = await deploy(devnet);
  await devnet.setMining('manual');
  const { address } = devnet.accounts[0]!;
  const word = (40).toString(16).padStart(64, '0');
  const data = `0x${toFunctionSelector('spend(uint256)').slice(2)}${word}`;
  const hash = await ethereum(devnet, 'eth_sendTransaction', { from: hex(address), to: hex(counter.address), data });
  const [ended] = await devnet.runMaintenance();
  expect(await ethereum(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({
    status: '0x1',
    blockNumber: `0x${ended!.blockNumber.toString(16)}`,
  });
  await devnet.setContractEnergy(counter.address, { energyFactor: 30_000, energyUsage: 7 });
  await devnet.setChainParameters({ getDynamicEnergyThreshold: 5 });
  await devnet.mine(1);
  const { epochs, current } = await epochsOf(devnet, counter.address);
  expect(epochs[0]).toMatchObject({ endBlock: ended!.blockNumber, energyFactor: 0, threshold: 10_000 });
  expect(epochs[0]!.energyUsage).toBeGreaterThan(10_000);
  expect(current).toMatchObject({ energyFactor: 30_000, energyUsage: 7, threshold: 5 });
});

it('says why it reaches no further', async () => {
  const devnet = await open({ predeploy: ['usdt'] });
  await devnet.runMaintenance({ count: 3 });
  const token = devnet.predeployed[0]!.address;
  expect(await epochsOf(devnet, token)).toMatchObject({ end: 'genesis', epochs: { length: 3 } });
  const short = await open({ predeploy: ['usdt'], stateHistory: 256 });
  await short.runMaintenance({ count: 400 });
  const { end, epochs } = await epochsOf(short, token, { limit: 200 });
  expect({ end, count: epochs.length }).toEqual({ end: 'limit', count: 200 });
  const oldest = await epochsOf(short, token, { limit: 200, before: epochs.at(-1)!.cycle });
  expect(oldest.end).toBe('state-history');
  expect(oldest.epochs.length).toBeGreaterThan(50);
  const fork = await createDevnet({ fork: devnet.http.url, mining: 'instant' });
  onTestFinished(() => fork.close());
  await fork.runMaintenance({ count: 2 });
  expect(await epochsOf(fork, token)).toMatchObject({ end: 'fork', epochs: { length: 2 } });
});

it('refuses what is no contract', async () => {
  const devnet = await open();
  const { address } = devnet.accounts[0]!;
  expect(await ask(devnet, address)).toEqual({ status: 404, json: { Error: `there is no contract at ${address}` } });
  expect(await ask(devnet, 'T123')).toMatchObject({
    status: 400,
    json: { Error: 'contract: expected an address (T…, 41… or 0x…), got T123' },
  });
});
