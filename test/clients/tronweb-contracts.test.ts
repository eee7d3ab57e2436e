/** TronWeb and solc: deploy, call, read events, fail with a reason, deployer pays, exact estimates. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Compiled, compile, type Info, TRX, TronWebDevnet } from './tronweb-devnet.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Vault {
  address public owner;
  mapping(address => uint256) public deposits;
  uint256[] public history;
  event Deposited(address indexed from, uint256 amount, string note);
  event Paid(address indexed to, uint256 amount);
  error NotEnough(address who, uint256 wanted, uint256 has);
  constructor(address first) payable { owner = first; deposits[first] = msg.value; }
  function deposit(string calldata note) external payable {
    deposits[msg.sender] += msg.value; history.push(msg.value);
    emit Deposited(msg.sender, msg.value, note);
  }
  function pay(address payable to, uint256 amount) external {
    uint256 has = deposits[msg.sender];
    if (has < amount) revert NotEnough(msg.sender, amount, has);
    deposits[msg.sender] = has - amount;
    to.transfer(amount);
    emit Paid(to, amount);
  }
  function guarded() external view { require(msg.sender == owner, "only the owner"); }
  function breaks(uint256 a) external pure returns (uint256) { return 10 / a; }
  function total() external view returns (uint256 sum, uint256 count) {
    for (uint256 i; i < history.length; ++i) sum += history[i];
    return (sum, history.length);
  }
  function work(uint256 n) external { uint256 x; for (uint256 i; i < n; ++i) x ^= uint256(keccak256(abi.encode(x, i))); deposits[address(0)] = x; }
}`;

const FEE_LIMIT = 1_000 * TRX;
const ENERGY_PRICE_SUN = 100;

let vault: Compiled;
beforeAll(() => {
  vault = compile(SOURCE, 'Vault');
});

interface Deployment {
  readonly callValue?: number;
  readonly userFeePercentage?: number;
  readonly originEnergyLimit?: number;
}

async function deployVault(
  chain: TronWebDevnet,
  { callValue = 0, userFeePercentage = 100, originEnergyLimit = 10_000_000 }: Deployment = {},
) {
  const { transactionBuilder: builder, address } = chain.client(0);
  const built = await builder.createSmartContract(
    {
      abi: vault.abi as never,
      bytecode: vault.bytecode,
      feeLimit: FEE_LIMIT,
      callValue,
      userFeePercentage,
      originEnergyLimit,
      name: 'Vault',
      parameters: [chain.address(0)],
    },
    chain.address(0),
  );
  const info = await chain.send(0, built);
  return { info, address: address.fromHex(info.contract_address!) };
}

interface Call {
  readonly feeLimit?: number;
  readonly callValue?: number;
}

type Parameters = { type: string; value: unknown }[];

/** Sends a call, successful or not. */
async function call(
  chain: TronWebDevnet,
  i: number,
  contract: string,
  signature: string,
  parameters: Parameters = [],
  { feeLimit = FEE_LIMIT, callValue = 0 }: Call = {},
): Promise<Info> {
  const { transaction } = await chain
    .client(i)
    .transactionBuilder.triggerSmartContract(
      contract,
      signature,
      { feeLimit, callValue },
      parameters as never,
      chain.address(i),
    );
  return chain.send(i, transaction);
}

describe('a contract', () => {
  let chain: TronWebDevnet;
  let address: string;
  let deployed: Info;
  beforeAll(async () => {
    chain = await TronWebDevnet.start();
    ({ address, info: deployed } = await deployVault(chain, { callValue: 7 * TRX }));
  });
  afterAll(() => chain.devnet.close());

  it('is deployed with the Energy in its receipt', async () => {
    const tronWeb = chain.client(0);
    const { energy_usage_total: energy, energy_fee: feeSun, net_fee: netFeeSun = 0, result } = deployed.receipt;
    expect(result).toBe('SUCCESS');
    expect(feeSun).toBe(energy! * ENERGY_PRICE_SUN);
    expect(deployed.fee).toBe(feeSun! + netFeeSun);
    // 200 Energy for each byte of stored code.
    const code = (await tronWeb.trx.getContractInfo(address)) as unknown as { runtimecode: string };
    expect(energy).toBeGreaterThan((code.runtimecode.length / 2) * 200);
    expect(await tronWeb.trx.getContract(address)).toMatchObject({
      name: 'Vault',
      origin_address: tronWeb.address.toHex(chain.address(0)),
      consume_user_resource_percent: 100,
      origin_energy_limit: 10_000_000,
      abi: { entrys: expect.arrayContaining([expect.objectContaining({ name: 'deposit', type: 'Function' })]) },
    });
    expect(await tronWeb.trx.getBalance(address)).toBe(7 * TRX);
  });

  it('is read without a transaction', async () => {
    const contract = await chain.client(1).contract().at(address);
    expect(await contract.owner!().call()).toBe(chain.client(0).address.toHex(chain.address(0)));
    expect(await contract.deposits!(chain.address(0)).call()).toBe(BigInt(7 * TRX));
    const { sum, count } = await contract.total!().call();
    expect([sum, count]).toEqual([0n, 0n]);
  });

  it('is called, and its event can be read', async () => {
    const tronWeb = chain.client(1);
    const contract = await tronWeb.contract().at(address);
    const txid = (await contract.deposit!('first').send({ callValue: 3 * TRX, feeLimit: FEE_LIMIT })) as string;
    const info = await chain.info(txid);
    expect(info.receipt.result).toBe('SUCCESS');
    const [log] = info.log!;
    expect(log!.address).toBe(tronWeb.address.toHex(address).slice(2));
    expect(log!.topics).toEqual([
      tronWeb.sha3('Deposited(address,uint256,string)').slice(2),
      tronWeb.address.toHex(chain.address(1)).slice(2).padStart(64, '0'),
    ]);
    const [amount, note] = tronWeb.utils.abi.decodeParams([], ['uint256', 'string'], `0x${log!.data}`);
    expect([amount, note]).toEqual([BigInt(3 * TRX), 'first']);
    expect(await contract.deposits!(chain.address(1)).call()).toBe(BigInt(3 * TRX));
    expect(await tronWeb.trx.getBalance(address)).toBe(10 * TRX);
  });

  it('pays out, with a visible internal transfer', async () => {
    const before = await chain.balance(5);
    const info = await call(chain, 1, address, 'pay(address,uint256)', [
      { type: 'address', value: chain.address(5) },
      { type: 'uint256', value: TRX },
    ]);
    expect(await chain.balance(5)).toBe(before + TRX);
    expect(info.internal_transactions).toMatchObject([
      {
        caller_address: chain.client(0).address.toHex(address),
        transferTo_address: chain.client(0).address.toHex(chain.address(5)),
        callValueInfo: [{ callValue: TRX }],
      },
    ]);
  });

  it.each<[string, string, Parameters, (info: Info, chain: TronWebDevnet) => void | Promise<void>]>([
    [
      'a text',
      'guarded()',
      [],
      async (info, { devnet, clients }) => {
        const [selector, text] = [info.contractResult[0]!.slice(0, 8), info.contractResult[0]!.slice(8)];
        expect(selector).toBe('08c379a0');
        expect(clients[0]!.utils.abi.decodeParams([], ['string'], `0x${text}`)).toEqual(['only the owner']);
        const { outcome } = await devnet.explain(info.id);
        expect(outcome.reason).toMatchObject({ error: 'Error', arguments: [{ value: 'only the owner' }] });
      },
    ],
    [
      'an error of its own',
      'pay(address,uint256)',
      [
        { type: 'address', value: 'TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C' },
        { type: 'uint256', value: 50 * TRX },
      ],
      (info, { clients }) => {
        const [result] = info.contractResult;
        expect(result!.slice(0, 8)).toBe(clients[0]!.sha3('NotEnough(address,uint256,uint256)').slice(2, 10));
        const values = clients[0]!.utils.abi.decodeParams(
          [],
          ['address', 'uint256', 'uint256'],
          `0x${result!.slice(8)}`,
        );
        expect(values.slice(1)).toEqual([BigInt(50 * TRX), 0n]);
      },
    ],
    [
      'a panic',
      'breaks(uint256)',
      [{ type: 'uint256', value: 0 }],
      (info) => expect(info.contractResult[0]).toBe(`4e487b71${'12'.padStart(64, '0')}`),
    ],
  ])('reverts with %s, and what was used is paid', async (_, signature, parameters, look) => {
    const before = await chain.balance(2);
    // The ABI declares some of these as read-only: to send them anyway, the transaction is built explicitly.
    const info = await sendRaw(chain, 2, address, signature, parameters);
    expect(info).toMatchObject({ result: 'FAILED', receipt: { result: 'REVERT' } });
    expect(Buffer.from(info.resMessage!, 'hex').toString()).toBe('REVERT opcode executed');
    await look(info, chain);
    expect(info.receipt.energy_fee).toBe(info.receipt.energy_usage_total! * ENERGY_PRICE_SUN);
    expect(await chain.balance(2)).toBe(before - info.fee!);
    expect((await chain.client(2).trx.getTransaction(info.id)).ret).toEqual([{ contractRet: 'REVERT' }]);
  });

  it('returns the reason of a failed call', async () => {
    const { transactionBuilder: builder } = chain.client(3);
    await expect(builder.triggerConstantContract(address, 'guarded()', {}, [], chain.address(3))).rejects.toThrow(
      'REVERT opcode executed',
    );
    const contract = await chain.client(3).contract().at(address);
    await expect(contract.guarded!().call()).rejects.toThrow('REVERT opcode executed');
  });

  it('uses exactly the estimated Energy, and one unit less does not suffice', async () => {
    const { transactionBuilder: builder } = chain.client(4);
    const parameters = [{ type: 'uint256', value: 40 }];
    const constant = await builder.triggerConstantContract(address, 'work(uint256)', {}, parameters, chain.address(4));
    const energy = constant.energy_used!;
    const estimate = await builder.estimateEnergy(address, 'work(uint256)', {}, parameters, chain.address(4));
    // java-tron's estimate is a bisection with an error on the safe side.
    expect(estimate.energy_required).toBeGreaterThanOrEqual(energy);
    const snapshot = chain.devnet.snapshot();
    const enough = await call(chain, 4, address, 'work(uint256)', parameters, { feeLimit: energy * ENERGY_PRICE_SUN });
    expect(enough.receipt).toMatchObject({
      result: 'SUCCESS',
      energy_usage_total: energy,
      energy_fee: energy * ENERGY_PRICE_SUN,
    });
    await chain.devnet.revert(snapshot);
    const short = await call(chain, 4, address, 'work(uint256)', parameters, {
      feeLimit: (energy - 1) * ENERGY_PRICE_SUN,
    });
    expect(short.receipt).toMatchObject({ result: 'OUT_OF_ENERGY', energy_usage_total: energy - 1 });
    expect(short.receipt.energy_fee).toBe((energy - 1) * ENERGY_PRICE_SUN);
  });
});

/** The call as a transaction, although its function is read-only. */
async function sendRaw(
  chain: TronWebDevnet,
  i: number,
  contract: string,
  signature: string,
  parameters: Parameters,
): Promise<Info> {
  const tronWeb = chain.client(i);
  const data = tronWeb.utils.abi
    .encodeParams(
      parameters.map(({ type }) => type),
      parameters.map(({ value }) => value),
    )
    .slice(2);
  const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
    contract,
    '',
    { feeLimit: FEE_LIMIT, callValue: 0, input: tronWeb.sha3(signature).slice(2, 10) + data, txLocal: true } as never,
    [],
    chain.address(i),
  );
  return chain.send(i, transaction);
}

describe('the deployer', () => {
  it('pays for callers with staked Energy, up to its limits', async () => {
    await using chain = await TronWebDevnet.start({ networkStake: 'none' });
    const { transactionBuilder: builder } = chain.client(0);
    const { address } = await deployVault(chain, { userFeePercentage: 0, originEnergyLimit: 1_000_000 });
    // A second staker, so that the share is not the whole network's.
    await chain.send(5, chain.client(5).transactionBuilder.freezeBalanceV2(9_000 * TRX, 'ENERGY', chain.address(5)));
    await chain.send(0, builder.freezeBalanceV2(1_000 * TRX, 'ENERGY', chain.address(0)));
    const paidFor = await call(chain, 1, address, 'deposit(string)', [{ type: 'string', value: 'x' }], {
      callValue: 1,
    });
    expect(paidFor.receipt).toMatchObject({
      result: 'SUCCESS',
      origin_energy_usage: paidFor.receipt.energy_usage_total,
    });
    expect(paidFor.receipt.energy_fee).toBeUndefined();
    expect((await chain.client(0).trx.getAccountResources(chain.address(0))).EnergyUsed).toBe(
      paidFor.receipt.energy_usage_total,
    );

    // Half each: the caller burns its half.
    await chain.send(0, builder.updateSetting(address, 50, chain.address(0)));
    const shared = await call(chain, 2, address, 'deposit(string)', [{ type: 'string', value: 'x' }], { callValue: 1 });
    const { energy_usage_total: total, origin_energy_usage: origin, energy_fee: feeSun } = shared.receipt;
    expect(origin).toBe(Math.floor(total! / 2));
    expect(feeSun).toBe((total! - origin!) * ENERGY_PRICE_SUN);

    // Up to origin_energy_limit for each call.
    await chain.send(0, builder.updateSetting(address, 0, chain.address(0)));
    await chain.send(0, builder.updateEnergyLimit(address, 10_000, chain.address(0)));
    const limited = await call(chain, 3, address, 'deposit(string)', [{ type: 'string', value: 'x' }], {
      callValue: 1,
    });
    expect(limited.receipt.origin_energy_usage).toBe(10_000);
    expect(limited.receipt.energy_fee).toBe((limited.receipt.energy_usage_total! - 10_000) * ENERGY_PRICE_SUN);
    expect(
      (await chain.refusal(1, chain.client(1).transactionBuilder.updateSetting(address, 10, chain.address(1)))).message,
    ).toMatch(/is not the owner of the contract/);

    await chain.send(0, builder.clearABI(address, chain.address(0)));
    expect((await chain.client(0).trx.getContract(address)).abi).toEqual({});
  });

  it('does not pay if the caller has stake', async () => {
    await using chain = await TronWebDevnet.start({ networkStake: 'none' });
    const { address } = await deployVault(chain);
    await chain.send(1, chain.client(1).transactionBuilder.freezeBalanceV2(1_000 * TRX, 'ENERGY', chain.address(1)));
    const info = await call(chain, 1, address, 'deposit(string)', [{ type: 'string', value: 'x' }], { callValue: 1 });
    expect(info.receipt).toMatchObject({ energy_usage: info.receipt.energy_usage_total });
    expect([info.receipt.energy_fee, info.receipt.origin_energy_usage]).toEqual([undefined, undefined]);
  });
});
