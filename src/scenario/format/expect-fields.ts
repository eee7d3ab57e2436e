/** Fields of `expect`: for a transaction, and for the sum over the steps inside a step. */

import * as v from 'valibot';
import { record } from '../../primitives/record-schema.js';
import { members, type ValuesOf } from './check-object.js';
import { account, count, integer, sun, text } from './fields.js';

const amount = v.optional(integer);

const OUTCOME = 'outcome: SUCCESS, REVERT, OUT_OF_ENERGY, …; REFUSED or DROPPED if no block contains it';
const PAID = 'every charge, in any order; omitted members are not compared';
const CHANGES =
  'by account name: TRX (-5 TRX), or an object of TRX and tokens; measured over the block of the transaction';

const changes = record(
  v.string(),
  v.union([sun, record(v.string(), v.union([sun, integer], CHANGES), CHANGES)], CHANGES),
  CHANGES,
);

export const TRANSACTION_EXPECTATIONS = {
  result: v.optional(v.pipe(text, v.description(OUTCOME))),
  fee: v.optional(v.pipe(sun, v.description('total fee in TRX'))),
  bandwidth: v.optional(v.pipe(integer, v.description('bytes charged'))),
  energy: v.optional(v.pipe(integer, v.description('Energy used, with the penalty'))),
  energyPenalty: v.optional(
    v.pipe(integer, v.description('the part of the Energy that is the penalty of the energy factor')),
  ),
  energyFactor: v.optional(v.pipe(integer, v.description('energy factor of the called contract, in 1/10,000'))),
  paid: v.optional(
    v.pipe(
      v.array(
        members('a charge', {
          payer: v.optional(account),
          resource: v.optional(v.picklist(['bandwidth', 'energy', 'fee'], 'bandwidth, energy or fee')),
          reason: v.optional(text),
          source: v.optional(text),
          units: amount,
          sun: v.optional(sun),
        }),
      ),
      v.description(PAID),
    ),
  ),
  code: v.optional(v.pipe(text, v.description('code of a refusal: CONTRACT_VALIDATE_ERROR, SIGERROR, …'))),
  reason: v.optional(v.pipe(text, v.description('part of the reason of a revert, a failure or a refusal'))),
  balanceChanges: v.optional(v.pipe(changes, v.description(CHANGES), v.metadata({ names: 'account' }))),
} as const;

export type TransactionExpectations = ValuesOf<typeof TRANSACTION_EXPECTATIONS>;

const total = (words: string) => v.optional(v.pipe(integer, v.description(words)));

export const GROUP_EXPECTATIONS = {
  transactions: v.optional(v.pipe(count(1e9), v.description('number of transactions sent'))),
  failed: v.optional(v.pipe(count(1e9), v.description('number of transactions that failed in a block'))),
  refused: v.optional(v.pipe(count(1e9), v.description('number of transactions that no block contains'))),
  fee: v.optional(v.pipe(sun, v.description('total fee in TRX'))),
  bandwidth: total('bytes charged'),
  energy: total('Energy used, penalties included'),
  energyPenalty: total('the part of the Energy that is the penalty of the energy factor'),
  payers: v.optional(
    v.pipe(
      record(v.string(), sun),
      v.description('TRX that each account paid; members of a group are summed under its name'),
      v.metadata({ names: 'payer' }),
    ),
  ),
} as const;

export type GroupExpectations = ValuesOf<typeof GROUP_EXPECTATIONS>;
