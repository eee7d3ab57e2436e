/**
 * Transactions with interesting call trees, each on a new chain: recorded contracts, and nested calls. Ids, addresses
 * and Energy are the same in every run.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DevnetOptions } from '../../src/index.js';
import { SCENARIOS } from './cost-scenarios.js';
import { type Compiled, compile, type Info, TRX, TronWebDevnet } from './tronweb-devnet.js';

export interface Traced {
  readonly chain: TronWebDevnet;
  readonly info: Info;
}

export interface TracedScenario {
  /** The name of its committed output. */
  readonly name: string;
  /** Shown with the artifacts of {@link writeArtifacts}. */
  readonly artifacts?: true;
  readonly tell: (options: DevnetOptions) => Promise<Traced>;
}

const NESTED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
struct Order { address to; uint256 amount; string note; }
contract Vault {
  mapping(address => uint256) public held;
  error NotEnough(address who, uint256 wanted, uint256 has);
  event Held(address indexed who, uint256 amount);
  function put(address who) external payable { held[who] += msg.value; emit Held(who, msg.value); }
  function take(address who, uint256 amount) external {
    if (held[who] < amount) revert NotEnough(who, amount, held[who]);
    held[who] -= amount;
  }
}
contract Desk {
  Vault public immutable vault;
  constructor(Vault vault_) { vault = vault_; }
  function order(Order calldata given) external { vault.take(given.to, given.amount); }
}
contract Shop {
  Vault public vault = new Vault();
  Desk public desk = new Desk(vault);
  function fill(address who) external payable { vault.put{value: msg.value}(who); }
  function order(address who, uint256 amount) external { desk.order(Order(who, amount, "from the shop")); }
  function attempt(address who, uint256 amount) external returns (string memory why) {
    try desk.order(Order(who, amount, "from the shop")) { return "done"; } catch { return "could not be done"; }
  }
  function digest(bytes calldata data) external pure returns (bytes32) { return sha256(data); }
  function say(uint256 amount) external view {
    (bool ok,) = address(0x000000000000000000636F6e736F6c652e6c6f67).staticcall(
      abi.encodeWithSignature("log(string,uint256)", "amount is", amount));
    ok;
  }
}`;

interface Recorded extends Compiled {
  readonly runtime: string;
}

function recorded(name: string): Recorded {
  return JSON.parse(
    readFileSync(new URL(`../../fixtures/contracts/${name}.json`, import.meta.url), 'utf8'),
  ) as Recorded;
}

type Argument = readonly [type: string, value: unknown];

interface Sent {
  readonly callValue?: number;
  readonly feeLimit?: number;
  readonly tokenId?: number;
  readonly tokenValue?: number;
}

class Stage {
  private constructor(readonly chain: TronWebDevnet) {}

  static async set(options: DevnetOptions): Promise<Stage> {
    return new Stage(await TronWebDevnet.start(options));
  }

  async deploy(name: string, compiled: Compiled, parameters: readonly unknown[] = [], callValue = 0): Promise<string> {
    const { transactionBuilder, address } = this.chain.client(0);
    const options = { ...compiled, feeLimit: 1_000 * TRX, name, parameters, callValue };
    const info = await this.chain.send(
      0,
      transactionBuilder.createSmartContract(options as never, this.chain.address(0)),
    );
    return address.fromHex(info.contract_address as string);
  }

  async call(contract: string, signature: string, values: readonly Argument[] = [], sent: Sent = {}): Promise<Info> {
    const { transaction } = await this.chain
      .client(0)
      .transactionBuilder.triggerSmartContract(
        contract,
        signature,
        { feeLimit: 1_000 * TRX, ...sent } as never,
        values.map(([type, value]) => ({ type, value })) as never,
      );
    return this.chain.send(0, transaction);
  }
}

/** The artifacts of created contracts, which have no ABI on the chain. */
export function writeArtifacts(directory: string): void {
  const compiled = compiledNested();
  for (const name of ['Vault', 'Desk'] as const)
    writeFileSync(path.join(directory, `${name}.json`), JSON.stringify({ contractName: name, ...compiled[name] }));
}

function compiledNested() {
  return { Vault: compile(NESTED, 'Vault'), Desk: compile(NESTED, 'Desk'), Shop: compile(NESTED, 'Shop') };
}

async function shopOn(options: DevnetOptions): Promise<{ readonly stage: Stage; readonly shop: string }> {
  const stage = await Stage.set(options);
  return { stage, shop: await stage.deploy('Shop', compiledNested().Shop) };
}

export const TRACED: readonly TracedScenario[] = [
  {
    name: 'revert-deep-inside',
    artifacts: true,
    async tell(options) {
      const { stage, shop } = await shopOn(options);
      const who = stage.chain.address(1);
      await stage.call(shop, 'fill(address)', [['address', who]], { callValue: 5 });
      const info = await stage.call(shop, 'order(address,uint256)', [
        ['address', who],
        ['uint256', 8],
      ]);
      return { chain: stage.chain, info };
    },
  },
  {
    name: 'revert-caught',
    artifacts: true,
    async tell(options) {
      const { stage, shop } = await shopOn(options);
      const info = await stage.call(shop, 'attempt(address,uint256)', [
        ['address', stage.chain.address(1)],
        ['uint256', 8],
      ]);
      return { chain: stage.chain, info };
    },
  },
  {
    name: 'without-artifacts',
    async tell(options) {
      const { stage, shop } = await shopOn(options);
      const info = await stage.call(shop, 'fill(address)', [['address', stage.chain.address(1)]], {
        callValue: 3 * TRX,
      });
      return { chain: stage.chain, info };
    },
  },
  {
    name: 'deployment-that-deploys',
    artifacts: true,
    async tell(options) {
      const { stage } = await shopOn(options);
      const { transactions } = (await stage.chain.client(0).trx.getCurrentBlock()) as {
        transactions: { txID: string }[];
      };
      return { chain: stage.chain, info: await stage.chain.info(transactions[0]!.txID) };
    },
  },
  {
    name: 'factory',
    async tell(options) {
      const stage = await Stage.set(options);
      const factory = await stage.deploy('Factory', recorded('Factory'));
      return {
        chain: stage.chain,
        info: await stage.call(factory, 'make(uint256)', [['uint256', 5]], { callValue: 7 }),
      };
    },
  },
  {
    name: 'factory-fails',
    async tell(options) {
      const stage = await Stage.set(options);
      const factory = await stage.deploy('Factory', recorded('Factory'));
      return { chain: stage.chain, info: await stage.call(factory, 'make(uint256)', [['uint256', 13]]) };
    },
  },
  {
    name: 'self-destruct',
    async tell(options) {
      const stage = await Stage.set(options);
      const factory = await stage.deploy('Factory', recorded('Factory'));
      await stage.call(factory, 'make(uint256)', [['uint256', 5]], { callValue: 2 * TRX });
      const info = await stage.call(factory, 'end(uint256,address)', [
        ['uint256', 0],
        ['address', stage.chain.address(4)],
      ]);
      return { chain: stage.chain, info };
    },
  },
  {
    name: 'precompile',
    async tell(options) {
      const { stage, shop } = await shopOn(options);
      return { chain: stage.chain, info: await stage.call(shop, 'digest(bytes)', [['bytes', '0x123456']]) };
    },
  },
  {
    name: 'console-log',
    async tell(options) {
      const { stage, shop } = await shopOn(options);
      return { chain: stage.chain, info: await stage.call(shop, 'say(uint256)', [['uint256', 42]]) };
    },
  },
  {
    name: 'custom-error',
    async tell(options) {
      const stage = await Stage.set(options);
      const token = await stage.deploy('Token', recorded('Token'), [100]);
      const info = await stage.call(token, 'transfer(address,uint256)', [
        ['address', stage.chain.address(1)],
        ['uint256', 101],
      ]);
      return { chain: stage.chain, info };
    },
  },
  {
    name: 'coin-that-is-not-there',
    async tell(options) {
      const stage = await Stage.set(options);
      const meter = await stage.deploy('Meter', recorded('Meter'));
      const info = await stage.call(meter, 'trySend(address,uint256)', [
        ['address', stage.chain.address(2)],
        ['uint256', TRX],
      ]);
      return { chain: stage.chain, info };
    },
  },
  {
    name: 'out-of-energy',
    async tell(options) {
      const stage = await Stage.set(options);
      const meter = await stage.deploy('Meter', recorded('Meter'));
      const info = await stage.call(meter, 'burn(uint256)', [['uint256', 10_000]], { feeLimit: TRX });
      return { chain: stage.chain, info };
    },
  },
  {
    name: 'trc10',
    async tell(options) {
      // TronWeb refuses a sale that begins before its own clock.
      const stage = await Stage.set({ ...options, genesisTime: '2090-01-01T00:00:00Z' });
      const { transactionBuilder } = stage.chain.client(0);
      const { timestamp } = (await stage.chain.client(0).trx.getCurrentBlock()).block_header.raw_data;
      const token = {
        ...{ name: 'Coupon', abbreviation: 'CPN', description: 'd', url: 'http://c', totalSupply: 1_000, precision: 0 },
        ...{ trxRatio: 1, tokenRatio: 1, saleStart: timestamp + 600_000, saleEnd: timestamp + 900_000 },
        ...{ freeBandwidth: 0, freeBandwidthLimit: 0, frozenAmount: 0, frozenDuration: 0 },
      };
      await stage.chain.send(0, transactionBuilder.createToken(token as never, stage.chain.address(0)));
      const stake = await stage.deploy('Stake', recorded('Stake'));
      const tokenId = 1_000_001;
      const info = await stage.call(
        stake,
        'callToken(address,uint256,uint256,uint256)',
        [
          ['address', stage.chain.address(3)],
          ['uint256', 4],
          ['uint256', tokenId],
          ['uint256', 0],
        ],
        { tokenId, tokenValue: 10 },
      );
      return { chain: stage.chain, info };
    },
  },
  {
    name: 'stake-in-a-contract',
    async tell(options) {
      const stage = await Stage.set(options);
      const stake = await stage.deploy('Stake', recorded('Stake'));
      await stage.chain.send(
        0,
        stage.chain.client(0).transactionBuilder.sendTrx(stake, 5 * TRX, stage.chain.address(0)),
      );
      const info = await stage.call(stake, 'freeze(uint256,uint256)', [
        ['uint256', 3 * TRX],
        ['uint256', 1],
      ]);
      return { chain: stage.chain, info };
    },
  },
  {
    name: 'penalty',
    tell: () => SCENARIOS.find(({ name }) => name === 'penalty-at-factor-3.4')!.tell(),
  },
];
