/**
 * Calls: from the operands of CALL, CALLCODE, DELEGATECALL, STATICCALL and CALLTOKEN to the callee's result
 * (protocol/calls.md#call-callcode-delegatecall-staticcall; java-tron Program.callToAddress).
 *
 * The price is also computed here, because the forwarded Energy depends on the rest.
 */

import {
  CALL_BASE,
  CALL_STIPEND,
  CALL_VALUE,
  FACTOR_UNIT,
  memoryGrowth,
  NEW_ACCOUNT,
  penaltyOf,
  rangeEnd,
} from './energy-cost.js';
import { executionFailed, notEnoughOperationEnergy, outOfLongRange, transferFailed } from './errors.js';
import { Frame, NO_BYTES } from './frame.js';
import type { TokenAmount } from './internal-transactions.js';
import {
  type CallKind,
  checkTokenId,
  holdsValue,
  inputOf,
  MAX_DEPTH,
  type Message,
  movesToken,
  refuseCall,
} from './message.js';
import { callPrecompile } from './precompile-call.js';
import { precompileAt } from './precompiles/table.js';
import { tokenTransferRefusal, transferRefusal } from './transfers.js';
import { addressOfWord, LOW_160, MAX_LONG } from './words.js';
import { HELD_TOKEN, KEPT_BYTE, TRANSFER } from './work.js';

/** Charges base price, penalty and forwarded Energy to the frame. */
export function chargeCall(frame: Frame, kind: CallKind): void {
  const { execution } = frame;
  const value = kind.hasValue ? frame.peek(2) : 0n;
  const ranges = 2 + (kind.hasValue ? 1 : 0) + (kind.isToken ? 1 : 0);
  let base = CALL_BASE;
  if (value !== 0n) {
    base += CALL_VALUE;
    if (!kind.inOwnContext) {
      const target = addressOfWord(frame.peek(1));
      execution.spendAccount(target, kind.name);
      if (!execution.host.accountExists(target)) base += NEW_ACCOUNT;
    }
  }
  const inputEnd = rangeEnd(frame.peek(ranges), frame.peek(ranges + 1));
  const outputEnd = rangeEnd(frame.peek(ranges + 2), frame.peek(ranges + 3));
  base += memoryGrowth(frame.memory, Math.max(inputEnd, outputEnd), kind.name);
  const penalty = frame.factor > FACTOR_UNIT ? penaltyOf(base, frame.factor) : 0;
  const charged = base + penalty;
  if (charged > frame.energyLeft) throw notEnoughOperationEnergy(kind.name, charged, frame.energyLeft);

  let available = frame.energyLeft - charged;
  if (execution.flags.compatibleEvm && frame.contractVersion === 1) available -= Math.floor(available / 64);
  // Above 2^53 a request loses its low bits, but it is then far above any frame's Energy.
  frame.forwardedEnergy = Math.min(Number(frame.peek(0)), available);
  frame.baseEnergy += base;
  frame.energyPenalty += penalty;
  frame.energyLeft -= charged + frame.forwardedEnergy;
}

export function call(frame: Frame, kind: CallKind): void {
  frame.drop(1);
  const target = frame.pop();
  const value = kind.hasValue ? frame.pop() : 0n;
  const tokenId = kind.isToken ? frame.pop() : 0n;
  if (value !== 0n && !kind.inOwnContext) frame.refuseInStaticCall();
  const codeAddress = addressOfWord(target);
  const message: Message = {
    kind,
    target,
    codeAddress,
    context: kind.inOwnContext ? frame.context : codeAddress,
    value,
    tokenId,
    inputAt: frame.pop(),
    inputLength: frame.pop(),
    outputAt: frame.pop(),
    outputLength: frame.pop(),
    energy: frame.forwardedEnergy + (value === 0n ? 0 : CALL_STIPEND),
  };
  if (message.outputLength !== 0n) frame.memory.extend(rangeEnd(message.outputAt, message.outputLength));
  frame.returnData = NO_BYTES;

  const precompile = precompileAt(target, frame.execution.flags);
  if (precompile !== undefined) callPrecompile(frame, message, precompile);
  else callContract(frame, message);
}

/** Before Constantinople, a failed transfer was an ordinary exception. */
function transferFailure(frame: Frame, message: Message, what: string, reason: string) {
  if (!frame.execution.flags.constantinople) return executionFailed(`validateForSmartContract failure:${reason}`);
  frame.energyLeft += message.energy;
  return transferFailed(`${what} failed: ${reason}`);
}

function callContract(frame: Frame, message: Message): void {
  const { execution } = frame;
  const { host, substate } = execution;
  if (frame.depth === MAX_DEPTH) {
    refuseCall(frame, message);
    return;
  }
  const input = inputOf(frame, message);
  if (message.value > MAX_LONG) {
    if (!execution.flags.constantinople) throw outOfLongRange();
    frame.energyLeft += message.energy;
    throw transferFailed('endowment out of long range');
  }
  checkTokenId(frame, message);
  if (!holdsValue(frame, message)) {
    refuseCall(frame, message);
    return;
  }
  const isToken = movesToken(frame, message);

  const code = host.code(message.codeAddress);
  execution.spendCode(message.codeAddress, code, message.kind.name);
  execution.spend(KEPT_BYTE * input.length, message.kind.name);
  const hostMark = host.mark();
  const mark = substate.mark();
  if (message.value > 0n && !message.kind.inOwnContext) moveValue(frame, message, isToken);

  const tokens: readonly TokenAmount[] = isToken ? [[message.tokenId.toString(), message.value]] : [];
  const record = frame.record('call', message.context, isToken ? 0n : message.value, tokens, input);
  if (code.length === 0) {
    frame.energyLeft += message.energy;
    frame.push(1n);
    return;
  }
  const { isDelegate } = message.kind;
  const child = new Frame({
    execution,
    parent: frame,
    origin: record,
    deliver: deliverCall,
    code,
    context: message.context,
    contextWord: message.kind.inOwnContext ? frame.contextWord : message.target & LOW_160,
    caller: isDelegate ? frame.caller : frame.contextWord,
    callValue: isToken ? 0n : isDelegate ? frame.callValue : message.value,
    tokenValue: isToken ? message.value : 0n,
    tokenId: isToken ? message.tokenId : 0n,
    input,
    isStatic: frame.isStatic || message.kind.isStatic,
    depth: frame.depth + 1,
    contractVersion: execution.flags.compatibleEvm ? (host.contract(message.codeAddress)?.version ?? 0) : 0,
    energyLimit: message.energy,
    hostMark,
    mark,
  });
  child.outputAt = Number(message.outputAt);
  child.outputLength = Number(message.outputLength);
  frame.enter(child);
}

function moveValue(frame: Frame, message: Message, isToken: boolean): void {
  const { host, flags } = frame.execution;
  frame.execution.spend(TRANSFER, message.kind.name);
  const { context: to, value, tokenId } = message;
  if (flags.solidity059 && !host.accountExists(to)) host.createAccount(to);
  if (isToken) {
    const reason = tokenTransferRefusal(host, frame.context, to, tokenId, value);
    if (reason !== undefined) throw transferFailure(frame, message, 'transfer trc10', reason);
    const held = host.tokenBalances(frame.context).length + host.tokenBalances(to).length;
    frame.execution.spend(HELD_TOKEN * held, message.kind.name);
    host.transferToken(frame.context, to, tokenId, value);
  } else {
    const reason = transferRefusal(host, frame.context, to, value);
    if (reason !== undefined) throw transferFailure(frame, message, 'transfer trx', reason);
    host.transfer(frame.context, to, value);
  }
}

/**
 * An exception consumes the callee's Energy; a REVERT returns the rest of it and the data; a success keeps the state.
 */
function deliverCall(parent: Frame, child: Frame): void {
  const { host, substate } = parent.execution;
  if (child.failed) {
    host.revert(child.hostMark);
    substate.revert(child.mark);
  }
  parent.push(child.failed ? 0n : 1n);
  if (child.exception !== undefined) return;
  const copied = Math.min(child.outputLength, child.output.length);
  if (copied > 0) parent.memory.write(child.outputAt, child.output, 0, copied);
  parent.returnData = child.output;
  parent.energyLeft += child.energyLeft;
}
