/** Contracts of the genesis: TronWeb and viem find them at the main network's addresses. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPublicClient, encodeFunctionData, erc20Abi, http, multicall3Abi } from 'viem';
import { afterAll, describe, expect, it } from 'vitest';
import { file, predeployedCode } from '../../scripts/compile-contracts.js';
import { checkDirectory } from '../../src/devnet/database/check-database.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import { keccak256OfHex } from '../../src/protocol/hashes.js';
import { TRX, TronWebDevnet } from './tronweb-devnet.js';

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const WTRX = 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR';
const USDT_0X = '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c';
const MULTICALLS = [
  '0x32a4f47a74a6810bd0bf861cabab99656a75de9e',
  '0xca11bde05977b3631167028862be2a173976ca11',
] as const;
const ALL = ['multicall3', 'usdt', 'wtrx'] as const;

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-predeployed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ethereum = (account: { readonly addressHex: string }) => `0x${account.addressHex.slice(2)}` as const;

/** Calls a function that changes the state; TronWeb finds its signature in the ABI on the chain. */
async function send(
  chain: TronWebDevnet,
  i: number,
  contract: string,
  method: string,
  values: unknown[],
  callValue = 0,
) {
  const at = await chain.client(i).contract().at(contract);
  const txid = await at[method](...values).send({ feeLimit: 100 * TRX, callValue });
  return chain.info(txid as string);
}

async function read(chain: TronWebDevnet, contract: string, method: string, ...values: unknown[]): Promise<unknown> {
  const at = await chain.client(0).contract().at(contract);
  return at[method](...values).call();
}

describe('the code', () => {
  it('equals the compiled sources', () => {
    expect(readFileSync(file, 'utf8')).toBe(predeployedCode());
  });
});

describe('usdt', () => {
  it('has its initial holders, also in /v1', async () => {
    await using devnet = await createDevnet({ predeploy: [...ALL], accounts: 3, httpPort: false });
    const [one, two] = devnet.accounts;
    const ask = async (path: string) => ((await (await devnet.fetch(`/v1/${path}`)).json()) as { data: never[] }).data;
    const holders = async () =>
      new Map((await ask(`contracts/${USDT}/tokens`)).map((row) => Object.entries(row)[0] as [string, string]));
    const all = devnet.accounts.map(({ address }) => [address, '10000000000'] as const);
    expect(new Set(await holders())).toEqual(new Set(all));
    expect(await ask(`contracts/${WTRX}/tokens`)).toEqual([]);
    expect(await ask(`accounts/${one!.address}/trc20/balance`)).toEqual([{ [USDT]: '10000000000' }]);
    expect(await ask(`accounts/${one!.address}`)).toMatchObject([{ trc20: [{ [USDT]: '10000000000' }] }]);
    const usdt = await devnet.contractAt(undefined, USDT);
    await usdt.write.transfer([two!.address, 10_000_000_000n]);
    expect(await holders()).toEqual(new Map([[two!.address, '20000000000'], all[2]!]));
    expect(await ask(`accounts/${one!.address}/trc20/balance`)).toEqual([]);
  });

  it('has the holders of now, also after a change without a block', async () => {
    await using chain = await TronWebDevnet.start({ predeploy: ['usdt'], accounts: 2, mining: 'manual' });
    const { devnet } = chain;
    const [one, two] = devnet.accounts.map(({ address }) => address) as [string, string];
    const balances = async () => {
      const page = await devnet.fetch(`/v1/contracts/${USDT}/tokens`);
      const { data } = (await page.json()) as { readonly data: readonly Readonly<Record<string, string>>[] };
      return Object.assign({}, ...data) as Readonly<Record<string, string>>;
    };
    expect(await balances()).toMatchObject({ [one]: '10000000000' });
    // The mapping is the second variable.
    const slot = keccak256OfHex(devnet.accounts[0]!.addressHex.slice(2).padStart(64, '0') + '1'.padStart(64, '0'));
    await devnet.setStorageAt(USDT, `0x${slot}`, 7n);
    expect(await balances()).toMatchObject({ [one]: '7' });
    const at = await chain.client(0).contract().at(USDT);
    await at.transfer(two, 3).send({ feeLimit: 100 * TRX });
    expect(await balances()).toMatchObject({ [one]: '4', [two]: '10000000003' });
    await devnet.dropAllTransactions();
    expect(await balances()).toMatchObject({ [one]: '7', [two]: '10000000000' });
  });

  it('is a token for TronWeb', async () => {
    await using chain = await TronWebDevnet.start({ predeploy: ['usdt'] });
    expect(await read(chain, USDT, 'symbol')).toBe('USDT');
    expect(await read(chain, USDT, 'decimals')).toBe(6n);
    expect(await read(chain, USDT, 'totalSupply')).toBe(100_000_000_000n);
    expect(await read(chain, USDT, 'balanceOf', chain.address(7))).toBe(10_000_000_000n);
    const sent = await send(chain, 1, USDT, 'transfer', [chain.address(2), 25_000_000]);
    // The figures of docs/reference/predeployed.md. It returns false, as on the main network.
    expect(sent.receipt).toMatchObject({ result: 'SUCCESS', energy_usage_total: 13_688 });
    expect(sent.contractResult).toEqual(['0'.repeat(64)]);
    expect(sent.log).toHaveLength(1);
    expect((await send(chain, 1, USDT, 'transfer', ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', 1])).receipt).toMatchObject({
      energy_usage_total: 28_688,
    });
    expect(await read(chain, USDT, 'balanceOf', chain.address(2))).toBe(10_025_000_000n);

    await send(chain, 2, USDT, 'approve', [chain.address(3), 5_000_000]);
    const taken = await send(chain, 3, USDT, 'transferFrom', [chain.address(2), chain.address(3), 5_000_000]);
    expect(taken.contractResult).toEqual([`${'0'.repeat(63)}1`]);
    expect(await read(chain, USDT, 'allowance', chain.address(2), chain.address(3))).toBe(0n);
  });

  it('has the first funded account as owner', async () => {
    await using chain = await TronWebDevnet.start({ predeploy: ['usdt'] });
    const [owner, user] = [chain.address(0), chain.address(1)];
    await send(chain, 0, USDT, 'issue', [1_000_000]);
    expect(await read(chain, USDT, 'totalSupply')).toBe(100_001_000_000n);
    await send(chain, 0, USDT, 'setParams', [10, 1]);
    await send(chain, 1, USDT, 'transfer', [chain.address(2), 100_000_000]);
    expect(await read(chain, USDT, 'balanceOf', owner)).toBe(10_001_100_000n);
    expect(await read(chain, USDT, 'balanceOf', chain.address(2))).toBe(10_099_900_000n);
    await send(chain, 0, USDT, 'addBlackList', [user]);
    const refused = await send(chain, 1, USDT, 'transfer', [owner, 1]);
    expect(refused.receipt.result).toBe('REVERT');
    const { text } = await chain.devnet.explain(refused.id);
    expect(text.join('\n')).toMatch(/transfer\(address,uint256\) of\s+USDT .*USDT: on the black list/s);
    expect((await send(chain, 1, USDT, 'issue', [1])).receipt.result).toBe('REVERT');
  });
});

it('wtrx is TRX, one for one', async () => {
  await using chain = await TronWebDevnet.start({ predeploy: ['wtrx'] });
  await send(chain, 0, WTRX, 'deposit', [], 5 * TRX);
  // Sent as a call without data.
  const { transactionBuilder } = chain.client(0);
  const options = { callValue: 2 * TRX, feeLimit: 100 * TRX };
  const { transaction } = await transactionBuilder.triggerSmartContract(WTRX, '', options, [], chain.address(0));
  await chain.send(0, transaction);
  expect(await read(chain, WTRX, 'balanceOf', chain.address(0))).toBe(7_000_000n);
  expect(await read(chain, WTRX, 'totalSupply')).toBe(7_000_000n);
  await send(chain, 0, WTRX, 'transfer', [chain.address(1), 3 * TRX]);
  const before = await chain.balance(1);
  const withdrawn = await send(chain, 1, WTRX, 'withdraw', [3 * TRX]);
  expect(await chain.balance(1)).toBe(before + 3 * TRX - (withdrawn.fee ?? 0));
  expect((await send(chain, 1, WTRX, 'withdraw', [1])).receipt.result).toBe('REVERT');
});

describe('multicall3', () => {
  it.each(MULTICALLS)('at %s answers viem', async (multicallAddress) => {
    await using devnet = await createDevnet({ predeploy: ['multicall3', 'usdt'] });
    const client = createPublicClient({ transport: http(`${devnet.http.url}/eth`) });
    const usdt = { address: USDT_0X, abi: erc20Abi } as const;
    const [balance, symbol, failed] = await client.multicall({
      multicallAddress,
      contracts: [
        { ...usdt, functionName: 'balanceOf', args: [ethereum(devnet.accounts[4]!)] },
        { ...usdt, functionName: 'symbol' },
        { ...usdt, functionName: 'transferFrom', args: [ethereum(devnet.accounts[4]!), USDT_0X, 1n] },
      ],
    });
    expect([balance, symbol]).toEqual([
      { status: 'success', result: 10_000_000_000n },
      { status: 'success', result: 'USDT' },
    ]);
    expect(failed.error?.message).toMatch(/USDT: allowance too small/);
  });

  it('returns the block and balances of the chain, and reverts if a failure is not allowed', async () => {
    await using devnet = await createDevnet({ predeploy: ALL });
    const client = createPublicClient({ transport: http(`${devnet.http.url}/eth`) });
    const ask = (functionName: string, args: unknown[] = []) =>
      client.readContract({ address: MULTICALLS[0], abi: multicall3Abi, functionName, args } as never);
    expect(await ask('getCurrentBlockTimestamp')).toBe((await client.getBlock()).timestamp);
    expect(await ask('getEthBalance', [ethereum(devnet.accounts[1]!)])).toBe(10_000_000_000n);
    const callData = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [USDT_0X, 1n] });
    // Multicall3 itself holds none.
    await expect(ask('aggregate3', [[{ target: USDT_0X, allowFailure: false, callData }]])).rejects.toThrow(
      'Multicall3: call failed',
    );
  });
});

describe('a chain with contracts in its genesis', () => {
  const idOf = ({ genesisId, chainId }: Devnet) => [genesisId, chainId];

  it('keeps its genesis block and chain id', async () => {
    await using without = await createDevnet();
    await using devnet = await createDevnet({ predeploy: ALL });
    expect(idOf(devnet)).toEqual(idOf(without));
    expect(without.predeployed).toEqual([]);
    expect(devnet.predeployed.map(({ name, address }) => [name, address])).toEqual([
      ['Multicall3', 'TEazPvZwDjDtFeJupyo7QunvnrnUjPH8ED'],
      ['Multicall3', 'TUPekXLwt15mAG61PBG9raRXsZ57ovBYQ4'],
      ['USDT', USDT],
      ['WTRX', WTRX],
    ]);
    await using nobody = await createDevnet({ predeploy: ALL, accounts: 0 });
    const client = createPublicClient({ transport: http(`${nobody.http.url}/eth`) });
    expect(await client.readContract({ address: USDT_0X, abi: erc20Abi, functionName: 'totalSupply' })).toBe(0n);
  });

  it('is stored with them, and gives the same when it is applied again', async () => {
    const db = path.join(folder, 'kept');
    {
      await using chain = await TronWebDevnet.start({ db, predeploy: ALL });
      await send(chain, 0, USDT, 'transfer', [chain.address(1), 5]);
    }
    {
      await using chain = await TronWebDevnet.start({ db, predeploy: ALL });
      expect(await read(chain, USDT, 'balanceOf', chain.address(1))).toBe(10_000_000_005n);
    }
    expect(await checkDirectory(db, { replay: true })).toMatchObject({ replayed: true, findings: [] });
    await expect(createDevnet({ db })).rejects.toThrow(
      `predeploy is not given, but the chain in ${db} was created with multicall3,usdt,wtrx`,
    );
  });

  it('is refused for unknown names, and if an account has the address', async () => {
    await expect(createDevnet({ predeploy: ['usdd'] as never })).rejects.toThrow(
      'predeploy has "usdd", which does not exist. There are multicall3, usdt, wtrx',
    );
    const accounts = [{ address: USDT, balance: 5 }];
    await expect(createDevnet({ predeploy: ['usdt'], genesis: { accounts } })).rejects.toThrow(
      `has an account ${USDT}, which is the address of the contract USDT`,
    );
  });
});
