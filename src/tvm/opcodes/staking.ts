/**
 * Stakes and votes of contracts: 0xd5–0xdf (protocol/opcodes.md#tron-opcodes).
 *
 * Energy, operands and internal transactions are here; the host has the rules. A refused operation pushes 0 and rejects
 * its internal transaction; it never throws. Always for the frame's context address.
 */

import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { memoryGrowth, NEW_ACCOUNT, rangeEnd } from '../energy-cost.js';
import { executionFailed } from '../errors.js';
import type { TvmFlags } from '../flags.js';
import type { Frame } from '../frame.js';
import type { ResourceCode, Vote } from '../host.js';
import type { InternalTransaction } from '../internal-transactions.js';
import { MEMORY_LIMIT } from '../memory.js';
import { addressOfWord, MAX_LONG, MAX_WORD, saturatedInt, toSigned, wordAt } from '../words.js';
import { DELEGATION_PARTNER, FREE_BYTE } from '../work.js';
import { type Operation, operation } from './operation.js';

const STAKE_V2 = 10_000;
const VOTE_BASE = 30_000;

const RESOURCE_NAMES = ['Bandwidth', 'Energy', 'TronPower'];

/** The note uses only the low 32 bits of the operand. */
function resourceName(word: bigint): string {
  return RESOURCE_NAMES[Number(BigInt.asIntN(32, word))] ?? 'UnknownType';
}

/** Stake 2.0 requires a signed byte with a valid resource. */
function resourceV2(word: bigint): ResourceCode | undefined {
  return word <= 2n ? (Number(word) as ResourceCode) : undefined;
}

/** Stake 1.0 uses only the low 32 bits and has two resources. */
function resourceV1(word: bigint): ResourceCode | undefined {
  const code = Number(BigInt.asIntN(32, word));
  return code === 0 || code === 1 ? code : undefined;
}

/** A signed long; undefined if the word does not fit. */
function signedLong(word: bigint): bigint | undefined {
  const value = toSigned(word);
  return value > MAX_LONG || value < -MAX_LONG - 1n ? undefined : value;
}

function record(frame: Frame, note: string, receiver: Address | '', valueWord: bigint): InternalTransaction {
  const value = BigInt.asIntN(64, valueWord);
  return frame.record(note, receiver, value);
}

/** Pushes 1 or 0, and rejects the internal transaction after a failure. */
function conclude(frame: Frame, transaction: InternalTransaction, done: boolean): void {
  if (!done) transaction.rejected = true;
  frame.push(done ? 1n : 0n);
}

/** The rule of 0xda, also for the stake extension of precompile 0x100000b. */
export function freezeBalanceV2(frame: Frame, amountWord: bigint, resourceWord: bigint): boolean {
  frame.refuseInStaticCall();
  const transaction = record(frame, `freezeBalanceV2For${resourceName(resourceWord)}`, frame.context, amountWord);
  const amount = signedLong(amountWord);
  const resource = resourceV2(resourceWord);
  const done =
    amount !== undefined &&
    resource !== undefined &&
    frame.execution.host.freezeBalanceV2(frame.context, amount, resource);
  if (!done) transaction.rejected = true;
  return done;
}

function freezeV2(frame: Frame): void {
  const resource = frame.pop();
  const amount = frame.pop();
  frame.push(freezeBalanceV2(frame, amount, resource) ? 1n : 0n);
}

function unfreezeV2(frame: Frame): void {
  frame.refuseInStaticCall();
  const resourceWord = frame.pop();
  const amountWord = frame.pop();
  const note = `unfreezeBalanceV2For${resourceName(resourceWord)}`;
  const transaction = record(frame, note, frame.context, amountWord);
  const amount = signedLong(amountWord);
  const resource = resourceV2(resourceWord);
  const done =
    amount === undefined || resource === undefined
      ? undefined
      : frame.execution.host.unfreezeBalanceV2(frame.context, amount, resource);
  if (done !== undefined && done.withdrawnSun > 0n) {
    record(frame, 'withdrawExpireUnfreezeWhileUnfreezing', frame.context, done.withdrawnSun);
  }
  conclude(frame, transaction, done !== undefined);
}

function cancelAllUnfreeze(frame: Frame): void {
  frame.refuseInStaticCall();
  const transaction = record(frame, 'cancelAllUnfreezeV2', frame.context, 0n);
  const done = frame.execution.host.cancelAllUnfreezeV2(frame.context);
  if (done !== undefined) {
    if (done.withdrawnSun > 0n) {
      record(frame, 'withdrawExpireUnfreezeWhileCanceling', frame.context, done.withdrawnSun);
    }
    transaction.extra = `{"BANDWIDTH":${done.bandwidthSun},"ENERGY":${done.energySun},"TRON_POWER":${done.tronPowerSun}}`;
  }
  conclude(frame, transaction, done !== undefined);
}

/** Pushes an amount that is only known afterwards, and sets it in the internal transaction. */
const withdrawal = (note: string, withdraw: (frame: Frame) => bigint | undefined) => (frame: Frame) => {
  frame.refuseInStaticCall();
  const transaction = record(frame, note, frame.context, 0n);
  const amount = withdraw(frame);
  if (amount === undefined) transaction.rejected = true;
  else transaction.callValueSun = amount;
  frame.push(amount ?? 0n);
};

type Delegate = (frame: Frame, receiver: Address, amountSun: bigint, resource: ResourceCode) => boolean;

const delegation = (operationName: string, note: string, delegate: Delegate) => (frame: Frame) => {
  frame.refuseInStaticCall();
  const resourceWord = frame.pop();
  const amountWord = frame.pop();
  const receiver = addressOfWord(frame.pop());
  const transaction = record(frame, note + resourceName(resourceWord), receiver, amountWord);
  const amount = signedLong(amountWord);
  const resource = resourceV2(resourceWord);
  const { execution, context } = frame;
  execution.spend(DELEGATION_PARTNER * execution.host.delegationPartnerCount(context, receiver), operationName);
  const done = amount !== undefined && resource !== undefined && delegate(frame, receiver, amount, resource);
  conclude(frame, transaction, done);
};

/** Before contracts could vote, static calls could stake and unstake. */
function refuseStakeV1InStaticCall(frame: Frame): void {
  if (frame.execution.flags.vote) frame.refuseInStaticCall();
}

/** With Stake 2.0 the opcode costs Energy and fails in a static call as before, but has no other effect. */
const freezeV1 = (flags: TvmFlags) => (frame: Frame) => {
  refuseStakeV1InStaticCall(frame);
  const resourceWord = frame.pop();
  const amountWord = frame.pop();
  const receiver = addressOfWord(frame.pop());
  if (flags.freezeV2) {
    frame.push(0n);
    return;
  }
  const transaction = record(frame, `freezeFor${resourceName(resourceWord)}`, receiver, amountWord);
  const amount = signedLong(amountWord);
  const resource = resourceV1(resourceWord);
  const done =
    amount !== undefined &&
    resource !== undefined &&
    frame.execution.host.freezeBalance(frame.context, receiver, amount, resource);
  conclude(frame, transaction, done);
};

function unfreezeV1(frame: Frame): void {
  refuseStakeV1InStaticCall(frame);
  const resourceWord = frame.pop();
  const receiver = addressOfWord(frame.pop());
  const transaction = record(frame, `unfreezeFor${resourceName(resourceWord)}`, receiver, 0n);
  const resource = resourceV1(resourceWord);
  const amount =
    resource === undefined ? undefined : frame.execution.host.unfreezeBalance(frame.context, receiver, resource);
  if (amount !== undefined) transaction.callValueSun = amount;
  conclude(frame, transaction, amount !== undefined);
}

function freezeExpireTime(frame: Frame): void {
  const resource = resourceV1(frame.pop());
  const target = addressOfWord(frame.pop());
  const timeMs = resource === undefined ? 0n : frame.execution.host.freezeExpireTimeMs(frame.context, target, resource);
  frame.push(timeMs / 1000n);
}

const freezeV1Cost = (frame: Frame): number =>
  frame.execution.host.accountExists(addressOfWord(frame.peek(2))) ? 20_000 : 20_000 + NEW_ACCOUNT;

/** Lengths are multiplied modulo 2^256; since OSAKA exactly. */
function voteCost(flags: TvmFlags) {
  const lengthWord = flags.energyAdjustment ? 32n : 0n;
  const bytes = (length: bigint): bigint => {
    const exact = length * 32n + lengthWord;
    return flags.osaka ? exact : exact & MAX_WORD;
  };
  return (frame: Frame): number => {
    const amounts = rangeEnd(frame.peek(1), bytes(frame.peek(0)));
    const witnesses = rangeEnd(frame.peek(3), bytes(frame.peek(2)));
    return VOTE_BASE + memoryGrowth(frame.memory, Math.max(amounts, witnesses), 'VOTEWITNESS');
  };
}

/** Longer arrays would overflow Java's int arithmetic; the memory limit is far below. */
const MAX_VOTE_ARRAY = 0x7fff_ffff >> 5;

function voteWitness(frame: Frame): void {
  frame.refuseInStaticCall();
  const amountLength = saturatedInt(frame.pop());
  const amountAt = saturatedInt(frame.pop());
  const witnessLength = saturatedInt(frame.pop());
  const witnessAt = saturatedInt(frame.pop());
  const transaction = record(frame, 'voteWitness', '', 0n);
  const { memory, execution } = frame;
  const paid = memory.size;
  if (
    saturatedInt(memory.loadWord(witnessAt)) !== witnessLength ||
    saturatedInt(memory.loadWord(amountAt)) !== amountLength
  ) {
    throw executionFailed('TVM VoteWitness: memory array length do not match length parameter!');
  }
  execution.spend(FREE_BYTE * Math.max(0, Math.min(memory.size, MEMORY_LIMIT) - paid), 'VOTEWITNESS');
  if (witnessLength !== amountLength) {
    frame.push(0n);
    return;
  }
  if (witnessLength > MAX_VOTE_ARRAY) {
    conclude(frame, transaction, false);
    return;
  }
  const witnesses = memory.read(witnessAt + 32, witnessLength * 32);
  const amounts = memory.read(amountAt + 32, witnessLength * 32);
  const votes: Vote[] = [];
  for (let i = 0; i < witnessLength; i++) {
    const count = signedLong(wordAt(amounts, i * 32));
    if (count === undefined) {
      conclude(frame, transaction, false);
      return;
    }
    votes.push({ witness: addressOfWord(wordAt(witnesses, i * 32)), count });
  }
  transaction.extra = votesJson(votes);
  conclude(frame, transaction, frame.execution.host.voteWitness(frame.context, votes));
}

function votesJson(votes: readonly Vote[]): string {
  const items = votes.map(({ witness, count }) => `{"vote_address":"${toBase58(witness)}","vote_count":${count}}`);
  return `{"votes":[${items.join(',')}]}`;
}

export function staking(flags: TvmFlags): Operation[] {
  const rows: Operation[] = [];
  if (flags.freezeV1) {
    rows.push(
      operation(0xd5, 'FREEZE', 3, 1, freezeV1Cost, freezeV1(flags)),
      operation(0xd6, 'UNFREEZE', 2, 1, 20_000, unfreezeV1),
      operation(0xd7, 'FREEZEEXPIRETIME', 2, 1, 50, freezeExpireTime),
    );
  }
  if (flags.vote) {
    rows.push(
      operation(0xd8, 'VOTEWITNESS', 4, 1, voteCost(flags), voteWitness),
      operation(
        0xd9,
        'WITHDRAWREWARD',
        0,
        1,
        20_000,
        withdrawal('withdrawReward', (frame) => frame.execution.host.withdrawReward(frame.context)),
      ),
    );
  }
  if (flags.freezeV2) {
    rows.push(
      operation(0xda, 'FREEZEBALANCEV2', 2, 1, STAKE_V2, freezeV2),
      operation(0xdb, 'UNFREEZEBALANCEV2', 2, 1, STAKE_V2, unfreezeV2),
      operation(0xdc, 'CANCELALLUNFREEZEV2', 0, 1, STAKE_V2, cancelAllUnfreeze),
      operation(
        0xdd,
        'WITHDRAWEXPIREUNFREEZE',
        0,
        1,
        STAKE_V2,
        withdrawal('withdrawExpireUnfreeze', (frame) => frame.execution.host.withdrawExpireUnfreeze(frame.context)),
      ),
      operation(
        0xde,
        'DELEGATERESOURCE',
        3,
        1,
        STAKE_V2,
        delegation('DELEGATERESOURCE', 'delegateResourceOf', (frame, receiver, amountSun, resource) =>
          frame.execution.host.delegateResource(frame.context, receiver, amountSun, resource),
        ),
      ),
      operation(
        0xdf,
        'UNDELEGATERESOURCE',
        3,
        1,
        STAKE_V2,
        delegation('UNDELEGATERESOURCE', 'unDelegateResourceOf', (frame, receiver, amountSun, resource) =>
          frame.execution.host.undelegateResource(frame.context, receiver, amountSun, resource),
        ),
      ),
    );
  }
  return rows;
}
