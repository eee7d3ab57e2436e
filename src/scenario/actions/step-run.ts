/**
 * The context of a running step: the chain, the accounts, and the ways to change the chain. Everything is synchronous;
 * the caller of a run waits for the store between blocks (`run.ts`).
 */

import { JavaException } from '../../errors/java-exception.js';
import { type FailureFacts, failureOf } from '../../explanation/outcome/failure.js';
import type { Refusal } from '../../explanation/outcome/refusal.js';
import type { AppliedBlock } from '../../ledger/apply-block.js';
import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import type { Ledger } from '../../ledger/ledger.js';
import { contractEnergyState } from '../../ledger/smart-contracts/dynamic-energy.js';
import type { Node } from '../../node/node.js';
import { whole } from '../../node/with-rows.js';
import type { Address, TxId } from '../../primitives/ids.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  type TransactionInfo,
} from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { MissingRow } from '../../state/missing-row.js';
import type { TransactionExpectations } from '../format/expect-fields.js';
import type { Scope } from '../format/expressions.js';
import { MAX_ROUNDS, tooManyRounds } from '../format/rounds.js';
import type { StepPart } from '../format/scenario.js';
import type { Parties } from '../parties.js';
import { Random } from '../random.js';
import { assumedIn } from '../results/assumptions.js';
import type { Result, Was } from '../results/result.js';
import { hasFailed, operationResult, type ResultPlace, timeResult, transactionResult } from '../results/result-of.js';
import { Balances } from './balances.js';
import type { Contracts } from './contracts.js';
import type { NamedObjects } from './named-objects.js';
import { type Sending, signed } from './signed.js';
import { StepError } from './step-error.js';

/** More than any block holds: a block has 2 MB, a transaction about 200 bytes. */
const MAX_IN_A_BLOCK = 20_000;

/**
 * What steps yield. The run awaits a promise before the next step: node operations that run in turns return one, block
 * execution never does. A row that a fork has to fetch is also awaited; the work that misses it then runs again.
 */
export type ResultStream<Return = void> = Generator<Result | Promise<Result> | MissingRow, Return>;

/** A transaction for the next block. */
export interface Sent {
  readonly part: StepPart;
  readonly transaction: SignedTransaction;
  readonly to?: Address | undefined;
  readonly method?: string | undefined;
  readonly factor: bigint;
  readonly made?: ((info: TransactionInfo) => void) | undefined;
  readonly expect?: Partial<TransactionExpectations> | undefined;
  readonly was?: Was | undefined;
}

/** The context that a step receives. */
export interface World {
  readonly node: Node;
  readonly parties: Parties;
  readonly contracts: Contracts;
  readonly objects: NamedObjects;
  /** The source of random values. */
  readonly seed: string;
  /** Sizes of the account groups. */
  readonly groups: ReadonlyMap<string, number>;
  /** Runs further steps. */
  readonly execute: (parts: readonly StepPart[], run: StepRun) => ResultStream;
  /** The block that was made last. */
  readonly lastBlock: () => AppliedBlock;
  /** Evaluates an expectation that contains an expression. */
  readonly readExpectation: (part: StepPart, run: StepRun) => unknown;
  /** Converts a signed transaction for this chain (`replay.ts`). */
  readonly replay: (transaction: SignedTransaction) => SignedTransaction;
  /** Digest of everything so far. */
  readonly digest: () => string;
  /** In a recorded fork: throws, because rows outside the recording are not available. */
  readonly asksNobody: boolean;
}

export class StepRun implements World {
  readonly node: Node;
  readonly parties: Parties;
  readonly contracts: Contracts;
  readonly objects: NamedObjects;
  readonly seed: string;
  readonly groups: ReadonlyMap<string, number>;
  readonly execute: World['execute'];
  readonly lastBlock: World['lastBlock'];
  readonly readExpectation: World['readExpectation'];
  readonly replay: World['replay'];
  readonly digest: World['digest'];
  readonly asksNobody: boolean;
  /** Counters of the loops around the step. */
  readonly counters: ReadonlyMap<string, number | string>;
  readonly #line: Line;

  constructor(world: World, counters: ReadonlyMap<string, number | string> = new Map(), line = new Line()) {
    this.node = world.node;
    this.parties = world.parties;
    this.contracts = world.contracts;
    this.objects = world.objects;
    this.seed = world.seed;
    this.groups = world.groups;
    this.execute = world.execute;
    this.lastBlock = world.lastBlock;
    this.readExpectation = world.readExpectation;
    this.replay = world.replay;
    this.digest = world.digest;
    this.asksNobody = world.asksNobody;
    this.counters = counters;
    this.#line = line;
  }

  get ledger(): Ledger {
    return this.node.chain.ledger;
  }

  get nowMs(): bigint {
    return this.ledger.headTimeMs;
  }

  addressOf(name: string): Address {
    return this.parties.get(name).address;
  }

  /** The same context with the counters of a loop. */
  within(counter: string, value: number | string): StepRun {
    const counters = new Map(this.counters);
    counters.delete(counter);
    return new StepRun(this, counters.set(counter, value), this.#line);
  }

  /** The step's expectation, evaluated with the present counters. */
  expectationOf<Expectations = TransactionExpectations>({ expect, path, ...part }: StepPart): Expectations | undefined {
    if (expect === undefined) return undefined;
    return (expect.values ?? this.readExpectation({ ...part, path, expect }, this)) as Expectations;
  }

  /** Path of the step in the results, if it holds steps. */
  placeOf(part: StepPart): ResultPlace {
    return this.#placeOf(part);
  }

  /** What expressions in the step may use. */
  scopeOf(part: StepPart): Scope {
    const { counters, groups } = this;
    return { counters, random: this.randomOf(part), groupSize: (name) => groups.get(name) };
  }

  /** The step's own random sequence. */
  randomOf({ place }: StepPart): Random {
    const { randoms } = this.#line;
    let random = randoms.get(place);
    if (random === undefined) {
      random = new Random(`${this.seed}\n${place}`);
      randoms.set(place, random);
    }
    return random;
  }

  /** Progress of the outermost loop, from 0 to 1, for progress displays. */
  get share(): number {
    return this.#line.share;
  }

  /** Loops report their progress here. */
  done(share: number): void {
    if (this.counters.size === 0) this.#line.share = share;
  }

  /**
   * Loops report their number of rounds here before they start. @throws StepError for more rounds than a file may have
   */
  goRound(times: number): void {
    this.#line.rounds += times;
    if (this.#line.rounds > MAX_ROUNDS) throw new StepError(tooManyRounds(BigInt(this.#line.rounds)));
  }

  /** Runs further steps, within this one. */
  each(parts: readonly StepPart[]): ResultStream {
    return this.execute(parts, this);
  }

  /** Ends the setup: transactions until now are no results. */
  startCounting(): void {
    this.#line.results = 0;
  }

  /**
   * Builds, signs and sends a transaction. The next block contains it; it is made at once unless a `block` step
   * collects transactions.
   */
  *send(part: StepPart, sending: Sending): ResultStream {
    const transaction = yield* whole(() => this.node.attempt(() => signed(this.node, this.parties, sending)));
    const { to, method, made, was } = sending;
    yield* this.queue({ part, transaction, to, method, made, was, expect: this.expectationOf(part) });
    if (!this.isFilling) yield* this.mineBlock();
  }

  /** The same for a transaction that is signed already. */
  *sendSigned(part: StepPart, given: SignedTransaction): ResultStream {
    const transaction = yield* whole(() => this.replay(given));
    yield* this.queue({ part, transaction, expect: this.expectationOf(part) });
    if (!this.isFilling) yield* this.mineBlock();
  }

  /** Whether a `block` step collects transactions for one block. */
  get isFilling(): boolean {
    return this.#line.filling > 0;
  }

  /** Adds a signed transaction to the next block. */
  *queue(sent: Omit<Sent, 'factor'>): ResultStream {
    const { transaction, to = calledBy(transaction) } = sent;
    if (this.#line.waiting.size >= MAX_IN_A_BLOCK)
      throw new StepError(`a block has room for at most ${MAX_IN_A_BLOCK} transactions: use several blocks`);
    const factor = to === undefined ? 0n : yield* this.#known(() => this.#factorOf(to), 0n);
    this.node.chain.pool.queue(transaction);
    this.#line.waiting.set(transaction.txId, { ...sent, to, factor });
  }

  /** Transactions for the next block, in order. */
  get waiting(): readonly Sent[] {
    return [...this.#line.waiting.values()];
  }

  /** Removes a transaction from the next block. */
  withdraw(txId: TxId): void {
    this.#line.waiting.delete(txId);
    this.node.chain.pool.remove((one) => one.txId === txId);
  }

  withdrawAll(): void {
    this.#line.waiting.clear();
    this.node.chain.pool.takeOut();
  }

  /** Collects the transactions of inner steps into one block, which is made after them. */
  *fillBlock(steps: ResultStream): ResultStream {
    this.#line.filling++;
    try {
      yield* steps;
    } finally {
      this.#line.filling--;
    }
    if (!this.isFilling) yield* this.mineBlock();
  }

  /** Makes the block of the next slot with all pending transactions. */
  mineBlock(): ResultStream {
    return this.#blockMadeBy(() => this.node.mine(1));
  }

  /** Makes a block through another part of the node, with all pending transactions. */
  blockMadeBy(part: StepPart, make: () => void): ResultStream {
    return this.#line.waiting.size === 0 ? this.blocksMadeBy(part, make) : this.#blockMadeBy(make);
  }

  *#blockMadeBy(make: () => void): ResultStream {
    const expected = [...this.#line.waiting.values()].map(({ expect }) => expect?.balanceChanges);
    const watched = yield* whole(() => new Balances(this, expected));
    yield* whole(make);
    yield* this.#resultsOf(this.lastBlock(), watched);
  }

  /** The same for blocks without transactions. */
  blocksMadeBy(part: StepPart, make: () => void): ResultStream {
    return this.#passing(part, whole(make));
  }

  /** A transaction was refused. @param code the expected code */
  refused(part: StepPart, transaction: SignedTransaction, reason: JavaException | Refusal, code?: string): Result {
    const { ledger, parties } = this;
    const block = { number: ledger.headNumber, timestampMs: ledger.headTimeMs };
    const happened = { transaction, to: calledBy(transaction), factor: 0n, applied: undefined, block, parties };
    const expect = code === undefined ? undefined : { code };
    const check = expect && { check: { expect, part, changes: new Map<string, bigint>() } };
    if (reason instanceof JavaException)
      return transactionResult(this.#placeOf(part), { ...happened, ...check, reason });
    const result = transactionResult(this.#placeOf(part), { ...happened, reason: undefined });
    return { ...result, outcome: 'REFUSED', refusal: reason };
  }

  /** Makes a number of empty blocks. */
  *mineEmpty(part: StepPart, blocks: number): ResultStream {
    yield* this.#passing(part, this.node.producer.mine(blocks));
  }

  /** Time passes as if all producers paused: one block at each maintenance, and one in the last slot. */
  *advance(part: StepPart, byMs: bigint): ResultStream {
    yield* this.#passing(part, this.passTo(this.nowMs + byMs));
  }

  /** Runs something that yields no result. */
  passSilently(steps: Iterable<unknown>): ResultStream {
    return awaited(steps);
  }

  *passEpochs(part: StepPart, count: number): ResultStream {
    yield* this.#passing(part, this.node.producer.passEpochs(count));
  }

  /** The same without a result: the time between two arrivals. */
  passTo(timeMs: bigint): ResultStream {
    return awaited(this.node.producer.passTo(timeMs, 'on-slots'));
  }

  /**
   * Advances time until the slot of a moment is the next one. Usage of resources has then recovered up to that block,
   * because "now" is the time of the block before.
   *
   * @returns the time of the slot
   */
  *comeTo(timeMs: bigint): ResultStream<bigint> {
    const timeOfSlotMs = slotFrom(this.ledger, timeMs);
    const { slotMs } = this.ledger.config;
    if (timeOfSlotMs - this.nowMs > slotMs) yield* this.passTo(timeOfSlotMs - slotMs);
    return timeOfSlotMs;
  }

  /** Records a change of the chain by an operation. */
  operated(part: StepPart): Result {
    return operationResult(this.#placeOf(part), this.node.chain, part.kind);
  }

  *#passing(part: StepPart, steps: Iterable<unknown>): ResultStream {
    const { chain } = this.node;
    if (this.isFilling) throw new StepError('time cannot pass within a block');
    const before = { block: chain.headNumber, cycle: this.ledger.long('CURRENT_CYCLE_NUMBER') };
    yield* awaited(steps);
    const epochs = Number(this.ledger.long('CURRENT_CYCLE_NUMBER') - before.cycle);
    yield timeResult(this.#placeOf(part), chain, chain.headNumber - before.block, epochs);
  }

  *#resultsOf(block: AppliedBlock, watched: Balances): ResultStream {
    const { waiting } = this.#line;
    const order = [...waiting.values()];
    waiting.clear();
    const applied = new Map(block.transactions.map((one) => [one.transaction.txId, one]));
    const dropped = new Map(block.dropped.map(({ transaction, reason }) => [transaction.txId, reason]));
    const assumed = yield* this.#known(() => assumedIn(this.node.chain, this.parties, block), new Map());
    for (const { part, transaction, expect, ...sent } of order) {
      const known = { applied: applied.get(transaction.txId), reason: dropped.get(transaction.txId), block };
      if (known.applied?.info.result === 0) sent.made?.(known.applied.info);
      const facts = yield* this.#failureOf(known.applied);
      const place = this.#placeOf(part);
      const assumptions = assumed.get(transaction.txId);
      const result = yield* whole(() =>
        transactionResult(place, {
          transaction,
          ...sent,
          ...known,
          facts,
          parties: this.parties,
          ...(expect && { check: { expect, part, changes: watched.changes() } }),
        }),
      );
      yield assumptions === undefined ? result : { ...result, assumptions };
    }
  }

  #placeOf(part: StepPart): ResultPlace {
    return { n: this.#line.results++, step: part.place, ...(part.label !== undefined && { label: part.label }) };
  }

  *#failureOf(applied: AppliedTransaction | undefined): Generator<MissingRow, FailureFacts | undefined> {
    if (applied === undefined || !hasFailed(applied)) return undefined;
    return yield* this.#known<FailureFacts | undefined>(() => failureOf(this.ledger, applied), undefined);
  }

  /** Runs something that only reports need, not the chain. @param otherwise the result where no network can be asked */
  *#known<Value>(read: () => Value, otherwise: Value): Generator<MissingRow, Value> {
    if (!this.asksNobody) return yield* whole(read);
    try {
      return read();
    } catch (thrown) {
      if (thrown instanceof MissingRow) return otherwise;
      throw thrown;
    }
  }

  #factorOf(contract: Address): bigint {
    if (!this.ledger.state.tables.contracts.has(contract)) return 0n;
    return contractEnergyState(this.ledger, contract).energy_factor;
  }
}

/** Rows that block production waits for. */
function* awaited(steps: Iterable<unknown>): ResultStream {
  for (const step of steps) if (step instanceof MissingRow) yield step;
}

/** State that all steps of a run share. */
class Line {
  readonly waiting = new Map<TxId, Sent>();
  /** Nesting depth of `block` steps. */
  filling = 0;
  results = 0;
  share = 0;
  rounds = 0;
  readonly randoms = new Map<string, Random>();
}

function calledBy({ contractType, contract }: SignedTransaction): Address | undefined {
  return contractType === ContractType.TriggerSmartContract
    ? ((contract as TriggerSmartContract | undefined)?.contract_address as Address)
    : undefined;
}

/** The time of the first possible slot at or after a moment. */
function slotFrom(ledger: Ledger, timeMs: bigint): bigint {
  const { genesisTimestampMs, slotMs } = ledger.config;
  const earliest = ledger.headTimeMs + slotMs;
  const from = timeMs > earliest ? timeMs : earliest;
  const past = (from - genesisTimestampMs) % slotMs;
  return past === 0n ? from : from + slotMs - past;
}
