/** The fixtures and matchers of `sunup/vitest`, and the same as functions. */

import { AssertionError } from 'node:assert';
import { describe, it } from 'vitest';
import { createDevnet, type DeployedContract, type Devnet } from '../../src/index.js';
import { SharedDevnet } from '../../src/testing/shared-devnet.js';
import {
  assertChangesBalance,
  assertChangesTokenBalance,
  assertEmits,
  assertRevertsWith,
  assertSuccessful,
  loadFixture,
} from '../../src/testing.js';
import { devnetTest, expect } from '../../src/vitest.js';
import { compile } from './tronweb-devnet.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Token {
  mapping(address => uint256) public balanceOf;
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Note(string text);
  error TooMuch(address who, uint256 wanted);
  constructor() payable { balanceOf[msg.sender] = 1000; emit Transfer(address(0), msg.sender, 1000); }
  function transfer(address to, uint256 value) external {
    if (value > 1000) revert TooMuch(msg.sender, value);
    require(balanceOf[msg.sender] >= value, "balance too low");
    balanceOf[msg.sender] -= value; balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
  }
  function pay(address payable to) external payable { to.transfer(msg.value); emit Note("paid"); }
  function check(uint256 a) external pure returns (uint256) { return 10 / a; }
  event Half(address indexed who, uint256, string text, uint256);
  error Odd(uint256 wanted, address);
  function half(uint256 a) external { if (a == 0) revert Odd(7, msg.sender); emit Half(msg.sender, a, "some", a + 1); }
  function silent() external { balanceOf[msg.sender] = 0; revert(); }
}`;

const deployToken = (devnet: Devnet) => {
  const { abi, bytecode } = compile(SOURCE, 'Token');
  return devnet.deploy({ contractName: 'Token', abi: abi as DeployedContract['abi'], bytecode });
};

const test = devnetTest({}, async (devnet) => ({
  token: await deployToken(devnet),
  alice: devnet.accounts[0]!,
  bob: devnet.accounts[1]!,
}));

/** The message of a failing matcher. */
async function complaint(judged: Promise<unknown>): Promise<string> {
  try {
    await judged;
  } catch (error) {
    return (error as Error).message;
  }
  return expect.unreachable('the matcher was content');
}

describe('the fixture', () => {
  for (const again of ['once', 'and once more']) {
    test(`gives each test the chain as it was set up: ${again}`, async ({ devnet, setup: { token, bob } }) => {
      expect(await token.read.balanceOf([bob])).toBe(0n);
      await token.write.transfer([bob, 10]);
      expect(await token.read.balanceOf([bob])).toBe(10n);
      expect(() => devnet.http).toThrow(/httpPort: false/);
    });
  }
});

it('a shared devnet is replaced after a test has reset its chain', async () => {
  const shared = await SharedDevnet.start({}, () => {});
  shared.beginTest();
  await shared.devnet.reset();
  await expect(shared.endTest()).rejects.toThrow(/^the test replaced the initial chain \(reset, load/);
  expect(() => shared.beginTest()).toThrow('an earlier test made the shared devnet unusable: the test replaced');
  await shared.close();
});

describe('toRevertWith', () => {
  test('accepts reasons, custom errors and panics', async ({ setup: { token, alice, bob } }) => {
    await expect(token.write.transfer([bob, 9], { from: bob })).toRevertWith('balance too low');
    await expect(token.write.transfer([bob, 9], { from: bob })).toRevertWith(/too low/);
    await expect(token.write.transfer([bob, 9], { from: bob })).toRevertWith({ reason: 'balance too low' });
    await expect(token.write.transfer([bob, 9], { from: bob })).toRevertWith(/^balance too low$/);
    await expect(token.write.transfer([bob, 5000])).toRevertWith(/^TooMuch\(/);
    await expect(token.write.transfer([bob, 5000])).toRevertWith(/wanted: 5000/);
    await expect(token.write.transfer([bob, 5000])).not.toRevertWith(/TooLittle/);
    await expect(token.write.transfer([bob, 5000])).not.toRevertWith({ reason: /TooMuch/ });
    await expect(token.write.transfer([bob, 5000])).toRevertWith('TooMuch');
    await expect(token.write.transfer([bob, 5000])).toRevertWith('TooMuch', [alice.addressHex, 5000]);
    await expect(token.write.transfer([bob, 5000])).toRevertWith({ error: 'TooMuch', args: { wanted: 5000n } });
    await expect(token.write.transfer([bob, 5000], { allowFailure: true })).toRevertWith('TooMuch');
    await expect(token.read.check([0])).toRevertWith({ panic: 0x12 });
    await expect(() => token.read.check([0])).toRevertWith();
    await expect(token.write.pay([bob], { callValue: 10n ** 15n })).toRevertWith();
    await expect(token.write.transfer([bob, 5000])).not.toRevertWith('balance too low');
    await expect(token.read.check([1])).not.toRevertWith();
  });

  test('shows the actual outcome, with the costs', async ({ setup: { token, bob } }) => {
    const other = await complaint(expect(token.write.transfer([bob, 5000])).toRevertWith('balance too low'));
    expect(other).toMatch(
      /^expected the reason or the error "balance too low", but it failed with TooMuch\(who: T.*, wanted: 5000\)/,
    );
    expect(other).toMatch(/FAILED with REVERT in block .*Energy: /s);
    expect(await complaint(expect(token.write.transfer([bob, 1])).toRevertWith({ panic: 0x11 }))).toMatch(
      /^expected Panic\(0x11\), but it succeeded\n\nSucceeded in block .*feeLimit: /s,
    );
    expect(await complaint(expect(token.write.transfer([bob, 5000])).toRevertWith('TooMuch', [bob, 5000]))).toMatch(
      /^expected the error TooMuch with \["T\w+", 5000\], but it failed with TooMuch/,
    );
    expect(await complaint(expect(token.read.check([0])).not.toRevertWith())).toMatch(
      /^expected anything but a failure/,
    );
    expect(await complaint(expect(token.write.silent()).toRevertWith('x'))).toMatch(/but it failed with no reason/);
  });

  test('reports unknown argument names, and that nothing was executed', async ({ devnet, setup: { token, bob } }) => {
    expect(await complaint(expect(token.write.transfer([bob, 5000])).toRevertWith('TooMuch', { what: 5 }))).toMatch(
      /failed with TooMuch\(.*\) \(there is no argument what\)\n/,
    );
    const spinning = token.write.silent([], { feeLimit: 1 });
    expect(await complaint(expect(spinning).toRevertWith('x'))).toMatch(/but it failed with OUT_OF_ENERGY\n/);
    const [, , poor] = devnet.accounts;
    await devnet.setBalance(poor!.address, 0n);
    const sending = token.write.pay([bob], { from: poor!, callValue: 1 });
    expect(await complaint(expect(sending).toRevertWith('x'))).toMatch(/"x", but pay\(address\) of .* was refused: /);
  });

  test('passes bugs of a test through', async ({ setup: { token } }) => {
    await expect(expect(token.read.balanceOf(['nobody'])).toRevertWith()).rejects.toThrow(
      /nobody, which is not a valid address/,
    );
  });
});

test('compares arguments in order if some have no names', async ({ setup: { token, alice } }) => {
  const sending = token.write.half([1n]);
  await expect(sending).toEmit('Half', [alice, 1n, 'some', 2n]);
  await expect(sending).not.toEmit('Half', [1n, 2n, alice, 'some']);
  expect((await sending).events[0]!.args).toEqual({ who: alice.address, 1: 1n, text: 'some', 3: 2n });
  await expect(token.write.half([0n])).toRevertWith('Odd', [7n, alice]);
});

describe('toEmit', () => {
  test('accepts names, arguments and contracts', async ({ devnet, setup: { token, alice, bob } }) => {
    const sending = token.write.transfer([bob, 7]);
    await expect(sending).toEmit('Transfer');
    await expect(sending).toEmit('Transfer', { to: bob.addressHex, value: 7 });
    await expect(sending).toEmit('Transfer', [alice, bob, (value: bigint) => value > 6n]);
    await expect(sending).toEmit('Transfer', { value: expect.any(BigInt) });
    await expect(sending).toEmit(token, 'Transfer', { value: 7n });
    await expect(sending).toEmit('Transfer(address,address,uint256)');
    await expect(sending).not.toEmit('Note');
    await expect(sending).not.toEmit('Transfer', { value: 8n });
    await expect(sending).not.toEmit(alice, 'Transfer');
    await expect(deployToken(devnet)).toEmit('Transfer', { value: 1000 });
    await expect(devnet.receipt((await sending).txid)).toEmit('Transfer');
  });

  test('shows the emitted events', async ({ setup: { token, bob } }) => {
    const wrong = await complaint(expect(token.write.transfer([bob, 7])).toEmit('Transfer', { value: 8 }));
    expect(wrong).toMatch(
      /^expected Transfer with { value: 8 }, but it emitted\n {2}Transfer of T\w+ with { from: .*, value: 7 }\n\nSucc/,
    );
    expect(await complaint(expect(token.write.transfer([bob, 5000])).toEmit('Transfer'))).toMatch(
      /^expected Transfer, but the transaction failed: TooMuch/,
    );
    expect(await complaint(expect(token.write.transfer([bob, 7])).toEmit('Transfer', { amount: 7 }))).toMatch(
      /value: 7 } \(there is no argument amount\)\n/,
    );
    expect(await complaint(expect(token.read.balanceOf([bob])).toEmit('Transfer'))).toMatch(
      /^this assertion is for transactions/,
    );
  });
});

describe('balances', () => {
  test('are compared with and without the fee', async ({ setup: { token, alice, bob } }) => {
    const paying = token.write.pay([bob], { callValue: 500 });
    await expect(paying).toChangeBalance(bob, 500);
    await expect(paying).toChangeBalances([alice, bob, token], [-500n, 500n, 0n]);
    const { feeSun } = await paying;
    expect(feeSun).toBeGreaterThan(0n);
    await expect(paying).toChangeBalance(alice, -500n - feeSun, { includeFee: true });
    await expect(paying).toChangeBalance(bob, (sun: bigint) => sun > 0n);
    await expect(paying).not.toChangeBalance(bob, 0);
    const sending = token.write.transfer([bob, 5]);
    await expect(sending).toChangeTokenBalance(token, bob, 5);
    await expect(sending).toChangeTokenBalances(token, [alice, bob], [-5, 5]);
  });

  test('are refused for a contract that is not a token', async ({ setup: { token, bob } }) => {
    await expect(expect(token.write.transfer([bob, 5])).toChangeTokenBalance(bob, bob, 5)).rejects.toThrow(
      /balanceOf of T\w+ returns no value: is it a token\?$/,
    );
  });

  test('are shown if they differ', async ({ setup: { token, alice, bob } }) => {
    const paying = token.write.pay([bob], { callValue: 500 });
    expect(await complaint(expect(paying).toChangeBalances([alice, bob], [-500, 400]))).toMatch(
      /^expected other balance changes:\n {2}"T\w+" changed by 500 sun, not by 400\n\nSucceeded/,
    );
  });
});

describe('toBeSuccessful', () => {
  test('shows the reason of a failure', async ({ devnet, setup: { token, bob } }) => {
    await expect(token.write.transfer([bob, 1])).toBeSuccessful();
    await expect(token.write.transfer([bob, 5000])).not.toBeSuccessful();
    expect(await complaint(expect(token.write.transfer([bob, 5000])).toBeSuccessful())).toMatch(
      /^expected it to succeed, but transfer\(address,uint256\) of Token \(T\w+\) failed: TooMuch.*\n\nFAILED/,
    );
    expect(await complaint(expect(token.write.silent([], { feeLimit: 1 })).toBeSuccessful())).toMatch(/OUT_OF_ENERGY/);
    await expect(deployToken(devnet)).toBeSuccessful();
  });
});

describe('values without an outcome', () => {
  test.for<[string, (token: DeployedContract, devnet: Devnet) => unknown]>([
    ['nothing', () => undefined],
    ['a number', () => 5],
    ['an id', () => 'ab'.repeat(32)],
    ['an id, promised', async () => 'ab'.repeat(32)],
    ['what TronWeb answers', async () => ({ result: true, txid: 'ab'.repeat(32), transaction: {} })],
  ])('%s does not pass for a success', async ([, given], { devnet, setup: { token } }) => {
    await expect(expect(given(token, devnet)).toBeSuccessful()).rejects.toThrow(/or devnet\.receipt\(txid\)$/);
  });

  test('except for a read', async ({ setup: { token, bob } }) => {
    await expect(token.read.balanceOf([bob])).toBeSuccessful();
    await expect(async () => token.read.balanceOf([bob])).toBeSuccessful();
  });
});

describe('plain functions', () => {
  test('throw assertion errors', async ({ setup: { token, bob } }) => {
    await assertSuccessful(token.write.transfer([bob, 1]));
    await assertRevertsWith(token.write.transfer([bob, 5000]), 'TooMuch', { wanted: 5000 });
    await assertEmits(token.write.transfer([bob, 1]), token, 'Transfer', { value: 1 });
    await assertChangesBalance(token.write.pay([bob], { callValue: 3 }), bob, 3);
    await assertChangesTokenBalance(token.write.transfer([bob, 1]), token, bob, 1);
    const failing = assertEmits(token.write.transfer([bob, 1]), 'Note');
    await expect(failing).rejects.toBeInstanceOf(AssertionError);
    await expect(failing).rejects.toThrow(/^expected Note, but it emitted/);
  });
});

describe('loadFixture', () => {
  test('runs a function once, and then reverts to its result', async () => {
    await using devnet = await createDevnet({ httpPort: false });
    let runs = 0;
    const deployed = async () => {
      runs++;
      return deployToken(devnet);
    };
    const funded = async () => (await loadFixture(devnet, deployed)).write.transfer([devnet.accounts[1]!, 5]);
    const token = await loadFixture(devnet, deployed);
    await token.write.transfer([devnet.accounts[1]!, 9]);
    expect(await loadFixture(devnet, deployed)).toBe(token);
    expect(await token.read.balanceOf([devnet.accounts[1]!])).toBe(0n);
    await loadFixture(devnet, funded);
    expect(await token.read.balanceOf([devnet.accounts[1]!])).toBe(5n);
    await loadFixture(devnet, deployed);
    expect(await token.read.balanceOf([devnet.accounts[1]!])).toBe(0n);
    await loadFixture(devnet, funded);
    expect(await token.read.balanceOf([devnet.accounts[1]!])).toBe(5n);
    expect(runs).toBe(1);
  });
});
