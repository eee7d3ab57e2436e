import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { existingAccount, putAccount } from '../../../../src/ledger/accounts/coin.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import { rewardsOf, setNextBrokerage } from '../../../../src/ledger/voting/rewards.js';
import { queryReward, type RewardOrigin, settleReward } from '../../../../src/ledger/voting/voter-rewards.js';
import { changeVotes } from '../../../../src/ledger/voting/votes.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { longFromDouble, MAX_LONG } from '../../../../src/primitives/java-math.js';
import type { Vote } from '../../../../src/protocol/generated/tron.js';
import { address, EpochLedger } from '../epoch-ledger.js';

const IN_CONTRACT: RewardOrigin = { inContract: true };
const VOTERS = [11, 12, 13].map(address);
const WITNESSES = [1, 2, 3].map(address);

function vote(ledger: Ledger, voter: Address, votes: readonly Vote[], origin: RewardOrigin = {}): void {
  settleReward(ledger, voter, origin);
  putAccount(ledger, changeVotes(ledger, existingAccount(ledger, voter), votes));
}

/**
 * The bookkeeping as protocol/rewards.md has it, copies for every witness and cycle included. It is as slow and as
 * plain as it can be: what `src/ledger` stores less of must not show in any answer.
 */
class DenseRewards {
  cycle = 0n;
  /** CHANGE_DELEGATION. */
  on = true;
  effective: bigint;
  readonly #pool = new Map<string, bigint>();
  readonly #vi = new Map<string, bigint>();
  readonly #brokerage = new Map<string, bigint>();
  readonly #cycleVotes = new Map<string, bigint>();
  readonly #totals: Map<Address, bigint>;
  readonly #votes = new Map<Address, readonly Vote[]>();
  readonly #begin = new Map<Address, bigint>();
  readonly #end = new Map<Address, bigint>();
  readonly #snapshots = new Map<string, readonly Vote[]>();
  readonly #allowance = new Map<Address, bigint>();

  constructor(
    totals: readonly bigint[],
    effective: bigint,
    private readonly oldRewardOpt: boolean,
    private readonly paySun: bigint,
    private readonly standbySun: bigint,
  ) {
    this.effective = effective;
    this.#totals = new Map(WITNESSES.map((witness, i) => [witness, totals[i] as bigint]));
  }

  setBrokerage(witness: Address, percent: bigint): void {
    this.#brokerage.set(`-1 ${witness}`, percent);
  }

  block(producer: Address): void {
    if (!this.on) return;
    this.#pay(producer, this.paySun);
    let sum = 0n;
    for (const votes of this.#totals.values()) sum += votes;
    if (sum < 1n) return;
    const each = Number(this.standbySun) / Number(sum);
    for (const [witness, votes] of this.#totals) {
      if (votes >= 1n) this.#pay(witness, longFromDouble(Number(votes) * each));
    }
  }

  #pay(witness: Address, value: bigint): void {
    const key = `${this.cycle} ${witness}`;
    const percent = this.#brokerage.get(key) ?? 20n;
    const cut = longFromDouble((Number(percent) / 100) * Number(value));
    this.#pool.set(key, (this.#pool.get(key) ?? 0n) + value - cut);
  }

  maintenance(): void {
    if (this.effective !== MAX_LONG) {
      for (const [witness, votes] of this.#totals) {
        const before = this.#vi.get(`${this.cycle - 1n} ${witness}`) ?? 0n;
        const pool = this.#pool.get(`${this.cycle} ${witness}`) ?? 0n;
        const closed = votes === 0n ? before : before + (pool * 10n ** 18n) / votes;
        if (closed !== 0n) this.#vi.set(`${this.cycle} ${witness}`, closed);
      }
    }
    for (const witness of WITNESSES) this.#totals.set(witness, this.genesisVotes(witness));
    for (const votes of this.#votes.values()) {
      for (const { vote_address, vote_count } of votes) {
        const witness = vote_address as Address;
        this.#totals.set(witness, (this.#totals.get(witness) ?? 0n) + vote_count);
      }
    }
    if (!this.on) return;
    this.cycle += 1n;
    for (const [witness, votes] of this.#totals) {
      this.#brokerage.set(`${this.cycle} ${witness}`, this.#brokerage.get(`-1 ${witness}`) ?? 20n);
      this.#cycleVotes.set(`${this.cycle} ${witness}`, votes);
    }
  }

  genesisVotes: (witness: Address) => bigint = () => 0n;

  vote(voter: Address, votes: readonly Vote[], origin: RewardOrigin): void {
    this.settle(voter, origin);
    this.#votes.set(voter, votes);
  }

  settle(voter: Address, origin: RewardOrigin): void {
    if (this.on || origin.inContract) this.#allowance.set(voter, this.due(voter, origin, true));
  }

  query(voter: Address, origin: RewardOrigin): bigint {
    return this.on || origin.inContract ? this.due(voter, origin, false) : 0n;
  }

  /** What is written down while CHANGE_DELEGATION may be off. */
  soFar(witness: Address): bigint {
    return this.#vi.get(`${this.cycle} ${witness}`) ?? 0n;
  }

  due(voter: Address, origin: RewardOrigin, store: boolean): bigint {
    let allowance = this.#allowance.get(voter) ?? 0n;
    let begin = this.#begin.get(voter) ?? 0n;
    const end = this.#end.get(voter) ?? -1n;
    const { cycle } = this;
    if (begin > cycle || (begin === cycle && this.#snapshots.has(`${cycle} ${voter}`))) return allowance;
    if (begin + 1n === end && begin < cycle) {
      const snapshot = this.#snapshots.get(`${begin} ${voter}`);
      if (snapshot !== undefined) allowance += this.#reward(begin, end, snapshot, origin);
      begin += 1n;
    }
    const votes = this.#votes.get(voter) ?? [];
    if (votes.length === 0) {
      if (store) this.#begin.set(voter, cycle + 1n);
      return allowance;
    }
    if (begin < cycle) allowance += this.#reward(begin, cycle, votes, origin);
    if (store) {
      this.#begin.set(voter, cycle);
      this.#end.set(voter, cycle + 1n);
      this.#snapshots.set(`${cycle} ${voter}`, votes);
    }
    return allowance;
  }

  #reward(begin: bigint, end: bigint, votes: readonly Vote[], { inContract }: RewardOrigin): bigint {
    // The virtual machine's own copy of the rules has no old algorithm.
    const effective = inContract ? begin : this.effective;
    const oldEnd = end < effective ? end : effective;
    let reward = 0n;
    if (begin < oldEnd)
      reward += this.oldRewardOpt ? this.#oldOpt(begin, oldEnd, votes) : this.#old(begin, oldEnd, votes);
    const from = begin > effective ? begin : effective;
    if (from < end) {
      for (const { vote_address: witness, vote_count } of votes) {
        const vi = (cycle: bigint) => this.#vi.get(`${cycle} ${witness}`) ?? 0n;
        const grown = vi(end - 1n) - vi(from - 1n);
        if (grown > 0n) reward += (grown * vote_count) / 10n ** 18n;
      }
    }
    return reward;
  }

  #old(begin: bigint, end: bigint, votes: readonly Vote[]): bigint {
    let reward = 0n;
    for (let cycle = begin; cycle < end; cycle++) {
      let ofCycle = 0n;
      for (const { vote_address: witness, vote_count } of votes) {
        const pool = this.#pool.get(`${cycle} ${witness}`) ?? 0n;
        const total = this.#cycleVotes.get(`${cycle} ${witness}`);
        if (pool <= 0n || total === undefined || total === 0n) continue;
        ofCycle = longFromDouble(Number(ofCycle) + (Number(vote_count) / Number(total)) * Number(pool));
      }
      reward += ofCycle;
    }
    return reward;
  }

  #oldOpt(begin: bigint, end: bigint, votes: readonly Vote[]): bigint {
    let reward = 0n;
    for (const { vote_address: witness, vote_count } of votes) {
      const vi = (last: bigint) => {
        let sum = 0n;
        for (let cycle = 1n; cycle <= last; cycle++) {
          const pool = this.#pool.get(`${cycle} ${witness}`) ?? 0n;
          const total = this.#cycleVotes.get(`${cycle} ${witness}`) ?? -1n;
          if (pool !== 0n && total !== 0n) sum += (pool * 10n ** 18n) / total;
        }
        return sum;
      };
      const grown = vi(end - 1n) - vi(begin - 1n);
      if (grown > 0n) reward += (grown * vote_count) / 10n ** 18n;
    }
    return reward;
  }
}

type Step =
  | {
      readonly do: 'vote';
      readonly voter: number;
      readonly inContract: boolean;
      readonly votes: readonly (readonly [number, bigint])[];
    }
  | { readonly do: 'settle'; readonly voter: number; readonly inContract: boolean }
  | { readonly do: 'brokerage'; readonly witness: number; readonly percent: bigint }
  | { readonly do: 'blocks'; readonly count: number }
  | { readonly do: 'epoch' }
  | { readonly do: 'accumulators' }
  /** As a proposal for CHANGE_DELEGATION does, on or off. */
  | { readonly do: 'switch' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('vote' as const),
      voter: fc.nat(2),
      inContract: fc.boolean(),
      votes: fc.array(fc.tuple(fc.nat(2), fc.bigInt(1n, 10n ** 10n)), { maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('settle' as const), voter: fc.nat(2), inContract: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('brokerage' as const), witness: fc.nat(2), percent: fc.bigInt(0n, 100n) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('blocks' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 4, arbitrary: fc.constant({ do: 'epoch' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'accumulators' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'switch' as const }) },
);

describe('voter rewards', () => {
  it('are those of the bookkeeping that copies everything into every cycle', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.bigInt(0n, 1000n), fc.bigInt(0n, 10n ** 9n), fc.bigInt(0n, 10n ** 9n)),
        fc.constantFrom('accumulators from cycle 1', 'old algorithm', 'old cycles by accumulators'),
        fc.array(step, { maxLength: 40 }),
        (genesisVotes, algorithm, steps) => {
          const effective = algorithm === 'accumulators from cycle 1' ? 1n : MAX_LONG;
          const opt = algorithm === 'old cycles by accumulators';
          const test = new EpochLedger({
            witnessVotes: genesisVotes,
            accounts: VOTERS,
            parameters: {
              NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE: effective,
              ALLOW_OLD_REWARD_OPT: opt ? 1n : 0n,
              WITNESS_PAY_PER_BLOCK: 8_000_001n,
              WITNESS_127_PAY_PER_BLOCK: 128_000_003n,
            },
          });
          const { ledger } = test;
          const dense = new DenseRewards(genesisVotes, effective, opt, 8_000_001n, 128_000_003n);
          dense.genesisVotes = (witness) => genesisVotes[WITNESSES.indexOf(witness)] as bigint;
          dense.block(test.blockAt(3000n).producer);
          for (const each of steps) {
            if (each.do === 'vote') {
              const votes = each.votes.map(([i, vote_count]) => ({
                vote_address: WITNESSES[i] as Address,
                vote_count,
              }));
              vote(ledger, VOTERS[each.voter] as Address, votes, each);
              dense.vote(VOTERS[each.voter] as Address, votes, each);
            } else if (each.do === 'settle') {
              settleReward(ledger, VOTERS[each.voter] as Address, each);
              dense.settle(VOTERS[each.voter] as Address, each);
            } else if (each.do === 'brokerage') {
              setNextBrokerage(ledger, WITNESSES[each.witness] as Address, each.percent);
              dense.setBrokerage(WITNESSES[each.witness] as Address, each.percent);
            } else if (each.do === 'switch') {
              dense.on = !dense.on;
              ledger.setLong('CHANGE_DELEGATION', dense.on ? 1n : 0n);
            } else if (each.do === 'blocks') {
              for (let i = 0; i < each.count; i++) {
                const skipped = ledger.long('state_flag') === 1n ? 3n : 1n;
                dense.block(test.blockAt(ledger.headTimeMs + 3000n * skipped).producer);
              }
            } else if (each.do === 'epoch') {
              dense.block(test.nextEpoch().producer);
              dense.maintenance();
            } else if (dense.effective === MAX_LONG) {
              // As the approval of ALLOW_NEW_REWARD does.
              dense.effective = dense.cycle + 1n;
              ledger.setLong('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE', dense.effective);
            }
            expect(ledger.long('CURRENT_CYCLE_NUMBER')).toBe(dense.cycle);
            for (const voter of VOTERS) {
              expect(queryReward(ledger, voter)).toBe(dense.query(voter, {}));
              expect(queryReward(ledger, voter, IN_CONTRACT)).toBe(dense.query(voter, IN_CONTRACT));
            }
            for (const witness of WITNESSES) {
              expect(rewardsOf(ledger, witness).perVoteSoFar).toBe(dense.soFar(witness));
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('R7, R8: begin with the cycle after the vote and show when it is over', () => {
    const test = new EpochLedger({ accounts: VOTERS });
    const [voter] = VOTERS as [Address];
    test.blockAt(3000n);
    vote(test.ledger, voter, [{ vote_address: address(1), vote_count: 100n }]);
    expect(queryReward(test.ledger, voter)).toBe(0n);
    test.nextEpoch();
    expect(queryReward(test.ledger, voter)).toBe(0n);
    test.blocks(3);
    test.nextEpoch();
    // Four blocks of the new cycle, 108,800,000 for the voters in each, half of the votes.
    expect(queryReward(test.ledger, voter)).toBe(217_600_000n);
  });

  it('are 0 for strangers, and for everybody while CHANGE_DELEGATION is off', () => {
    const off = new EpochLedger({ accounts: VOTERS, parameters: { CHANGE_DELEGATION: 0n } });
    off.edit(VOTERS[0] as Address, { allowance: 5n });
    expect(queryReward(off.ledger, VOTERS[0] as Address)).toBe(0n);
    expect(queryReward(new EpochLedger().ledger, address(4711))).toBe(0n);
  });
});
