/** A fork of another Sunup, with requests over its public interfaces only: costs are those of the network. */

import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Wallet } from 'ethers';
import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { banner } from '../../src/cli/banner.js';
import { runEstimate } from '../../src/cli/estimate-command.js';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.js';
import { settingsForCommand } from '../../src/options/settings.js';
import { toJson } from '../../src/primitives/amount-json.js';
import { said } from '../unit/cli/said.js';
import { FaultyProxy } from '../wire/fork-proxy.js';

const TRX = 1_000_000;
const hex20 = (base58: string) => String(TronWeb.address.toHex(base58)).slice(2);
let network: Devnet;
let token: string;
beforeAll(async () => {
  network = await createDevnet({ networkStake: 'mainnet' });
  const [deployer, holder, staker] = network.accounts;
  const terms = { args: [10n ** 15n, 'Dollar', 'USD', 6], userFeePercent: 60, originEnergyLimit: 7_000 };
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', terms);
  token = dollar.address;
  await dollar.write.transfer!([holder!.address, 1_000_000n]);
  await network.setStake(deployer!.address, { energy: 5_000 * TRX });
  await network.setStake(staker!.address, { energy: 2_000 * TRX });
  await network.setDelegation(staker!.address, holder!.address, { energy: 500 * TRX });
  await network.setContractEnergy(token, { energyFactor: 2_000 });
  await network.mine(40);
});
afterAll(() => network.close());

async function height(devnet: Devnet): Promise<number> {
  const { block_header } = JSON.parse(await (await devnet.fetch('/wallet/getnowblock')).text());
  return block_header.raw_data.number;
}

async function rpc(devnet: Devnet, method: string, ...params: readonly unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  return JSON.parse(await (await devnet.fetch('/eth', { method: 'POST', headers, body })).text());
}

async function transferAt(devnet: Devnet, amount: bigint) {
  const [, holder, , other] = devnet.accounts;
  const dollar = await devnet.contractAt('fixtures/contracts/Dollar.json', token);
  return dollar.write.transfer!([other!.address, amount], { from: holder! });
}

/** The caller and the token of a chain. */
async function transferOn(devnet: Devnet, amount: bigint) {
  const { txid } = await transferAt(devnet, amount);
  const { energy, bandwidth, feeSun, charges } = await devnet.explain(txid);
  const burned = charges.find(({ resource, reason }) => resource === 'coin' && reason === 'energy');
  return { energy, bandwidth, feeSun, energyBurned: Number(burned?.units) };
}

const states = async (devnet: Devnet) => {
  const ask = async (path_: string, body: object) =>
    JSON.parse(await (await devnet.fetch(path_, { method: 'POST', body: JSON.stringify(body) })).text());
  const [deployer, holder, staker, other] = devnet.accounts.map(({ addressHex }) => addressHex);
  return {
    accounts: await Promise.all(
      [deployer, holder, staker].map((address) => ask('/wallet/getaccountresource', { address })),
    ),
    // No interface shows the cycle in which a factor was written.
    contract: {
      ...(await ask('/wallet/getcontractinfo', { value: token, visible: true })).contract_state,
      update_cycle: undefined,
    },
    other,
  };
};

const asked = (...words: readonly string[]) => said((say) => runEstimate(['estimate', ...words], say));

const estimated = async (...words: readonly string[]) => JSON.parse((await asked(...words)).out);

// The address depends on the time of the question, and its rows are the network's: they are asked for once.
it('simulates a deployment on a fork that follows the clock', async () => {
  const proxy = await FaultyProxy.open(network.http.url);
  const fork = await createDevnet({ fork: proxy.url, mining: 'manual', clock: 'wall' });
  const owner_address = fork.accounts[0]!.addressHex;
  const ask = async (method: string) => {
    const body = JSON.stringify({ owner_address, data: '600160005360016000f3' });
    return JSON.parse(await (await fork.fetch(`/wallet/${method}`, { method: 'POST', body })).text());
  };
  const before = proxy.seen.filter(({ path: asked }) => asked === '/wallet/getaccount').length;
  expect((await ask('triggerconstantcontract')).constant_result).toEqual(['01']);
  expect((await ask('estimateenergy')).result).toEqual({ result: true });
  const accounts = proxy.seen.filter(({ path: asked }) => asked === '/wallet/getaccount').slice(before);
  expect(accounts).toHaveLength(1);
  await fork.close();
  await proxy.close();
});

describe('Ethereum transactions whose code creates contracts, on a fork that follows the clock', () => {
  // Rows of the new addresses, which depend on the transaction's id and so on its time, are the network's.
  const creator = `0x${'c0de'.repeat(10)}`;
  const opened = async () => {
    const fork = await createDevnet({ fork: network.http.url, mining: 'manual', clock: 'wall' });
    const rpc = async (method: string, ...params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      return JSON.parse(await (await fork.fetch('/eth', { method: 'POST', body })).text());
    };
    // Two CREATEs, each of a contract without code.
    await rpc('hardhat_setCode', creator, '0x600060006000f050600060006000f05000');
    const wallet = new Wallet(`0x${fork.accounts[0]!.privateKey}`);
    const send = async (nonce: number, to: string, gasPrice = 420n) => {
      const terms = { to, nonce, gasLimit: 1_000_000n, gasPrice, chainId: BigInt(fork.chainId) };
      return rpc('eth_sendRawTransaction', await wallet.signTransaction(terms));
    };
    const receipt = async (hash: string) => (await rpc('eth_getTransactionReceipt', hash)).result;
    return { fork, wallet, rpc, send, receipt };
  };

  // Found by the simulator with seed 955016.
  it('are answered', async () => {
    const { fork, send, receipt } = await opened();
    const { result } = await send(0, creator);
    await fork.mine(1);
    expect(await receipt(result)).toMatchObject({ status: '0x1' });
    await fork.close();
  });

  it('are sent when their nonce is due, and do not become an error of the one before', async () => {
    const { fork, wallet, send, receipt } = await opened();
    const waiting = await send(1, creator);
    const first = await send(0, wallet.address);
    expect(first).not.toHaveProperty('error');
    await fork.mine(1);
    for (const { result } of [first, waiting]) expect(await receipt(result)).toMatchObject({ status: '0x1' });
    await fork.close();
  });

  it('do not replace a transaction where they are refused', async () => {
    const { fork, wallet, rpc, send, receipt } = await opened();
    const { result } = await send(0, wallet.address);
    await rpc('tron_failNextBroadcast', { code: 'SERVER_BUSY' });
    expect((await send(0, creator, 1_000n)).error.message).toContain('SERVER_BUSY');
    await fork.mine(1);
    expect(await receipt(result)).toMatchObject({ status: '0x1' });
    await fork.close();
  });
});

describe('a fork', () => {
  it('has the costs of the network, on the same state', async () => {
    const fork = await createDevnet({ fork: network.http.url, balance: 1 });
    expect(fork.genesisId).toBe(network.genesisId);
    const id = await network.snapshot();
    const before = await states(network);
    expect(await states(fork)).toEqual(before);
    // The fork funds its own accounts; here the payer has stake on the network.
    for (const chain of [fork, network])
      for (const { address } of chain.accounts) await chain.setBalance(address, 7_000 * TRX);
    // The fork first: otherwise it would fetch rows that the network has changed.
    const costs = async (chain: Devnet) => [
      await transferOn(chain, 5n),
      await transferOn(chain, 70n),
      await transferOn(chain, 900n),
    ];
    const here = await costs(fork);
    expect(here).toEqual(await costs(network));
    await network.revert(id);
    await fork.close();
  });

  it('restores accounts with known keys that were taken over on the network', async () => {
    const id = await network.snapshot();
    const [, , , , taken, handed, shared] = network.accounts;
    const key = (address: string, weight = 1) => ({ address, weight });
    const thief = network.accounts[9]!.address;
    await network.setAccount(taken!.address, { owner_permission: { threshold: 1, keys: [key(thief)] } });
    const operations = `7fff1fc0033e${'0'.repeat(52)}`;
    await network.setAccount(handed!.address, {
      active_permission: [{ threshold: 1, keys: [key(thief)], operations }],
    });
    const both = { threshold: 2, keys: [key(shared!.address), key(thief)] };
    await network.setAccount(shared!.address, { owner_permission: both });
    const warnings: string[] = [];
    const log = { warn: (text: string) => void warnings.push(text), error: () => undefined };
    await using fork = await createDevnet({ fork: network.http.url, log });
    const lost = [taken, handed, shared].map((account) => account!.address);
    expect(warnings).toEqual([expect.stringContaining(`the keys of ${lost.join(', ')} are public`)]);
    for (const { address, privateKey } of fork.accounts.slice(4, 7)) {
      const tronWeb = new TronWeb({ fullHost: fork.http.url, privateKey });
      for (const permissionId of [0, 2]) {
        const built = await tronWeb.transactionBuilder.sendTrx(thief, 1 + permissionId, address, {
          permissionId,
        });
        expect(
          await tronWeb.trx.sendRawTransaction(await tronWeb.trx.multiSign(built, privateKey, permissionId)),
        ).toMatchObject({ result: true });
      }
    }
    await network.revert(id);
  });

  it('names parameters of its network that it does not know, at the start and later', async () => {
    const proxy = await FaultyProxy.open(network.http.url);
    proxy.fault = ({ path: asked }) =>
      asked !== '/wallet/getchainparameters'
        ? 'pass'
        : { instead: (text) => text.replace(']', ',{"key":"getAllowTvmFuture","value":1},{"key":"getAllowNothing"}]') };
    const warnings: string[] = [];
    const log = { warn: (text: string) => void warnings.push(text), error: () => undefined };
    const db = mkdtempSync(path.join(tmpdir(), 'sunup-fork-later-'));
    const touched = async (options: DevnetOptions) => {
      await using fork = await createDevnet(options);
      const { txid } = await transferAt(fork, 4n);
      return (await fork.explain(txid)).assumptions?.filter(({ name }) => name === 'laterParameters');
    };
    const named = [expect.objectContaining({ of: ['getAllowTvmFuture=1'] })];
    expect(await touched({ fork: proxy.url, log, db })).toEqual(named);
    expect(warnings).toEqual([
      expect.stringMatching(/newer than java-tron 4\.8\.2: getAllowTvmFuture=1\. The fork ignores them/),
    ]);
    expect(await touched({ db, fork: proxy.url })).toEqual(named);
    expect(await touched({ fork: network.http.url })).toEqual([]);
    await proxy.close();
    rmSync(db, { recursive: true });
  });

  it('has its own parameters if options set them, and keeps them', async () => {
    const db = mkdtempSync(path.join(tmpdir(), 'sunup-fork-parameters-'));
    const begin = { fork: network.http.url, db };
    const parametersOf = async (devnet: Devnet) => {
      const { chainParameter } = JSON.parse(await (await devnet.fetch('/wallet/getchainparameters')).text());
      return new Map<string, number>(
        chainParameter.map(({ key, value }: { key: string; value: number }) => [key, value]),
      );
    };
    {
      await using fork = await createDevnet({ ...begin, parameters: { getEnergyFee: 50, getMaxCpuTimeOfOneTx: 90 } });
      const changed = new Map([...(await parametersOf(network)), ['getEnergyFee', 50], ['getMaxCpuTimeOfOneTx', 90]]);
      expect(await parametersOf(fork)).toEqual(changed);
      const { energyBurned, feeSun } = await transferOn(fork, 4n);
      expect(feeSun).toBe(50n * BigInt(energyBurned));
    }
    for (const parameters of [undefined, { getEnergyFee: 50 }]) {
      await using again = await createDevnet({ ...begin, ...(parameters && { parameters }) });
      expect((await parametersOf(again)).get('getEnergyFee')).toBe(50);
    }
    const other = { ...begin, parameters: { getEnergyFee: 60 } };
    await expect(createDevnet(other)).rejects.toThrow(
      /says getEnergyFee=60, and the fork that goes on has 50. Remove it/,
    );
    const none = { fork: network.http.url, parameters: { getAllowSameTokenName: 0 } };
    await expect(createDevnet(none)).rejects.toThrow(
      /^option parameters cannot be applied: getAllowSameTokenName cannot be turned off/,
    );
    rmSync(db, { recursive: true });
  });

  it('continues block numbers and times, has its own chain id, and none of its transactions is valid on the network', async () => {
    const fork = await createDevnet({ fork: network.http.url });
    expect(await height(fork)).toBe((await height(network)) + 1);
    expect(fork.chainId).toBe(network.chainId);
    const { blockID, block_header } = JSON.parse(await (await network.fetch('/wallet/getnowblock')).text());
    const { number, timestamp } = block_header.raw_data;
    expect(fork.fork).toEqual({ url: network.http.url, blockNumber: number, timestampMs: timestamp });
    const shown = banner(fork, settingsForCommand({ httpPort: 0 }));
    expect(shown).toMatch(/block [\d,]+ .*\n +That block is \d+ d .*old\. New blocks use the clock of this machine/);
    expect([network.fork, fork.witnesses]).toEqual([undefined, []]);
    // As tools request it.
    const { result: info } = await rpc(fork, 'anvil_nodeInfo');
    expect(info.forkConfig).toMatchObject({ forkUrl: network.http.url, forkBlockNumber: number });
    const { result: metadata } = await rpc(fork, 'hardhat_metadata');
    const chainId = Number(network.chainId);
    expect(metadata.forkedNetwork).toEqual({ chainId, forkBlockNumber: number, forkBlockHash: `0x${blockID}` });
    expect((await rpc(network, 'hardhat_metadata')).result).not.toHaveProperty('forkedNetwork');
    const [from, to] = fork.accounts;
    const built = await (
      await fork.fetch('/wallet/createtransaction', {
        method: 'POST',
        body: JSON.stringify({ owner_address: from!.addressHex, to_address: to!.addressHex, amount: 5 }),
      })
    ).text();
    const answer = await network.fetch('/wallet/broadcasttransaction', { method: 'POST', body: built });
    expect(await answer.text()).toMatch(/TAPOS_ERROR|SIGERROR/);
    await fork.close();
  });

  it('can be reverted, advanced, and changed independently of the network', async () => {
    const fork = await createDevnet({ fork: network.http.url });
    const id = await fork.snapshot();
    const first = await transferOn(fork, 5n);
    await fork.revert(id);
    expect(await transferOn(fork, 5n)).toEqual(first);
    await fork.mine({ advanceMs: 3 * 6 * 3_600_000 });
    expect(await height(fork)).toBeGreaterThan(await height(network));
    await fork.close();
  });

  it.each([undefined, 256])('is reset to its initial state, with a state history of %s', async (blocks) => {
    const fork = await createDevnet({ fork: network.http.url, ...(blocks !== undefined && { stateHistory: blocks }) });
    const [, holder] = fork.accounts;
    const begun = await states(fork);
    const first = await transferOn(fork, 5n);
    await fork.setBalance(holder!.address, 1);
    await fork.mine(600);
    expect(await rpc(fork, 'tron_reset')).toMatchObject({ result: { number: (await height(network)) + 1 } });
    expect(await states(fork)).toEqual(begun);
    const account = await fork.fetch('/wallet/getaccount', {
      method: 'POST',
      body: JSON.stringify({ address: holder!.addressHex }),
    });
    expect(await account.text()).toContain('"balance": 10000000000');
    expect(await transferOn(fork, 5n)).toEqual(first);
    await fork.close();
  });

  it('runs from its cache without the network, with the same figures', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sunup-fork-'));
    try {
      const first = await createDevnet({ fork: network.http.url, forkCache: folder });
      const cost = await transferOn(first, 5n);
      await first.close();
      expect(readdirSync(folder).length).toBeGreaterThan(0);
      const again = await createDevnet({ fork: 'http://127.0.0.1:9', forkCache: folder, forkOffline: true });
      expect(await transferOn(again, 5n)).toEqual(cost);
      const stranger = await again.fetch('/wallet/getaccount', {
        method: 'POST',
        body: JSON.stringify({ address: `41${'9'.repeat(40)}` }),
      });
      expect(await stranger.text()).toContain('the fork is offline');
      await again.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('replays with fetched rows, whatever an incomplete run had given', async () => {
    const counter = 'TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY';
    const to = `0x${hex20(counter)}`;
    // Increments and returns the first word.
    await network.setCode(counter, '0x60005460010160005560005460005260206000f3');
    const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
    const asked = async (devnet: Devnet, method: string, ...params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      return ((await (await devnet.fetch('/eth', { method: 'POST', body })).json()) as { result: string }).result;
    };
    await asked(network, 'hardhat_setStorageAt', to, '0x0', word(41));
    const fork = await createDevnet({ fork: network.http.url });
    await asked(fork, 'eth_sendTransaction', { from: `0x${hex20(fork.accounts[0]!.address)}`, to });
    expect(await asked(fork, 'eth_call', { to }, 'latest')).toBe(word(43));
    await fork.close();
  });

  it('sends events of its own blocks to a client that starts at a block of the network', async () => {
    const fork = await createDevnet({ fork: network.http.url });
    const { number: first } = await fork.mine(0);
    await fork.mine(2);
    const ofNetwork = JSON.parse(await (await network.fetch('/wallet/getblock')).text()).blockID;
    const other = '00000000000003e8'.padEnd(64, 'f');
    const from = fork.fork!.blockNumber + 1;
    for (const [query, id, told] of [
      ['?events=block,removed&from=0', undefined, []],
      ['?events=block,removed', ofNetwork, []],
      ['?events=block,removed', other, [{ from: 0, to: 1_000 }]],
    ] as const) {
      const headers = id === undefined ? {} : { 'last-event-id': id };
      const [stream] = await once(get(`${fork.http.url}/sunup/events${query}`, { headers }), 'response');
      const said: Record<string, number>[] = [];
      for await (const line of createInterface(stream)) {
        if (line.startsWith('data: ')) said.push(JSON.parse(line.slice(6)));
        if (said.at(-1)?.number === first + 2) break;
      }
      stream.destroy();
      expect(said.slice(0, told.length), query).toEqual(told);
      const blocks = said.slice(told.length).flatMap(({ number = 0, emptyBlocks = 1 }) => [number, emptyBlocks]);
      // Empty blocks that were made together are one event.
      expect(blocks, query).toEqual([from, 1, from + 2, 2]);
    }
    await fork.close();
  });

  it('reports a pending transaction once, even if its block waits for rows several times', async () => {
    await using own = await createDevnet({ accounts: 12 });
    const second = own.accounts[6]!;
    const tronWeb = new TronWeb({ fullHost: own.http.url, privateKey: second.privateKey });
    const applied = await tronWeb.transactionBuilder.applyForSR(second.address, 'http://second');
    await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(applied));
    const fork = await createDevnet({ fork: own.http.url, accounts: 1 });
    // The witness's account is fetched with the first block.
    await fork.setNextWitness(second.address);
    const [stream] = await once(get(`${fork.http.url}/sunup/events?events=pending,transaction`), 'response');
    const sender = new TronWeb({ fullHost: fork.http.url, privateKey: fork.accounts[0]!.privateKey });
    const told: string[] = [];
    const heard = (async () => {
      for await (const line of createInterface(stream)) {
        if (line.startsWith('event: ')) told.push(line.slice(7));
        if (told.at(-1) === 'transaction') break;
      }
    })();
    await sender.trx.sendTransaction(own.accounts[3]!.address, 5);
    await heard;
    stream.destroy();
    expect(told).toEqual(['pending', 'transaction']);
    await fork.close();
  });

  it('reports blocks with their call trees', async () => {
    const hasher = 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC';
    await network.setCode(hasher, '0x602060006020600060025afa5000');
    const errors: string[] = [];
    const log = { warn: () => {}, error: (text: string) => void errors.push(text) };
    const fork = await createDevnet({ fork: network.http.url, trace: true, log });
    const told: unknown[] = [];
    fork.on('block', (block) => told.push(...block.transactions));
    const [from] = fork.accounts;
    const sent = await fork.fetch('/eth', {
      method: 'POST',
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_sendTransaction',
        params: [{ from: `0x${from!.addressHex.slice(2)}`, to: `0x${hex20(hasher)}` }],
      }),
    });
    expect(await sent.json()).toMatchObject({ result: expect.stringMatching(/^0x/) });
    await fork.mine(1);
    expect(errors).toEqual([]);
    expect(told).toMatchObject([{ result: 'SUCCESS', trace: { events: [{ name: 'sha256' }] } }]);
    await fork.close();
  });

  it('knows the ids of earlier blocks, in contracts', async () => {
    const asker = `0x${'a5'.repeat(20)}`;
    // BLOCKHASH of its argument.
    await network.setCode(asker, '0x6000354060005260206000f3');
    const folder = mkdtempSync(path.join(tmpdir(), 'sunup-fork-'));
    const asked = async (devnet: Devnet, number: number) => {
      const params = [{ to: asker, data: `0x${number.toString(16).padStart(64, '0')}` }, 'latest'];
      return (await rpc(devnet, 'eth_call', ...params)).result;
    };
    try {
      await network.mine(300);
      const options = { fork: network.http.url, forkCache: folder };
      const fork = await createDevnet(options);
      const head = await height(network);
      const heights = [head - 200, head - 1, head, head - 300];
      const said = await Promise.all(heights.map((number) => asked(fork, number)));
      const ids = await Promise.all(
        heights.map(
          async (number) => (await rpc(network, 'eth_getBlockByNumber', `0x${number.toString(16)}`, false)).result.hash,
        ),
      );
      expect(said).toEqual([...ids.slice(0, 3), `0x${'0'.repeat(64)}`]);
      await fork.close();
      const again = await createDevnet({ ...options, forkOffline: true });
      expect(await Promise.all(heights.map((number) => asked(again, number)))).toEqual(said);
      await again.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('has another chain id if one is given, also when it is reopened', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sunup-fork-'));
    const teller = `0x${'a6'.repeat(20)}`;
    // CHAINID
    await network.setCode(teller, '0x4660005260206000f3');
    const told = async (devnet: Devnet) => [
      (await rpc(devnet, 'eth_chainId')).result,
      BigInt((await rpc(devnet, 'eth_call', { to: teller }, 'latest')).result),
    ];
    try {
      const options = { fork: network.http.url, db: folder };
      const fork = await createDevnet({ ...options, forkChainId: 31_337 });
      expect(await told(fork)).toEqual(['0x7a69', 31_337n]);
      expect(fork.chainId).toBe('0x00007a69');
      await fork.close();
      const again = await createDevnet(options);
      expect(await told(again)).toEqual(['0x7a69', 31_337n]);
      await again.close();
      await expect(createDevnet({ ...options, forkChainId: 5 })).rejects.toThrow('is not the one that the chain in');
      await expect(createDevnet({ ...options, forkChainId: 2 ** 32 })).rejects.toThrow('a number from 1 to 4294967295');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("has its network's release, unless an option sets another", async () => {
    const newer = await createDevnet({ nodeVersion: '4.8.2' });
    const [fork, told] = [
      await createDevnet({ fork: newer.http.url }),
      await createDevnet({ fork: newer.http.url, nodeVersion: '4.8.1' }),
    ];
    expect([fork.nodeVersion, told.nodeVersion]).toEqual(['4.8.2', '4.8.1']);
    for (const devnet of [fork, told, newer]) await devnet.close();
  });

  it("can serve a single estimate, equal to the network's", async () => {
    const [, holder, , other] = network.accounts;
    const call = [token, 'transfer', other!.address, '1_000', '--from', holder!.address, '--json'];
    const there = await estimated(...call, '--url', network.http.url);
    const here = await estimated(...call, '--fork', network.http.url);
    expect(here.limits.atHigherFactors).toHaveLength(4);
    const { text: _, ...limits } = here.limits;
    expect(there.limits).toMatchObject(limits);
    expect([here.assumptions.map(({ name }: { name: string }) => name), there.assumptions]).toEqual([
      ['publicBandwidth'],
      undefined,
    ]);
    expect((await asked(...call.slice(0, -1), '--fork', network.http.url)).out).toContain('publicBandwidth of');
    expect((await asked(...call, '--fork', 'http://127.0.0.1:9')).err).toMatch(/^error: .*does not give/);
  });

  it('can serve an estimate with other values, for accounts that it has not fetched', async () => {
    const [deployer, holder, , other] = network.accounts;
    const call = [token, 'transfer', other!.address, '1_000', '--from', holder!.address, '--json'];
    const whatIf = ['getEnergyFee=210', 'accounts.sender.stake.energy=0,50_000 TRX', 'accounts.deployer.stake.energy=0']
      .concat([`accounts.${deployer!.address}.balance=5 TRX`, 'contracts.called.energyFactor=0,5_000'])
      .flatMap((one) => ['--what-if', one]);
    const there = await estimated(...call, ...whatIf, '--url', network.http.url);
    const here = await estimated(...call, ...whatIf, '--fork', network.http.url);
    const told = ({
      outcomes,
    }: {
      outcomes: readonly { whatIf: object; preview: { fees: object; limits: object } }[];
    }) =>
      outcomes.map(({ whatIf: values, preview: { fees, limits } }) => ({
        values,
        fees,
        limits: { ...limits, text: [] },
      }));
    expect(told(here)).toHaveLength(5);
    expect(told(here)).toEqual(told(there).map((one) => ({ ...one, fees: { ...one.fees, txid: expect.any(String) } })));
  });

  it('estimates for the next block of the network: the smallest feeLimit suffices there, and in later blocks', async () => {
    const id = await network.snapshot();
    const [deployer, holder, , other] = network.accounts;
    // Half of the deployer's Energy is used: each slot restores a unit or two, which increase the limit.
    await network.setAccountResources(deployer!.address, { energyUsage: 46_000 });
    await network.setAccountResources(holder!.address, { energyUsage: 4_000 });
    await network.mine(500);
    const call = [token, 'transfer', other!.address, '1_000', '--from', holder!.address, '--json'];
    const { now } = (await estimated(...call, '--fork', network.http.url)).limits;
    expect(now.deployerEnergy).toBeGreaterThan(0);
    const dollar = await network.contractAt('fixtures/contracts/Dollar.json', token);
    const sent = (feeLimitSun: number) =>
      dollar.write.transfer!([other!.address, 1_000n], {
        from: holder!,
        feeLimit: BigInt(feeLimitSun),
        allowFailure: true,
      });

    const ready = await network.snapshot();
    const { energy } = await network.explain((await sent(now.feeLimitSun)).txid);
    expect(toJson(energy)).toMatchObject({
      total: now.energy,
      caller: { staked: now.stakedEnergy, bought: now.burnedEnergy, feeSun: now.energyFeeSun },
      origin: { paid: now.deployerEnergy },
    });
    await network.revert(ready);
    const tooLow = await network.snapshot();
    expect(await sent(now.feeLimitSun - 100)).toMatchObject({ succeeded: false, result: 'OUT_OF_ENERGY' });
    await network.revert(tooLow);
    await network.mine(20);
    expect(await sent(now.feeLimitSun)).toMatchObject({ succeeded: true });
    await network.revert(id);
  });

  it.each([
    [{ fork: 'http://127.0.0.1:9' }, /does not give/],
    [{ forkOffline: true }, /option forkOffline needs a fork. Set --fork/],
    [{ forkCache: 'fork' }, /option forkCache needs a fork/],
    [{ forkChainId: 7 }, /option forkChainId needs a fork/],
    [
      { fork: 'http://127.0.0.1:9', forkCache: 'package.json' },
      /option forkCache does not give its rows: it cannot be read \(ENOTDIR/,
    ],
    [{ fork: 'http://127.0.0.1:9', predeploy: ['usdt' as const] }, /cannot be used with a fork/],
    [{ fork: 'http://127.0.0.1:9', preset: 'none' }, /option preset cannot be used with a fork/],
    [{ forkOffline: true, genesisTime: 0 }, /option genesisTime cannot be used with a fork/],
    [
      { fork: 'http://127.0.0.1:9', unknownWitnesses: 'miss' as const },
      /option unknownWitnesses cannot be 'miss' on a fork/,
    ],
    [{ fork: 'http://127.0.0.1:9', networkStake: 'none' }, /option networkStake cannot be used with a fork/],
  ])('is refused in a sentence: %j', async (options, words) => {
    await expect(createDevnet(options)).rejects.toThrow(words);
  });
});
