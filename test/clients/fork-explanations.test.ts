/**
 * A fork fetches rows when they are first needed, while its network continues: explanations name the block of each row.
 */

import type { Metadata } from '@grpc/grpc-js';
import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ContractArtifact, createDevnet, type DevAccount, type Devnet } from '../../src/index.js';
import { ServiceClient } from '../wire/grpc-client.js';
import { compile } from './tronweb-devnet.js';

type Explained = Awaited<ReturnType<Devnet['explain']>>;

let network: Devnet;
let token: string;
beforeAll(async () => {
  network = await createDevnet();
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', { args: [10n ** 15n, 'Dollar', 'USD', 6] });
  token = dollar.address;
  const [, holder] = network.accounts;
  await dollar.write.transfer!([holder!.address, 1_000_000n]);
});
afterAll(() => network.close());

async function height(): Promise<number> {
  return JSON.parse(await (await network.fetch('/wallet/getnowblock')).text()).block_header.raw_data.number;
}

async function transferOn(fork: Devnet) {
  const [, holder, , other] = fork.accounts;
  const dollar = await fork.contractAt('fixtures/contracts/Dollar.json', token);
  const { txid } = await dollar.write.transfer!([other!.address, 5n], { from: holder! });
  return fork.explain(txid);
}

it('omits rows if all are from one block, and on a chain that is not a fork', async () => {
  const fork = await createDevnet({ fork: network.http.url });
  expect(await transferOn(fork)).not.toHaveProperty('networkRows');
  await fork.close();
  const id = await network.snapshot();
  expect(await transferOn(network)).not.toHaveProperty('networkRows');
  await network.revert(id);
});

it('lists rows of different blocks with their numbers, also after later blocks of the fork', async () => {
  const fork = await createDevnet({ fork: network.http.url });
  const begunAtBlock = await height();
  await network.mine(7);
  const { txid, networkRows, text } = await transferOn(fork);
  const later = begunAtBlock + 7;
  const [, holder, , other] = fork.accounts;
  expect(networkRows).toMatchObject({ begunAtBlock, count: networkRows!.rows.length });
  const blockOf = (table: string, of: string) =>
    networkRows!.rows.filter((row) => row.table === table && row.of === of).map(({ readAtBlock }) => readAtBlock);
  // The accounts of the fork are funded at its start.
  expect(blockOf('accounts', holder!.address)).toEqual([begunAtBlock]);
  expect(blockOf('codes', token)).toEqual([later]);
  const slots = networkRows!.rows.filter(({ table }) => table === 'storage');
  expect(slots.length).toBeGreaterThanOrEqual(2);
  for (const { of, slot, key, readAtBlock } of slots) {
    expect([of, readAtBlock]).toEqual([token, later]);
    expect(slot).toMatch(/^0x[0-9a-f]{64}$/);
    expect(slot!.slice(-32)).toBe(key.slice(-32));
  }
  const lines = text.join('\n');
  expect(lines).toContain('It read rows of the network at different blocks');
  expect(lines).toMatch(new RegExp(`  block ${begunAtBlock}: parameters, .*account ${holder!.address}`));
  expect(lines).toMatch(new RegExp(`  block ${later}: .*code of ${token}`));
  expect(lines).not.toContain(`account ${other!.address}\n`);

  await fork.mine(3);
  await fork.setBalance(holder!.address, 1);
  expect((await fork.explain(txid)).networkRows).toEqual(networkRows);
  await fork.close();
});

const TRX = 1_000_000;

it('names values that nodes do not serve and that may matter, with the accounts, and nothing else', async () => {
  const busy = await createDevnet({ balance: 100_000 });
  const [, staker, free, other] = busy.accounts;
  const send = async (devnet: Devnet, from: DevAccount, to = other!) => {
    const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: from.privateKey });
    const { txid } = await tronWeb.trx.sendTransaction(to.address, 1);
    return devnet.explain(txid);
  };
  await busy.setStake(staker!.address, { bandwidth: 5_000 * TRX });
  await send(busy, staker!);
  await busy.mine({ advanceMs: 3_600_000 });
  const named = ({ assumptions = [] }: Explained) => assumptions.map(({ name, of }) => [name, of]);
  expect(named(await send(busy, staker!))).toEqual([]);
  await busy.mine({ advanceMs: 3_600_000 });

  const fork = await createDevnet({ fork: busy.http.url, balance: 1 });
  // Usage is known exactly if nothing was used lately, except for the shared free bandwidth.
  expect(named(await send(fork, free!))).toEqual([['publicBandwidth', ['PUBLIC_NET_USAGE']]]);
  const used = await send(fork, staker!);
  expect(named(used)).toEqual([['usages', [staker!.address]]]);
  expect(used.text.join('\n')).toContain(
    `  usages of ${staker!.address}: an account's free resources may differ by one unit`,
  );
  await fork.mine({ advanceMs: 30 * 3_600_000 });
  expect(named(await send(fork, free!))).toEqual([]);
  await fork.close();
  await busy.close();
});

it('names rewards of votes and factors of contracts only after a maintenance', async () => {
  const voting = await createDevnet({ networkStake: 'mainnet', balance: 100_000 });
  const [deployer, voter] = voting.accounts;
  const dollar = await voting.deploy('fixtures/contracts/Dollar.json', { args: [10n ** 15n, 'Dollar', 'USD', 6] });
  const webOf = (devnet: Devnet) => new TronWeb({ fullHost: devnet.http.url, privateKey: voter!.privateKey });
  const vote = async (devnet: Devnet) => {
    const tronWeb = webOf(devnet);
    const built = await tronWeb.transactionBuilder.vote({ [voting.witnesses[0]!.address]: 5 }, voter!.address);
    const { txid } = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built));
    return devnet.explain(txid!);
  };
  await voting.setStake(voter!.address, { energy: 100 * TRX });
  await vote(voting);
  await voting.mine({ advanceMs: 7 * 3_600_000 });
  // There are no factors in the first cycle.
  await voting.setContractEnergy(dollar.address, { energyFactor: 3_000 });

  const fork = await createDevnet({ fork: voting.http.url, grpcPort: 0 });
  const names = ({ assumptions = [] }: Explained) => assumptions.map(({ name }) => name);
  const call = async () => {
    const there = await fork.contractAt('fixtures/contracts/Dollar.json', dollar.address);
    return fork.explain((await there.write.transfer!([voter!.address, 5n], { from: deployer! })).txid);
  };
  expect(names(await vote(fork))).toEqual(['usages', 'publicBandwidth']);
  expect(names(await call())).not.toContain('energyStateCycle');
  await fork.mine({ advanceMs: 7 * 3_600_000 });
  expect(names(await vote(fork))).toEqual(expect.arrayContaining(['runningVotes', 'runningRewards', 'brokerages']));
  expect(names(await call())).toContain('energyStateCycle');
  await fork.close();
  await voting.close();
});

/** The prefix of a gRPC answer. */
async function grpcMark(url: string, method: 'ListWitnesses'): Promise<unknown[]> {
  const { client } = new ServiceClient('Wallet', url);
  const path = `/protocol.Wallet/${method}`;
  const same = (bytes: Buffer) => bytes;
  const metadata = await new Promise<Metadata>((resolve, reject) => {
    const call = client.makeUnaryRequest(path, same, same, Buffer.alloc(0), (error) => error && reject(error));
    call.on('metadata', resolve);
  });
  client.close();
  return metadata.get('sunup-assumes');
}

const COUNTS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Counts {
  uint256 public last;
  function read(address precompile, address of_) external {
    (, bytes memory answer) = precompile.staticcall(abi.encode(of_));
    last = abi.decode(answer, (uint256));
  }
}`;

it('names the vote tally for a contract that reads the votes of a witness, after a maintenance', async () => {
  const voting = await createDevnet({ balance: 100_000, nodeVersion: '4.8.0' });
  const [, voter] = voting.accounts;
  const [{ address: witness } = { address: '' }] = voting.witnesses;
  const artifact = { contractName: 'Counts', ...(compile(COUNTS, 'Counts') as object) } as ContractArtifact;
  const { address } = await voting.deploy(artifact);
  const fork = await createDevnet({ fork: voting.http.url });
  const names = async (precompile: number, of: string) => {
    const counts = await fork.contractAt(artifact, address);
    const { txid } = await counts.write.read!([`0x${precompile.toString(16).padStart(40, '0')}`, of]);
    const { assumptions = [] } = await fork.explain(txid);
    return assumptions.filter(({ name }) => name === 'runningTally').map(({ of }) => of);
  };
  expect(await names(0x1000009, witness)).toEqual([]);
  await fork.mine({ advanceMs: 7 * 3_600_000 });
  expect(await names(0x1000009, witness)).toEqual([[witness]]);
  // IsSrCandidate; UsedVoteCount; an account that is no witness.
  expect(await names(0x1000006, witness)).toEqual([]);
  expect(await names(0x1000008, voter!.address)).toEqual([]);
  expect(await names(0x1000009, voter!.address)).toEqual([]);
  await fork.close();
  await voting.close();
});

it.each([
  ['4.8.0', 'runningTally'],
  ['4.8.2', null],
] as const)('says in a header that votes of a fork of a node of %s may be others', async (nodeVersion, assumed) => {
  const voting = await createDevnet({ balance: 100_000, nodeVersion });
  const [, voter] = voting.accounts;
  const [{ address: witness } = { address: '' }] = voting.witnesses;
  const vote = async (devnet: Devnet) => {
    const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: voter!.privateKey });
    const built = await tronWeb.transactionBuilder.vote({ [witness]: 52 }, voter!.address);
    const { txid } = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built));
    return devnet.explain(txid!);
  };
  await voting.setStake(voter!.address, { energy: 100 * TRX });
  await vote(voting);
  await voting.mine(1);

  const fork = await createDevnet({ fork: voting.http.url, grpcPort: 0 });
  const asked = async (path: string, devnet = fork) => {
    const answer = await devnet.fetch(`/wallet/${path}`, { method: 'POST', body: '{"limit":10}' });
    const { witnesses } = JSON.parse(await answer.text());
    return { votes: witnesses?.[0].voteCount, mark: answer.headers.get('sunup-assumes') };
  };
  expect((await asked('listwitnesses')).mark).toBe(null);
  if (assumed === null)
    expect(await asked('getpaginatednowwitnesslist')).toEqual(await asked('getpaginatednowwitnesslist', voting));
  for (const devnet of [voting, fork]) await devnet.mine({ advanceMs: 7 * 3_600_000 });
  const [there, here] = [await asked('listwitnesses', voting), await asked('listwitnesses')];
  expect(there.mark).toBe(null);
  expect(here).toEqual({ votes: there.votes - (assumed === null ? 0 : 52), mark: assumed });
  expect(await grpcMark(fork.grpc!.url, 'ListWitnesses')).toEqual(assumed === null ? [] : [assumed]);
  const named = ((await vote(fork)).assumptions ?? []).map(({ name }) => name);
  expect(named.includes('runningTally')).toBe(assumed !== null);
  await fork.close();
  await voting.close();
});
