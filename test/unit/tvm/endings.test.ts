/**
 * What is told of a transaction that ends while calls are under way (protocol/calls.md#logs-and-return-data,
 * protocol/contract-runs.md#errors-that-end-all-frames): by a Java error or OUT_OF_TIME, which no caller catches, and
 * by ordinary exceptions. Programs are trees of calls; the model is java-tron's: each frame has a result of its own,
 * which its caller takes over when the frame has ended.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ContractResult } from '../../../src/tvm/errors.js';
import type { ExecutionResult } from '../../../src/tvm/run.js';
import { WorkBudget } from '../../../src/tvm/work.js';
import { AA, address, bytes, CC, deploy, run } from './fixture.js';

const CALL_KINDS = ['CALL', 'CALLCODE', 'DELEGATECALL', 'CALLTOKEN'] as const;
const CREATE_KINDS = ['CREATE', 'CREATE2'] as const;
type CallKind = (typeof CALL_KINDS)[number];
type CreateKind = (typeof CREATE_KINDS)[number];

type Ending = 'stop' | 'revert' | 'invalid';
type Deed =
  | { readonly do: 'log'; readonly topic: number }
  | { readonly do: 'destroy' }
  /** What ends the transaction, or only its frame where a caller catches it. */
  | { readonly do: 'end' }
  | { readonly do: 'call'; readonly kind: CallKind; readonly callee: Program }
  /** A constructor that delegates to a contract with the deeds, and ends as it does. */
  | { readonly do: 'create'; readonly kind: CreateKind; readonly body: Program };

interface Program {
  readonly deeds: readonly Deed[];
  readonly ending: Ending;
}

const log = (topic: number): Deed => ({ do: 'log', topic });
const end: Deed = { do: 'end' };
const program = (...deeds: Deed[]): Program => ({ deeds, ending: 'stop' });
const reverting = (...deeds: Deed[]): Program => ({ deeds, ending: 'revert' });
const failing = (...deeds: Deed[]): Program => ({ deeds, ending: 'invalid' });
const call = (callee: Program, kind: CallKind = 'CALL'): Deed => ({ do: 'call', kind, callee });
const create = (body: Program, kind: CreateKind = 'CREATE'): Deed => ({ do: 'create', kind, body });

/** How a transaction is ended, the code that does it, and what makes it do so. */
const ENDS = {
  'Unknown Throwable': {
    // MODEXP whose exponent is said to have 2^31−1 bytes.
    code: '5f5f52637fffffff602052600160605360005f60615f5f60055af1',
    contractResult: ContractResult.UNKNOWN,
    runtimeError: /^Unknown Throwable$/,
  },
  OUT_OF_TIME: {
    // 0x07 is more work than is left.
    code: '5f5f5f5f5f60075af1',
    contractResult: ContractResult.OUT_OF_TIME,
    runtimeError: /^CPU timeout for 'CALL' operation executing$/,
  },
  ILLEGAL_OPERATION: {
    code: 'fe',
    contractResult: ContractResult.ILLEGAL_OPERATION,
    runtimeError: /^Invalid operation code: opCode\[fe\];$/,
  },
} as const;
type End = keyof typeof ENDS;
/** Those that no caller catches. */
const AT_ONCE = ['Unknown Throwable', 'OUT_OF_TIME'] as const;

const ENDING_CODES: Readonly<Record<Ending, string>> = { stop: '00', revert: '5f5ffd', invalid: 'fe' };
const FIRST_CALLEE = 0x1000;
/** Far more than any program needs, although a call gets only a part of what its caller has. */
const ENERGY = 1e15;

/** Puts each program at an address of its own. */
class Contracts {
  readonly codes: string[] = [];

  constructor(private readonly endCode: string) {}

  place(callee: Program): string {
    const at = this.codes.push('') - 1;
    this.codes[at] = this.code(callee, 1);
    return (FIRST_CALLEE + at).toString(16);
  }

  code({ deeds, ending }: Program, depth = 0): string {
    return deeds.map((deed) => this.#deed(deed, depth)).join('') + ENDING_CODES[ending];
  }

  #deed(deed: Deed, depth: number): string {
    switch (deed.do) {
      case 'log':
        return `60${deed.topic.toString(16).padStart(2, '0')}5f5fa1`;
      case 'destroy':
        return '60ccff';
      case 'end':
        return this.endCode;
      case 'call':
        return `${this.#call(deed.kind, this.place(deed.callee))}50`;
      case 'create': {
        const init = `${this.#call('DELEGATECALL', this.place({ ...deed.body, ending: 'stop' }))}50${ENDING_CODES[deed.body.ending]}`;
        const length = init.length / 2;
        const [size, at] = [length, 32 - length].map((one) => one.toString(16).padStart(2, '0'));
        const salt = deed.kind === 'CREATE2' ? `61${depth.toString(16).padStart(4, '0')}` : '';
        return `${(0x5f + length).toString(16)}${init}5f52${salt}60${size}60${at}5f${salt === '' ? 'f0' : 'f5'}50`;
      }
    }
  }

  /** With a twentieth of what is left, so that a failing callee leaves enough. */
  #call(kind: CallKind, place: string): string {
    const energy = '60145a04';
    const opcode = { CALL: 'f1', CALLCODE: 'f2', DELEGATECALL: 'f4', CALLTOKEN: 'd0' }[kind];
    if (kind === 'DELEGATECALL') return `5f5f5f5f61${place}${energy}${opcode}`;
    if (kind === 'CALLTOKEN') return `5f5f5f5f620f42415f61${place}${energy}${opcode}`;
    return `5f5f5f5f5f61${place}${energy}${opcode}`;
  }
}

interface Told {
  readonly logs: readonly number[];
  readonly notes: readonly string[];
}

class Frame {
  readonly logs: number[] = [];
  readonly notes: string[] = [];

  take(child: Frame, succeeded: boolean): void {
    this.notes.push(...child.notes);
    if (succeeded) this.logs.push(...child.logs);
  }
}

class EndedAtOnce {}

/** @returns whether the frame succeeded */
function play({ deeds, ending }: Program, frame: Frame, isCaught: boolean): boolean {
  for (const deed of deeds) {
    switch (deed.do) {
      case 'log':
        frame.logs.push(deed.topic);
        break;
      case 'destroy':
        frame.notes.push('suicide');
        return true;
      case 'end':
        if (isCaught) return false;
        throw new EndedAtOnce();
      case 'call': {
        frame.notes.push('call');
        const callee = new Frame();
        frame.take(callee, play(deed.callee, callee, isCaught));
        break;
      }
      case 'create': {
        frame.notes.push('create');
        const init = new Frame();
        const deeds = [call({ ...deed.body, ending: 'stop' }, 'DELEGATECALL')];
        frame.take(init, play({ deeds, ending: deed.body.ending }, init, isCaught));
        break;
      }
    }
  }
  return ending === 'stop';
}

function modelled(top: Program, isCaught: boolean): Told & { readonly end: 'at once' | 'success' | 'failure' } {
  const frame = new Frame();
  try {
    const succeeded = play(top, frame, isCaught);
    return { logs: succeeded ? frame.logs : [], notes: frame.notes, end: succeeded ? 'success' : 'failure' };
  } catch (thrown) {
    if (!(thrown instanceof EndedAtOnce)) throw thrown;
    return { logs: frame.logs, notes: frame.notes, end: 'at once' };
  }
}

function told({ logs, internalTransactions }: ExecutionResult): Told {
  return {
    logs: logs.map(({ topics }) => Number.parseInt(topics[0] ?? '', 16)),
    notes: internalTransactions.map(({ note }) => note),
  };
}

function ran(top: Program, how: End, more: { readonly factors?: readonly number[] } = {}) {
  const contracts = new Contracts(ENDS[how].code);
  return run({
    code: contracts.code(top),
    energyLimit: ENERGY,
    context: { work: new WorkBudget(3_900_000) },
    prepare: (host) => {
      host.addAccount(CC);
      host.addTokens(AA, '1000001', 1n);
      for (const [at, code] of contracts.codes.entries()) {
        const place = address(FIRST_CALLEE + at);
        host.addContract(place, bytes(code));
        host.energy.set(place, { factor: more.factors?.[at] ?? 0, usage: 0 });
      }
    },
  });
}

describe.each(AT_ONCE)('%s', (how) => {
  const quiet = program(log(9));
  test.each<[string, Program, Told]>([
    ['in the top frame', program(log(1), end), { logs: [1], notes: [] }],
    [
      'in the top frame, after a call that returned',
      program(log(1), call(program(log(2))), log(3), end),
      { logs: [1, 2, 3], notes: ['call'] },
    ],
    ['in a call', program(log(1), call(program(log(2), end))), { logs: [1], notes: ['call'] }],
    [
      'in a call, after another that returned',
      program(call(program(log(2), call(program(log(3))))), log(1), call(program(log(4), end))),
      { logs: [2, 3, 1], notes: ['call', 'call', 'call'] },
    ],
    [
      'in a call, after one inside of it that returned',
      program(log(1), call(program(call(program(log(2))), end))),
      { logs: [1], notes: ['call'] },
    ],
    [
      'three calls deep',
      program(log(1), call(program(log(2), call(program(log(3), call(program(end))))))),
      { logs: [1], notes: ['call'] },
    ],
    [
      'in the top frame, after calls that failed',
      program(
        call(reverting(log(2), call(quiet))),
        call(failing(log(3), call(quiet), call(failing(log(4))))),
        log(1),
        end,
      ),
      { logs: [1], notes: ['call', 'call', 'call', 'call', 'call'] },
    ],
    ['in a constructor', program(log(1), create(program(log(2), call(quiet), end))), { logs: [1], notes: ['create'] }],
    [
      'in a constructor of CREATE2',
      program(log(1), create(program(log(2), call(quiet), end), 'CREATE2')),
      { logs: [1], notes: ['create'] },
    ],
    [
      'after constructors',
      program(create(program(log(1))), create(program(log(2)), 'CREATE2'), create(reverting(log(3))), end),
      { logs: [1, 2], notes: ['create', 'call', 'create', 'call', 'create', 'call'] },
    ],
    [
      'after and in delegated, token and self calls',
      program(
        call(program(log(1)), 'DELEGATECALL'),
        call(program(log(2)), 'CALLTOKEN'),
        call(program(end), 'CALLCODE'),
      ),
      { logs: [1, 2], notes: ['call', 'call', 'call'] },
    ],
    [
      'after a self-destruct',
      program(call(program(log(1), { do: 'destroy' })), log(2), end),
      { logs: [1, 2], notes: ['call', 'suicide'] },
    ],
    [
      'in a call, after a self-destruct inside of it',
      program(call(program(call(program({ do: 'destroy' })), log(2), end))),
      { logs: [], notes: ['call'] },
    ],
  ])('%s', (_, top, expected) => {
    const result = ran(top, how);
    expect(told(result)).toEqual(expected);
    const { contractResult, runtimeError } = ENDS[how];
    expect(result).toMatchObject({ contractResult, energyUsed: ENERGY, deletedContracts: [] });
    expect(result.runtimeError).toMatch(runtimeError);
    expect(result.internalTransactions.every(({ rejected }) => rejected)).toBe(true);
    expect(result.lostInternalTransactions.every(({ rejected }) => rejected)).toBe(true);
    // The model of the property says the same.
    const { logs, notes } = modelled(top, false);
    expect({ logs, notes }).toEqual(expected);
  });

  test('what calls under way recorded is known, but no receipt has it', () => {
    const { lostInternalTransactions } = ran(
      program(call(program(call(program()), create(program(call(program()), end))))),
      how,
    );
    expect(lostInternalTransactions.map(({ note }) => note)).toEqual(['call', 'create', 'call', 'call']);
  });

  test('the penalty is that of the top frame and of calls that returned', () => {
    const callee = program(log(2));
    const factors = [10_000, 30_000];
    const returned = ran(program(call(callee), end), how, { factors });
    const underWay = ran(program(call(callee), call(program(log(3), log(4), end))), how, { factors });
    expect(returned.energyPenalty).toBeGreaterThan(0);
    expect(underWay.energyPenalty).toBe(returned.energyPenalty);
    const failed = ran(program(call(callee), call(failing(log(3)))), how, { factors });
    expect(failed.energyPenalty).toBeGreaterThan(returned.energyPenalty);
  });
});

test('in a deployment the constructor is the top frame', () => {
  // LOG1 of 1, a CREATE with LOG1 of 2, and the error.
  const result = deploy(`60015f5fa16560025f5fa1005f526006601a5ff050${ENDS['Unknown Throwable'].code}`);
  expect(told(result)).toEqual({ logs: [1, 2], notes: ['create'] });
  expect(result.host.code(AA)).toHaveLength(0);
});

const { programs } = fc.letrec<{ programs: Program; deeds: Deed }>((tie) => ({
  programs: fc.record({
    deeds: fc.array(tie('deeds'), { maxLength: 4 }),
    ending: fc.constantFrom<Ending>('stop', 'stop', 'stop', 'revert', 'invalid'),
  }),
  deeds: fc.oneof(
    { maxDepth: 3, depthSize: 'large' },
    fc.oneof(
      { weight: 6, arbitrary: fc.nat(0xff).map(log) },
      { weight: 2, arbitrary: fc.constant(end) },
      { weight: 1, arbitrary: fc.constant<Deed>({ do: 'destroy' }) },
    ),
    fc.tuple(tie('programs'), fc.constantFrom(...CALL_KINDS)).map(([callee, kind]) => call(callee, kind)),
    fc
      .tuple(tie('programs'), fc.constantFrom(...CREATE_KINDS))
      // An exception in a constructor leaves its creator without Energy.
      .map(([{ deeds, ending }, kind]) => create({ deeds, ending: ending === 'stop' ? ending : 'revert' }, kind)),
  ),
}));

test('any tree of calls tells what the results of its frames come to', () => {
  const seen = { 'at once': 0, success: 0, failure: 0 };
  fc.assert(
    fc.property(programs, fc.constantFrom<End>('Unknown Throwable', 'OUT_OF_TIME', 'ILLEGAL_OPERATION'), (top, how) => {
      const expected = modelled(top, how === 'ILLEGAL_OPERATION');
      const result = ran(top, how);
      const { logs, notes } = expected;
      expect(told(result)).toEqual({ logs, notes });
      expect(result.runtimeError === undefined).toBe(expected.end === 'success');
      if (expected.end === 'at once') expect(result.runtimeError).toMatch(ENDS[how].runtimeError);
      if (expected.end !== 'success') expect(result.internalTransactions.every(({ rejected }) => rejected)).toBe(true);
      seen[expected.end]++;
    }),
    { numRuns: 400, seed: 22 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(40);
});
