/**
 * What signatures are worth before a broadcast (protocol/grpc.md#multi-signature-queries), and that the
 * broadcast says the same.
 */

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
  shareAccount(chain);
});
afterAll(() => chain.close());

/** Account 0 gets the permission `daily`: 5 of accounts 1 to 3, which weigh 2, 3 and 4. */
function shareAccount(chain: SimulatedChain): void {
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
}

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

describe('from 4.8.2 on', () => {
  let later: SimulatedChain;
  let asked: WalletContext;

  beforeAll(async () => {
    later = await SimulatedChain.open({ release: '4.8.2' });
    asked = fullContext(later.node);
    shareAccount(later);
  });
  afterAll(() => later.close());

  const both = (transaction: SignedTransaction) =>
    [getTransactionSignWeight(asked, transaction), getTransactionApprovedList(asked, transaction)] as const;

  test('only those are listed who may sign, and a stranger is told of with the hash', () => {
    expect(getTransactionApprovedList(asked, transfer([3, 1]))).toMatchObject({
      approved_list: [3, 1].map((i) => chain.address(i)),
      result: { code: Approved.SUCCESS },
    });
    const stranger = transfer([4]);
    const [weight, approved] = both(stranger);
    const text = new RegExp(`^${stranger.txId} is signed by T\\w{33} but it is not contained of permission\\.$`);
    expect(weight.result).toEqual({ code: Weight.PERMISSION_ERROR, message: expect.stringMatching(text) });
    expect(approved.approved_list).toEqual([]);
    expect(approved.result?.code).toBe(Approved.OTHER_ERROR);
    const CLASS = 'class org.tron.core.exception.PermissionException : ';
    expect(approved.result?.message).toBe(`${CLASS}${weight.result?.message}`);
    for (const [refused, words] of [
      [transfer([1, 1]), ' has signed twice!'],
      [transfer([1], 7), 'Permission for this, does not exist!'],
      [transfer([1, 2, 3, 4]), 'Signature count is 4 more than key counts of permission : 3'],
    ] as const) {
      expect(getTransactionApprovedList(asked, refused).result?.message).toContain(words);
    }
  });

  test('more than five signatures are too many, before anything is looked at', () => {
    const [weight, approved] = both(transfer([]).withSignatures(Array(6).fill('ab')));
    expect(weight).toMatchObject({
      transaction: undefined,
      result: { code: Weight.OTHER_ERROR, message: 'too many signatures' },
    });
    expect(approved).toMatchObject({
      transaction: undefined,
      result: { code: Approved.OTHER_ERROR, message: 'too many signatures' },
    });
  });

  test('65 bytes of a signature are read and given back', () => {
    const signed = transfer([1]);
    const [signature] = signed.signatures;
    for (const { approved_list, transaction } of both(signed.withSignatures([`${signature}${'cd'.repeat(100)}`]))) {
      expect(approved_list).toEqual([chain.address(1)]);
      expect(transaction?.transaction?.signature).toEqual([signature]);
    }
    const [short] = both(signed.withSignatures(['ab'.repeat(64)]));
    expect(short.result).toEqual({ code: Weight.SIGNATURE_FORMAT_ERROR, message: 'Signature size is 64' });
  });
});
