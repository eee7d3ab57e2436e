/** `tron_setAccount`: fields of an account, in the form of `getaccount`. */

import * as v from 'valibot';
import { record } from '../../primitives/record-schema.js';
import { ResourceCode } from '../../protocol/generated/resource-code.js';
import { Account, AccountType } from '../../protocol/generated/tron.js';
import { getAccount } from '../../wallet/accounts.js';
import { fullContext } from '../../wallet/context.js';
import { address, bytes, integer, members, name, sun } from '../kinds.js';
import { messageJson } from '../message-json.js';
import { type DevMethod, method, parameter } from '../table.js';

const count = v.optional(integer);

const whole = <Entries extends v.ObjectEntries>(words: string, entries: Entries) => v.strictObject(entries, words);

function oneOf<Values extends Readonly<Record<string, number>>>(values: Values) {
  const words = `one of ${Object.keys(values).join(', ')}`;
  return v.pipe(
    v.picklist(Object.keys(values), words),
    v.transform((word) => values[word] as Values[keyof Values]),
  );
}

const permission = v.pipe(
  whole('a permission: threshold, keys ({address, weight}), permission_name, operations', {
    // Ids of permissions, as getaccount shows them, follow from their position.
    type: v.optional(v.unknown()),
    id: v.optional(v.unknown()),
    permission_name: v.optional(v.string('a name')),
    threshold: integer,
    keys: v.array(whole('a key: address, weight', { address, weight: integer }), 'a list of keys'),
    operations: v.optional(bytes),
  }),
  v.transform(({ permission_name, threshold, keys, operations }) => ({
    threshold,
    keys,
    ...(permission_name !== undefined && { permission_name }),
    ...(operations !== undefined && { operations }),
  })),
);

const tokens = v.pipe(
  v.union(
    [
      record(v.string(), v.nullable(integer)),
      v.array(whole('a holding: key, value', { key: v.string(), value: integer })),
      v.null(),
    ],
    'token amounts by id, or a list of {key, value}',
  ),
  v.transform((given) => {
    if (!Array.isArray(given) && given !== null) return { amounts: given, isAll: false };
    return { amounts: Object.fromEntries((given ?? []).map(({ key, value }) => [key, value])), isAll: true };
  }),
);

const vote = whole('a vote: vote_address, vote_count', { vote_address: address, vote_count: integer });
const unfreeze = whole('an unfreeze: type, unfreeze_amount, unfreeze_expire_time', {
  type: v.optional(
    oneOf({ BANDWIDTH: ResourceCode.BANDWIDTH, ENERGY: ResourceCode.ENERGY, TRON_POWER: ResourceCode.TRON_POWER }),
    'BANDWIDTH',
  ),
  unfreeze_amount: sun,
  unfreeze_expire_time: integer,
});

const patch = members(
  'in the format of getaccount with visible; null removes a field; stakes, delegations, usage and code have their own methods',
  {
    balance: v.optional(sun),
    account_name: v.optional(v.nullable(name)),
    account_id: v.optional(v.nullable(name)),
    type: v.optional(
      oneOf({ Normal: AccountType.Normal, AssetIssue: AccountType.AssetIssue, Contract: AccountType.Contract }),
    ),
    create_time: count,
    latest_opration_time: count,
    latest_withdraw_time: count,
    allowance: v.optional(sun),
    votes: v.optional(v.nullable(v.array(vote, 'a list of votes'))),
    owner_permission: v.optional(v.nullable(permission)),
    witness_permission: v.optional(v.nullable(permission)),
    active_permission: v.optional(v.nullable(v.array(permission, 'a list of permissions'))),
    assetV2: v.optional(tokens),
    unfrozenV2: v.optional(v.nullable(v.array(unfreeze, 'a list of unfreezes'))),
  },
);

export const accountMethods: readonly DevMethod[] = [
  method({
    name: 'tron_setAccount',
    about: 'changes fields of an account, in the format of getaccount; creates the account if it does not exist',
    parameters: [parameter('address', address), parameter('patch', patch)],
    example: ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', { account_name: 'somebody', allowance: 5_000_000 }],
    answer: ({ node }, account, wanted) => {
      node.operations.apply('setAccount', { address: account, patch: wanted });
      const changed = getAccount(fullContext(node), Account.create({ address: account }));
      return messageJson(Account, changed ?? Account.empty);
    },
  }),
];
