/**
 * What a contract has staked, unstaked, lent and voted, and what each opcode for it changes: the second opinion of
 * `steward.ts`. Written from docs/protocol/staking.md and opcodes.md#stake-20; of the ledger it reads rows.
 */

import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { Address } from '../../../../src/primitives/ids.js';
import type { Account } from '../../../../src/protocol/generated/tron.js';
import { COIN } from '../../simulated-chain.js';

const DAY_MS = 86_400_000n;
const MOST_UNSTAKINGS = 32;
const MOST_VOTES = 30;
const RESOURCES = ['Bandwidth', 'Energy', 'TronPower'];

interface Unstaking {
  readonly resource: number;
  readonly amount: bigint;
  readonly dueMs: bigint;
}

export interface Vote {
  readonly witness: Address;
  readonly count: bigint;
}

/** An internal transaction. */
export interface Note {
  readonly note: string;
  readonly to: string;
  value: bigint;
  rejected: boolean;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
const wholeCoins = (amount: bigint): bigint => amount / COIN;

/** The note takes the low 32 bits. */
const resourceName = (word: bigint): string => RESOURCES[Number(BigInt.asIntN(32, word))] ?? 'UnknownType';
/** Undefined: no signed long. */
function long(word: bigint): bigint | undefined {
  const value = BigInt.asIntN(256, word);
  return value === BigInt.asIntN(64, value) ? value : undefined;
}

const addressOf = (word: bigint): Address => `41${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}` as Address;

export class StakeBooks {
  balance: bigint;
  readonly own: bigint[];
  /** By receiver: Bandwidth and Energy without a lock. */
  readonly lent = new Map<string, bigint[]>();
  /** With and without a lock. */
  readonly lentInAll: bigint[];
  waiting: readonly Unstaking[];
  votes: readonly Vote[];
  /** Changes of the three total weights. */
  readonly weights = [0n, 0n, 0n];
  readonly notes: Note[] = [];
  /** Resources whose usage may have come back with a delegation: what is in use cannot be lent. */
  readonly used = new Set<number>();
  /** Something was done that settles the reward first. */
  isSettled = false;
  readonly #nowMs: bigint;
  readonly #delayMs: bigint;
  readonly #hasTronPower: boolean;

  /**
   * @param owed its reward, as the interfaces tell it
   * @param receivers all whom it may lend to
   * @param ledger with a head that is the block before
   */
  constructor(
    readonly address: Address,
    readonly ledger: Ledger,
    public owed: bigint,
    receivers: readonly string[],
  ) {
    const { accounts, delegations } = ledger.state.tables;
    const account = accounts.get(address) as Account;
    this.balance = account.balance;
    this.own = stakesOf(account);
    this.lentInAll = lentBy(account);
    this.waiting = waitingOf(account);
    this.votes = account.votes.map(({ vote_address, vote_count }) => ({
      witness: vote_address as Address,
      count: vote_count,
    }));
    if (account.net_usage > 0n) this.used.add(0);
    if ((account.account_resource?.energy_usage ?? 0n) > 0n) this.used.add(1);
    this.#nowMs = ledger.headTimeMs;
    this.#delayMs = ledger.long('UNFREEZE_DELAY_DAYS') * DAY_MS;
    this.#hasTronPower = ledger.on('ALLOW_NEW_RESOURCE_MODEL');
    for (const receiver of receivers) {
      const record = delegations.get(`01${address}${receiver}`);
      if (record === undefined) continue;
      this.lent.set(receiver, [record.frozen_balance_for_bandwidth, record.frozen_balance_for_energy]);
    }
  }

  /** Whether the model knows what becomes of votes. */
  get knowsVotes(): boolean {
    return !this.#hasTronPower;
  }

  get powerSun(): bigint {
    return sum([...this.own, ...this.lentInAll]);
  }

  freeze(resourceWord: bigint, amountWord: bigint): bigint {
    const note = this.#note(`freezeBalanceV2For${resourceName(resourceWord)}`, this.address, amountWord);
    const [resource, amount] = [this.#resource(resourceWord), long(amountWord)];
    if (resource === undefined || amount === undefined || amount < COIN || amount > this.balance) return refuse(note);
    this.balance -= amount;
    this.#stake(resource, amount);
    return 1n;
  }

  unfreeze(resourceWord: bigint, amountWord: bigint): bigint {
    const note = this.#note(`unfreezeBalanceV2For${resourceName(resourceWord)}`, this.address, amountWord);
    const [resource, amount] = [this.#resource(resourceWord), long(amountWord)];
    const unexpired = this.waiting.filter(({ dueMs }) => dueMs > this.#nowMs);
    if (unexpired.length >= MOST_UNSTAKINGS || resource === undefined) return refuse(note);
    if (amount === undefined || amount <= 0n || amount > (this.own[resource] as bigint)) return refuse(note);
    this.#payDue('withdrawExpireUnfreezeWhileUnfreezing');
    this.waiting = [...this.waiting, { resource, amount, dueMs: this.#nowMs + this.#delayMs }];
    this.#stake(resource, -amount);
    this.#cutVotes();
    this.isSettled = true;
    return 1n;
  }

  cancelUnfreezings(): bigint {
    this.#note('cancelAllUnfreezeV2', this.address, 0n);
    this.#payDue('withdrawExpireUnfreezeWhileCanceling');
    for (const { resource, amount } of this.waiting) this.#stake(resource, amount);
    this.waiting = [];
    return 1n;
  }

  withdrawUnfrozen(): bigint {
    const note = this.#note('withdrawExpireUnfreeze', this.address, 0n);
    note.value = this.#takeDue();
    return note.value;
  }

  delegate(resourceWord: bigint, amountWord: bigint, receiverWord: bigint): bigint {
    const receiver = addressOf(receiverWord);
    const note = this.#note(`delegateResourceOf${resourceName(resourceWord)}`, receiver, amountWord);
    const amount = long(amountWord);
    const resource = resourceWord < 2n ? Number(resourceWord) : undefined;
    const { accounts, contracts } = this.ledger.state.tables;
    if (resource === undefined || amount === undefined || amount < COIN) return refuse(note);
    if (amount > (this.own[resource] as bigint) || receiver === this.address) return refuse(note);
    if (accounts.get(receiver) === undefined || contracts.has(receiver)) return refuse(note);
    this.#lend(receiver, resource, amount);
    return 1n;
  }

  undelegate(resourceWord: bigint, amountWord: bigint, receiverWord: bigint): bigint {
    const receiver = addressOf(receiverWord);
    const note = this.#note(`unDelegateResourceOf${resourceName(resourceWord)}`, receiver, amountWord);
    const amount = long(amountWord);
    const resource = resourceWord < 2n ? Number(resourceWord) : undefined;
    if (resource === undefined || amount === undefined || amount <= 0n) return refuse(note);
    if (amount > (this.lent.get(receiver)?.[resource] ?? 0n)) return refuse(note);
    this.#lend(receiver, resource, -amount);
    this.used.add(resource);
    return 1n;
  }

  vote(votes: readonly Vote[]): bigint {
    const note = this.#note('voteWitness', '', 0n);
    const { witnesses } = this.ledger.state.tables;
    const isWrong = votes.some(({ witness, count }) => count < 0n || !witnesses.has(witness));
    const total = sum(votes.map(({ count }) => count));
    if (votes.length > MOST_VOTES || isWrong || total * COIN > this.powerSun) return refuse(note);
    const merged = new Map<Address, bigint>();
    for (const { witness, count } of votes) if (count > 0n) merged.set(witness, (merged.get(witness) ?? 0n) + count);
    this.votes = Array.from(merged, ([witness, count]) => ({ witness, count }));
    this.isSettled = true;
    return 1n;
  }

  withdrawReward(): bigint {
    const note = this.#note('withdrawReward', this.address, 0n);
    note.value = this.owed;
    this.balance += this.owed;
    this.owed = 0n;
    this.isSettled = true;
    return note.value;
  }

  #note(note: string, to: string, valueWord: bigint): Note {
    const made = { note, to, value: BigInt.asIntN(64, valueWord), rejected: false };
    this.notes.push(made);
    return made;
  }

  #resource(word: bigint): number | undefined {
    return word < (this.#hasTronPower ? 3n : 2n) ? Number(word) : undefined;
  }

  #stake(resource: number, amount: bigint): void {
    const before = wholeCoins((this.own[resource] as bigint) + (this.lentInAll[resource] ?? 0n));
    this.own[resource] = (this.own[resource] as bigint) + amount;
    const after = wholeCoins((this.own[resource] as bigint) + (this.lentInAll[resource] ?? 0n));
    this.weights[resource] = (this.weights[resource] as bigint) + after - before;
  }

  #lend(receiver: string, resource: number, amount: bigint): void {
    const record = [...(this.lent.get(receiver) ?? [0n, 0n])];
    record[resource] = (record[resource] as bigint) + amount;
    this.lent.set(receiver, record);
    this.lentInAll[resource] = (this.lentInAll[resource] as bigint) + amount;
    this.own[resource] = (this.own[resource] as bigint) - amount;
  }

  #takeDue(): bigint {
    const due = sum(this.waiting.filter(({ dueMs }) => dueMs <= this.#nowMs).map(({ amount }) => amount));
    this.waiting = this.waiting.filter(({ dueMs }) => dueMs > this.#nowMs);
    this.balance += due;
    return due;
  }

  #payDue(note: string): void {
    const due = this.#takeDue();
    if (due > 0n) this.#note(note, this.address, due);
  }

  #cutVotes(): void {
    const total = sum(this.votes.map(({ count }) => count));
    if (this.powerSun >= total * COIN) return;
    const share = (count: bigint): number => (Number(count) / Number(total)) * Number(this.powerSun);
    this.votes = this.votes
      .map(({ witness, count }) => ({ witness, count: BigInt(Math.trunc(share(count) / 1e6)) }))
      .filter(({ count }) => count > 0n);
  }
}

function refuse(note: Note): bigint {
  note.rejected = true;
  return 0n;
}

function stakesOf(account: Account): bigint[] {
  return [0, 1, 2].map((resource) =>
    sum(account.frozenV2.filter(({ type }) => Number(type) === resource).map(({ amount }) => amount)),
  );
}

const lentBy = (account: Account): bigint[] => [
  account.delegated_frozenV2_balance_for_bandwidth,
  account.account_resource?.delegated_frozenV2_balance_for_energy ?? 0n,
];

function waitingOf(account: Account): Unstaking[] {
  return account.unfrozenV2.map(({ type, unfreeze_amount, unfreeze_expire_time }) => ({
    ...{ resource: Number(type), amount: unfreeze_amount, dueMs: unfreeze_expire_time },
  }));
}

/** What books say, as text; of a model or of the rows. */
export function shownBooks({
  balance,
  own,
  lent,
  lentInAll,
  waiting,
  votes,
}: StakeBooks): Readonly<Record<string, string>> {
  const records = [...lent].filter(([, amounts]) => amounts.some((amount) => amount > 0n)).sort();
  return {
    balance: String(balance),
    stakes: String(own),
    'what it lends': `${lentInAll} ${records.map(([receiver, amounts]) => `${receiver}:${amounts}`)}`,
    unstakings: waiting.map(({ resource, amount, dueMs }) => `${resource}:${amount}:${dueMs}`).join(),
    votes: votes
      .map(({ witness, count }) => `${witness}:${count}`)
      .sort()
      .join(),
  };
}
