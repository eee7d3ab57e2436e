import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateDescriptors } from '../../scripts/generate-descriptors.js';
import { databaseMethods, solidityMethods, walletMethods } from '../../src/grpc/methods.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import { utf8ToHex } from '../../src/primitives/hex.js';
import { Database_service, Wallet_service, WalletSolidity_service } from '../../src/protocol/generated/services.js';
import { keccak256OfHex, sha256 } from '../../src/protocol/hashes.js';
import { sign } from '../../src/protocol/signature.js';
import { callBytes, type Json, rawDataBytes, ServiceClient, statusOf } from './grpc-client.js';

let devnet: Devnet;
let wallet: ServiceClient;
let solidity: ServiceClient;
let database: ServiceClient;

beforeAll(async () => {
  devnet = await createDevnet({ mining: 'manual', grpcPort: 0, grpcSolidityPort: [0, 0] });
  wallet = new ServiceClient('Wallet', devnet.grpc!.url);
  solidity = new ServiceClient('WalletSolidity', devnet.grpcSolidity[1]!.url);
  database = new ServiceClient('Database', devnet.grpc!.url);
});

afterAll(async () => {
  for (const client of [wallet, solidity, database]) client?.close();
  await devnet.close();
});

const bytes = (hex: string) => Buffer.from(hex, 'hex');
const account = (index: number) => ({ ...devnet.accounts[index]!, address: bytes(devnet.accounts[index]!.addressHex) });
const NOBODY = bytes('41'.padEnd(42, '0'));
const balanceOf = async (client: ServiceClient, address: Buffer) =>
  BigInt(String((await client.call('GetAccount', { address })).balance ?? 0));

interface Extention extends Json {
  readonly transaction?: { readonly raw_data: Json; readonly signature?: Buffer[] };
  readonly txid?: Buffer;
  readonly result: { readonly result?: boolean; readonly code?: string; readonly message?: Buffer };
}

async function transfer(amount: number, from = 0, to = 1): Promise<Extention> {
  const { address: owner_address } = account(from);
  return wallet.call<Extention>('CreateTransaction2', { owner_address, to_address: account(to).address, amount });
}

function signed({ transaction, txid }: Extention, key: string): Json {
  return { ...transaction, signature: [bytes(sign(txid!.toString('hex'), key))] };
}

describe('a transfer', () => {
  test('is created, signed, broadcast, visible at once, mined, and solidified', async () => {
    const before = await balanceOf(wallet, account(1).address);
    const built = await transfer(1_000_000);
    expect(built.result).toEqual({ result: true });
    const reply = await wallet.call('BroadcastTransaction', signed(built, account(0).privateKey));
    expect(reply).toEqual({ result: true });

    const value = { value: built.txid };
    expect(await balanceOf(wallet, account(1).address)).toBe(before + 1_000_000n);
    expect(await wallet.call('GetPendingSize')).toEqual({ num: '1' });
    expect(await wallet.call('GetTransactionListFromPending')).toEqual({ txId: [built.txid!.toString('hex')] });
    expect(await wallet.call('GetTransactionFromPending', value)).toHaveProperty('raw_data');
    expect(await wallet.call('GetTransactionInfoById', value)).toEqual({});
    expect(await balanceOf(solidity, account(1).address)).toBe(before);

    const head = await devnet.mine();
    const info = await wallet.call('GetTransactionInfoById', value);
    expect(info).toMatchObject({ id: built.txid, blockNumber: String(head.number) });
    expect(await solidity.call('GetTransactionInfoById', value)).toEqual(info);
    expect(await wallet.call('GetTransactionById', value)).toMatchObject({ ret: [{ contractRet: 'SUCCESS' }] });
    expect(await balanceOf(solidity, account(1).address)).toBe(before + 1_000_000n);
    const block = await wallet.call('GetNowBlock2');
    expect(block.blockid).toEqual(bytes(head.id));
    expect(block.transactions).toMatchObject([{ txid: built.txid, result: { result: true } }]);
    expect(await solidity.call('GetNowBlock2')).toEqual(block);
    expect(await wallet.call('GetTransactionCountByBlockNum', { num: head.number })).toEqual({ num: '1' });
  });

  test('has the id of its canonical bytes, also when a client writes default values', async () => {
    const built = await transfer(7);
    // protobufjs 7 writes these default values; java-tron and the id do not contain them.
    const spelledOut = { ...built.transaction!.raw_data, fee_limit: 0, data: Buffer.alloc(0), ref_block_num: 0 };
    expect(rawDataBytes(spelledOut).length).toBeGreaterThan(rawDataBytes(built.transaction!.raw_data).length);
    const request = { ...signed(built, account(0).privateKey), raw_data: spelledOut, ret: [{}] };
    expect(await wallet.call('BroadcastTransaction', request)).toEqual({ result: true });
    expect(await wallet.call('GetTransactionFromPending', { value: built.txid })).toHaveProperty('raw_data');
  });
});

test('unknown fields of a transaction are kept, and part of its id', async () => {
  const built = await transfer(13);
  // Field 99, a varint, after the other fields.
  const raw = Buffer.concat([rawDataBytes(built.transaction!.raw_data), bytes('980607')]);
  const id = sha256(raw);
  const signature = bytes(sign(id, account(0).privateKey));
  const sent = Buffer.concat([framed(10, raw), framed(18, signature)]);
  const reply = await callBytes(wallet.client, '/protocol.Wallet/BroadcastTransaction', sent);
  expect(reply).toEqual(bytes('0801'));
  const request = framed(10, bytes(id));
  const pending = await callBytes(wallet.client, '/protocol.Wallet/GetTransactionFromPending', request);
  expect(pending.subarray(0, sent.length)).toEqual(sent);
  await devnet.mine();
  const mined = await callBytes(solidity.client, '/protocol.WalletSolidity/GetTransactionById', request);
  expect(mined.subarray(0, sent.length)).toEqual(sent);
  const block = await wallet.call<{ transactions: Extention[] }>('GetNowBlock2');
  expect(block.transactions.map(({ txid }) => txid!.toString('hex'))).toContain(id);
  for (const method of ['GetNowBlock', 'GetNowBlock2', 'GetBlockByLatestNum', 'GetBlockByLatestNum2']) {
    const answer = await callBytes(wallet.client, `/protocol.Wallet/${method}`, bytes('0801'));
    expect([method, answer.includes(raw)]).toEqual([method, true]);
  }
  const overHttp = await fetch(`${devnet.http.url}/wallet/gettransactionbyid?value=${id}`);
  expect(await overHttp.json()).toMatchObject({ txID: id, raw_data_hex: raw.toString('hex') });
});

/** A bytes field shorter than 16 KiB. */
function framed(tag: number, field: Uint8Array): Buffer {
  const length = field.length < 128 ? [field.length] : [(field.length & 0x7f) | 0x80, field.length >> 7];
  return Buffer.concat([Uint8Array.of(tag, ...length), field]);
}

describe('refusals', () => {
  test('are data: in the Return of an extention, and an empty bare transaction', async () => {
    const request = { owner_address: account(0).address, to_address: account(0).address, amount: 1 };
    const refused = await wallet.call<Extention>('CreateTransaction2', request);
    const message = Buffer.from('Contract validate error : Cannot transfer TRX to yourself.');
    expect(refused).toEqual({ result: { code: 'CONTRACT_VALIDATE_ERROR', message } });
    expect(await wallet.call('CreateTransaction', request)).toEqual({});
  });

  test('of a broadcast have a code', async () => {
    const built = await transfer(11);
    const request = signed(built, account(0).privateKey);
    expect(await wallet.call('BroadcastTransaction', request)).toEqual({ result: true });
    expect(await wallet.call('BroadcastTransaction', request)).toEqual({
      code: 'DUP_TRANSACTION_ERROR',
      message: Buffer.from('Dup transaction.'),
    });
    const forged = await wallet.call<Json>('BroadcastTransaction', signed(await transfer(12), account(1).privateKey));
    expect(forged.code).toBe('SIGERROR');
    expect(await wallet.call('BroadcastTransaction', {})).toMatchObject({ code: 'CONTRACT_VALIDATE_ERROR' });
  });

  test('are a status for methods where java-tron has one', async () => {
    const block = (id_or_num: string) => statusOf(wallet.call('GetBlock', { id_or_num }));
    expect(await block('-1')).toEqual(['INVALID_ARGUMENT', 'num must be non-positive number.']);
    expect(await block('abc')).toEqual(['INVALID_ARGUMENT', 'id must be legal block hash.']);
    expect(await statusOf(wallet.call('GetTransactionFromPending', { value: bytes('00') }))).toEqual(['UNKNOWN', '']);
    expect(await statusOf(wallet.call('GetMarketOrderById', { value: Buffer.alloc(32) }))).toEqual([
      'INTERNAL',
      'order not found in store',
    ]);
    expect(await statusOf(wallet.call('GetSpendingKey'))).toEqual([
      'INTERNAL',
      'Not support Shielded TRC20 Transaction, need to be opened by the committee',
    ]);
    expect(await statusOf(wallet.call('CreateCommonTransaction'))).toEqual([
      'UNKNOWN',
      'Application error processing RPC',
    ]);
    const garbage = callBytes(wallet.client, '/protocol.Wallet/GetAccount', bytes('08'));
    expect(await statusOf(garbage)).toEqual(['UNKNOWN', 'Application error processing RPC']);
  });

  test('of missing methods are UNIMPLEMENTED', async () => {
    const call = (client: ServiceClient, path: string) => statusOf(callBytes(client.client, path, bytes('')));
    expect(await call(wallet, '/protocol.Wallet/BuyStorage')).toEqual([
      'UNIMPLEMENTED',
      'Method protocol.Wallet/BuyStorage is unimplemented',
    ]);
    for (const [client, path] of [
      [wallet, '/protocol.Wallet/getaccount'],
      [wallet, '/protocol.Wallet/EasyTransfer'],
      [wallet, '/protocol.Wallet/GetPaginatedNowWitnessList'],
      [wallet, '/protocol.WalletSolidity/GetNowBlock'],
      [wallet, '/protocol.Monitor/GetStatsInfo'],
      [solidity, '/protocol.Wallet/GetNowBlock'],
      [solidity, '/protocol.WalletSolidity/GetAccountResource'],
    ] as const) {
      const [code, details] = await call(client, path);
      expect(code).toBe('UNIMPLEMENTED');
      expect(details).toContain(path.slice(1));
    }
  });
});

test('a missing object is an empty message', async () => {
  for (const [method, request] of [
    ['GetAccount', { address: NOBODY }],
    ['GetAccountResource', { address: NOBODY }],
    ['GetBlockByNum', { num: 1_000_000 }],
    ['GetBlockByNum2', { num: -1 }],
    ['GetBlockById', { value: Buffer.alloc(32) }],
    ['GetBlockByLimitNext', { startNum: 5, endNum: 2 }],
    ['GetTransactionById', { value: Buffer.alloc(32) }],
    ['GetTransactionInfoById', { value: Buffer.alloc(32) }],
    ['GetContract', { value: NOBODY }],
    ['GetAssetIssueByName', { value: Buffer.from('none') }],
    ['GetProposalById', { value: Buffer.alloc(8) }],
    ['GetExchangeById', { value: Buffer.alloc(8) }],
    ['TotalTransaction', {}],
  ] as const) {
    expect([method, await wallet.call(method, request)]).toEqual([method, {}]);
  }
  expect(await wallet.call('GetTransactionCountByBlockNum', { num: 1_000_000 })).toEqual({ num: '-1' });
  expect(await wallet.call('GetBrokerageInfo', { value: NOBODY })).toEqual({ num: '20' });
});

test('a follower of the chain gets its position', async () => {
  const block = await wallet.call('GetNowBlock');
  expect(await database.call('GetNowBlock')).toEqual(block);
  const { block_num, block_hash } = await database.call('getBlockReference');
  expect(await wallet.call('GetBlock', {})).toMatchObject({ blockid: block_hash });
  expect(await database.call('GetBlockByNum', { num: block_num })).toEqual(block);
  expect(await database.call('GetDynamicProperties')).toEqual({ last_solidity_block_num: block_num });
});

test('metadata, including an API key, is ignored', async () => {
  const metadata = new Metadata();
  metadata.set('TRON-PRO-API-KEY', 'some-key');
  expect(await wallet.call('GetNextMaintenanceTime', {}, metadata)).toHaveProperty('num');
});

describe('a contract', () => {
  const word = (value: number) => value.toString(16).padStart(64, '0');
  const selector = (signature: string) => keccak256OfHex(utf8ToHex(signature)).slice(0, 8);
  let contract_address: Buffer;

  /** SDKs do this with a built transaction: they set a fee limit and compute the id again. */
  async function send({ transaction }: Extention, key: string): Promise<Buffer> {
    const raw_data = { ...transaction!.raw_data, fee_limit: 1_000_000_000 };
    const txid = sha256(rawDataBytes(raw_data));
    const request = { raw_data, signature: [bytes(sign(txid, key))] };
    expect(await wallet.call('BroadcastTransaction', request)).toEqual({ result: true });
    await devnet.mine();
    return bytes(txid);
  }

  const call = (data: string) => ({ owner_address: account(2).address, contract_address, data: bytes(data) });

  beforeAll(async () => {
    const meter = JSON.parse(readFileSync(new URL('../../fixtures/contracts/Meter.json', import.meta.url), 'utf8')) as {
      bytecode: string;
    };
    const { address: owner_address, privateKey } = account(2);
    const entry = { name: 'value', type: 'Function', stateMutability: 'View', outputs: [{ type: 'uint256' }] };
    const new_contract = {
      origin_address: owner_address,
      abi: { entrys: [entry] },
      bytecode: bytes(meter.bytecode.replace(/^0x/, '')),
      consume_user_resource_percent: 100,
      origin_energy_limit: 10_000_000,
      name: 'Meter',
    };
    const built = await wallet.call<Extention>('DeployContract', { owner_address, new_contract });
    expect(built.result).toEqual({ result: true });
    const info = await wallet.call('GetTransactionInfoById', { value: await send(built, privateKey) });
    expect(info).toMatchObject({ receipt: { result: 'SUCCESS' } });
    contract_address = info.contract_address as Buffer;
  });

  test('can be read', async () => {
    const contract = await wallet.call('GetContract', { value: contract_address });
    expect(contract).toMatchObject({ contract_address, name: 'Meter', abi: { entrys: [{ name: 'value' }] } });
    const info = await wallet.call('GetContractInfo', { value: contract_address });
    expect((info.runtimecode as Buffer).length).toBeGreaterThan(100);
    expect(info.contract_state).toBeDefined();
  });

  test('is called, and its view functions run at once', async () => {
    const built = await wallet.call<Extention>('TriggerContract', call(selector('set(uint256)') + word(42)));
    expect(built).not.toHaveProperty('constant_result');
    expect(built.txid).toEqual(bytes(sha256(rawDataBytes(built.transaction!.raw_data))));
    const txid = await send(built, account(2).privateKey);
    const info = await wallet.call('GetTransactionInfoById', { value: txid });
    expect(info).toMatchObject({ receipt: { result: 'SUCCESS' }, log: [{ address: contract_address.subarray(1) }] });

    const read = await wallet.call<Extention>('TriggerContract', call(selector('value()')));
    expect(read).toMatchObject({ result: { result: true }, constant_result: [bytes(word(42))] });
    expect(await solidity.call('TriggerConstantContract', call(selector('value()')))).toMatchObject({
      constant_result: [bytes(word(42))],
      transaction: { ret: [{}] },
    });
  });

  test('is estimated, and failures contain the reason', async () => {
    const estimate = await wallet.call('EstimateEnergy', call(selector('set(uint256)') + word(43)));
    expect(estimate.result).toEqual({ result: true });
    expect(Number(estimate.energy_required)).toBeGreaterThan(5_000);
    const reverted = await wallet.call('TriggerConstantContract', call(selector('nothing()')));
    expect(reverted).toMatchObject({
      result: { result: true, message: Buffer.from('REVERT opcode executed') },
      transaction: { ret: [{ ret: 'FAILED' }] },
    });
    const absent = await wallet.call('TriggerContract', { ...call('00000000'), contract_address: NOBODY });
    expect(absent).toEqual({
      result: {
        code: 'CONTRACT_VALIDATE_ERROR',
        message: Buffer.from('Contract validate error : No contract or not a valid smart contract'),
      },
    });
  });
});

describe('the method tables', () => {
  test('omit exactly the methods that java-tron does not implement', () => {
    const missing = (methods: object, rows: object) => {
      const present = rows as Readonly<Record<string, unknown>>;
      return Object.keys(methods).filter((name) => present[name] === undefined);
    };
    expect(missing(Wallet_service.methods, walletMethods).sort()).toEqual([
      'BuyStorage',
      'BuyStorageBytes',
      'SellStorage',
    ]);
    expect(missing(WalletSolidity_service.methods, solidityMethods)).toEqual([]);
    expect(missing(Database_service.methods, databaseMethods)).toEqual([]);
  });

  test('build the contract of their request', () => {
    const requests = Wallet_service.methods as Readonly<Record<string, { request: { type: { fullName: string } } }>>;
    const builders = Object.entries(walletMethods).flatMap(([name, row]) =>
      'contractType' in row ? [[name, `protocol.${row.contractType}`]] : [],
    );
    expect(builders).toHaveLength(49);
    for (const [name, contract] of builders)
      expect([name, requests[name!]?.request.type.fullName]).toEqual([name, contract]);
  });

  test('have the same messages for WalletSolidity and Wallet', () => {
    const all = Wallet_service.methods as Readonly<Record<string, unknown>>;
    for (const [name, messages] of Object.entries(WalletSolidity_service.methods)) {
      expect([name, messages]).toEqual([name, all[name]]);
    }
  });
});

test('the descriptors match the .proto files', () => {
  const present = readFileSync(new URL('../../src/grpc/file-descriptors.ts', import.meta.url), 'utf8');
  expect(generateDescriptors()).toBe(present);
});

test('a port in use is an error', async () => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
  const { port } = blocker.address() as AddressInfo;
  await expect(createDevnet({ grpcPort: port })).rejects.toThrow(`${port}, which is in use`);
  await expect(createDevnet({ grpcSolidityPort: port })).rejects.toThrow(`${port}, which is in use`);
  await new Promise((resolve) => blocker.close(resolve));
});
