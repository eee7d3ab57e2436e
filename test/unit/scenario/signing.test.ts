import { expect, it } from 'vitest';
import { bytesToHex } from '../../../src/primitives/hex.js';
import type { Address } from '../../../src/primitives/ids.js';
import { packAny } from '../../../src/protocol/contract-types.js';
import { TransferContract } from '../../../src/protocol/generated/balance-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Transaction_Contract,
  Transaction_raw,
} from '../../../src/protocol/generated/tron.js';
import { SignedTransaction } from '../../../src/protocol/transaction.js';
import { problemsOf, runText } from './run-file.js';

const ALICE = '417e5f4552091a69125d5dfcb7b8c2659029395bdf' as Address;
const BOB = '41e2e1a54926527fbb4e4420de4c6bab82beaee24d' as Address;

it('signs for several, with a memo and by another permission, and says what that costs', async () => {
  const { transactions } = await runText(`
network: { preset: mainnet@2025-09, start: 2026-01-01T00:00:00Z }
accounts: { treasury: 1_000 TRX, one: 1 TRX, two: 1 TRX, shop: 1 TRX }
steps:
  - updatePermissions:
      from: treasury
      owner: { threshold: 1, keys: { treasury: 1 } }
      actives: [{ threshold: 2, keys: { one: 1, two: 1 }, operations: [TransferContract] }]
  - transfer: { from: treasury, to: shop, amount: 1 TRX, signers: [one, two], permission: 2, memo: invoice 17 }
  - transfer: { from: treasury, to: shop, amount: 1 TRX, signers: [one], permission: 2 }
  - stake: { from: treasury, amount: 1 TRX, for: energy, signers: [one, two], permission: 2 }
  - impersonate: shop
  - transfer: { from: shop, to: one, amount: 1 TRX, signers: [] }
`);
  const [update, both, alone, stake, nobody] = transactions;
  expect(update?.paid.at(-1)).toMatchObject({ reason: 'permission-update', sun: 100_000_000n });
  expect(both).toMatchObject({ outcome: 'SUCCESS', feeSun: 1_000_000n + 1_000_000n + 348_000n });
  expect(both?.paid.map(({ reason }) => reason)).toEqual(['bandwidth', 'multi-signature', 'memo']);
  expect(alone).toMatchObject({ outcome: 'REFUSED', refusal: { code: 'SIGERROR' } });
  expect(stake).toMatchObject({ outcome: 'REFUSED', refusal: { code: 'SIGERROR' } });
  expect(nobody).toMatchObject({ outcome: 'SUCCESS', from: 'shop' });
});

it('sends a signed transaction as it is, which counts on the chain that it refers to', async () => {
  const head = `
network: { preset: mainnet@2025-09, start: 2026-01-01T00:00:00Z }
accounts: { alice: 10 TRX }
steps:
`;
  const transfer = TransferContract.create({ owner_address: ALICE, to_address: BOB, amount: 1n });
  const type = ContractType.TransferContract;
  const contract = [Transaction_Contract.create({ type, parameter: packAny(TransferContract, transfer) })];
  const raw = SignedTransaction.fromRaw(Transaction_raw.create({ contract, expiration: 4_000_000_000_000n }));
  const { transactions } = await runText(`${head}  - raw: ${bytesToHex(raw.bytes)}\n`);
  expect(transactions).toHaveLength(1);
  expect(transactions[0]).toMatchObject({ outcome: 'REFUSED', refusal: { code: 'TAPOS_ERROR' } });
  await expect(runText(`${head}  - raw: ffff`)).rejects.toThrow(
    /test\.scenario\.yaml:5:10: the bytes are not a transaction/,
  );
});

it('begins with permissions that accounts have', async () => {
  const { transactions } = await runText(`
network: { preset: mainnet@2025-09 }
accounts:
  treasury:
    balance: 100 TRX
    permissions:
      owner: { threshold: 2, keys: { one: 1, two: 1 } }
      actives: [{ name: payments, threshold: 1, keys: { clerk: 1 }, operations: [TransferContract] }]
  one: 1 TRX
  two: 1 TRX
  clerk:
  shop: 1 TRX
steps:
  - transfer: { from: treasury, to: shop, amount: 1 TRX }
  - transfer: { from: treasury, to: shop, amount: 1 TRX, signers: [one, two] }
  - transfer: { from: treasury, to: shop, amount: 1 TRX, signers: [clerk], permission: 2 }
  - stake: { from: treasury, amount: 1 TRX, for: energy, signers: [clerk], permission: 2 }
`);
  expect(transactions.map(({ outcome, refusal, feeSun }) => [outcome, refusal?.code, feeSun])).toEqual([
    ['REFUSED', 'SIGERROR', 0n],
    // Nobody has paid 100 TRX for the permissions, but the second signature is paid for.
    ['SUCCESS', undefined, 1_000_000n],
    // Of the 600 free bytes the two signatures have left too few for these 269.
    ['SUCCESS', undefined, 269_000n],
    ['REFUSED', 'SIGERROR', 0n],
  ]);
  await expect(
    runText('accounts: { a: { balance: 1 TRX, permissions: { owner: { threshold: 2, keys: { a: 1 } } } } }\nsteps: []'),
  ).rejects.toThrow(/^test\.scenario\.yaml:1:47: owner_permission is not valid: sum of all key's weight should not be/);
  expect(
    problemsOf('accounts: { a: { permissions: { owner: { threshold: 1, keys: { bob: 1 } } } } }\nsteps: []'),
  ).toMatch(/no account is called bob/);
});
