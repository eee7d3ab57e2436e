/** Transactions that the node builds while its clock stands still: equal requests give different transactions. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { sign } from '../../src/protocol/signature.js';
import { ServiceClient } from './grpc-client.js';

let devnet: Devnet;
let wallet: ServiceClient;
let contract: string;

interface Built {
  readonly txID: string;
  readonly raw_data: { readonly timestamp: number };
  readonly raw_data_hex: string;
}

beforeAll(async () => {
  devnet = await createDevnet({ mining: 'manual', grpcPort: 0 });
  wallet = new ServiceClient('Wallet', devnet.grpc!.url);
  // Deploys one byte of code: STOP.
  const deployed = await post('deploycontract', {
    owner_address: owner(),
    bytecode: '6001600081600a8239f300',
    fee_limit: 100_000_000,
    origin_energy_limit: 1,
  });
  await broadcast(deployed);
  await devnet.mine();
  const info = (await post('gettransactioninfobyid', { value: deployed.txID })) as { contract_address: string };
  contract = info.contract_address;
});

afterAll(async () => {
  wallet?.close();
  await devnet.close();
});

const owner = () => devnet.accounts[0]!.addressHex;

async function post<Answer = Built & Record<string, unknown>>(path: string, body: object): Promise<Answer> {
  const answer = await fetch(`${devnet.http.url}/wallet/${path}`, { method: 'POST', body: JSON.stringify(body) });
  return (await answer.json()) as Answer;
}

async function broadcast(built: Built): Promise<void> {
  const signature = [sign(built.txID, devnet.accounts[0]!.privateKey)];
  expect(await post('broadcasttransaction', { ...built, signature })).toMatchObject({ result: true });
}

const transfer = () =>
  post('createtransaction', { owner_address: owner(), to_address: devnet.accounts[1]!.addressHex, amount: 1 });

const trigger = async () =>
  (
    await post<{ transaction: Built }>('triggersmartcontract', {
      owner_address: owner(),
      contract_address: contract,
      data: '',
      fee_limit: 10_000_000,
    })
  ).transaction;

const grpcTransfer = async () => {
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  const { txid } = await wallet.call<{ txid: Buffer }>('CreateTransaction2', {
    owner_address: bytes(owner()),
    to_address: bytes(devnet.accounts[1]!.addressHex),
    amount: 1,
  });
  return txid.toString('hex');
};

async function jsonRpcTransfer(): Promise<string> {
  const params = [{ from: `0x${owner()}`, to: `0x${devnet.accounts[1]!.addressHex}`, value: '0x1' }];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'buildTransaction', params });
  const answer = await fetch(devnet.jsonrpc.url, { method: 'POST', body });
  return ((await answer.json()) as { result: { transaction: Built } }).result.transaction.txID;
}

test('each builder returns a unique transaction, and all of them get into the block', async () => {
  const built = [await transfer(), await transfer(), await trigger(), await trigger(), await transfer()];
  expect(new Set(built.map(({ txID }) => txID)).size).toBe(built.length);
  for (const transaction of built) await broadcast(transaction);
  await devnet.mine();
  const block = await post<{ transactions: Built[] }>('getnowblock', {});
  expect(block.transactions.map(({ txID }) => txID)).toEqual(built.map(({ txID }) => txID));
});

test('the same over HTTP, gRPC and JSON-RPC', async () => {
  const ids = [
    (await transfer()).txID,
    await grpcTransfer(),
    await grpcTransfer(),
    await jsonRpcTransfer(),
    await jsonRpcTransfer(),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

test('timestamps are consecutive, are not used up by queries, and restart with each block', async () => {
  await devnet.mine();
  const constant = { owner_address: owner(), contract_address: contract, data: '' };
  const stamps = [];
  for (let i = 0; i < 3; i++) {
    stamps.push((await transfer()).raw_data.timestamp);
    await post('triggerconstantcontract', constant);
    await post('estimateenergy', constant);
  }
  const [first] = stamps as [number];
  expect(stamps).toEqual([first, first + 1, first + 2]);
  await devnet.mine();
  const head = await post<{ block_header: { raw_data: { timestamp: number } } }>('getnowblock', {});
  expect((await transfer()).raw_data.timestamp).toBe(head.block_header.raw_data.timestamp);
});

test('after a revert the same requests give the same transactions', async () => {
  await transfer();
  const snapshot = await devnet.snapshot();
  const before = [(await transfer()).txID, await grpcTransfer()];
  await devnet.mine();
  await transfer();
  await devnet.revert(snapshot);
  expect([(await transfer()).txID, await grpcTransfer()]).toEqual(before);
});
