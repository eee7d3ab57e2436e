/** Contracts by `devnet.deploy`: handles with typed methods, receipts, failures, artifacts of each compiler. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { providers, TronWeb } from 'tronweb';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import {
  CallFailedError,
  createDevnet,
  type DeployedContract,
  type Devnet,
  type Receipt,
  TransactionFailedError,
  TransactionRefusedError,
} from '../../src/index.js';
import { eip1193Provider, tronWebProvider } from '../../src/testing.js';
import { type Compiled, compile } from './tronweb-devnet.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
library Sums { function sum(uint256 a, uint256 b) external pure returns (uint256) { return a + b; } }
contract Linked { function three() external pure returns (uint256) { return Sums.sum(1, 2); } }
contract Vault {
  struct Entry { address who; uint64 amount; string note; }
  address public owner;
  mapping(address => uint256) public deposits;
  Entry[] entries;
  event Deposited(address indexed from, uint256 amount, string note, Entry entry);
  event Tagged(string indexed tag, bytes4 selector);
  error NotEnough(address who, uint256 wanted, uint256 has);
  constructor(address first, uint8 kind) payable { require(kind == 7, "wrong kind"); owner = first; deposits[first] = msg.value; }
  function deposit(string calldata note) external payable returns (uint256) {
    deposits[msg.sender] += msg.value;
    entries.push(Entry(msg.sender, uint64(msg.value), note));
    emit Deposited(msg.sender, msg.value, note, entries[entries.length - 1]);
    emit Tagged(note, msg.sig);
    return entries.length;
  }
  function put(Entry[] calldata some) external { for (uint256 i; i < some.length; ++i) entries.push(some[i]); }
  function pay(address payable to, uint256 amount) external {
    uint256 has = deposits[msg.sender];
    if (has < amount) revert NotEnough(msg.sender, amount, has);
    deposits[msg.sender] = has - amount;
    to.transfer(amount);
  }
  function all() external view returns (Entry[] memory) { return entries; }
  function pair() external view returns (uint256 count, address first) { return (entries.length, owner); }
  function guarded() external view returns (bool) { require(msg.sender == owner, "only the owner"); return true; }
  function breaks(uint256 a) external pure returns (uint256) { return 10 / a; }
  function set(uint256) external { delete entries; }
  function set(address who) external { owner = who; }
  function spin() external { while (true) deposits[address(0)]++; }
}
contract Factory { Vault public made; function make() external { made = new Vault(msg.sender, 7); } }`;

let devnet: Devnet;
let vault: Compiled;
let contract: DeployedContract;
const sender = (i: number) => devnet.accounts[i]!;

beforeAll(async () => {
  vault = compile(SOURCE, 'Vault');
  devnet = await createDevnet({ httpPort: false });
  contract = await devnet.deploy(artifact(), { args: [sender(0).address, 7], callValue: 5_000n });
});
afterAll(() => devnet.close());

/** As Hardhat writes it. */
function artifact() {
  return { contractName: 'Vault', abi: vault.abi as DeployedContract['abi'], bytecode: `0x${vault.bytecode}` };
}

describe('a deployed contract', () => {
  it('is on the chain with its name and its options', async () => {
    const { deployment } = contract;
    expect(deployment).toMatchObject({ succeeded: true, result: 'SUCCESS', contractAddress: contract.address });
    const own = await devnet.deploy(artifact(), {
      args: [sender(1).address, 7],
      from: sender(1),
      name: 'Other',
      userFeePercent: 30,
      originEnergyLimit: 1_234,
    });
    const answer = await devnet.fetch('/wallet/getcontract', {
      method: 'POST',
      body: JSON.stringify({ value: own.address, visible: true }),
    });
    expect(await answer.json()).toMatchObject({
      name: 'Other',
      origin_address: sender(1).address,
      consume_user_resource_percent: 30,
      origin_energy_limit: 1_234,
    });
  });

  it('can be read: numbers as bigints, addresses in base58check, structs as objects, several values as an array', async () => {
    expect(await contract.read.owner()).toBe(sender(0).address);
    expect(await contract.read.deposits([sender(0).address])).toBe(5_000n);
    expect(await contract.read.pair()).toEqual([0n, sender(0).address]);
    expect(await contract.read.guarded({ from: sender(0).address })).toBe(true);
  });

  it('can be written to: the receipt has the decoded events', async () => {
    const before = devnet.snapshot();
    const { address } = sender(2);
    const receipt: Receipt = await contract.write.deposit(['for rent'], { from: sender(2), callValue: 70 });
    const entry = { who: address, amount: 70n, note: 'for rent' };
    expect(receipt).toMatchObject({ succeeded: true, failure: undefined, contractAddress: contract.address });
    expect(receipt.events).toMatchObject([
      { address: contract.address, name: 'Deposited', args: { from: address, amount: 70n, note: 'for rent', entry } },
      {
        signature: 'Tagged(string,bytes4)',
        args: { tag: expect.stringMatching(/^0x[0-9a-f]{64}$/), selector: expect.stringMatching(/^0x[0-9a-f]{8}$/) },
      },
    ]);
    expect(receipt.returnData).toBe('1'.padStart(64, '0'));
    expect(receipt.feeSun).toBe(BigInt(receipt.energy) * 100n + 0n);
    expect((await receipt.explain()).text.join('\n')).toContain('called deposit(string)');
    expect(await contract.read.all()).toEqual([entry]);
    await devnet.revert(before);
    expect(await contract.read.all()).toEqual([]);
  });

  it('takes structs as objects and as arrays, and addresses in all formats', async () => {
    const before = devnet.snapshot();
    const { address, addressHex } = sender(3);
    await contract.write.put([
      [
        { who: addressHex, amount: 1, note: 'a' },
        [`0x${addressHex.slice(2)}`, 2n, 'b'],
        { who: sender(3), amount: 3n, note: 'c' },
      ],
    ]);
    expect(await contract.read.all()).toMatchObject([
      { who: address, amount: 1n },
      { who: address, amount: 2n },
      { who: address, amount: 3n },
    ]);
    await devnet.revert(before);
  });

  it('selects an overload by the arguments, or by signature', async () => {
    const before = devnet.snapshot();
    await contract.write.set([1n]);
    expect(await contract.read.owner()).toBe(sender(0).address);
    await contract.write['set(address)']([sender(4).address]);
    expect(await contract.read.owner()).toBe(sender(4).address);
    await devnet.revert(before);
  });

  it('can be called by another account after connect', async () => {
    const before = devnet.snapshot();
    const other = contract.connect(sender(5));
    await other.write.deposit(['x'], { callValue: 1 });
    expect(await contract.read.deposits([sender(5).address])).toBe(1n);
    expect(await other.write.deposit(['y'], { from: sender(6) })).toMatchObject({
      events: [{ args: { from: sender(6).address } }, {}],
    });
    await devnet.revert(before);
  });

  it("can be called by an impersonated account, or with a given key, whose signature equals TronWeb's", async () => {
    const before = devnet.snapshot();
    await eip1193Provider(devnet).request({ method: 'tron_impersonate', params: [contract.address] });
    await devnet.setBalance(contract.address, 1_000_000_000n);
    const put = await contract.write.put([[]], { from: contract.address, feeLimit: 1_000_000_000 });
    expect(put).toMatchObject({ succeeded: true, from: contract.address });
    const { address, privateKey } = sender(8);
    const { txid } = await contract.write.put([[]], { from: { address, privateKey: `0x${privateKey}` } });
    const answer = await devnet.fetch('/wallet/gettransactionbyid', {
      method: 'POST',
      body: JSON.stringify({ value: txid }),
    });
    const sent = (await answer.json()) as { signature: string[] };
    const tronWeb = new TronWeb({ fullHost: tronWebProvider(devnet, providers.HttpProvider), privateKey });
    const signed = await tronWeb.trx.sign({ ...sent, signature: undefined } as never);
    expect((signed as typeof sent).signature.map((one) => one.toLowerCase())).toEqual(sent.signature);
    await devnet.revert(before);
  });

  it('simulates a write without a transaction', async () => {
    const before = await devnet.mine(0);
    expect(await contract.simulate.deposit(['rent'], { from: sender(7), callValue: 3n })).toBe(1n);
    await expect(contract.simulate.pay([sender(7), 5n], { from: sender(7) })).rejects.toMatchObject({
      failure: { error: 'NotEnough', args: { wanted: 5n, has: 0n } },
    });
    expect(await devnet.mine(0)).toEqual(before);
  });

  it('estimates the cost of a call', async () => {
    const before = devnet.snapshot();
    const asked = [['rent'], { from: sender(7) }] as const;
    const { energy, energyFeeSun, otherFeesSun, feeLimitSun } = await contract.estimate.deposit(...asked);
    const receipt = await contract.write.deposit(...asked);
    expect(receipt.energy).toBe(energy);
    expect(receipt.feeSun).toBe(energyFeeSun + otherFeesSun);
    expect(feeLimitSun).toBe(energy * 100n);
    await devnet.revert(before);
  });
});

describe('a failure', () => {
  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.unreachable('did not fail'),
      (error: unknown) => error,
    );

  it('in a block has the error of the ABI, the receipt, and the explanation', async () => {
    const error = await failureOf(contract.write.pay([sender(1).address, 9_000n]));
    expect(error).toBeInstanceOf(TransactionFailedError);
    const { message, failure, receipt } = error as TransactionFailedError;
    expect(failure).toMatchObject({
      error: 'NotEnough',
      args: { who: sender(0).address, wanted: 9_000n, has: 5_000n },
      text: `NotEnough(who: ${sender(0).address}, wanted: 9000, has: 5000)`,
    });
    expect(message).toContain(`pay(address,uint256) of Vault (${contract.address}) failed: NotEnough(who: `);
    expect(message).toContain('FAILED with REVERT in block');
    expect(receipt).toMatchObject({ succeeded: false, result: 'REVERT' });
  });

  it("has the names of the called contract's own ABI, although another one names the same error's parameters differently", async () => {
    const renamed = artifact().abi.map((entry) =>
      entry.name === 'NotEnough'
        ? { ...entry, inputs: entry.inputs?.map((one) => ({ ...one, name: `${one.name}2` })) }
        : entry,
    );
    const other = await devnet.deploy({ ...vault, abi: renamed }, { args: [sender(2).address, 7] });
    const args = { who2: sender(0).address, wanted2: 50n, has2: 0n };
    const receipt = await other.write.pay([sender(1).address, 50n], { allowFailure: true });
    expect(receipt.failure).toMatchObject({ error: 'NotEnough', args });
    for (const way of [other.simulate, other.estimate])
      expect(await failureOf(way.pay([sender(1).address, 50n]))).toMatchObject({ failure: { args } });
  });

  it('is returned as a receipt on request', async () => {
    const receipt = await contract.write.pay([sender(1).address, 9_000n], { allowFailure: true });
    expect(receipt).toMatchObject({ succeeded: false, failure: { error: 'NotEnough' }, events: [] });
  });

  it('names a lack of Energy', async () => {
    const error = await failureOf(contract.write.spin([], { feeLimit: 10_000_000n }));
    expect(error).toMatchObject({ receipt: { result: 'OUT_OF_ENERGY', energy: 100_000n }, failure: { data: '' } });
    expect((error as Error).message).toContain('failed: OUT_OF_ENERGY');
  });

  it('of a deployment is reported, too', async () => {
    const error = await failureOf(devnet.deploy(artifact(), { args: [sender(0).address, 8] }));
    expect((error as Error).message).toContain('the deployment of Vault failed: "wrong kind"');
  });

  it('of a call without a transaction has the reason', async () => {
    const refused = await failureOf(contract.read.guarded({ from: sender(1) }));
    expect(refused).toBeInstanceOf(CallFailedError);
    expect(refused).toMatchObject({
      message: `guarded() of Vault (${contract.address}) failed: "only the owner"`,
      failure: { reason: 'only the owner' },
    });
    expect(await failureOf(contract.read.breaks([0]))).toMatchObject({ failure: { panic: 0x12n } });
  });

  it('before a block is a refusal', async () => {
    const error = await failureOf(contract.write.deposit(['x'], { callValue: 10n ** 15n }));
    expect(error).toBeInstanceOf(TransactionRefusedError);
    expect(error).toMatchObject({ code: 'CONTRACT_VALIDATE_ERROR' });
    expect((error as Error).message).toMatch(/^deposit\(string\) of Vault .* was refused: .*balance is not sufficient/);
  });

  it('refuses a key of another account', async () => {
    const from = { address: sender(8).address, privateKey: sender(9).privateKey };
    await expect(contract.write.put([[]], { from })).rejects.toThrow(/is not contained of permission/);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a function that there is not',
      async () => contract.read.ownr(),
      /Vault has no function ownr: did you mean owner\?/,
    ],
    [
      'a write among reads',
      async () => contract.read.deposit(['x']),
      /deposit of Vault changes state: use \.write, or \.simulate/,
    ],
    [
      'an option of ethers',
      async () => contract.write.deposit(['a'], { value: 5n }),
      /no option value: did you mean callValue\?/,
    ],
    ['an option of nobody', async () => contract.read.owner({ zzzz: 5n }), /no option zzzz: known: from, callValue$/],
    [
      'an option of a deployment',
      async () => devnet.deploy(artifact(), { feeLimt: 5n } as object),
      /no option feeLimt: did you mean feeLimit\?/,
    ],
    ['a read among writes', async () => contract.write.owner(), /owner of Vault only reads: use \.read/],
    ['too few arguments', () => contract.read.deposits(), /deposits\(address\) got 0 arguments/],
    [
      'no address',
      () => contract.read.deposits(['Tx']),
      /argument 0 of deposits\(address\) is Tx, which is not a valid address/,
    ],
    [
      'an address whose checksum is wrong',
      () => contract.read.deposits([`${contract.address.slice(0, -2)}zz`]),
      /is T\w{33}, which is not a valid address: its checksum is wrong/,
    ],
    [
      'arguments one by one',
      () => (contract.write.pay as (...asked: unknown[]) => Promise<unknown>)(sender(1).address, 5n),
      /^pay: pass the arguments as one array, then the options: pay\(\[\w+, amount\], \{ from \}\)$/,
    ],
    [
      'arguments one by one, the first of them an account',
      () => (contract.write.pay as (...asked: unknown[]) => Promise<unknown>)(sender(1), 5n),
      /^pay: pass the arguments as one array/,
    ],
    [
      'an account alone',
      () => (contract.read.deposits as (...asked: unknown[]) => Promise<unknown>)(sender(1)),
      /^deposits: pass the arguments as one array, then the options: deposits\(\[\w+\], \{ from \}\)$/,
    ],
    [
      'no number',
      () => contract.write.pay([sender(1).address, 'many']),
      /^amount of pay\(address,uint256\) is not a valid uint256: invalid BigNumberish string: Cannot convert many to a BigInt$/,
    ],
    ['half a sun', () => contract.write.deposit(['x'], { callValue: 0.5 }), /callValue is 0\.5; expected a whole/],
    [
      'a stranger',
      () => contract.write.deposit(['x'], { from: contract.address }),
      /is not an account of this devnet: impersonate it, or pass/,
    ],
    [
      'missing arguments of a constructor',
      () => devnet.deploy(artifact()),
      /constructor\(address,uint8\) of Vault got 0 arguments/,
    ],
    [
      'an interface',
      () => devnet.deploy({ abi: [], bytecode: '0x' }),
      /the contract has no bytecode: it is an interface/,
    ],
  ])('of whoever calls: %s', async (_, act, sentence) => {
    const error = await failureOf(act());
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(sentence);
  });
});

describe('artifacts', () => {
  it.each<[string, (compiled: Compiled) => object]>([
    ['solc', ({ abi, bytecode }) => ({ abi, evm: { bytecode: { object: bytecode, linkReferences: {} } } })],
    ['TronBox', ({ abi, bytecode }) => ({ contractName: 'Vault', abi, bytecode: `0x${bytecode}`, networks: {} })],
    ['Foundry', ({ abi, bytecode }) => ({ abi, bytecode: { object: `0x${bytecode}`, linkReferences: {} } })],
  ])('of %s are deployed', async (_, of) => {
    const deployed = await devnet.deploy(of(vault) as never, { args: [sender(0).address, 7] as never });
    expect(await (deployed as DeployedContract).read.owner()).toBe(sender(0).address);
  });

  it('are linked with their libraries', async () => {
    const { abi, bytecode, linkReferences } = compile(SOURCE, 'Linked');
    const linked = { contractName: 'Linked', abi: abi as DeployedContract['abi'], bytecode, linkReferences };
    await expect(devnet.deploy(linked)).rejects.toThrow('Linked needs the library Sums: deploy it first');
    const sums = await devnet.deploy({ contractName: 'Sums', ...(compile(SOURCE, 'Sums') as object) } as typeof linked);
    const { read } = await devnet.deploy(linked, { libraries: { Sums: sums } });
    expect(await read.three()).toBe(3n);
  });
});

describe('an existing contract', () => {
  it('is found by its address, with the ABI on the chain or a given one', async () => {
    const byChain = await devnet.contractAt(undefined, contract.addressHex);
    expect(byChain).toMatchObject({ address: contract.address, name: 'Vault', deployment: undefined });
    const factory = await devnet.deploy({
      contractName: 'Factory',
      ...(compile(SOURCE, 'Factory') as object),
    } as never);
    await (factory as DeployedContract).write.make();
    const made = await (factory as DeployedContract).read.made();
    await expect(devnet.contractAt(undefined, made)).rejects.toThrow(/the chain has no ABI of \w+: pass one/);
    expect(await (await devnet.contractAt(artifact(), made)).read.owner()).toBe(sender(0).address);
    const abi = [
      {
        type: 'function',
        name: 'owner',
        inputs: [],
        outputs: [{ name: '', type: 'address' }],
        stateMutability: 'view',
      },
    ] as const;
    const typed = await devnet.contractAt(abi, made);
    expectTypeOf(typed.read.owner).returns.resolves.toEqualTypeOf<string>();
    expect(await typed.read.owner()).toBe(sender(0).address);
  });

  it('says so if what a method returns does not fit the ABI', async () => {
    const outputs = [{ name: '', type: 'string' }] as const;
    const abi = [{ type: 'function', name: 'owner', inputs: [], outputs, stateMutability: 'view' }] as const;
    const wrong = await devnet.contractAt(abi, contract.address);
    await expect(wrong.read.owner()).rejects.toThrow(
      `owner() of (${contract.address}) returned 32 bytes, which are not (string): the ABI may be that of another contract`,
    );
  });

  it('has the ABI of its artifact if the chain has none; an artifact may be a file', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sunup-artifacts-'));
    const file = path.join(folder, 'Vault.json');
    writeFileSync(file, JSON.stringify({ ...artifact(), deployedBytecode: compile(SOURCE, 'Vault').deployedBytecode }));
    try {
      await using known = await createDevnet({ httpPort: false, artifacts: [folder] });
      const { address } = known.accounts[0]!;
      expect((await known.deploy(file, { args: [address, 7] as never })).name).toBe('Vault');
      expect((await known.deploy(pathToFileURL(file), { args: [address, 7] as never })).name).toBe('Vault');
      await expect(known.deploy(folder)).rejects.toThrow(`${folder}: EISDIR`);
      writeFileSync(path.join(folder, 'Token.bin'), '6080');
      await expect(known.deploy(path.join(folder, 'Token.bin'))).rejects.toThrow('Token.bin: not an artifact');
      const { abi, bytecode } = compile(SOURCE, 'Factory');
      const factory = await known.deploy({ abi: abi as DeployedContract['abi'], bytecode });
      await factory.write.make();
      const there = await factory.read.made();
      for (const one of [file, pathToFileURL(file), undefined]) {
        const made = await known.contractAt(one, there as string);
        expect(made.name).toBe('Vault');
        expect(await made.read.owner()).toBe(address);
      }
      await expect(known.contractAt(path.join(folder, 'none.json'), there as string)).rejects.toThrow(
        'none.json: ENOENT',
      );
      for (const none of [{}, 5, null] as never[])
        await expect(known.contractAt(none, there as string)).rejects.toThrow('not an artifact of solc, Hardhat');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('can be called with TronWeb, and the receipt be read later', async () => {
    const body = JSON.stringify({ owner_address: sender(0).address, visible: true });
    expect((await devnet.fetch('/wallet/getaccount', { method: 'POST', body })).status).toBe(200);
    const { txid } = await contract.write.set([2n]);
    expect(await devnet.receipt(txid)).toMatchObject({ txid, succeeded: true });
  });
});

describe('on a chain that is mined by hand', () => {
  it('a write waits for its block, and equal writes are two transactions', async () => {
    await using slow = await createDevnet({ httpPort: false, mining: 'manual' });
    const deploying = slow.deploy(artifact(), { args: [slow.accounts[0]!.address, 7] });
    const settled: string[] = [];
    void deploying.then(() => settled.push('deployed'));
    await untilPending(slow, 1);
    expect(settled).toEqual([]);
    await slow.mine();
    const { write, read } = await deploying;
    const both = Promise.all([write.deposit(['x'], { callValue: 1 }), write.deposit(['x'], { callValue: 1 })]);
    await untilPending(slow, 2);
    await slow.mine();
    const [one, other] = await both;
    expect(one.blockNumber).toBe(other.blockNumber);
    expect(await read.deposits([slow.accounts[0]!.address])).toBe(2n);
  });

  it('is reported if no block will come', async () => {
    const slow = await createDevnet({ httpPort: false, mining: 'manual' });
    const deploying = slow.deploy(artifact(), { args: [slow.accounts[0]!.address, 7] });
    const told = expect(deploying).rejects.toThrow('the devnet was closed while a transaction was pending');
    await untilPending(slow, 1);
    await slow.close();
    await told;
  });

  it.each<[string, (slow: Devnet) => Promise<unknown>]>([
    ['is taken out of the pool', (slow) => slow.dropAllTransactions()],
    ['is gone with its chain', (slow) => slow.reset()],
  ])('is told when it %s', async (_, act) => {
    await using slow = await createDevnet({ httpPort: false, mining: 'manual' });
    const deploying = slow.deploy(artifact(), { args: [slow.accounts[0]!.address, 7] });
    const told = expect(deploying).rejects.toThrow(/^transaction [0-9a-f]{64} (was|is no longer pending)/);
    await untilPending(slow, 1);
    await act(slow);
    await told;
  });

  async function untilPending(slow: Devnet, count: number): Promise<void> {
    for (;;) {
      const { pendingSize } = (await (await slow.fetch('/wallet/getpendingsize')).json()) as { pendingSize: number };
      if (pendingSize === count) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
});

describe('types', () => {
  const abi = [
    { type: 'constructor', inputs: [{ name: 'supply', type: 'uint256' }], stateMutability: 'nonpayable' },
    {
      type: 'function',
      name: 'balanceOf',
      inputs: [{ name: 'owner', type: 'address' }],
      outputs: [{ name: '', type: 'uint256' }],
      stateMutability: 'view',
    },
    {
      type: 'function',
      name: 'info',
      inputs: [],
      outputs: [
        { name: 'names', type: 'string[2][]' },
        { name: 'data', type: 'bytes32' },
      ],
      stateMutability: 'view',
    },
    {
      type: 'function',
      name: 'transfer',
      inputs: [
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
      ],
      outputs: [{ name: '', type: 'bool' }],
      stateMutability: 'nonpayable',
    },
    {
      type: 'function',
      name: 'put',
      inputs: [
        {
          name: 'orders',
          type: 'tuple[]',
          components: [
            { name: 'id', type: 'uint64' },
            { name: 'open', type: 'bool' },
          ],
        },
      ],
      outputs: [],
      stateMutability: 'payable',
    },
  ] as const;

  it('follow from a const ABI', () => {
    const use = async () => {
      const token = await devnet.deploy({ abi, bytecode: '0x' }, { args: [5n] });
      expectTypeOf(token.read.balanceOf).parameter(0).toEqualTypeOf<readonly [string]>();
      expectTypeOf(token.read.balanceOf).returns.resolves.toEqualTypeOf<bigint>();
      expectTypeOf(token.read.info).returns.resolves.toExtend<readonly [readonly (readonly string[])[], string]>();
      expectTypeOf(token.write.transfer).parameter(0).toEqualTypeOf<readonly [string, bigint | number]>();
      expectTypeOf(token.write.transfer).returns.resolves.toEqualTypeOf<Receipt>();
      expectTypeOf(token.write.put)
        .parameter(0)
        .toEqualTypeOf<readonly [readonly { readonly id: bigint | number; readonly open: boolean }[]]>();
      // @ts-expect-error it only reads
      await token.write.balanceOf(['T']);
      // @ts-expect-error one argument too many
      await token.read.balanceOf(['T', 1n]);
      // @ts-expect-error a supply is a number
      await devnet.deploy({ abi, bytecode: '0x' }, { args: ['5'] });
    };
    expect(use).toBeTypeOf('function');
  });
});
