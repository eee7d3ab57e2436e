/**
 * A suite of tests as people write it: a token is deployed, then 200 tests, each of which takes a snapshot, sends three
 * transactions and looks at their receipts, reads twice, and reverts. Contract handles of the library here; viem's
 * contracts here and on Hardhat 3, both in the same process and signed by the node, and on anvil, with keys of its own.
 */

import { readFileSync } from 'node:fs';
import {
  type Abi,
  type Chain,
  createTestClient,
  createWalletClient,
  custom,
  getContract,
  type Hex as Hex0x,
  http,
  publicActions,
  TransactionReceiptNotFoundError,
  type Transport,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry, hardhat } from 'viem/chains';
import { eip1193Provider } from '../../src/clients/eip1193-provider.js';
import { createDevnet, type DeployedContract } from '../../src/index.js';
import { TEST_MNEMONIC } from '../../src/options/test-accounts.js';
import { startAnvil } from './anvil.js';
import { type Bench, median, milliseconds } from './bench.js';
import { startHardhat } from './hardhat.js';

const TESTS = 200;
const TURN = 20;
const SUPPLY = 1_000_000n;

const token = JSON.parse(readFileSync('fixtures/contracts/Token.json', 'utf8')) as {
  readonly abi: Abi;
  readonly bytecode: string;
};

interface Suite {
  readonly setUp: () => Promise<void>;
  readonly test: () => Promise<void>;
  readonly tearDown: () => Promise<void> | void;
}

interface Measured {
  /** The median. */
  readonly perTest: number;
  readonly start: number;
}

export const bench: Bench = {
  about: '200 tests with snapshot, three transactions, two reads, revert: against viem on anvil, and Hardhat 3',

  async *measure(progress) {
    progress('one transaction');
    const transaction = await transactionTime();
    progress('suites');
    const suites = [onSunup(), await viemOnSunup(), await onAnvil(), await onHardhat()];
    const [ours, viem, anvil, peer] = (await measured(suites)) as [Measured, Measured, Measured?, Measured?];
    const perTest = { name: 'a test of a suite of 200', unit: 'ms' } as const;
    yield {
      ...perTest,
      value: ours.perTest,
      ...(anvil && { reference: { name: 'viem on anvil', value: anvil.perTest } }),
      aim: { of: 'ratio', atMost: 1 },
    };
    yield {
      ...perTest,
      name: `${perTest.name}; beside Hardhat`,
      value: ours.perTest,
      ...(peer && { reference: { name: 'viem on Hardhat 3', value: peer.perTest } }),
      aim: { of: 'ratio', atMost: 0.5 },
    };
    yield {
      ...perTest,
      name: `${perTest.name}; viem on Sunup`,
      value: viem.perTest,
      ...(peer && { reference: { name: 'viem on Hardhat 3', value: peer.perTest } }),
      aim: { of: 'ratio', atMost: 0.5 },
    };
    yield {
      name: 'start and deployment',
      unit: 'ms',
      value: ours.start,
      ...(peer && { reference: { name: 'Hardhat 3', value: peer.start } }),
    };
    yield {
      name: 'storage transaction with its receipt',
      unit: 'ms',
      value: transaction,
      aim: { of: 'value', atMost: 2 },
    };
  },
};

/** In turns, so that what else the machine does falls on all of them. */
async function measured(suites: readonly (Suite | undefined)[]): Promise<readonly (Measured | undefined)[]> {
  const starts = new Map<Suite, number>();
  const tests = new Map<Suite, number[]>();
  const those = suites.filter((suite) => suite !== undefined);
  for (const suite of those) starts.set(suite, await milliseconds(suite.setUp));
  for (let i = 0; i < TESTS / TURN; i++) {
    for (const suite of those) {
      const times = tests.get(suite) ?? [];
      tests.set(suite, times);
      for (let j = 0; j < TURN; j++) times.push(await milliseconds(suite.test));
    }
  }
  for (const suite of those) await suite.tearDown();
  return suites.map((suite) => suite && { perTest: median(tests.get(suite) ?? []), start: starts.get(suite) ?? 0 });
}

function onSunup(): Suite {
  let devnet: Awaited<ReturnType<typeof createDevnet>>;
  let contract: DeployedContract;
  return {
    setUp: async () => {
      devnet = await createDevnet({ httpPort: false });
      contract = await devnet.deploy(token as never, { args: [SUPPLY] as never });
    },
    test: async () => {
      const [owner, bob] = devnet.accounts;
      const before = devnet.snapshot();
      for (const amount of [1n, 2n, 3n]) check((await contract.write.transfer([bob, amount])).succeeded);
      check((await contract.read.balanceOf([bob])) === 6n);
      check((await contract.read.balanceOf([owner])) === SUPPLY - 6n);
      await devnet.revert(before);
    },
    tearDown: () => devnet.close(),
  };
}

/** Signed by the node, as on Hardhat. */
async function viemOnSunup(): Promise<Suite> {
  const devnet = await createDevnet({ httpPort: false });
  const [owner, bob] = devnet.accounts.map(({ addressHex }) => `0x${addressHex.slice(2)}` as Hex0x);
  const chain = { ...hardhat, id: Number(devnet.chainId) };
  const people = { account: owner!, owner: owner!, bob: bob! };
  return withViem(custom(eip1193Provider(devnet)), { mode: 'hardhat', chain }, people, () => devnet.close());
}

async function transactionTime(): Promise<number> {
  await using devnet = await createDevnet({ httpPort: false });
  const contract = (await devnet.deploy(token as never, { args: [SUPPLY] as never })) as DeployedContract;
  const times: number[] = [];
  for (let i = 0; i < 300; i++) {
    times.push(await milliseconds(() => contract.write.transfer([devnet.accounts[1], 1n])));
  }
  return median(times.slice(50));
}

async function onAnvil(): Promise<Suite | undefined> {
  const anvil = await startAnvil();
  if (anvil === undefined) return undefined;
  const account = mnemonicToAccount(TEST_MNEMONIC);
  const people = { ...PEOPLE, account };
  return withViem(http(`http://127.0.0.1:${anvil.port}`), { mode: 'anvil', chain: foundry }, people, () =>
    anvil.stop(),
  );
}

async function onHardhat(): Promise<Suite | undefined> {
  let node: Awaited<ReturnType<typeof startHardhat>>;
  // Installing it is no part of its start.
  const installed = await startHardhat();
  if (installed === undefined) return undefined;
  await installed.close();
  const suite = withViem(
    custom({ request: (asked) => node!.request(asked) }),
    { mode: 'hardhat', chain: hardhat },
    { ...PEOPLE, account: PEOPLE.owner },
    () => node?.close(),
  );
  return {
    ...suite,
    setUp: async () => {
      node = await startHardhat();
      await suite.setUp();
    },
  };
}

interface People {
  /** With its key: signed here; an address: signed by the node. */
  readonly account: ReturnType<typeof mnemonicToAccount> | Hex0x;
  readonly owner: Hex0x;
  readonly bob: Hex0x;
}

/** Of anvil and Hardhat. */
const PEOPLE = {
  owner: mnemonicToAccount(TEST_MNEMONIC).address,
  bob: mnemonicToAccount(TEST_MNEMONIC, { addressIndex: 1 }).address,
};

function withViem(
  transport: Transport,
  { mode, chain }: { readonly mode: 'anvil' | 'hardhat'; readonly chain: Chain },
  { account, owner, bob }: People,
  tearDown: Suite['tearDown'],
): Suite {
  const wallet = createWalletClient({ account, chain, transport });
  const test = createTestClient({ mode, chain, transport }).extend(publicActions);
  // `waitForTransactionReceipt` asks at a pace of its own, and is at a loss when blocks are taken back.
  const receiptOf = async (hash: Hex0x) => {
    for (;;) {
      try {
        return await test.getTransactionReceipt({ hash });
      } catch (error) {
        if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
      }
    }
  };
  let address: Hex0x;
  return {
    setUp: async () => {
      const hash = await wallet.deployContract({ abi: token.abi, bytecode: `0x${token.bytecode}`, args: [SUPPLY] });
      address = (await receiptOf(hash)).contractAddress as Hex0x;
    },
    test: async () => {
      const contract = getContract({ address, abi: token.abi, client: { wallet, public: test } }) as unknown as {
        readonly write: Record<string, (args: readonly unknown[]) => Promise<Hex0x>>;
        readonly read: Record<string, (args: readonly unknown[]) => Promise<unknown>>;
      };
      const id = await test.snapshot();
      for (const amount of [1n, 2n, 3n]) {
        check((await receiptOf(await contract.write.transfer!([bob, amount]))).status === 'success');
      }
      check((await contract.read.balanceOf!([bob])) === 6n);
      check((await contract.read.balanceOf!([owner])) === SUPPLY - 6n);
      await test.revert({ id });
    },
    tearDown,
  };
}

function check(holds: boolean): void {
  if (!holds) throw new Error('a test of the suite failed');
}
