/** Addresses computed by the library are those that the chain gives, or that Ethereum would give. */

import { readFileSync } from 'node:fs';
import { getCreate2Address, getCreateAddress, keccak256 } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  create2Address,
  createDevnet,
  createdAddress,
  type Devnet,
  deployedAddress,
  ethereumCreate2Address,
  ethereumCreateAddress,
} from '../../src/index.js';

const METER = JSON.parse(readFileSync(new URL('../../fixtures/contracts/Meter.json', import.meta.url), 'utf8'));
const MAKER = '0x00000000000000000000000000000000000000c1';
const MAKER2 = '0x00000000000000000000000000000000000000c2';
const CHILD = '60015f5260205ff3';
/** Creates two children and keeps their addresses in the slots 0 and 1. */
const MAKER_CODE = `0x67${CHILD}5f52600860185ff05f55600860185ff060015500`;
/** Creates a child with the salt 5 and returns its address. */
const MAKER2_CODE = `0x67${CHILD}5f526005600860185ff55f5260205ff3`;
const SALT = `0x${'5'.padStart(64, '0')}`;

let devnet: Devnet;
beforeAll(async () => {
  devnet = await createDevnet();
  await devnet.setCode(MAKER, MAKER_CODE);
  await devnet.setCode(MAKER2, MAKER2_CODE);
});
afterAll(() => devnet.close());

async function eth(method: string, ...params: readonly unknown[]): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { result } = (await (await devnet.fetch('/eth', { method: 'POST', body })).json()) as { result: string };
  return result;
}

const lastTwenty = (word: string) => `41${word.slice(-40)}`;

/** Sends a transaction from the first account. @returns its TRON id */
async function sendTo(to: string): Promise<string> {
  await eth('eth_sendTransaction', { from: `0x${devnet.accounts[0]!.addressHex.slice(2)}`, to });
  const block = (await (await devnet.fetch('/wallet/getnowblock')).json()) as { transactions: { txID: string }[] };
  return block.transactions[0]!.txID;
}

describe('TRON’s', () => {
  it('deployment: the transaction and its owner', async () => {
    const { address, addressHex, deployment } = await devnet.deploy(METER);
    const predicted = deployedAddress({ txid: deployment!.txid, owner: devnet.accounts[0]!.address });
    expect(predicted).toMatchObject({ address, addressHex });
  });

  it('CREATE: the transaction and a counter', async () => {
    const txid = await sendTo(MAKER);
    const slots = await Promise.all(['0x0', '0x1'].map((slot) => eth('eth_getStorageAt', MAKER, slot)));
    expect(slots.map(lastTwenty)).toEqual([0, 1].map((counter) => createdAddress({ txid, counter }).addressHex));
  });

  it('CREATE2: the prefix 41', async () => {
    const made = lastTwenty(await eth('eth_call', { to: MAKER2 }, 'latest'));
    for (const salt of [5, 5n, '5', SALT])
      expect(create2Address({ deployer: MAKER2, salt, initCode: CHILD }).addressHex).toBe(made);
    // The same in docs/protocol/calls.md.
    const deployer = `41${'aa'.repeat(20)}`;
    expect(create2Address({ deployer, salt: 0, initCode: '0x00' }).addressHex).toBe(
      '41b045c13016a5e389c6b9e5a17622ca88685eb628',
    );
  });
});

describe('Ethereum’s', () => {
  it('CREATE: creator and nonce, with the checksum that its tools write', async () => {
    const from = `0x${devnet.accounts[0]!.addressHex.slice(2)}`;
    for (const nonce of [0, 1, 127, 128, 256, 100_000])
      expect(ethereumCreateAddress({ creator: devnet.accounts[0]!.address, nonce }).ethereumAddress).toBe(
        getCreateAddress({ from, nonce }),
      );
    const nonce = Number(await eth('eth_getTransactionCount', from));
    await eth('eth_sendTransaction', { from, data: `0x${CHILD}` });
    const { ethereumAddress } = ethereumCreateAddress({ creator: from, nonce });
    expect(BigInt(await eth('eth_getCode', ethereumAddress))).toBe(1n);
  });

  it('CREATE in a contract, where creations count', async () => {
    await eth('tron_setCreateNonces', true as never);
    await sendTo(MAKER);
    const slots = await Promise.all(['0x0', '0x1'].map((slot) => eth('eth_getStorageAt', MAKER, slot)));
    expect(slots.map(lastTwenty)).toEqual(
      [1, 2].map((nonce) => ethereumCreateAddress({ creator: MAKER, nonce }).addressHex),
    );
  });

  it('CREATE2: the prefix ff, which is nowhere on TRON', () => {
    const { ethereumAddress, addressHex } = ethereumCreate2Address({ deployer: MAKER2, salt: 5, initCode: CHILD });
    expect(ethereumAddress).toBe(getCreate2Address(MAKER2, SALT, keccak256(`0x${CHILD}`)));
    expect(addressHex).not.toBe(create2Address({ deployer: MAKER2, salt: 5, initCode: CHILD }).addressHex);
  });
});

it('what is no address, id, number or code is refused by name', () => {
  const txid = '11'.repeat(32);
  expect(() => deployedAddress({ txid: '11', owner: MAKER })).toThrow('txid has 1 bytes, a transaction id has 32');
  expect(() => deployedAddress({ txid, owner: 'T1' })).toThrow('owner is not an address: T1');
  expect(() => createdAddress({ txid, counter: -1 })).toThrow('counter must be a whole number from 0');
  expect(() => createdAddress({ txid, counter: 0.5 })).toThrow('counter must be a whole number from 0');
  expect(() => create2Address({ deployer: MAKER, salt: 'x', initCode: '0x' })).toThrow('salt must have 32 bytes');
  expect(() => create2Address({ deployer: MAKER, salt: 0, initCode: '0x0' })).toThrow('initCode is not hex');
});
