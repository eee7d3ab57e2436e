/**
 * The lines of a chain file (docs/reference/chain-files.md) as steps of a scenario. Transactions are given as bytes, blocks
 * with their time and the id that they must have again. Blocks, operations and rollbacks are applied as everywhere
 * (`node/steps/steps.ts`).
 */

import * as v from 'valibot';
import { JavaException } from '../../errors/java-exception.js';
import { decodeOperation } from '../../ledger/operations/operation.js';
import type { Operation } from '../../ledger/operations/registry.js';
import {
  applyStep,
  type BlockProduction,
  StepError as ReplayError,
  requireId,
  type StepWork,
} from '../../node/steps/steps.js';
import { whole } from '../../node/with-rows.js';
import type { Address, BlockId } from '../../primitives/ids.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { StepError } from '../actions/step-error.js';
import type { ResultStream, Sent, StepRun } from '../actions/step-run.js';
import { bytes, count, text, truth } from '../format/fields.js';
import type { StepPart } from '../format/scenario.js';
import type { UnfinishedDigest } from '../results/result-of.js';
import { RULES_VERSION } from '../results/rules-version.js';
import { decodedTransaction } from './raw.js';
import { type StepKind, step } from './step-kind.js';

const MOST = Number.MAX_SAFE_INTEGER;
const id = v.pipe(bytes, v.description('the expected id of the block, as hex'));
const anything = v.pipe(v.unknown(), v.description('anything'));
const hexes = v.pipe(v.array(bytes), v.description('a list of transactions, bytes as hex'));
const relaxes = v.optional(
  v.pipe(truth, v.description("true: from here on, the chain deviates from the network's rules of time and signature")),
);
const PRODUCTION = {
  time: count(MOST),
  witness: bytes,
  signature: v.optional(v.pipe(bytes, v.description('of the witness, as hex'))),
  relaxes,
  id: v.optional(id),
};

interface ProductionValues {
  readonly time: number;
  readonly witness: string;
  readonly signature?: string | undefined;
  readonly relaxes?: boolean | undefined;
  readonly id?: string | undefined;
}

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
    name: 'import',
    about: 'imports a block with exactly these transactions, at a given time, by a given witness',
    example: undefined,
    fields: { ...PRODUCTION, transactions: hexes },
    run: ({ transactions, ...production }, run, part) =>
      // What a transaction came to in its block is no part of what was sent.
      made(production, run, part, () => transactions.map((hex) => decodedTransaction(hex).withRet([]))),
  }),
  step({
    name: 'produce',
    about: 'makes a block from the pending or the listed transactions, at a given time, by a given witness',
    example: undefined,
    fields: { ...PRODUCTION, transactions: v.optional(hexes) },
    run: ({ transactions, ...production }, run, part) =>
      made(production, run, part, transactions && (() => transactions.map(decodedTransaction))),
  }),
  step({
    name: 'produceEmpty',
    about: 'makes empty blocks in the next slots',
    example: undefined,
    fields: { blocks: count(MOST, 1), relaxes, id: v.optional(id) },
    run: function* ({ blocks, relaxes, id: expected }, run, part) {
      run.withdrawAll();
      const to = run.ledger.headNumber + blocks;
      yield* run.blocksMadeBy(part, () => apply(run, to, { emptyBlocks: blocks }, relaxes));
      requireHead(run, to, expected);
    },
  }),
  step({
    name: 'operation',
    about: 'applies an operation, a change of the chain without a transaction',
    example: undefined,
    fields: { name: text, arguments: anything },
    run: function* ({ name, arguments: given }, run, part) {
      const operation = decodeOperation(JSON.stringify({ name, arguments: given })) as Operation;
      yield* whole(() => apply(run, run.ledger.headNumber, { operation }));
      yield run.operated(part);
    },
  }),
  step({
    name: 'goBack',
    about: 'rolls the chain back to a block and a number of operations after it',
    example: undefined,
    fields: { block: count(MOST), operations: count(MOST), id: v.optional(id) },
    run: function* ({ block, operations, id: expected }, run, part) {
      run.withdrawAll();
      apply(run, block, { backTo: { block, operations } });
      requireHead(run, block, expected);
      yield run.operated(part);
    },
  }),
  step({
    name: 'end',
    about: 'the last line of a dump: the clock, and the pending transactions',
    example: undefined,
    fields: {
      pending: v.optional(hexes),
      steps: v.optional(count(MOST)),
      rows: v.optional(count(MOST)),
      head: v.optional(anything),
      clock: v.optional(anything),
      solidity: v.optional(anything),
      queued: v.optional(anything),
    },
    run: function* ({ pending = [] }, run, part) {
      for (const hex of pending) {
        const transaction = yield* whole(() => run.replay(decodedTransaction(hex)));
        yield* whole(() => refusedBy(run, transaction));
        yield* run.queue({ part, transaction });
      }
    },
  }),
  step({
    name: 'digest',
    about: 'compares all results so far (blocks, receipts, refusals) with the recording, by their digest',
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

/** @param named the transactions that it is made of; undefined: of what is pending */
function* made(
  { time, witness, signature, relaxes, id: expected }: ProductionValues,
  run: StepRun,
  part: StepPart,
  named: (() => readonly SignedTransaction[]) | undefined,
): ResultStream {
  const all: Omit<Sent, 'factor'>[] = named === undefined ? [...run.waiting] : [];
  for (const one of named?.() ?? []) all.push({ part, transaction: yield* whole(() => run.replay(one)) });
  run.withdrawAll();
  for (const one of all) yield* run.queue(one);
  const to = run.ledger.headNumber + 1;
  const sign = signature === undefined ? undefined : () => signature;
  const production: BlockProduction = { timestampMs: BigInt(time), producer: witness as Address, sign };
  yield* run.blockMadeBy(part, () => apply(run, to, { made: production }, relaxes));
  requireHead(run, to, expected);
}

/** @param to the number of the head after it @throws StepError */
function apply({ node: { chain, clock } }: StepRun, to: number, work: StepWork, relaxes = false): void {
  inWords(() => applyStep(chain, { to, id: undefined, relaxes, work }));
  clock.moveTo(chain.headTimeMs);
}

/** Compared when the results of a block are told: they show what has become different. @throws StepError */
function requireHead({ node: { chain } }: StepRun, to: number, expected: string | undefined): void {
  inWords(
    () => requireId(chain, { to, id: expected as BlockId | undefined }),
    '. To run the steps under other rules, remove id from the recorded steps',
  );
}

function inWords(work: () => void, hint = ''): void {
  try {
    work();
  } catch (error) {
    if (error instanceof ReplayError) throw new StepError(`${error.message}${hint}`);
    throw error;
  }
}
