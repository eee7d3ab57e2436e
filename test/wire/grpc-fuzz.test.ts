/**
 * Random messages and random bytes for every method: each gets an answer or one of java-tron's statuses, there are no
 * internal errors, and the chain continues. Seeded, so that failures can be reproduced; SUNUP_FUZZ_SEED selects another
 * seed.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { contractCodec, contractTypesWithMessage, packAny } from '../../src/protocol/contract-types.js';
import { Database_service, Wallet_service, WalletSolidity_service } from '../../src/protocol/generated/services.js';
import { Transaction, Transaction_Contract, Transaction_raw } from '../../src/protocol/generated/tron.js';
import type { MessageType } from '../../src/protocol/message-type.js';
import type { ServiceType } from '../../src/protocol/service-type.js';
import { sign } from '../../src/protocol/signature.js';
import { SignedTransaction } from '../../src/protocol/transaction.js';
import { arbitraryMessage } from '../unit/protocol/arbitrary-message.js';
import { callBytes, type Json, ServiceClient, statusOf } from './grpc-client.js';

const SEED = Number(process.env.SUNUP_FUZZ_SEED ?? 50_051);
const ANSWERS = new Set(['OK', 'UNKNOWN', 'INTERNAL', 'INVALID_ARGUMENT', 'UNIMPLEMENTED']);

let devnet: Devnet;
const clients = new Map<ServiceType, ServiceClient>();
const failures: string[] = [];

beforeAll(async () => {
  const log = {
    warn: () => {},
    error: (text: string, error?: unknown) => failures.push(`${text}\n${(error as Error)?.stack}`),
  };
  devnet = await createDevnet({ mining: 'manual', grpcPort: 0, grpcSolidityPort: 0, log });
  clients.set(Wallet_service, new ServiceClient('Wallet', devnet.grpc!.url));
  clients.set(Database_service, new ServiceClient('Database', devnet.grpc!.url));
  clients.set(WalletSolidity_service, new ServiceClient('WalletSolidity', devnet.grpcSolidity[0]!.url));
});

afterAll(async () => {
  for (const client of clients.values()) client.close();
  await devnet.close();
});

/** Usually an existing account where a message has an address: others are refused early. */
function withAccounts(type: MessageType, message: Json): Json {
  const [first, second] = devnet.accounts;
  const known = Object.entries(message).map(([name, value]) => {
    const field = type.fieldByName.get(name);
    if (/^(owner_)?address$/.test(name) && field?.kind === 'bytes') return [name, first!.addressHex];
    if (/address$/.test(name) && field?.kind === 'bytes') return [name, second!.addressHex];
    return [name, value];
  });
  return Object.fromEntries(known) as Json;
}

const requests = (type: MessageType): fc.Arbitrary<Uint8Array> => {
  const message = arbitraryMessage(type) as fc.Arbitrary<Json>;
  const encoded = message.map((value) => type.codec.encode(value));
  return fc.oneof(
    encoded,
    message.map((value) => type.codec.encode(withAccounts(type, value))),
    // Truncated, or with a changed byte.
    fc.tuple(encoded, fc.nat(), fc.nat(255)).map(([bytes, at, byte]) => {
      if (bytes.length === 0) return Uint8Array.of(byte);
      return byte < 64 ? bytes.subarray(0, at % bytes.length) : bytes.with(at % bytes.length, byte);
    }),
    fc.uint8Array({ maxLength: 60 }),
  );
};

const everyMethod = [Wallet_service, WalletSolidity_service, Database_service].flatMap((service) =>
  Object.entries((service as ServiceType).methods).map(([name, { request }]) => ({
    path: `/${service.fullName}/${name}`,
    service: service as ServiceType,
    type: request.type,
  })),
);

test.each(everyMethod)('$path', async ({ path, service, type }) => {
  const { client } = clients.get(service)!;
  for (const request of fc.sample(requests(type), { seed: SEED, numRuns: 24 })) {
    const [code, details] = await statusOf(callBytes(client, path, request));
    expect([code, ANSWERS.has(code ?? '')]).toEqual([code, true]);
    expect(details).not.toContain('undefined');
  }
  expect(failures).toEqual([]);
});

const contractTypes = contractTypesWithMessage();

test.each(contractTypes)('a transaction with contract %i', async (type) => {
  const wallet = clients.get(Wallet_service)!;
  const codec = contractCodec(type)!;
  const [payer] = devnet.accounts;
  const { blockid, block_header } = await wallet.call<{ blockid: Buffer; block_header: { raw_data: Json } }>(
    'GetNowBlock2',
  );
  const expiration = BigInt(String(block_header.raw_data.timestamp)) + 60_000n;
  let code: string | undefined;
  for (const message of fc.sample(arbitraryMessage(codec.type) as fc.Arbitrary<Json>, { seed: SEED, numRuns: 24 })) {
    const parameter = packAny(codec, withAccounts(codec.type, message) as never);
    const raw = Transaction_raw.create({
      ref_block_bytes: blockid.toString('hex', 6, 8),
      ref_block_hash: blockid.toString('hex', 8, 16),
      expiration,
      timestamp: expiration - 60_000n,
      fee_limit: 1_000_000_000n,
      contract: [Transaction_Contract.create({ type, parameter })],
    });
    const common = Transaction.create({ raw_data: raw });
    [code] = await statusOf(
      callBytes(wallet.client, '/protocol.Wallet/CreateCommonTransaction', Transaction.encode(common)),
    );
    expect(code).toBe('OK');
    const { txId } = SignedTransaction.fromRaw(raw);
    const signed = Transaction.create({ raw_data: raw, signature: [sign(txId, payer!.privateKey)] });
    [code] = await statusOf(
      callBytes(wallet.client, '/protocol.Wallet/BroadcastTransaction', Transaction.encode(signed)),
    );
    expect(code).toBe('OK');
  }
  expect(failures).toEqual([]);
  const before = Number((await devnet.mine()).number);
  expect((await devnet.mine()).number).toBe(before + 1);
});
