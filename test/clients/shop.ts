/** A shop on a devnet, with everything that clients read: events, errors, changing state, and Multicall3. */

import { compile, TRX, TronWebDevnet } from './tronweb-devnet.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Shop {
  event Sold(address indexed buyer, uint256 amount);
  error Closed(uint256 until);
  uint256 public total = 7;
  function buy(uint256 amount) external payable {
    require(amount <= 10, "too much");
    total += amount;
    emit Sold(msg.sender, amount);
  }
  function close() external pure { revert Closed(3); }
  function half(uint256 of_) external pure returns (uint256) { return 100 / of_; }
}
contract Multicall3 {
  struct Call3 { address target; bool allowFailure; bytes callData; }
  struct Result { bool success; bytes returnData; }
  function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
    results = new Result[](calls.length);
    for (uint256 i = 0; i < calls.length; i++) {
      (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
      require(results[i].success || calls[i].allowFailure, "a call failed");
    }
  }
}`;

export const SHOP_ABI = [
  'event Sold(address indexed buyer, uint256 amount)',
  'error Closed(uint256 until)',
  'function total() view returns (uint256)',
  'function buy(uint256 amount) payable',
  'function close() view',
  'function half(uint256) view returns (uint256)',
] as const;

const FEE_LIMIT = 1_000 * TRX;

/** The transaction of a sale, with Ethereum's notation of the id. */
export interface Sale {
  readonly hash: `0x${string}`;
  readonly blockNumber: number;
}

export class Shop {
  private constructor(
    readonly chain: TronWebDevnet,
    readonly address: `0x${string}`,
    readonly multicallAddress: `0x${string}`,
  ) {}

  static async open(): Promise<Shop> {
    const chain = await TronWebDevnet.start();
    const deploy = async (name: string): Promise<`0x${string}`> => {
      const built = chain
        .client(0)
        .transactionBuilder.createSmartContract(
          { ...compile(SOURCE, name), feeLimit: FEE_LIMIT, name, userFeePercentage: 100 } as never,
          chain.address(0),
        );
      return `0x${(await chain.send(0, built)).contract_address!.slice(2)}`;
    };
    return new Shop(chain, await deploy('Shop'), await deploy('Multicall3'));
  }

  account(i: number): `0x${string}` {
    return `0x${this.chain.devnet.accounts[i]!.addressHex.slice(2)}`;
  }

  /** Account `i` buys. */
  async buy(i: number, amount: number): Promise<Sale> {
    const { chain } = this;
    const { transaction } = await chain
      .client(i)
      .transactionBuilder.triggerSmartContract(
        `41${this.address.slice(2)}`,
        'buy(uint256)',
        { feeLimit: FEE_LIMIT },
        [{ type: 'uint256', value: amount }],
        chain.address(i),
      );
    const { id, blockNumber } = await chain.send(i, transaction);
    return { hash: `0x${id}`, blockNumber };
  }
}
