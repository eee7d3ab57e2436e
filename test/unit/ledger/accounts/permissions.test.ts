import { describe, expect, it } from 'vitest';
import { allowsContractType, permissionById, witnessSigner } from '../../../../src/ledger/accounts/permissions.js';
import { accountPermissionUpdateContract } from '../../../../src/ledger/contracts/AccountPermissionUpdateContract.js';
import { MAX_LONG } from '../../../../src/primitives/java-math.js';
import { AccountPermissionUpdateContract } from '../../../../src/protocol/generated/account-contract.js';
import { Account, Permission, Permission_PermissionType as Type } from '../../../../src/protocol/generated/tron.js';
import type { Sent } from '../../../../src/protocol/message-type.js';
import { address, EpochLedger } from '../epoch-ledger.js';

const A = address(11);
const W = address(1);
const key = (n: number, weight = 1n) => ({ address: address(n), weight });

/** Operations with these contract types. */
function operations(...types: readonly number[]): string {
  const bytes = Buffer.alloc(32);
  for (const type of types) bytes[type >> 3] = (bytes[type >> 3] as number) | (1 << (type & 7));
  return bytes.toString('hex');
}

const owner = (change: Partial<Permission> = {}) =>
  Permission.create({ type: Type.Owner, permission_name: 'owner', threshold: 1n, keys: [key(11)], ...change });
const active = (change: Partial<Permission> = {}) =>
  Permission.create({ type: Type.Active, threshold: 1n, keys: [key(11)], operations: operations(1), ...change });
const witness = (change: Partial<Permission> = {}) =>
  Permission.create({ type: Type.Witness, threshold: 1n, keys: [key(12)], ...change });

const update = (change: Partial<Sent<AccountPermissionUpdateContract>> = {}) =>
  AccountPermissionUpdateContract.create({ owner_address: A, owner: owner(), actives: [active()], ...change });

describe('AccountPermissionUpdate', () => {
  const cases: readonly (readonly [expected: string, Partial<Sent<AccountPermissionUpdateContract>>])[] = [
    ['invalidate ownerAddress', { owner_address: '42' }],
    ['ownerAddress account does not exist', { owner_address: address(99) }],
    ['owner permission is missed', { owner: undefined }],
    ['witness permission is missed', { owner_address: W }],
    ["account isn't witness can't set witness permission", { witness: witness() }],
    ['active permission is missed', { actives: [] }],
    ['active permission is too many', { actives: Array.from({ length: 9 }, () => active()) }],
    ['owner permission type is error', { owner: owner({ type: Type.Active }) }],
    ['witness permission type is error', { owner_address: W, witness: witness({ type: Type.Owner }) }],
    ['active permission type is error', { actives: [active(), active({ type: Type.Owner })] }],
    [
      'number of keys in permission should not be greater than 5',
      { owner: owner({ keys: [1, 2, 3, 4, 5, 6].map((n) => key(n)) }) },
    ],
    ["key's count should be greater than 0", { owner: owner({ keys: [] }) }],
    ["Witness permission's key count should be 1", { owner_address: W, witness: witness({ keys: [key(1), key(2)] }) }],
    ["permission's threshold should be greater than 0", { owner: owner({ threshold: 0n }) }],
    ["permission's name is too long", { owner: owner({ permission_name: 'x'.repeat(33) }) }],
    ["permission's parent should be owner", { owner: owner({ parent_id: 1 }) }],
    ['address should be distinct in permission Owner', { owner: owner({ keys: [key(1), key(1)] }) }],
    ['address should be distinct in permission Active', { actives: [active({ keys: [key(1), key(1)] })] }],
    ['key is not a validate address', { owner: { ...owner(), keys: [{ address: '41', weight: 1n }] } }],
    ["key's weight should be greater than 0", { owner: owner({ keys: [key(1, 0n)] }) }],
    ['long overflow', { owner: owner({ keys: [key(1, MAX_LONG), key(2)] }) }],
    [
      "sum of all key's weight should not be less than threshold in permission Owner",
      { owner: owner({ threshold: 3n, keys: [key(1), key(2)] }) },
    ],
    ["Owner permission needn't operations", { owner: owner({ operations: operations(1) }) }],
    ["Witness permission needn't operations", { owner_address: W, witness: witness({ operations: operations(1) }) }],
    ['operations size must 32', { actives: [active({ operations: '' })] }],
    ['operations size must 32', { actives: [active({ operations: operations(1).slice(2) })] }],
    ["47 isn't a validate ContractType", { actives: [active({ operations: operations(1, 47, 50) })] }],
  ];

  it.each(cases)('is refused: %s', (expected, change) => {
    const test = new EpochLedger({ accounts: [A] });
    expect(test.refusal(accountPermissionUpdateContract, update(change))).toBe(expected);
  });

  it('is refused while multi-signature is off', () => {
    const test = new EpochLedger({ accounts: [A], parameters: { ALLOW_MULTI_SIGN: 0n } });
    expect(test.refusal(accountPermissionUpdateContract, update())).toBe(
      'multi sign is not allowed, need to be opened by the committee',
    );
  });

  it('replaces everything and gives its own ids, for a fee', () => {
    const test = new EpochLedger({ accounts: [A] });
    const before = test.account(A).balance;
    test.run(
      accountPermissionUpdateContract,
      update({ owner: owner({ id: 9 }), actives: [active({ id: 7 }), active({ id: 9, permission_name: 'second' })] }),
    );
    const account = test.account(A);
    expect(account.owner_permission).toEqual(owner({ id: 0 }));
    expect(account.active_permission.map(({ id, permission_name }) => [id, permission_name])).toEqual([
      [2, ''],
      [3, 'second'],
    ]);
    expect(before - account.balance).toBe(100_000_000n);
    expect(test.charges).toEqual([
      { payer: A, resource: 'coin', source: 'burned', amount: 100_000_000n, reason: 'permission-update' },
    ]);
  });

  it('does not check the fee beforehand: too little coin ends in the execution', () => {
    const test = new EpochLedger({ accounts: [A], balanceSun: 99_999_999n });
    expect(() => test.run(accountPermissionUpdateContract, update())).toThrow(
      `${A} insufficient balance, balance: 99999999, amount: 100000000`,
    );
  });

  it("moves the signing of a witness's blocks to the key of its witness permission", () => {
    const test = new EpochLedger();
    expect(witnessSigner(test.account(W))).toBe(W);
    test.run(accountPermissionUpdateContract, update({ owner_address: W, witness: witness() }));
    expect(test.account(W).witness_permission).toEqual(witness({ id: 1 }));
    expect(witnessSigner(test.account(W))).toBe(address(12));
  });
});

describe('permissionById', () => {
  it('has a virtual owner permission where none is stored, and nothing else', () => {
    const account = Account.create({ address: A });
    expect(permissionById(account, 0)).toMatchObject({ permission_name: 'owner', threshold: 1n, keys: [key(11)] });
    expect(permissionById(account, 1)).toBeUndefined();
    expect(permissionById(account, 2)).toBeUndefined();
  });
});

describe('allowsContractType', () => {
  it('reads bit n of byte n / 8 from the low end', () => {
    const allowed = (bits: string) => [...Array(256).keys()].filter((type) => allowsContractType(bits, type));
    expect(allowed(operations(0, 7, 8, 46, 59, 255))).toEqual([0, 7, 8, 46, 59, 255]);
    // ACTIVE_DEFAULT_OPERATIONS of mainnet: everything that exists but AccountPermissionUpdate.
    const mainnet = new EpochLedger().ledger.text('ACTIVE_DEFAULT_OPERATIONS');
    expect(allowsContractType(mainnet, 46)).toBe(false);
    expect([54, 55, 56, 57, 58, 59].every((type) => allowsContractType(mainnet, type))).toBe(true);
  });
});
