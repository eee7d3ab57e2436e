/** Permissions of an account in a scenario: weights of keys by account names. */

import * as v from 'valibot';
import { record } from '../../primitives/record-schema.js';
import { Transaction_Contract_ContractType as Type } from '../../protocol/generated/tron.js';
import { members } from './check-object.js';
import { integer, text } from './fields.js';

const KEYS = 'weights of keys by the names of accounts: { alice: 1, bob: 1 }';
const keys = v.pipe(record(v.string(), integer, KEYS), v.description(KEYS), v.metadata({ names: 'account' }));

const OPERATIONS =
  'types of contracts that it may send: [TransferContract, TriggerSmartContract]; default: all that an active permission has by default';

export const permissionField = members('keys and the threshold of their weights', { threshold: integer, keys });
const active = members('an active permission', {
  name: v.optional(text),
  threshold: integer,
  keys,
  operations: v.optional(v.pipe(v.array(v.picklist(Object.keys(Type), OPERATIONS)), v.description(OPERATIONS))),
});

export const activesField = v.pipe(
  v.array(active),
  v.description('active permissions: a list of { name, threshold, keys, operations }'),
);

export const permissionsField = members('its permissions; default: its own key for everything', {
  owner: v.optional(permissionField),
  witness: v.optional(permissionField),
  actives: v.optional(activesField),
});

export type PermissionFields = v.InferOutput<typeof active>;
export type PermissionsFields = v.InferOutput<typeof permissionsField>;
