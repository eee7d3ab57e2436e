/** Steps about accounts: creation, names, permissions. */

import * as v from 'valibot';
import { utf8ToHex } from '../../primitives/hex.js';
import {
  AccountCreateContract,
  AccountPermissionUpdateContract,
  AccountUpdateContract,
  SetAccountIdContract,
} from '../../protocol/generated/account-contract.js';
import {
  Permission,
  Permission_PermissionType as PermissionType,
  Transaction_Contract_ContractType as Type,
} from '../../protocol/generated/tron.js';
import { permissionPatch } from '../actions/permissions.js';
import { account, text } from '../format/fields.js';
import { activesField, type PermissionFields, permissionField } from '../format/permission-fields.js';
import { type StepKind, transaction } from './step-kind.js';

export const accountSteps: readonly StepKind[] = [
  transaction({
    name: 'createAccount',
    about: 'creates an account without a transfer, for a fee (AccountCreate)',
    example: { from: 'alice', account: 'newcomer' },
    contractType: Type.AccountCreateContract,
    fields: { account },
    call: ({ from, account: name }, run) => {
      const address = run.addressOf(name);
      return {
        message: AccountCreateContract.create({ owner_address: run.addressOf(from), account_address: address }),
        to: address,
      };
    },
  }),
  transaction({
    name: 'updateAccount',
    about: 'sets the name of the sender on the chain (AccountUpdate)',
    example: { from: 'alice', name: 'alice of the shop' },
    contractType: Type.AccountUpdateContract,
    fields: { name: text },
    call: ({ from, name }, run) => ({
      message: AccountUpdateContract.create({ owner_address: run.addressOf(from), account_name: utf8ToHex(name) }),
    }),
  }),
  transaction({
    name: 'setAccountId',
    about: 'sets the account id of the sender, once (SetAccountId)',
    example: { from: 'alice', id: 'alice-0001' },
    contractType: Type.SetAccountIdContract,
    fields: { id: text },
    call: ({ from, id }, run) => ({
      message: SetAccountIdContract.create({ owner_address: run.addressOf(from), account_id: utf8ToHex(id) }),
    }),
  }),
  transaction({
    name: 'updatePermissions',
    about: 'sets the permissions of the sender: keys, weights, thresholds (AccountPermissionUpdate)',
    example: {
      from: 'alice',
      owner: { threshold: 1, keys: { alice: 1 } },
      actives: [{ threshold: 2, keys: { alice: 1, bob: 1 } }],
    },
    contractType: Type.AccountPermissionUpdateContract,
    fields: { owner: permissionField, witness: v.optional(permissionField), actives: activesField },
    call: ({ from, owner, witness, actives }, run) => {
      const made = (type: PermissionType, given: PermissionFields, name: string) =>
        Permission.create({ type, ...permissionPatch(run, given, type, name) });
      return {
        message: AccountPermissionUpdateContract.create({
          owner_address: run.addressOf(from),
          owner: made(PermissionType.Owner, owner, 'owner'),
          ...(witness !== undefined && { witness: made(PermissionType.Witness, witness, 'witness') }),
          actives: actives.map((given, at) => made(PermissionType.Active, given, `active${at}`)),
        }),
      };
    },
  }),
];
