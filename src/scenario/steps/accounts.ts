/** Steps about accounts themselves: making them, their names, who may sign for them. */

import * as v from 'valibot';
import { utf8ToHex } from '../../primitives/hex.js';
import {
  AccountCreateContract,
  AccountPermissionUpdateContract,
  AccountUpdateContract,
  SetAccountIdContract,
} from '../../protocol/generated/account-contract.js';
import {
  type Permission,
  Permission as PermissionMessage,
  Permission_PermissionType as PermissionType,
  Transaction_Contract_ContractType as Type,
} from '../../protocol/generated/tron.js';
import { members } from '../format/check-object.js';
import { account, integer, text } from '../format/fields.js';
import type { StepRun } from '../step-run.js';
import { type StepKind, transaction } from './step-kind.js';

const KEYS = 'weights of keys by the names of accounts: { alice: 1, bob: 1 }';
const keys = v.pipe(v.record(v.string(), integer, KEYS), v.description(KEYS), v.metadata({ names: 'account' }));

const OPERATIONS =
  'types of contracts that it may send: [TransferContract, TriggerSmartContract]; default: all that an active permission has by default';
const typeNames = Object.keys(Type);

const single = members('who may sign, with how much weight together', { threshold: integer, keys });
const active = members('an active permission', {
  name: v.optional(text),
  threshold: integer,
  keys,
  operations: v.optional(v.pipe(v.array(v.picklist(typeNames, OPERATIONS)), v.description(OPERATIONS))),
});

const actives = v.pipe(
  v.array(active),
  v.description('permissions for everyday use: a list of { name, threshold, keys, operations }'),
);

interface Given {
  readonly threshold: bigint;
  readonly keys: Readonly<Record<string, bigint>>;
}

function permission(run: StepRun, { threshold, keys: weights }: Given, rest: Partial<Permission>): Permission {
  return PermissionMessage.create({
    threshold,
    keys: Object.entries(weights).map(([name, weight]) => ({ address: run.addressOf(name), weight })),
    ...rest,
  });
}

/** A bit for each type, the lowest of a byte first. */
function operationBits(names: readonly string[]): string {
  const bits = Buffer.alloc(32);
  for (const name of names) {
    const type = Type[name as keyof typeof Type];
    bits[type >> 3] = (bits[type >> 3] as number) | (1 << (type & 7));
  }
  return bits.toString('hex');
}

export const accountSteps: readonly StepKind[] = [
  transaction({
    name: 'createAccount',
    about: 'brings an account into being for a fee, without sending it anything',
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
    about: 'gives the sender a name on the chain',
    example: { from: 'alice', name: 'alice of the shop' },
    contractType: Type.AccountUpdateContract,
    fields: { name: text },
    call: ({ from, name }, run) => ({
      message: AccountUpdateContract.create({ owner_address: run.addressOf(from), account_name: utf8ToHex(name) }),
    }),
  }),
  transaction({
    name: 'setAccountId',
    about: 'gives the sender an id, which can be done once',
    example: { from: 'alice', id: 'alice-0001' },
    contractType: Type.SetAccountIdContract,
    fields: { id: text },
    call: ({ from, id }, run) => ({
      message: SetAccountIdContract.create({ owner_address: run.addressOf(from), account_id: utf8ToHex(id) }),
    }),
  }),
  transaction({
    name: 'updatePermissions',
    about: 'says who may sign for the sender: several signatures, other keys (AccountPermissionUpdate)',
    example: {
      from: 'alice',
      owner: { threshold: 1, keys: { alice: 1 } },
      actives: [{ threshold: 2, keys: { alice: 1, bob: 1 } }],
    },
    contractType: Type.AccountPermissionUpdateContract,
    fields: { owner: single, witness: v.optional(single), actives },
    call: ({ from, owner, witness, actives }, run) => ({
      message: AccountPermissionUpdateContract.create({
        owner_address: run.addressOf(from),
        owner: permission(run, owner, { type: PermissionType.Owner, permission_name: 'owner' }),
        ...(witness !== undefined && {
          witness: permission(run, witness, { type: PermissionType.Witness, permission_name: 'witness' }),
        }),
        actives: actives.map(({ name, operations, ...given }, at) =>
          permission(run, given, {
            type: PermissionType.Active,
            permission_name: name ?? `active${at}`,
            operations:
              operations === undefined ? run.ledger.text('ACTIVE_DEFAULT_OPERATIONS') : operationBits(operations),
          }),
        ),
      }),
    }),
  }),
];
