/**
 * What the pool has run is not run again for a block where that makes no difference: a node that takes the blocks over,
 * and runs all of them, has the same rows, pre-images among them, in memory and on the disk.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { type LevelDatabase, LevelStore } from '../../src/node/storage/level-store.js';
import { openLevelDb } from '../../src/platform/leveldb.js';
import { hexToBytes } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { decodeBlock } from '../../src/protocol/block.js';
import { SmartContract } from '../../src/protocol/generated/smart-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Permission,
  Permission_PermissionType,
} from '../../src/protocol/generated/tron.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import type { Store } from '../../src/state/store.js';
import { COIN, callData, fixtureBytecode, SimulatedChain, strangerAddress } from './simulated-chain.js';
import { storeDigest } from './store-digest.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-kept-runs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let databases = 0;
const stores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => new MemoryStore(),
  disk: async () =>
    new LevelStore((await openLevelDb(path.join(folder, String(++databases)))) as unknown as LevelDatabase),
};

/** Code that keeps what an opcode of no arguments gives in slot 0; with the place below the head for BLOCKHASH. */
const KEEPERS = ['42', '43', '41', '60014303' + '40', '47', '48', '46'] as const;
const keeper = (opcode: string) => {
  const code = `${opcode}600055`;
  const size = (code.length / 2).toString(16).padStart(2, '0');
  return `60${size}600c60003960${size}6000f3${code}`;
};

interface World {
  readonly chain: SimulatedChain;
  readonly token: Address;
  readonly keepers: readonly Address[];
}

/** Adaptive Energy counts what a block has used. */
const parameters = { ALLOW_ADAPTIVE_ENERGY: 1, ALLOW_DYNAMIC_ENERGY: 1, ENERGY_FEE: 100 };
const open = (store: Store) => SimulatedChain.open({ store, parameters });

async function begin(store: Store): Promise<World> {
  const chain = await open(store);
  chain.node.mine(2);
  const deploy = (bytecode: string) => {
    const { info } = chain.send(
      ContractType.CreateSmartContract,
      {
        owner_address: chain.address(0),
        new_contract: SmartContract.create({
          origin_address: chain.address(0),
          bytecode,
          consume_user_resource_percent: 100n,
          origin_energy_limit: 1_000_000n,
        }),
      },
      { feeLimitSun: 1_000n * COIN },
    );
    return info.contract_address as Address;
  };
  const token = deploy(`${fixtureBytecode('Token')}${(10n ** 12n).toString(16).padStart(64, '0')}`);
  const keepers = KEEPERS.map((opcode) => deploy(keeper(opcode)));
  chain.node.mine(1);
  return { chain, token, keepers };
}

type Step = readonly [
  what: 'pay' | 'queue' | 'stranger' | 'token' | 'keep' | 'fail' | 'permissions' | 'mine',
  by: number,
  n: number,
];
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(
    'pay',
    'pay',
    'queue',
    'stranger',
    'token',
    'token',
    'token',
    'keep',
    'fail',
    'permissions',
    'mine',
    'mine',
  ),
  fc.nat(5),
  fc.nat(KEEPERS.length - 1),
);

function take({ chain, token, keepers }: World, [what, by, n]: Step): void {
  const owner = chain.address(by);
  const call = (contract_address: Address, data: string) =>
    chain.send(
      ContractType.TriggerSmartContract,
      { owner_address: owner, contract_address, data },
      { feeLimitSun: 100n * COIN },
    );
  switch (what) {
    case 'pay':
      return void chain.transfer(by, chain.address(n % 6), BigInt(n + 1));
    case 'queue': {
      const fields = { owner_address: owner, to_address: chain.address(n % 6), amount: COIN };
      chain.node.chain.pool.queue(chain.transaction(ContractType.TransferContract, fields));
      return;
    }
    case 'stranger':
      return void chain.transfer(by, strangerAddress(n), COIN);
    case 'token':
      return void call(token, callData('transfer(address,uint256)', chain.address(n % 6), 1n));
    case 'keep':
      return void call(keepers[n] as Address, '');
    case 'fail':
      return void call(
        token,
        callData('transferFrom(address,address,uint256)', chain.address(n % 6), owner, 10n ** 15n),
      );
    case 'permissions':
      return void chain.send(ContractType.AccountPermissionUpdateContract, {
        owner_address: owner,
        owner: Permission.create({ permission_name: 'owner', threshold: 1n, keys: [{ address: owner, weight: 1n }] }),
        actives: [
          Permission.create({
            type: Permission_PermissionType.Active,
            id: 2,
            permission_name: 'active',
            threshold: 1n,
            operations: '7fff1fc0033ef30f'.padEnd(64, '0'),
            keys: [{ address: owner, weight: 1n }],
          }),
        ],
      });
    case 'mine':
      chain.node.mine(1);
  }
}

/** To the same oneself is refused; it is in the mix all the same. */
function tryTo(world: World, one: Step): void {
  try {
    take(world, one);
  } catch (error) {
    if ((error as Error).name !== 'JavaException') throw error;
  }
}

it.each(Object.keys(stores))('blocks of what was kept are those of what is run: %s', async (kind) => {
  const newStore = stores[kind] as () => Promise<Store>;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
      const world = await begin(await newStore());
      for (const one of steps) tryTo(world, one);
      const { chain } = world;
      chain.node.mine(1);
      const other = await open(await newStore());
      for (const bytes of chain.blocks(1)) {
        const { header, transactions } = decodeBlock(hexToBytes(bytes));
        other.node.chain.import(header, transactions);
      }
      for (const { node } of [chain, other]) await node.chain.durable();
      expect(await storeDigest(other.store)).toBe(await storeDigest(chain.store));
      await chain.close();
      await other.close();
    }),
    { numRuns: kind === 'disk' ? 8 : 25, seed: 81 },
  );
});

it('keeps what has not seen its header, whoever has looked at the receipt, and runs what comes after', async () => {
  const { chain, token, keepers } = await begin(new MemoryStore());
  const call = (contract_address: Address, data: string) =>
    chain.send(
      ContractType.TriggerSmartContract,
      { owner_address: chain.address(0), contract_address, data },
      { feeLimitSun: 100n * COIN },
    );
  const pending = [
    chain.transfer(0, chain.address(1), 1n),
    call(token, callData('transfer(address,uint256)', chain.address(1), 1n)),
    call(keepers[0] as Address, ''),
    chain.transfer(0, chain.address(1), 1n),
  ];
  expect(pending.map(({ info }) => info.blockNumber)).toEqual([0n, 0n, 0n, 0n]);
  const { number, transactions } = chain.node.producer.mineAfter(chain.node.chain.headTimeMs);
  const isKept = transactions.map(({ charges }, at) => charges === pending[at]?.charges);
  expect(isKept).toEqual([true, true, false, false]);
  expect(transactions.map(({ info }) => info.blockNumber)).toEqual(Array(4).fill(BigInt(number)));
  await chain.close();
});
