/**
 * Steps of a recording (`record/`): the events of a chain as they happened. Transactions are given as bytes, blocks
 * with their time and the id that they must have again.
 */

import * as v from 'valibot';
import { JavaException } from '../../errors/java-exception.js';
import { blockIdAt } from '../../ledger/blocks/block-ids.js';
import { decodeOperation } from '../../ledger/operations/operation.js';
import type { Operation } from '../../ledger/operations/registry.js';
import { whole } from '../../node/with-rows.js';
import type { Address } from '../../primitives/ids.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { StepError } from '../actions/step-error.js';
import type { Sent, StepRun } from '../actions/step-run.js';
import { bytes, count, text, truth } from '../format/fields.js';
import type { UnfinishedDigest } from '../results/result-of.js';
import { RULES_VERSION } from '../results/rules-version.js';
import { decodedTransaction } from './raw.js';
import { type StepKind, step } from './step-kind.js';

const MOST = Number.MAX_SAFE_INTEGER;
const id = v.pipe(bytes, v.description('an id as hex'));
const anything = v.pipe(v.unknown(), v.description('anything'));

export const recordedSteps: readonly StepKind[] = [
  step({
    name: 'networkRow',
    about: 'a row that a recorded fork read from its network; all are available before the first step',
    example: undefined,
    fields: {
      table: text,
      key: text,
      block: count(MOST),
      value: v.pipe(v.unknown(), v.description('the row as --fork-cache writes it; null: the network has none')),
    },
    run: function* () {},
  }),
  step({
    name: 'broadcast',
    about: 'adds a signed transaction to the pool, pending until the next produce (in recordings)',
    example: undefined,
    fields: { transaction: bytes },
    shorthand: 'transaction',
    run: function* ({ transaction: hex }, run, part) {
      const transaction = yield* whole(() => run.replay(decodedTransaction(hex)));
      // The recording accepted it. If this chain does not, the block reports the reason.
      yield* whole(() => refusedBy(run, transaction));
      yield* run.queue({ part, transaction });
    },
  }),
  step({
    name: 'refused',
    about: 'broadcasts a transaction that was refused in the recording',
    example: undefined,
    fields: {
      transaction: bytes,
      code: text,
      message: text,
      byNode: v.optional(
        v.pipe(truth, v.description('true: the node refused it, not a rule of the protocol; it is not sent again')),
      ),
    },
    run: function* ({ transaction: hex, code, message, byNode = false }, run, part) {
      const transaction = decodedTransaction(hex);
      if (byNode) yield run.refused(part, transaction, { code, message });
      else {
        const counting = yield* whole(() => run.replay(transaction));
        const reason = yield* whole(() => refusedBy(run, counting));
        // For a chain with equal blocks, only this may still differ.
        if (reason === undefined)
          yield* run.queue({ part, transaction: counting, expect: { result: 'REFUSED', code } });
        else yield run.refused(part, counting, reason, code);
      }
    },
  }),
  step({
    name: 'dropped',
    about: 'a pending transaction was dropped and will be in no block',
    example: undefined,
    fields: { transaction: bytes, code: text, message: text },
    run: function* ({ transaction: hex, code, message }, run, part) {
      const transaction = decodedTransaction(hex);
      run.withdraw(transaction.txId);
      yield run.refused(part, transaction, { code, message });
    },
  }),
  step({
    name: 'produce',
    about: 'makes a block with a given time and witness, of the pending or the named transactions',
    example: undefined,
    fields: {
      time: count(MOST),
      witness: bytes,
      transactions: v.optional(v.pipe(v.array(bytes), v.description('a list of transactions, bytes as hex'))),
      relaxes: v.optional(truth),
      id: v.optional(id),
    },
    run: function* ({ time, witness, transactions, relaxes = false, id: expected }, run, part) {
      const { chain, clock } = run.node;
      const all: Omit<Sent, 'factor'>[] = [];
      for (const hex of transactions ?? [])
        all.push({ part, transaction: yield* whole(() => run.replay(decodedTransaction(hex))) });
      if (transactions === undefined) all.push(...run.waiting);
      run.withdrawAll();
      for (const one of all) yield* run.queue(one);
      yield* run.blockMadeBy(part, () => {
        if (relaxes) chain.relaxConsensus();
        chain.produce({
          timestampMs: BigInt(time),
          producer: witness as Address,
          sign: (hash) => chain.config.signFor(witness as Address, hash),
        });
        clock.moveTo(chain.headTimeMs);
      });
      requireHead(run, expected);
    },
  }),
  step({
    name: 'produceEmpty',
    about: 'makes empty blocks in the next slots',
    example: undefined,
    fields: { blocks: count(MOST, 1), relaxes: v.optional(truth), id: v.optional(id) },
    run: function* ({ blocks, relaxes = false, id: expected }, run, part) {
      const { chain, clock } = run.node;
      run.withdrawAll();
      yield* run.blocksMadeBy(part, () => {
        if (relaxes) chain.relaxConsensus();
        chain.produceEmptyRun(blocks);
        clock.moveTo(chain.headTimeMs);
      });
      requireHead(run, expected);
    },
  }),
  step({
    name: 'operation',
    about: 'changes the chain from outside',
    example: undefined,
    fields: { name: text, arguments: anything },
    run: function* ({ name, arguments: given }, run, part) {
      const operation = decodeOperation(JSON.stringify({ name, arguments: given })) as Operation;
      yield* whole(() => run.node.chain.operate(operation));
      yield run.operated(part);
    },
  }),
  step({
    name: 'goBack',
    about: 'rolls the chain back to a block and a number of operations after it',
    example: undefined,
    fields: { block: count(MOST), operations: count(MOST), id: v.optional(id) },
    run: function* ({ block, operations, id: expected }, run, part) {
      const { chain } = run.node;
      run.withdrawAll();
      if (block > chain.headNumber) throw new StepError(`no block ${block}: the head is ${chain.headNumber}`);
      chain.back.to(block, operations);
      requireHead(run, expected);
      yield run.operated(part);
    },
  }),
  step({
    name: 'digest',
    about: 'compares everything so far, with receipts and refusals, with the recording',
    example: undefined,
    fields: {
      is: v.optional(v.pipe(bytes, v.description('the digest as hex'))),
      rules: v.optional(v.pipe(count(MOST), v.description('version of the rules of the recording'))),
    },
    run: function* ({ is, rules = RULES_VERSION }, run, part) {
      const result: UnfinishedDigest = {
        ...run.placeOf(part),
        kind: 'digest',
        digest: run.digest(),
        ...(is !== undefined && { digestCheck: { is, rules, path: part.path } }),
      };
      yield result;
    },
  }),
];

/** Adds a transaction to the pool. @returns the reason of a refusal */
function refusedBy({ node: { chain } }: StepRun, transaction: SignedTransaction): JavaException | undefined {
  try {
    chain.broadcast(transaction);
    return undefined;
  } catch (error) {
    if (error instanceof JavaException) return error;
    throw error;
  }
}

/** @throws StepError if the id differs from the recording */
function requireHead({ ledger }: StepRun, expected: string | undefined): void {
  const { headNumber } = ledger;
  const is = blockIdAt(ledger, headNumber);
  if (expected === undefined || is === expected) return;
  throw new StepError(
    `block ${headNumber} has the id ${is}, recorded was ${expected}. To run the steps under other rules, remove id from the recorded steps`,
  );
}
