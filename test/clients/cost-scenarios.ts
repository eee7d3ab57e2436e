/**
 * Transactions with interesting costs, each on a new chain, as users of TronWeb and solc meet them. Ids, addresses and
 * amounts are the same in every run.
 */

import { type Compiled, compile, DAY_MS, type Info, TRX, TronWebDevnet } from './tronweb-devnet.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Token {
  string public name = "Sunrise";
  mapping(address => uint256) public balanceOf;
  event Transfer(address indexed from, address indexed to, uint256 value);
  error InsufficientBalance(address owner, uint256 balance, uint256 needed);
  constructor() { balanceOf[msg.sender] = 1_000_000; }
  function transfer(address to, uint256 value) external returns (bool) {
    uint256 balance = balanceOf[msg.sender];
    if (balance < value) revert InsufficientBalance(msg.sender, balance, value);
    balanceOf[msg.sender] = balance - value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    return true;
  }
}

contract Shop {
  Token public immutable token;
  uint256 public sold;
  mapping(uint256 => uint256) public stock;
  constructor(Token token_) { token = token_; }
  function buy(address to, uint256 amount) external payable {
    require(msg.value >= amount, "Shop: not paid for");
    token.transfer(to, amount);
    sold += amount;
  }
  function refund(address payable to, uint256 amount) external { to.transfer(amount); }
  function restock(uint256 from, uint256 count) external {
    for (uint256 i; i < count; ++i) stock[from + i] = block.number;
  }
  function average() external view returns (uint256) { return address(this).balance / sold; }
}`;

export interface Told {
  readonly chain: TronWebDevnet;
  readonly info: Info;
}

export interface Scenario {
  /** The name of its committed output. */
  readonly name: string;
  readonly tell: () => Promise<Told>;
}

let compiled: { readonly Token: Compiled; readonly Shop: Compiled } | undefined;
const contracts = () => {
  compiled ??= { Token: compile(SOURCE, 'Token'), Shop: compile(SOURCE, 'Shop') };
  return compiled;
};

interface Deployment {
  readonly userFeePercentage?: number;
  readonly originEnergyLimit?: number;
  readonly parameters?: readonly unknown[];
}

const FEE_LIMIT = 1_000 * TRX;

export async function deploy(
  chain: TronWebDevnet,
  name: 'Token' | 'Shop',
  { userFeePercentage = 100, originEnergyLimit = 10_000_000, parameters = [] }: Deployment = {},
): Promise<{ readonly info: Info; readonly address: string }> {
  const { transactionBuilder, address } = chain.client(0);
  const { abi, bytecode } = contracts()[name];
  const options = { abi, bytecode, feeLimit: FEE_LIMIT, userFeePercentage, originEnergyLimit, name, parameters };
  const info = await chain.send(0, transactionBuilder.createSmartContract(options as never, chain.address(0)));
  return { info, address: address.fromHex(info.contract_address as string) };
}

interface Call {
  readonly feeLimit?: number;
  readonly callValue?: number;
}

export async function call(
  chain: TronWebDevnet,
  i: number,
  contract: string,
  signature: string,
  values: readonly (readonly [type: string, value: unknown])[],
  { feeLimit = FEE_LIMIT, callValue = 0 }: Call = {},
): Promise<Info> {
  const parameters = values.map(([type, value]) => ({ type, value }));
  const { transactionBuilder } = chain.client(i);
  const { transaction } = await transactionBuilder.triggerSmartContract(
    contract,
    signature,
    { feeLimit, callValue },
    parameters as never,
    chain.address(i),
  );
  return chain.send(i, transaction);
}

export function stake(chain: TronWebDevnet, i: number, coins: number, resource: 'ENERGY' | 'BANDWIDTH'): Promise<Info> {
  return chain.send(i, chain.client(i).transactionBuilder.freezeBalanceV2(coins * TRX, resource, chain.address(i)));
}

function delegate(chain: TronWebDevnet, from: number, to: number, coins: number): Promise<Info> {
  const { transactionBuilder } = chain.client(from);
  return chain.send(
    from,
    transactionBuilder.delegateResource(coins * TRX, chain.address(to), 'ENERGY', chain.address(from), false),
  );
}

/** An account that does not exist. */
export const NOBODY = 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC';

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'activation',
    async tell() {
      const chain = await TronWebDevnet.start();
      const built = chain.client(0).transactionBuilder.sendTrx(NOBODY, 25 * TRX, chain.address(0));
      return { chain, info: await chain.send(0, built) };
    },
  },
  {
    name: 'free-bandwidth-used-up',
    async tell() {
      const chain = await TronWebDevnet.start();
      await stake(chain, 9, 500, 'BANDWIDTH');
      const { transactionBuilder } = chain.client(1);
      const transfer = () => transactionBuilder.sendTrx(chain.address(2), TRX, chain.address(1));
      for (let i = 0; i < 2; i++) await chain.send(1, transfer());
      return { chain, info: await chain.send(1, transfer()) };
    },
  },
  {
    name: 'memo-and-two-signatures',
    async tell() {
      const chain = await TronWebDevnet.start();
      const { transactionBuilder, trx } = chain.client(0);
      const permission = (name: string, type: number, id?: number) => ({
        type,
        ...(id !== undefined && { id }),
        permission_name: name,
        threshold: 2,
        ...(type === 2 && { operations: '7fff1fc0033e0000000000000000000000000000000000000000000000000000' }),
        keys: [0, 1].map((i) => ({ address: chain.address(i), weight: 1 })),
      });
      await chain.send(
        0,
        transactionBuilder.updateAccountPermissions(
          chain.address(0),
          permission('owner', 0) as never,
          undefined as never,
          [permission('active', 2)] as never,
        ),
      );
      const built = await transactionBuilder.sendTrx(chain.address(2), TRX, chain.address(0));
      const withMemo = await transactionBuilder.addUpdateData(built, 'invoice 17', 'utf8');
      const once = await trx.multiSign(withMemo as never, chain.key(0), 0);
      const twice = await trx.multiSign(once as never, chain.key(1), 0);
      const { txid } = await trx.sendRawTransaction(twice as never);
      return { chain, info: await chain.info(txid as string) };
    },
  },
  {
    name: 'deployment',
    async tell() {
      const chain = await TronWebDevnet.start();
      return { chain, info: (await deploy(chain, 'Token')).info };
    },
  },
  {
    name: 'revert-with-reason',
    async tell() {
      const chain = await TronWebDevnet.start();
      const { address } = await deploy(chain, 'Token');
      const info = await call(chain, 1, address, 'transfer(address,uint256)', [
        ['address', chain.address(2)],
        ['uint256', 500],
      ]);
      return { chain, info };
    },
  },
  {
    name: 'revert-from-within',
    async tell() {
      const chain = await TronWebDevnet.start();
      const token = await deploy(chain, 'Token');
      const shop = await deploy(chain, 'Shop', { parameters: [token.address] });
      const info = await call(
        chain,
        1,
        shop.address,
        'buy(address,uint256)',
        [
          ['address', chain.address(1)],
          ['uint256', 40],
        ],
        { callValue: 40 },
      );
      return { chain, info };
    },
  },
  {
    name: 'penalty-at-factor-3.4',
    async tell() {
      const chain = await TronWebDevnet.start({
        parameters: { getDynamicEnergyThreshold: 1_000, getDynamicEnergyIncreaseFactor: 10_000 },
      });
      const { address } = await deploy(chain, 'Shop', { parameters: [NOBODY] });
      const restock = (from: number) =>
        call(chain, 1, address, 'restock(uint256,uint256)', [
          ['uint256', from],
          ['uint256', 3],
        ]);
      for (let epoch = 0; epoch < 4; epoch++) {
        await chain.devnet.mine({ advanceMs: DAY_MS / 4 });
        await restock(3 * epoch);
      }
      await chain.devnet.mine({ advanceMs: DAY_MS / 4 });
      return { chain, info: await restock(12) };
    },
  },
  {
    name: 'deployer-pays-its-percent',
    async tell() {
      const chain = await TronWebDevnet.start();
      const { address } = await deploy(chain, 'Token', { userFeePercentage: 30 });
      await stake(chain, 0, 9_000, 'ENERGY');
      await call(chain, 0, address, 'transfer(address,uint256)', [
        ['address', chain.address(1)],
        ['uint256', 500],
      ]);
      const info = await call(chain, 1, address, 'transfer(address,uint256)', [
        ['address', chain.address(2)],
        ['uint256', 200],
      ]);
      return { chain, info };
    },
  },
  {
    name: 'origin-energy-limit-exhausted',
    async tell() {
      const chain = await TronWebDevnet.start();
      const { address } = await deploy(chain, 'Shop', {
        userFeePercentage: 0,
        originEnergyLimit: 20_000,
        parameters: [NOBODY],
      });
      await stake(chain, 0, 5_000, 'ENERGY');
      const info = await call(chain, 1, address, 'restock(uint256,uint256)', [
        ['uint256', 0],
        ['uint256', 3],
      ]);
      return { chain, info };
    },
  },
  {
    name: 'deployer-stake-exhausted',
    async tell() {
      const chain = await TronWebDevnet.start();
      const { address } = await deploy(chain, 'Shop', { userFeePercentage: 0, parameters: [NOBODY] });
      await stake(chain, 0, 9_500, 'ENERGY');
      const restock = (from: number) =>
        call(chain, 1, address, 'restock(uint256,uint256)', [
          ['uint256', from],
          ['uint256', 3],
        ]);
      await restock(0);
      return { chain, info: await restock(3) };
    },
  },
  {
    name: 'delegated-energy',
    async tell() {
      const chain = await TronWebDevnet.start();
      const { address } = await deploy(chain, 'Shop', { parameters: [NOBODY] });
      await stake(chain, 1, 10, 'ENERGY');
      for (const [lender, coins] of [
        [2, 2_000],
        [3, 1_000],
      ] as const) {
        await stake(chain, lender, coins + 1, 'ENERGY');
        await delegate(chain, lender, 1, coins);
      }
      const info = await call(chain, 1, address, 'restock(uint256,uint256)', [
        ['uint256', 0],
        ['uint256', 2],
      ]);
      return { chain, info };
    },
  },
  {
    name: 'fee-limit-exhausted',
    async tell() {
      const chain = await TronWebDevnet.start();
      const { address } = await deploy(chain, 'Shop', { parameters: [NOBODY] });
      const info = await call(
        chain,
        1,
        address,
        'restock(uint256,uint256)',
        [
          ['uint256', 0],
          ['uint256', 5],
        ],
        { feeLimit: 5 * TRX },
      );
      return { chain, info };
    },
  },
  {
    name: 'balance-exhausted',
    async tell() {
      const chain = await TronWebDevnet.start({ balance: 70 });
      const { address } = await deploy(chain, 'Shop', { parameters: [NOBODY] });
      const { transactionBuilder } = chain.client(1);
      await chain.send(1, transactionBuilder.sendTrx(chain.address(2), 66 * TRX, chain.address(1)));
      const info = await call(chain, 1, address, 'restock(uint256,uint256)', [
        ['uint256', 0],
        ['uint256', 5],
      ]);
      return { chain, info };
    },
  },
];
