/** What may be expected of a step (`expect`): of a transaction, or of all transactions within a step that holds steps. */

import * as v from 'valibot';
import { record } from '../../primitives/record-schema.js';
import { members, type ValuesOf } from './check-object.js';
import { account, count, integer, sun, text } from './fields.js';

const amount = v.optional(integer);

const OUTCOME = 'how it ends: SUCCESS, REVERT, OUT_OF_ENERGY, …; REFUSED or DROPPED where it is in no block';
const PAID = 'every charge, in any order; what is not named of one may be anything';
const CHANGES =
  'by names of accounts: coin (-5 TRX), or an object of TRX and tokens; over the block that the transaction is in';

const changes = record(
  v.string(),
  v.union([sun, record(v.string(), v.union([sun, integer], CHANGES), CHANGES)], CHANGES),
  CHANGES,
);

export const TRANSACTION_EXPECTATIONS = {
  result: v.optional(v.pipe(text, v.description(OUTCOME))),
  fee: v.optional(v.pipe(sun, v.description('all coin that was taken'))),
  bandwidth: v.optional(v.pipe(integer, v.description('bytes that were charged for'))),
  energy: v.optional(v.pipe(integer, v.description('Energy that was used, the penalty included'))),
  energyPenalty: v.optional(v.pipe(integer, v.description('what of it dynamic Energy put on top'))),
  energyFactor: v.optional(v.pipe(integer, v.description('of the contract that was called, in 1/10,000'))),
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
  code: v.optional(v.pipe(text, v.description('the code of a refusal: CONTRACT_VALIDATE_ERROR, SIGERROR, …'))),
  reason: v.optional(
    v.pipe(text, v.description("a part of the reason of a revert, of a failure's message or of a refusal")),
  ),
  balanceChanges: v.optional(v.pipe(changes, v.description(CHANGES), v.metadata({ names: 'account' }))),
} as const;

export type TransactionExpectations = ValuesOf<typeof TRANSACTION_EXPECTATIONS>;

const total = (words: string) => v.optional(v.pipe(integer, v.description(words)));

export const GROUP_EXPECTATIONS = {
  transactions: v.optional(v.pipe(count(1e9), v.description('how many were sent'))),
  failed: v.optional(v.pipe(count(1e9), v.description('how many are in a block and failed'))),
  refused: v.optional(v.pipe(count(1e9), v.description('how many are in no block'))),
  fee: v.optional(v.pipe(sun, v.description('all coin that was taken'))),
  bandwidth: total('bytes that were charged for'),
  energy: total('Energy that was used, penalties included'),
  energyPenalty: total('what of it dynamic Energy put on top'),
  payers: v.optional(
    v.pipe(
      record(v.string(), sun),
      v.description('coin that each of them paid; members of a group together, by its name'),
      v.metadata({ names: 'payer' }),
    ),
  ),
} as const;

export type GroupExpectations = ValuesOf<typeof GROUP_EXPECTATIONS>;
