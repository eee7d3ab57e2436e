/**
 * Contracts that say what they are told: functions that return their arguments, logs with any topics, reverts with any
 * data, a call of another contract, and a creation. Their ABI is chosen at random, from few signatures of events and errors,
 * so that several contracts have the same ones with other names, or with other indexed parameters.
 */

import { Interface, type InterfaceAbi } from 'ethers';
import type { AbiEntry, AbiParameter } from '../../../../src/contracts/abi.js';
import { selectorOf } from '../../../../src/contracts/fragments.js';
import type { Choices } from '../../wild-messages.js';
import { namesOf, parametersOf } from './abi-values.js';
import { bytesIn, type Code, creationOf, OP, push, pushPlace } from './assembler.js';

export interface Speaker {
  readonly abi: readonly AbiEntry[];
  readonly constructorInputs: readonly AbiParameter[];
  readonly echoes: readonly AbiEntry[];
  readonly events: readonly AbiEntry[];
  readonly errors: readonly AbiEntry[];
  /** The second opinion. */
  readonly ethers: Interface;
  readonly creation: Code;
  readonly runtime: Code;
}

export const MOST_TOPICS = 4;
const SELECTOR = 4;
const argument = (i: number): Code => push(SELECTOR + 32 * i) + OP.CALLDATALOAD;

/** Puts an argument of type `bytes` into the memory, from zero on, and its length on the stack. */
const bytesArgument = (i: number): Code =>
  [argument(i), push(SELECTOR), OP.ADD, OP.DUP1, OP.CALLDATALOAD, OP.SWAP1, push(32), OP.ADD].join('') +
  [OP.DUP2, OP.SWAP1, push(0), OP.CALLDATACOPY].join('');

/** Of an address on the stack, which has TRON's prefix. */
const TWENTY_BYTES = push(1n << 96n) + OP.MUL + push(1n << 96n) + OP.SWAP1 + OP.DIV;
const RETURN_WORD = push(0) + OP.MSTORE + push(32) + push(0) + OP.RETURN;
const ECHO = [push(SELECTOR), OP.CALLDATASIZE, OP.SUB, OP.DUP1, push(SELECTOR), push(0), OP.CALLDATACOPY].join('');

const given = (...types: readonly string[]): readonly AbiParameter[] => types.map((type) => ({ name: '', type }));
const does = (name: string, inputs: readonly AbiParameter[], outputs: readonly AbiParameter[] = []): AbiEntry => ({
  ...{ type: 'function', name, inputs, outputs, stateMutability: 'nonpayable' },
});

/** What every speaker does, and the code of it. */
const DEEDS: readonly (readonly [AbiEntry, Code])[] = [
  ...Array.from({ length: MOST_TOPICS + 1 }, (_, count) => {
    const topics = Array.from({ length: count }, (_, i) => argument(count - 1 - i)).join('');
    const log = (Number.parseInt(OP.LOG0, 16) + count).toString(16);
    const inputs = given(...Array.from({ length: count }, () => 'bytes32'), 'bytes');
    return [does(`log${count}`, inputs), topics + bytesArgument(count) + push(0) + log + OP.STOP] as const;
  }),
  [does('fail', given('bytes')), bytesArgument(0) + push(0) + OP.REVERT],
  [
    does('relay', given('address', 'bytes'), given('bool')),
    [push(0), push(0), bytesArgument(1), push(0), push(0), argument(0), OP.GAS, OP.CALL, RETURN_WORD].join(''),
  ],
  [
    does('make', given('uint256', 'bytes'), given('address')),
    [argument(0), bytesArgument(1), push(0), push(0), OP.CREATE2, TWENTY_BYTES, RETURN_WORD].join(''),
  ],
];

function runtimeOf(deeds: readonly (readonly [AbiEntry, Code])[]): Code {
  const selector = push(1n << 224n) + push(0) + OP.CALLDATALOAD + OP.DIV;
  const test = (entry: AbiEntry, place: number) =>
    OP.DUP1 + push({ hex: selectorOf(entry) }) + OP.XOR + OP.ISZERO + pushPlace(place) + OP.JUMPI;
  const tests = (places: readonly number[]) =>
    `${selector}${deeds.map(([entry], i) => test(entry, places[i] ?? 0)).join('')}${push(0)}${push(0)}${OP.REVERT}`;
  const bodies = deeds.map(([, code]) => OP.JUMPDEST + OP.POP + code);
  let place = bytesIn(tests([]));
  const places = bodies.map((body) => {
    const at = place;
    place += bytesIn(body);
    return at;
  });
  return tests(places) + bodies.join('');
}

const EVENTS = [
  ['Told', ['uint256', 'address']],
  ['Heard', ['address', 'address', 'uint256']],
  ['Written', ['string', 'bytes32', 'bytes']],
] as const;
const ERRORS = [
  ['Refused', ['address', 'uint256']],
  ['Missing', ['string']],
] as const;

/** Of the same signature with so many indexed parameters one at most: a log tells no more. */
function eventsOf(choices: Choices): readonly AbiEntry[] {
  const [name, types] = choices.of(EVENTS);
  const [other, others] = choices.of(EVENTS);
  const event = (of: string, types: readonly string[], indexed: readonly boolean[]): AbiEntry => {
    const inputs = parametersOf(choices, types.length, types).map((one, i) => ({
      ...one,
      indexed: indexed[i] === true,
    }));
    return { type: 'event', name: of, inputs };
  };
  const indexed = types.map(() => choices.chance(0.5));
  const more = indexed.map((one, i) => (i === 0 ? !one : one));
  return [
    event(name, types, indexed),
    event(name, types, more),
    ...(other === name
      ? []
      : [
          event(
            other,
            others,
            others.map(() => choices.chance(0.5)),
          ),
        ]),
  ];
}

export function speakerOf(choices: Choices): Speaker {
  const echoes: AbiEntry[] = [];
  for (let count = 3; count > 0; count--) {
    const inputs = parametersOf(choices, choices.of([0, 1, 1, 2, 3]));
    const names = namesOf(choices, inputs.length);
    const outputs = inputs.map((input, i) => ({ ...input, name: names[i] as string }));
    const stateMutability = choices.of(['view', 'pure', 'nonpayable', 'payable']);
    const echo = { ...does(choices.of(['echo', 'answer']), inputs, outputs), stateMutability };
    if (echoes.every((one) => selectorOf(one) !== selectorOf(echo))) echoes.push(echo);
  }
  const events = eventsOf(choices);
  const errors = ERRORS.map(([name, types]) => ({
    ...{ type: 'error', name, inputs: parametersOf(choices, types.length, types) },
  }));
  const constructorInputs = parametersOf(choices, choices.below(3));
  const abi = [
    { type: 'constructor', inputs: constructorInputs, stateMutability: 'nonpayable' },
    ...[...DEEDS.map(([entry]) => entry), ...echoes, ...events, ...errors],
  ];
  const runtime = runtimeOf([...DEEDS, ...echoes.map((one) => [one, ECHO + push(0) + OP.RETURN] as const)]);
  const ethers = Interface.from(abi as InterfaceAbi);
  return { abi, constructorInputs, echoes, events, errors, ethers, runtime, creation: creationOf(runtime) };
}
