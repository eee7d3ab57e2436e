/** What signatures are worth before a broadcast (grpc.md 5.6), and that the broadcast says the same. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  TransactionApprovedList_Result_response_code as Approved,
  TransactionSignWeight_Result_response_code as Weight,
} from '../../../src/protocol/generated/api.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Permission,
  Permission_PermissionType,
} from '../../../src/protocol/generated/tron.js';
import type { SignedTransaction } from '../../../src/protocol/transaction.js';
import { fullContext, type WalletContext } from '../../../src/wallet/context.js';
import { getTransactionApprovedList, getTransactionSignWeight } from '../../../src/wallet/signatures.js';
import { broadcastTransaction } from '../../../src/wallet/transactions.js';
import { COIN, SimulatedChain, strangerAddress } from '../../simulation/simulated-chain.js';

/** Bit 1: TransferContract. */
const TRANSFERS_ONLY = `02${'00'.repeat(31)}`;
const DAILY = 2;

let chain: SimulatedChain;
let wallet: WalletContext;

beforeAll(async () => {
  chain = await SimulatedChain.open();
  wallet = fullContext(chain.node);
  const keysOf = (weights: readonly (readonly [number, bigint])[]) =>
    weights.map(([i, weight]) => ({ address: chain.address(i), weight }));
  chain.send(ContractType.AccountPermissionUpdateContract, {
    owner_address: chain.address(0),
    owner: Permission.create({
      type: Permission_PermissionType.Owner,
      permission_name: 'owner',
      threshold: 1n,
      keys: keysOf([[0, 1n]]),
    }),
    actives: [
      Permission.create({
        type: Permission_PermissionType.Active,
        permission_name: 'daily',
        threshold: 5n,
        operations: TRANSFERS_ONLY,
        keys: keysOf([
          [1, 2n],
          [2, 3n],
          [3, 4n],
        ]),
      }),
    ],
  });
  chain.node.mine(1);
});
afterAll(() => chain.close());

function transfer(signers: readonly number[], permissionId = DAILY): SignedTransaction {
  const fields = { owner_address: chain.address(0), to_address: chain.address(4), amount: COIN };
  const keys = signers.map((i) => chain.accounts[i]!.privateKey);
  return chain.transaction(ContractType.TransferContract, fields, { permissionId, keys });
}

describe('the weight of signatures', () => {
  test.each([
    [[], 0n],
    [[1], 2n],
    [[1, 2], 5n],
    [[3, 1], 6n],
    [[1, 2, 3], 9n],
  ])('of accounts %j is %s of 5', (signers, weight) => {
    const transaction = transfer(signers);
    const answer = getTransactionSignWeight(wallet, transaction);
    const enough = weight >= 5n;
    expect(answer).toMatchObject({
      current_weight: weight,
      approved_list: signers.map((i) => chain.address(i)),
      permission: { permission_name: 'daily', id: DAILY, threshold: 5n },
      result: { code: enough ? Weight.ENOUGH_PERMISSION : Weight.NOT_ENOUGH_PERMISSION, message: '' },
      transaction: { txid: transaction.txId, result: { result: true } },
    });
    const snapshot = chain.node.snapshot();
    expect(broadcastTransaction(wallet, transaction).result).toBe(enough);
    return chain.node.revert(snapshot);
  });

  test('is not asked where the permission says no', () => {
    const refusal = (transaction: SignedTransaction) => {
      const { result, permission, approved_list, current_weight } = getTransactionSignWeight(wallet, transaction);
      expect([approved_list, current_weight]).toEqual([[], 0n]);
      return [result?.code, result?.message, permission?.permission_name];
    };
    expect(refusal(transfer([1, 1]))).toEqual([
      Weight.PERMISSION_ERROR,
      expect.stringMatching(/^T\w{33} has signed twice!$/),
      'daily',
    ]);
    expect(refusal(transfer([4]))).toEqual([
      Weight.PERMISSION_ERROR,
      expect.stringMatching(/^[0-9a-f]{130} is signed by T\w{33} but it is not contained of permission\.$/),
      'daily',
    ]);
    expect(refusal(transfer([1, 2, 3, 4]))).toEqual([
      Weight.PERMISSION_ERROR,
      'Signature count is 4 more than key counts of permission : 3',
      'daily',
    ]);
    expect(refusal(transfer([1], 7))).toEqual([
      Weight.PERMISSION_ERROR,
      'Permission for this, does not exist!',
      undefined,
    ]);
    const vote = { owner_address: chain.address(0), votes: [] };
    expect(
      refusal(chain.transaction(ContractType.VoteWitnessContract, vote, { permissionId: DAILY, keys: [] })),
    ).toEqual([Weight.PERMISSION_ERROR, 'Permission denied!', undefined]);
    const nobody = { owner_address: strangerAddress(9), to_address: chain.address(4), amount: 1n };
    expect(refusal(chain.transaction(ContractType.TransferContract, nobody, { keys: [] }))).toEqual([
      Weight.PERMISSION_ERROR,
      'Account does not exist!',
      undefined,
    ]);
    expect(refusal(transfer([]).withSignatures(['ab'.repeat(64)]))).toEqual([
      Weight.SIGNATURE_FORMAT_ERROR,
      'Signature size is 64',
      'daily',
    ]);
    expect(refusal(transfer([]).withSignatures(['00'.repeat(65)]))[0]).toBe(Weight.COMPUTE_ADDRESS_ERROR);
  });
});

describe('the list of who has signed', () => {
  test('asks nobody whether they may', () => {
    const transaction = transfer([4, 1, 1]);
    expect(getTransactionApprovedList(wallet, transaction)).toMatchObject({
      approved_list: [4, 1, 1].map((i) => chain.address(i)),
      result: { code: Approved.SUCCESS, message: '' },
      transaction: { txid: transaction.txId },
    });
  });

  test('says what is no signature, and whose account is not there', () => {
    const refusal = (transaction: SignedTransaction) => getTransactionApprovedList(wallet, transaction).result;
    expect(refusal(transfer([]).withSignatures(['ab'.repeat(64)]))?.code).toBe(Approved.SIGNATURE_FORMAT_ERROR);
    expect(refusal(transfer([]).withSignatures(['00'.repeat(65)]))?.code).toBe(Approved.COMPUTE_ADDRESS_ERROR);
    const nobody = { owner_address: strangerAddress(9), to_address: chain.address(4), amount: 1n };
    expect(refusal(chain.transaction(ContractType.TransferContract, nobody, { keys: [] }))).toEqual({
      code: Approved.OTHER_ERROR,
      message: 'class org.tron.core.exception.PermissionException : Account does not exist!',
    });
  });
});
