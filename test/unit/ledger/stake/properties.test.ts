import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cancelAllUnfreezeV2Contract } from '../../../../src/ledger/contracts/CancelAllUnfreezeV2Contract.js';
import { delegateResourceContract } from '../../../../src/ledger/contracts/DelegateResourceContract.js';
import { freezeBalanceContract } from '../../../../src/ledger/contracts/FreezeBalanceContract.js';
import { freezeBalanceV2Contract } from '../../../../src/ledger/contracts/FreezeBalanceV2Contract.js';
import { unDelegateResourceContract } from '../../../../src/ledger/contracts/UnDelegateResourceContract.js';
import { unfreezeBalanceContract } from '../../../../src/ledger/contracts/UnfreezeBalanceContract.js';
import { unfreezeBalanceV2Contract } from '../../../../src/ledger/contracts/UnfreezeBalanceV2Contract.js';
import { voteWitnessContract } from '../../../../src/ledger/contracts/VoteWitnessContract.js';
import { withdrawExpireUnfreezeContract } from '../../../../src/ledger/contracts/WithdrawExpireUnfreezeContract.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import { setNetworkTotals } from '../../../../src/ledger/operations/network-totals.js';
import { rulesOf } from '../../../../src/ledger/stake/staking.js';
import { VoteWitnessContract_Vote } from '../../../../src/protocol/generated/witness-contract.js';
import { usageWindow, withUsageWindow } from '../../../../src/resources/metered-account.js';
import { increase } from '../../../../src/resources/recovery.js';
import { address, type EpochLedger } from '../epoch-ledger.js';
import { accountAt, addressOf, advance, COIN, refusal, run, smallLedger } from '../small-ledger.js';
import { expectSoundStakes, stakeState } from './invariants.js';

const ACCOUNTS = 3;
const WEALTH = 1_000n * COIN;
const WITNESS = address(1);

interface Step {
  readonly what:
    | 'freeze'
    | 'unfreeze'
    | 'withdraw'
    | 'cancel'
    | 'delegate'
    | 'undelegate'
    | 'freezeV1'
    | 'unfreezeV1'
    | 'vote'
    | 'use'
    | 'total'
    | 'wait';
  readonly owner: number;
  readonly receiver: number | undefined;
  readonly resource: 0 | 1 | 2;
  readonly amountSun: bigint;
  readonly lockSlots: bigint | undefined;
  readonly waitMs: bigint;
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    'freeze',
    'freeze',
    'unfreeze',
    'withdraw',
    'cancel',
    'delegate',
    'delegate',
    'undelegate',
    'undelegate',
    'freezeV1',
    'freezeV1',
    'unfreezeV1',
    'vote',
    'use',
    'total',
    'wait',
  ),
  owner: fc.nat(ACCOUNTS - 1),
  receiver: fc.option(fc.nat(ACCOUNTS - 1), { nil: undefined }),
  resource: fc.constantFrom(0, 0, 0, 1, 1, 1, 2),
  amountSun: fc.oneof(
    fc.bigInt({ min: COIN, max: 20n * COIN }),
    fc.bigInt({ min: 1n, max: 600n * COIN }),
    fc.constantFrom(COIN, 1_999_999n, 10n * COIN),
  ),
  lockSlots: fc.option(fc.bigInt({ min: 0n, max: 200_000n }), { nil: undefined }),
  waitMs: fc.bigInt({ min: 0n, max: 5n * 86_400_000n }),
});

/** By resource. */
const TOTALS = ['totalNetWeight', 'totalEnergyWeight', 'totalTronPowerWeight'] as const;

const history = fc.array(step, { minLength: 20, maxLength: 60 });

/** So that most delegations have something to lend. */
const FIRST_STAKES: readonly Step[] = [0, 1, 2].flatMap((owner) =>
  ([0, 1] as const).map((resource) => ({
    what: 'freeze' as const,
    owner,
    receiver: undefined,
    resource,
    amountSun: 200_500_000n,
    lockSlots: undefined,
    waitMs: 0n,
  })),
);

/** Uses a resource up to what is asked, as a transaction or a call would: the delegation rules look at usage. */
function use(ledger: Ledger, { owner, resource, amountSun }: Step): void {
  const account = accountAt(ledger, owner);
  const metered = resource === 2 ? 1 : resource;
  const used = increase(usageWindow(account, metered), amountSun * 10n, ledger.headSlot, rulesOf(ledger));
  ledger.state.tables.accounts.set(addressOf(owner), withUsageWindow(account, metered, used));
}

function perform(chain: EpochLedger, action: Step): void {
  const owner_address = addressOf(action.owner);
  const receiver_address = action.receiver === undefined ? '' : addressOf(action.receiver);
  const { resource, amountSun } = action;
  switch (action.what) {
    case 'freeze':
      run(chain, freezeBalanceV2Contract, { owner_address, frozen_balance: amountSun, resource });
      break;
    case 'unfreeze':
      run(chain, unfreezeBalanceV2Contract, { owner_address, unfreeze_balance: amountSun, resource });
      break;
    case 'withdraw':
      run(chain, withdrawExpireUnfreezeContract, { owner_address });
      break;
    case 'cancel':
      run(chain, cancelAllUnfreezeV2Contract, { owner_address });
      break;
    case 'delegate':
      run(chain, delegateResourceContract, {
        owner_address,
        receiver_address,
        resource,
        balance: amountSun,
        lock: action.lockSlots !== undefined,
        lock_period: action.lockSlots ?? 0n,
      });
      break;
    case 'undelegate':
      run(chain, unDelegateResourceContract, { owner_address, receiver_address, resource, balance: amountSun });
      break;
    case 'freezeV1':
      run(chain, freezeBalanceContract, {
        owner_address,
        receiver_address,
        resource,
        frozen_balance: amountSun,
        frozen_duration: 3n,
      });
      break;
    case 'unfreezeV1':
      run(chain, unfreezeBalanceContract, { owner_address, receiver_address, resource });
      break;
    case 'vote':
      run(chain, voteWitnessContract, {
        owner_address,
        votes: [VoteWitnessContract_Vote.create({ vote_address: WITNESS, vote_count: amountSun / COIN })],
        support: false,
      });
      break;
    case 'use':
      use(chain.ledger, action);
      break;
    case 'total':
      setNetworkTotals(chain.ledger, { [TOTALS[resource]]: amountSun / COIN });
      break;
    case 'wait':
      advance(chain.ledger, action.waitMs);
      break;
  }
}

/** Performs every step twice, with a revert between, and checks what must hold after each. @returns how many went through */
function play(chain: EpochLedger, steps: readonly Step[]): number {
  const { ledger } = chain;
  let done = 0;
  for (const action of steps) {
    const before = stakeState(ledger, ACCOUNTS);
    const mark = ledger.state.mark();
    const refused = refusal(() => perform(chain, action));
    const after = stakeState(ledger, ACCOUNTS);
    if (refused !== undefined) expect(after).toBe(before);
    ledger.state.revert(mark);
    expect(stakeState(ledger, ACCOUNTS)).toBe(before);
    expect(refusal(() => perform(chain, action))).toBe(refused);
    expect(stakeState(ledger, ACCOUNTS)).toBe(after);
    expectSoundStakes(ledger, ACCOUNTS, WEALTH);
    if (refused === undefined) done++;
  }
  return done;
}

/** What others have staked, which no stake of ours may move. */
const PHANTOMS = {
  TOTAL_NET_WEIGHT: 26_677_115_436n,
  TOTAL_ENERGY_WEIGHT: 19_125_511_029n,
  TOTAL_TRON_POWER_WEIGHT: 7n,
};
const phantoms = fc.constantFrom({}, PHANTOMS);

describe('stakes over random histories', () => {
  it('stake 2.0: weights are the stakes, lent is borrowed, coin stays, revert restores', () => {
    let done = 0;
    fc.assert(
      fc.property(history, phantoms, (steps, others) => {
        done += play(smallLedger(ACCOUNTS, others), [...FIRST_STAKES, ...steps]);
      }),
      { numRuns: 25 },
    );
    // The histories are worth something only when enough of them is not refused.
    expect(done).toBeGreaterThan(200);
  });

  it('the new resource model keeps the same', () => {
    fc.assert(
      fc.property(history, phantoms, (steps, others) => {
        play(smallLedger(ACCOUNTS, { ALLOW_NEW_RESOURCE_MODEL: 1n, ...others }), steps);
      }),
      { numRuns: 15 },
    );
  });

  it('stake 1.0, then the switch to 2.0 in the middle', () => {
    fc.assert(
      fc.property(history, history, phantoms, (before, after, others) => {
        const chain = smallLedger(ACCOUNTS, { UNFREEZE_DELAY_DAYS: 0n, ...others });
        play(chain, before);
        chain.ledger.setLong('UNFREEZE_DELAY_DAYS', 14n);
        play(chain, after);
      }),
      { numRuns: 25 },
    );
  });
});
