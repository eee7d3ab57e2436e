/**
 * A user who has the machine calculate what `modelled-program.ts` knows already: arithmetic, memory, storage, jumps, calls,
 * creations, precompiled contracts. The output and the Energy must be the model's, in a constant call, in Ethereum's form,
 * in a trace, and in a transaction. Traces are made by the interpreter, the others mostly by the engine.
 */

import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { deployedContractAddress } from '../../../../src/protocol/address.js';
import { SmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { COIN } from '../../simulated-chain.js';
import type { Choices } from '../../wild-messages.js';
import { Violation } from '../run/violation.js';
import { type Answer, resultOf } from './asker.js';
import { bytesIn, type Code } from './assembler.js';
import {
  anyWord,
  creation,
  DEEPEST,
  failedCreation,
  forbiddenInStatic,
  length,
  MEMORY_FROM,
  MOST_ON_STACK,
  need,
  type Part,
  place,
  SLOTS,
  type Writing,
} from './calculated-parts.js';
import { type CallKind, ENVIRONMENT, ModelledProgram, PLENTY, type Surroundings } from './modelled-program.js';
import { anyPrecompiled } from './precompiled.js';
import { composed, isAccepted, sendHex } from './transactions.js';
import type { Host, User } from './user.js';
import { CLZ, WORD_STEPS, type WordStep } from './word-steps.js';

/** The node's limit (docs/protocol/contract-runs.md#constant-calls). */
const MOST_OF_A_CONSTANT_CALL = 100_000_000;
const NAME = 'the machine calculates what the model does';

const wordStep: Part = (writing) => {
  const { program, known, on } = writing;
  const steps: readonly WordStep[] = [...Object.values(WORD_STEPS), ...(on('ALLOW_TVM_OSAKA') ? [CLZ] : [])];
  const step = known.choices.of(steps);
  const { choices } = known;
  if (choices.chance(0.6)) for (let i = 0; i < step.takes; i++) program.push(anyWord(choices));
  need(writing, step.takes);
  if (step.positions !== undefined && choices.chance(0.7)) {
    program.push(BigInt(`0x${choices.hex(32)}`));
    program.push(choices.of(step.positions));
  }
  program.word(step);
};

const duplicate: Part = (writing) => {
  const depth = 1 + writing.known.choices.below(16);
  need(writing, depth);
  writing.program.duplicate(depth);
};

const swap: Part = (writing) => {
  const depth = 1 + writing.known.choices.below(16);
  need(writing, depth + 1);
  writing.program.swap(depth);
};

const environment: Part = ({ program, known: { choices } }) => {
  const names = Object.keys(ENVIRONMENT).filter((name) => program.surroundings[name] !== undefined);
  program.environment(choices.of(names));
};

const memory: Part = (writing) => {
  const { program, known } = writing;
  const { choices } = known;
  need(writing, 1);
  const range = { at: place(choices), length: length(choices) };
  choices.of([
    () => program.store(place(choices)),
    () => program.storeByte(place(choices)),
    () => program.load(place(choices)),
    () => program.hash(range),
    () => program.copyMemory(place(choices), range),
    () => program.copyCallData(place(choices), { ...range, at: choices.below(80) }),
    () => program.copyIn(place(choices), hexToBytes(choices.hex(choices.below(70)))),
    () => program.memorySize(),
  ])();
};

const callData: Part = ({ program, known: { choices } }) => {
  choices.of([
    () => program.callDataSize(),
    () => {
      program.push(choices.of([0, 1, 4, 32, 60, 200]));
      program.callDataWord();
    },
  ])();
};

const returnData: Part = ({ program, known: { choices } }) => {
  program.returnDataSize();
  const size = program.returnData.length;
  const at = choices.below(size + 1);
  program.copyReturnData(place(choices), { at, length: choices.below(size - at + 1) });
};

const rows: Part = (writing) => {
  const { program, known, isStatic } = writing;
  const { choices } = known;
  const slot = choices.of(SLOTS);
  need(writing, 1);
  choices.of([
    () => program.loadRow(slot),
    () => program.loadTransient(slot),
    ...(isStatic ? [] : [() => program.storeRow(slot), () => program.storeTransient(slot)]),
  ])();
};

/** Steps that nobody does, among them bytes that look like destinations. */
const hidden = (choices: Choices): Code =>
  Array.from({ length: choices.below(4) }, () => {
    const width = choices.of([0, 1, 2, 31, 32]);
    return width === 0 ? choices.of(['fe', '00', '50', '01']) : (0x5f + width).toString(16) + '5b'.repeat(width);
  }).join('');

const jump: Part = (writing) => {
  const { program, known } = writing;
  const { choices } = known;
  if (choices.chance(0.3)) {
    program.jumpOver(hidden(choices));
    return;
  }
  const rest = choices.of([wordStep, memory, duplicate]);
  program.push(choices.chance(0.5) ? 0n : anyWord(choices));
  program.jumpUnless(() => rest(writing), hidden(choices));
};

const loop: Part = (writing) => {
  const { program, known } = writing;
  const { choices } = known;
  need(writing, 1);
  const steps = Array.from({ length: 1 + choices.below(3) }, () => {
    const binary = Object.values(WORD_STEPS).filter(({ takes }) => takes === 2);
    return { step: choices.of(binary), operand: anyWord(choices), at: place(choices) };
  });
  const stores = choices.chance(0.5);
  program.repeat(1 + choices.below(20), () => {
    for (const { step, operand, at } of steps) {
      program.swap(1);
      program.push(operand);
      program.word(step);
      if (stores) {
        program.duplicate(1);
        program.store(at);
      }
      program.swap(1);
    }
  });
};

const precompiled: Part = ({ program, known, on }) => {
  const { choices } = known;
  const { address, input, output, energy } = anyPrecompiled(known, (name) => on(`ALLOW_TVM_${name}`));
  const at = place(choices);
  program.copyIn(at, input);
  const isPoor = energy > 0 && choices.chance(0.1);
  const success = output !== undefined && !isPoor;
  const limit = isPoor ? energy - 1 : success && choices.chance(0.5) ? undefined : energy + choices.below(1_000);
  const callee = {
    success,
    output: success ? output : new Uint8Array(0),
    energy: success ? energy : (limit ?? 0),
    limit,
    isPrecompiled: true,
  };
  program.call(
    choices.of(['CALL', 'STATICCALL', 'DELEGATECALL', 'CALLCODE'] as const),
    callee,
    () => program.push(address),
    { at, length: input.length },
    { at: place(choices), length: choices.of([0, 32, 64]) },
  );
};

function surroundingsOf(kind: CallKind, { program: { surroundings } }: Writing): Surroundings {
  const { ADDRESS, CALLER, CALLVALUE } = surroundings;
  const isOwn = kind === 'DELEGATECALL' || kind === 'CALLCODE';
  return {
    ...surroundings,
    ADDRESS: isOwn ? ADDRESS : undefined,
    CALLER: kind === 'DELEGATECALL' ? CALLER : ADDRESS,
    CALLVALUE: kind === 'DELEGATECALL' ? CALLVALUE : 0n,
  };
}

const child: Part = (writing) => {
  const { program, known } = writing;
  const { choices } = known;
  // Creations are no part of a static call.
  if (writing.depth === DEEPEST || writing.isStatic) return precompiled(writing);
  const kind = choices.of(['CALL', 'CALL', 'STATICCALL', 'DELEGATECALL', 'CALLCODE'] as const);
  const isOwn = kind === 'DELEGATECALL' || kind === 'CALLCODE';
  const input = { at: place(choices), length: length(choices) };
  const output = { at: place(choices), length: length(choices) };
  const salt = choices.chance(0.5) ? BigInt(`0x${choices.hex(8)}`) : undefined;
  const codeAt = place(choices);
  const isStatic = kind === 'STATICCALL';
  // The code of the creation comes into memory before the input is read: the input is below it.
  const from = input.at + input.length > codeAt ? { at: 0, length: Math.min(input.length, MEMORY_FROM) } : input;
  const callee = new ModelledProgram(
    program.memory(from).slice(),
    surroundingsOf(kind, writing),
    isOwn ? program.rows : undefined,
  );
  const fails = choices.of(['INVALID', isStatic ? 'STATIC' : 'INVALID', 'TRANSFER'] as const);
  const end = choices.of(['RETURN', 'RETURN', 'RETURN', 'REVERT', fails] as const);
  const result = write({ ...writing, program: callee, depth: writing.depth + 1, isStatic }, end);
  const isFailed = end !== 'RETURN' && end !== 'REVERT';
  const limit = isFailed ? callee.energy + choices.below(PLENTY) : undefined;
  program.call(
    kind,
    {
      success: end === 'RETURN',
      output: isFailed ? new Uint8Array(0) : result,
      energy: limit ?? callee.energy,
      limit,
      isPrecompiled: false,
    },
    () => program.create(callee.code, codeAt, salt),
    from,
    output,
    isOwn ? callee.rows : undefined,
  );
};

const PARTS: readonly Part[] = [
  ...Array.from({ length: 12 }, () => wordStep),
  ...[duplicate, swap, duplicate, swap, environment, callData, returnData, rows, rows, jump, jump, loop],
  ...[memory, memory, memory, precompiled, precompiled, child],
  (writing) => (writing.isStatic ? memory : failedCreation)(writing),
  (writing) => (writing.isStatic ? returnData : creation)(writing),
  ({ program }) => program.energyLeft(),
  ({ program }) => program.place(),
  ({ program }) => {
    if (program.stack.length > 0) program.pop();
  },
];

/** Writes a program. @returns its output */
function write(writing: Writing, end: 'RETURN' | 'REVERT' | 'INVALID' | 'TRANSFER' | 'STATIC'): Uint8Array {
  const { program, known } = writing;
  const { choices } = known;
  program.push(0);
  program.store(0);
  for (let left = writing.depth === 0 ? 10 + choices.below(50) : choices.below(8); left > 0; left--) {
    if (program.stack.length > MOST_ON_STACK) program.pop();
    else choices.of(PARTS)(writing);
  }
  if (end === 'RETURN' || end === 'REVERT') return program.end(end);
  if (end === 'INVALID') program.fail();
  else if (end === 'STATIC') program.fail(forbiddenInStatic(writing));
  else program.failToTransfer();
  return new Uint8Array(0);
}

function begin({ world, people }: Host, callBytes: string, surroundings: Surroundings, limit?: number): Writing {
  const { choices, ledger } = world;
  const owner = people.address(choices.below(6));
  const permission = ledger.state.tables.accounts.get(owner)?.owner_permission;
  const weights = permission?.keys.map(({ address, weight }) => [address, weight] as const);
  const privateKeys = people.addresses.slice(0, 6).flatMap((address) => people.keyOf(address) ?? []);
  return {
    program: new ModelledProgram(
      hexToBytes(callBytes),
      {
        DIFFICULTY: 0n,
        GASLIMIT: 0n,
        CHAINID: BigInt(world.chainId),
        BASEFEE: ledger.long('ENERGY_FEE'),
        CALLVALUE: 0n,
        ...surroundings,
      },
      undefined,
      limit,
      limit !== undefined && surroundings.ADDRESS === undefined && ledger.on('ALLOW_TVM_COMPATIBLE_EVM'),
    ),
    known: {
      choices,
      privateKeys,
      owner: {
        account: owner,
        threshold: permission?.threshold ?? 1n,
        weights: new Map(weights ?? [[owner, 1n]]),
      },
    },
    on: (parameter) => ledger.long(parameter as never) === 1n,
    depth: 0,
    isStatic: false,
  };
}

/** What two answers have seen. */
const momentOf = ({ world }: Host): string =>
  `${world.headNumber} ${world.node.chain.headId} ${world.node.chain.pool.size}`;

/** @throws Violation with the place of the first difference */
function expectSame(what: string, code: Code, expected: string | number, found: unknown, answer: Answer): void {
  if (expected === found) return;
  const [model, machine] = [String(expected), String(found)];
  let at = 0;
  while (at < model.length && model[at] === machine[at]) at++;
  const shown = (text: string) => text.slice(Math.max(0, at - 64), at + 64);
  const difference = `from character ${Math.max(0, at - 64)} ${shown(machine)}, and not ${shown(model)}`;
  throw new Violation(NAME, `${what}: ${difference}; ${answer?.slice(0, 500)}; code ${code}`);
}

/** A creation without a transaction: its output is the code. */
const created: User = async (host) => {
  const { world, people, asker } = host;
  const head = await world.head();
  if (head === undefined) return;
  const owner = people.address(world.choices.below(6));
  const caller = BigInt(`0x${owner.slice(2)}`);
  const writing = begin(
    host,
    '',
    {
      ORIGIN: caller,
      CALLER: caller,
      NUMBER: BigInt(head.number),
      TIMESTAMP: head.timeMs / 1_000n,
    },
    MOST_OF_A_CONSTANT_CALL,
  );
  const output = write(writing, 'RETURN');
  const { code, energy } = writing.program;
  const moment = momentOf(host);
  const call = { owner_address: owner, data: code };
  const answer = await asker.post('/wallet/triggerconstantcontract', call);
  const result = /"constant_result": ?\["([0-9a-f]*)"\]/.exec(answer ?? '')?.[1];
  if (result === undefined || momentOf(host) !== moment || world.diskFails) return;
  const isFailed = /"ret": ?"FAILED"/.test(answer ?? '');
  expectSame('a creation', code, bytesToHex(output), isFailed ? 'a failure' : result, answer);
  const used = Number(/"energy_used": ?(\d+)/.exec(answer ?? '')?.[1]);
  expectSame('the Energy of a creation', code, energy + 200 * output.length, used, answer);
};

/** A call of code that is lent for it, in Ethereum's form; and its trace. */
const called: User = async (host) => {
  const { world, people, asker } = host;
  const { choices } = world;
  const owner = people.address(choices.below(6));
  const caller = BigInt(`0x${owner.slice(2)}`);
  const contract = choices.hex(20);
  const data = choices.hex(choices.of([0, 4, 36, 68, 70]));
  const surroundings = { ORIGIN: caller, CALLER: caller, ADDRESS: BigInt(`0x${contract}`) };
  // Where 1/64 stays with the caller, what is needed on the way is more than what is used.
  const keepsPart = world.ledger.on('ALLOW_TVM_COMPATIBLE_EVM');
  const limit = keepsPart || choices.chance(0.5) ? MOST_OF_A_CONSTANT_CALL : undefined;
  const writing = begin(host, data, surroundings, limit);
  const end = choices.of(['RETURN', 'RETURN', 'RETURN', 'REVERT'] as const);
  const output = bytesToHex(write(writing, end));
  const { code, energy } = writing.program;
  const moment = momentOf(host);
  // A program that does not ask what is left is given just what it needs.
  const gas = limit === undefined ? { gas: `0x${energy.toString(16)}` } : {};
  const call = { from: `0x${owner.slice(2)}`, to: `0x${contract}`, data: `0x${data}`, ...gas };
  const stateOverrides = { [call.to]: { code: `0x${code}` } };
  // Lent code is part of Ethereum's form.
  const answer = await asker.rpc('/eth', 'eth_call', [call, 'latest', stateOverrides]);
  const options = { tracer: 'callTracer', stateOverrides };
  const trace = await asker.rpc('/tre', 'debug_traceCall', [call, 'latest', options]);
  if (answer === undefined || trace === undefined || momentOf(host) !== moment || world.diskFails) return;
  const found = resultOf<string>(answer);
  // The network of a fork may not answer.
  if (world.shape.isFork && /The fork could not read/.test(answer + trace)) return;
  if (end === 'RETURN') expectSame(`a call on /eth`, code, `0x${output}`, found, answer);
  if (limit === undefined) {
    const poor = { ...call, gas: `0x${(energy - 1).toString(16)}` };
    const refused = await asker.rpc('/eth', 'eth_call', [poor, 'latest', stateOverrides]);
    if (refused === undefined || momentOf(host) !== moment || world.diskFails) return;
    // The last step may cost nothing.
    expectSame('a call with too little Energy', code, 'true', String(/out of gas/.test(refused)), refused);
  }
  const traced = resultOf<{ readonly output?: string; readonly gasUsed: string }>(trace);
  expectSame('a traced call', code, `0x${output}`, traced?.output, trace);
  expectSame('the Energy of a traced call', code, energy, Number(traced?.gasUsed), trace);
};

/** A creation whose receipt and code are known beforehand. */
const deployed: User = async (host) => {
  const { world, people, asker } = host;
  const { choices } = world;
  if (world.miningMode !== 'instant' || world.diskFails || world.node.chain.pool.size > 0) return;
  const owner = people.address(choices.below(6));
  const caller = BigInt(`0x${owner.slice(2)}`);
  const writing = begin(host, '', { ORIGIN: caller, CALLER: caller });
  const output = bytesToHex(write(writing, 'RETURN'));
  const { code, energy } = writing.program;
  const transaction = await composed(host, () => {
    const new_contract = { ...SmartContract.empty, origin_address: owner, name: 'Calculation', bytecode: code };
    const fields = { owner_address: owner, new_contract: { ...new_contract, origin_energy_limit: 10_000_000n } };
    return people.send(ContractType.CreateSmartContract, fields, { feeLimitSun: 1_000n * COIN });
  });
  if (transaction === undefined || !world.isRunning || world.diskFails) return;
  const answer = await sendHex(host, transaction);
  if (!isAccepted(answer)) return;
  const info = await asker.post('/wallet/gettransactioninfobyid', { value: transaction.txId });
  if (!/"result": ?"SUCCESS"/.test(info ?? '') || world.diskFails) return;
  const used = Number(/"energy_usage_total": ?(\d+)/.exec(info ?? '')?.[1]);
  expectSame('the Energy of a transaction', code, energy + 200 * bytesIn(output), used, info);
  const address = deployedContractAddress(transaction.txId, owner as Address);
  const stored = await asker.rpc('/jsonrpc', 'eth_getCode', [`0x${address.slice(2)}`, 'latest']);
  const kept = resultOf<string>(stored);
  if (kept !== undefined && !world.diskFails) expectSame('deployed code', code, `0x${output}`, kept, stored);
};

export const calculate: User = (host) =>
  host.world.choices.of([created, created, called, called, called, deployed])(host);
