/** One runner for every constant call: what it remembers is what a new run would give, and it waits for rows. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JavaException } from '../../../../src/errors/java-exception.js';
import { Ledger } from '../../../../src/ledger/ledger.js';
import { ConstantCalls } from '../../../../src/ledger/smart-contracts/constant-call.js';
import { withRows } from '../../../../src/node/with-rows.js';
import type { Address, TxId } from '../../../../src/primitives/ids.js';
import { TriggerSmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import type { Sent } from '../../../../src/protocol/message-type.js';
import { MissingRow } from '../../../../src/state/missing-row.js';
import { State } from '../../../../src/state/state.js';
import type { RowSource, TableSpec } from '../../../../src/state/table-spec.js';
import type { TABLES } from '../../../../src/state/tables.js';
import type { ExecutionResult } from '../../../../src/tvm/run.js';
import { WorkBudget } from '../../../../src/tvm/work.js';
import { ContractChain } from '../contract-chain.js';
import { address } from '../epoch-ledger.js';
import { addressOf, smallLedger } from '../small-ledger.js';
import { handOutTokens } from '../token-ledger.js';

/** Stores the words on the stack from the top down and returns them. */
const answerWords = (count: number): string => {
  const stores = Array.from({ length: count }, (_, i) => `61${(32 * i).toString(16).padStart(4, '0')}52`).join('');
  return `${stores}61${(32 * count).toString(16).padStart(4, '0')}5ff3`;
};

/** Everything that a call can tell its contract: data, its length, values, caller, origin, Energy; and a balance. */
const MIRROR = `73${addressOf(3).slice(2)}31325a33d3d234365f35${answerWords(9)}`;
/** Creates an empty contract, whose address shows the root transaction's id, and returns the address. */
const PARENT = `5f5f5ff0${answerWords(1)}`;
/** Reverts with the call data. */
const REFUSER = '365f5f37365ffd';
/** Adds one to slot 0, and returns it. */
const COUNTER = `5f54600101805f55${answerWords(1)}`;

const TX_IDS = ['00'.repeat(32), '01'.repeat(32)] as TxId[];

function world() {
  const chain = new ContractChain({ ASSET_ISSUE_FEE: 0n });
  const [token] = handOutTokens(chain.chain, 3, 1_000n);
  const contracts = [MIRROR, PARENT, REFUSER, COUNTER].map((code) => chain.place(code, { origin: addressOf(0) }));
  return { chain, contracts, token: BigInt(Buffer.from(token, 'hex').toString()) };
}

interface Question {
  readonly call: Sent<TriggerSmartContract>;
  readonly feeLimitSun: bigint;
  readonly txId: TxId;
}

/** Few values for each part, which begin and end alike: neighbours in any way of writing them one after another. */
function questions(contracts: readonly Address[], token: bigint): fc.Arbitrary<Question> {
  const mirror = contracts[0] as Address;
  const small = fc.constantFrom(0n, 1n, 2n, 12n, 120n, 20n);
  return fc.record({
    call: fc
      .record({
        owner_address: fc.constantFrom<string>(addressOf(0), addressOf(1), `${addressOf(2)}`),
        contract_address: fc.constantFrom<string>(mirror, mirror, mirror, ...contracts, address(7)),
        data: fc
          .constantFrom('', '00', '0000', 'ab', 'ab12', 'ab120', 'ab1200', '12', '1212')
          .filter((data) => data.length % 2 === 0),
        call_value: small,
        token_id: fc.constantFrom(token, token, token, token + 1n, 12n, 0n),
        call_token_value: small,
      })
      .map((parts) => TriggerSmartContract.create(parts)),
    feeLimitSun: fc.constantFrom(0n, 0n, 1_000_000n, 10_000_000n, 1n),
    txId: fc.constantFrom(...TX_IDS),
  });
}

const FIELDS = ['owner_address', 'contract_address', 'data', 'call_value', 'token_id', 'call_token_value'] as const;

/** A question and others that differ from it in one part. */
function neighbours(contracts: readonly Address[], token: bigint): fc.Arbitrary<readonly Question[]> {
  const any = questions(contracts, token);
  return fc.tuple(any, fc.array(fc.tuple(any, fc.nat(FIELDS.length)), { maxLength: 12 })).map(([base, others]) => [
    base,
    ...others.map(([other, which]) => {
      const field = FIELDS[which];
      if (field === undefined) return { ...base, feeLimitSun: other.feeLimitSun };
      return { ...base, call: { ...base.call, [field]: other.call[field] } };
    }),
  ]);
}

function outcomeOf(calls: ConstantCalls, ledger: Ledger, { call, ...options }: Question): unknown {
  try {
    return shown(calls.run(ledger, call, options));
  } catch (error) {
    if (error instanceof JavaException) return `${error.javaClass}: ${error.javaMessage}`;
    throw error;
  }
}

/** All that an answer shows of a run. */
function shown(result: ExecutionResult) {
  const { internalTransactions, exception, ...rest } = result;
  return {
    ...rest,
    output: Buffer.from(result.output).toString('hex'),
    exception: exception?.message,
    internalTransactions: internalTransactions.map(({ hash, transferToAddress, rejected }) => ({
      hash,
      transferToAddress,
      rejected,
    })),
  };
}

describe('constant calls', () => {
  it('give what a run of their own would give, in any order, also after the state has changed', () => {
    const { chain, contracts, token } = world();
    const counter = contracts[3] as Address;
    const shared = new ConstantCalls();
    // A few questions, asked again and again, half of the time as part of another transaction.
    const steps = fc.array(fc.record({ which: fc.nat(), txId: fc.constantFrom(...TX_IDS), change: fc.nat(9) }), {
      minLength: 10,
      maxLength: 60,
    });
    fc.assert(
      fc.property(neighbours(contracts, token), steps, (asked, order) => {
        const mark = chain.ledger.state.mark();
        for (const { which, txId, change } of order) {
          if (change === 0) chain.call(counter);
          if (change === 1) chain.edit(3, { balance: chain.account(3).balance + 1n });
          const each = { ...(asked[which % asked.length] as Question), txId };
          expect(outcomeOf(shared, chain.ledger, each)).toEqual(outcomeOf(new ConstantCalls(), chain.ledger, each));
        }
        chain.ledger.state.revert(mark);
      }),
      { numRuns: 200 },
    );
  });

  it('are not confused where data and value, written together, read alike', () => {
    const { chain, contracts } = world();
    const calls = new ConstantCalls();
    const ask = (data: string, call_value: bigint) => {
      const call = TriggerSmartContract.create({
        owner_address: addressOf(0),
        contract_address: contracts[0] as Address,
        data,
        call_value,
      });
      return Buffer.from(calls.run(chain.ledger, call, { txId: TX_IDS[0] as TxId }).output).toString('hex');
    };
    expect(ask('ab12', 0n)).toMatch(/^ab120{60}/);
    expect(ask('ab', 120n)).toMatch(/^ab0{62}/);
  });

  it('leave nothing behind', () => {
    const { chain, contracts } = world();
    const { state } = chain.ledger;
    const mark = state.mark();
    const { version } = state.journal;
    const call = TriggerSmartContract.create({
      owner_address: addressOf(0),
      contract_address: contracts[3] as Address,
    });
    expect(new ConstantCalls().run(chain.ledger, call, { txId: TX_IDS[0] as TxId }).energyUsed).toBeGreaterThan(5_000);
    expect([state.mark(), state.journal.version]).toEqual([mark, version]);
  });
});

/** The rows of another state, which arrive one at a time, when they were asked for and awaited. */
class SlowSource implements RowSource {
  readonly arrived = new Set<string>();
  /** Work goes on without them. */
  readonly elsewhere = new Set<string>();
  #asked = 0;

  constructor(private readonly state: State) {}

  get asked(): number {
    return this.#asked;
  }

  read<Value>(spec: TableSpec<Value>, key: string): Value | undefined {
    const row = JSON.stringify([spec.name, key]);
    if (!this.arrived.has(row)) {
      throw new MissingRow([{ table: spec.name as keyof typeof TABLES, key }], async (wanted) => {
        await Promise.resolve();
        this.#asked += wanted.length;
        for (const { table, key } of wanted) this.arrived.add(JSON.stringify([table, key]));
      });
    }
    return this.state.tables[spec.name as keyof typeof TABLES].get(key as never) as Value | undefined;
  }

  scan<Value>(spec: TableSpec<Value>): Iterable<readonly [string, Value]> {
    return this.state.tables[spec.name as keyof typeof TABLES].entries() as unknown as Iterable<
      readonly [string, Value]
    >;
  }
}

describe('constant calls where rows must be fetched', () => {
  it('give what they give where all rows are at hand, and wait for each row once', async () => {
    const { chain, contracts, token } = world();
    await fc.assert(
      fc.asyncProperty(fc.array(questions(contracts, token), { minLength: 1, maxLength: 8 }), async (asked) => {
        const source = new SlowSource(chain.ledger.state);
        const far = new Ledger(new State(source), chain.ledger.config);
        const calls = new ConstantCalls();
        for (const question of asked) {
          const outcome = await withRows(() => outcomeOf(calls, far, question));
          expect(outcome).toEqual(outcomeOf(new ConstantCalls(), chain.ledger, question));
        }
        expect(far.state.mark()).toBe(0);
        expect(source.asked).toBe(source.arrived.size);
      }),
      { numRuns: 30 },
    );
  });

  it('look ahead for a while only', async () => {
    const { chain, contracts } = world();
    const far = new Ledger(new State(new SlowSource(chain.ledger.state)), chain.ledger.config);
    const work = new WorkBudget(80_000_000);
    const call = {
      ...TriggerSmartContract.empty,
      owner_address: addressOf(0),
      contract_address: contracts[0] as Address,
    };
    // What is read before a program runs is missed alone.
    while (work.left === 80_000_000) {
      try {
        new ConstantCalls().run(far, call, { txId: TX_IDS[0] as TxId, work });
      } catch (thrown) {
        await (thrown as MissingRow).obtain();
      }
    }
    expect([work.left, work.done]).toEqual([5_000_000, 0]);
    work.left -= 4_000_000;
    work.lookAhead();
    expect([work.left, work.done]).toEqual([5_000_000, 4_000_000]);
    work.left -= 5_000_000;
    for (let i = 0; i < 20; i++) {
      work.lookAhead();
      work.left = 0;
    }
    work.lookAhead();
    expect([work.left, work.done]).toEqual([0, 80_000_000]);
  });

  it('are answered at once where nothing is missing, and fail with what a row fails with', async () => {
    const { ledger } = smallLedger(1);
    expect(withRows(() => ledger.headNumber)).toBe(0);
    const gone = new Error('the remote is gone');
    const broken: RowSource = {
      read: (spec, key) => {
        throw new MissingRow([{ table: spec.name as keyof typeof TABLES, key }], () => Promise.reject(gone));
      },
      scan: () => [],
    };
    const state = new State(broken);
    await expect(async () => withRows(() => state.tables.accounts.get(addressOf(0)))).rejects.toBe(gone);
  });
});
