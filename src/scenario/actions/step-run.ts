/**
 * What a step has in its hands when its turn comes: the chain, who takes part, and the ways in which anything may happen
 * to the chain. Everything is synchronous; who runs a scenario waits for the store between blocks (`run.ts`).
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
import { MOST_ROUNDS, tooManyRounds } from '../format/rounds.js';
import type { StepPart } from '../format/scenario.js';
import type { Parties } from '../parties.js';
import { Random } from '../random.js';
import { assumedIn } from '../results/assumptions.js';
import type { Result } from '../results/result.js';
import { hasFailed, operationResult, type ResultPlace, timeResult, transactionResult } from '../results/result-of.js';
import { Balances } from './balances.js';
import type { Contracts } from './contracts.js';
import type { Made } from './made.js';
import { type Sending, signed } from './signed.js';
import { StepError } from './step-error.js';

/** More than fit: a block has two megabytes, a transaction two hundred bytes. */
const MOST_IN_A_BLOCK = 20_000;

/**
 * What steps tell. A promise is waited for before the next step begins: what the node does in turns is such a one, the
 * chain itself never waits. So is a row of a fork's network, and what misses it is done again then.
 */
export type Told<Return = void> = Generator<Result | Promise<Result> | MissingRow, Return>;

/** A transaction on its way into the next block. */
export interface Sent {
  readonly part: StepPart;
  readonly transaction: SignedTransaction;
  readonly to?: Address | undefined;
  readonly method?: string | undefined;
  readonly factor: bigint;
  readonly made?: ((info: TransactionInfo) => void) | undefined;
  readonly expect?: Partial<TransactionExpectations> | undefined;
}

/** What a step is given. */
export interface World {
  readonly node: Node;
  readonly parties: Parties;
  readonly contracts: Contracts;
  readonly made: Made;
  /** Chance is drawn by it. */
  readonly seed: string;
  /** Groups of accounts with their sizes. */
  readonly groups: ReadonlyMap<string, number>;
  /** Runs further steps. */
  readonly execute: (parts: readonly StepPart[], run: StepRun) => Told;
  /** The block that was made last. */
  readonly lastBlock: () => AppliedBlock;
  /** Works out an expectation in which something has to be. */
  readonly readExpectation: (part: StepPart, run: StepRun) => unknown;
  /** What a transaction that came signed becomes here. */
  readonly replay: (transaction: SignedTransaction) => SignedTransaction;
  /** Of all that has happened so far. */
  readonly digest: () => string;
  /** Of a recorded fork: rows that the recording does not have are not to be had. */
  readonly asksNobody: boolean;
}

export class StepRun implements World {
  readonly node: Node;
  readonly parties: Parties;
  readonly contracts: Contracts;
  readonly made: Made;
  readonly seed: string;
  readonly groups: ReadonlyMap<string, number>;
  readonly execute: World['execute'];
  readonly lastBlock: World['lastBlock'];
  readonly readExpectation: World['readExpectation'];
  readonly replay: World['replay'];
  readonly digest: World['digest'];
  readonly asksNobody: boolean;
  /** Of the loops around the step. */
  readonly counters: ReadonlyMap<string, number | string>;
  readonly #line: Line;

  constructor(world: World, counters: ReadonlyMap<string, number | string> = new Map(), line = new Line()) {
    this.node = world.node;
    this.parties = world.parties;
    this.contracts = world.contracts;
    this.made = world.made;
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

  /** The same with the counters of a loop. */
  within(counter: string, value: number | string): StepRun {
    const counters = new Map(this.counters);
    counters.delete(counter);
    return new StepRun(this, counters.set(counter, value), this.#line);
  }

  /** What is expected of the step, with the counters of now. */
  expectationOf<Expectations = TransactionExpectations>({ expect, path, ...part }: StepPart): Expectations | undefined {
    if (expect === undefined) return undefined;
    return (expect.values ?? this.readExpectation({ ...part, path, expect }, this)) as Expectations;
  }

  /** The place in the results of a step that holds steps. */
  placeOf(part: StepPart): ResultPlace {
    return this.#placeOf(part);
  }

  /** What is worked out in a step may ask for this. */
  scopeOf(part: StepPart): Scope {
    const { counters, groups } = this;
    return { counters, random: this.randomOf(part), groupSize: (name) => groups.get(name) };
  }

  /** The step's own sequence of chance. */
  randomOf({ place }: StepPart): Random {
    const { randoms } = this.#line;
    let random = randoms.get(place);
    if (random === undefined) {
      random = new Random(`${this.seed}\n${place}`);
      randoms.set(place, random);
    }
    return random;
  }

  /** How much of the loop that is not within another is done, from 0 to 1: for who shows how far a run has come. */
  get share(): number {
    return this.#line.share;
  }

  /** To be told by loops. */
  done(share: number): void {
    if (this.counters.size === 0) this.#line.share = share;
  }

  /** To be told by loops before they go round so many times. @throws StepError for more than a file may have */
  goRound(times: number): void {
    this.#line.rounds += times;
    if (this.#line.rounds > MOST_ROUNDS) throw new StepError(tooManyRounds(BigInt(this.#line.rounds)));
  }

  /** Runs further steps, within this one. */
  each(parts: readonly StepPart[]): Told {
    return this.execute(parts, this);
  }

  /** What came before was made ready, and is no result. */
  startCounting(): void {
    this.#line.results = 0;
  }

  /** Makes, signs and sends a transaction: it is in the next block, which comes at once unless a block is being filled. */
  *send(part: StepPart, sending: Sending): Told {
    const transaction = yield* whole(() => this.node.attempt(() => signed(this.node, this.parties, sending)));
    const { to, method, made } = sending;
    yield* this.queue({ part, transaction, to, method, made, expect: this.expectationOf(part) });
    if (!this.isFilling) yield* this.mineBlock();
  }

  /** The same for one that is signed already. */
  *sendSigned(part: StepPart, given: SignedTransaction): Told {
    const transaction = yield* whole(() => this.replay(given));
    yield* this.queue({ part, transaction, expect: this.expectationOf(part) });
    if (!this.isFilling) yield* this.mineBlock();
  }

  /** Whether transactions wait for a block that others are to be in, too. */
  get isFilling(): boolean {
    return this.#line.filling > 0;
  }

  /** Puts a signed transaction into the next block's line. */
  *queue(sent: Omit<Sent, 'factor'>): Told {
    const { transaction, to = calledBy(transaction) } = sent;
    if (this.#line.waiting.size >= MOST_IN_A_BLOCK)
      throw new StepError(`no block has room for more than ${MOST_IN_A_BLOCK} transactions: put them into several`);
    const factor = to === undefined ? 0n : yield* this.#known(() => this.#factorOf(to), 0n);
    this.node.chain.pool.queue(transaction);
    this.#line.waiting.set(transaction.txId, { ...sent, to, factor });
  }

  /** What waits for the next block, in its order. */
  get waiting(): readonly Sent[] {
    return [...this.#line.waiting.values()];
  }

  /** A transaction waits no more. */
  withdraw(txId: TxId): void {
    this.#line.waiting.delete(txId);
    this.node.chain.pool.remove((one) => one.txId === txId);
  }

  withdrawAll(): void {
    this.#line.waiting.clear();
    this.node.chain.pool.takeOut();
  }

  /** Steps within send into one block, which is made when they are done. */
  *fillBlock(steps: Told): Told {
    this.#line.filling++;
    try {
      yield* steps;
    } finally {
      this.#line.filling--;
    }
    if (!this.isFilling) yield* this.mineBlock();
  }

  /** The block of the next slot, with all that waits. */
  mineBlock(): Told {
    return this.#blockMadeBy(() => this.node.mine(1));
  }

  /** A block that somebody else makes, with all that waits. */
  blockMadeBy(part: StepPart, make: () => void): Told {
    return this.#line.waiting.size === 0 ? this.blocksMadeBy(part, make) : this.#blockMadeBy(make);
  }

  *#blockMadeBy(make: () => void): Told {
    const expected = [...this.#line.waiting.values()].map(({ expect }) => expect?.balanceChanges);
    const watched = yield* whole(() => new Balances(this, expected));
    yield* whole(make);
    yield* this.#resultsOf(this.lastBlock(), watched);
  }

  /** The same without transactions, so many as there may be. */
  blocksMadeBy(part: StepPart, make: () => void): Told {
    return this.#passing(part, whole(make));
  }

  /** A transaction was not taken in. @param code that was expected */
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

  /** So many blocks without transactions. */
  *mineEmpty(part: StepPart, blocks: number): Told {
    yield* this.#passing(part, this.node.producer.mine(blocks));
  }

  /** Time passes as when all producers pause: a block at each maintenance on the way, and one in the slot at the end. */
  *advance(part: StepPart, byMs: bigint): Told {
    yield* this.#passing(part, this.passTo(this.nowMs + byMs));
  }

  /** What is no result. */
  passSilently(steps: Iterable<unknown>): Told {
    return awaited(steps);
  }

  *passEpochs(part: StepPart, count: number): Told {
    yield* this.#passing(part, this.node.producer.passEpochs(count));
  }

  /** Without a result: what lies between two arrivals. */
  passTo(timeMs: bigint): Told {
    return awaited(this.node.producer.passTo(timeMs, 'on-slots'));
  }

  /**
   * Lets time pass until the slot of a moment is the next one: whoever is in that block finds the resources that have
   * come back by then, because now is the time of the block before.
   *
   * @returns the time of the slot
   */
  *comeTo(timeMs: bigint): Told<bigint> {
    const timeOfSlotMs = slotFrom(this.ledger, timeMs);
    const { slotMs } = this.ledger.config;
    if (timeOfSlotMs - this.nowMs > slotMs) yield* this.passTo(timeOfSlotMs - slotMs);
    return timeOfSlotMs;
  }

  /** Something was done to the chain from outside. */
  operated(part: StepPart): Result {
    return operationResult(this.#placeOf(part), this.node.chain, part.kind);
  }

  *#passing(part: StepPart, steps: Iterable<unknown>): Told {
    const { chain } = this.node;
    if (this.isFilling) throw new StepError('time cannot pass within a block');
    const before = { block: chain.headNumber, cycle: this.ledger.long('CURRENT_CYCLE_NUMBER') };
    yield* awaited(steps);
    const epochs = Number(this.ledger.long('CURRENT_CYCLE_NUMBER') - before.cycle);
    yield timeResult(this.#placeOf(part), chain, chain.headNumber - before.block, epochs);
  }

  *#resultsOf(block: AppliedBlock, watched: Balances): Told {
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

  /** What the chain itself did not need to know, only who tells of it. @param otherwise where nobody can be asked */
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

/** The rows that steps of the producer wait for. */
function* awaited(steps: Iterable<unknown>): Told {
  for (const step of steps) if (step instanceof MissingRow) yield step;
}

/** What all steps of a run share. */
class Line {
  readonly waiting = new Map<TxId, Sent>();
  /** How many `block`s the running step is in. */
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

/** The time of the first slot that is not before a moment, nor before the next block can come. */
function slotFrom(ledger: Ledger, timeMs: bigint): bigint {
  const { genesisTimestampMs, slotMs } = ledger.config;
  const earliest = ledger.headTimeMs + slotMs;
  const from = timeMs > earliest ? timeMs : earliest;
  const past = (from - genesisTimestampMs) % slotMs;
  return past === 0n ? from : from + slotMs - past;
}
