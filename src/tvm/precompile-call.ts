/**
 * Calls of precompiled contracts (protocol/precompiles.md#calling-one; java-tron Program.callToPrecompiledAddress).
 *
 * They start no frame, record no internal transaction, and copy their whole output into memory, independent of the
 * length that the caller gave.
 */

import { executionFailed, outOfLongRange } from './errors.js';
import type { Frame } from './frame.js';
import { MEMORY_LIMIT } from './memory.js';
import { checkTokenId, holdsValue, inputOf, MAX_DEPTH, type Message, movesToken, refuseCall } from './message.js';
import type { Precompile } from './precompiles/precompile.js';
import { tokenTransferRefusal, transferRefusal } from './transfers.js';
import { addressOfWord, MAX_LONG } from './words.js';
import { FAR_BYTE, FREE_BYTE, OUTPUT_BYTE, workOfContract } from './work.js';

export function callPrecompile(frame: Frame, message: Message, precompile: Precompile): void {
  const { execution } = frame;
  const { host, substate } = execution;
  if (frame.depth === MAX_DEPTH) {
    refuseCall(frame, message);
    return;
  }
  if (message.value > MAX_LONG) throw outOfLongRange();
  checkTokenId(frame, message);
  if (!holdsValue(frame, message)) {
    refuseCall(frame, message);
    return;
  }
  const isToken = movesToken(frame, message);
  const input = inputOf(frame, message);

  const hostMark = host.mark();
  const mark = substate.mark();
  if (message.value > 0n && !message.kind.inOwnContext) moveValue(frame, message, isToken);

  const call = {
    frame,
    input,
    caller: message.kind.isDelegate ? addressOfWord(frame.caller) : frame.context,
    isDelegate: message.kind.isDelegate,
  };
  const required = precompile.energy(call);
  const name = message.kind.name;
  execution.spend(OUTPUT_BYTE * input.length, name);
  if (required <= message.energy) execution.spend(workOfContract(Number(message.target), input, required), name);
  const output = required > message.energy ? undefined : precompile.run(call);
  execution.tracer?.precompile?.(frame, message.target, input, output, required);
  if (output === undefined) {
    host.revert(hostMark);
    substate.revert(mark);
    frame.push(0n);
    // Not reached if the Energy does not cover the price.
    if (required <= message.energy && precompile.failureOutput !== undefined) {
      writeOutput(frame, message, precompile.failureOutput);
    }
    return;
  }
  frame.energyLeft += message.energy - required;
  frame.push(1n);
  frame.returnData = output;
  writeOutput(frame, message, output);
}

/** The account is not created here, even if an ordinary call would create it. */
function moveValue(frame: Frame, message: Message, isToken: boolean): void {
  const { host } = frame.execution;
  const { context: to, value, tokenId } = message;
  if (isToken) {
    const reason = tokenTransferRefusal(host, frame.context, to, tokenId, value);
    if (reason !== undefined) throw executionFailed(`validateForSmartContract failure:${reason}`);
    host.transferToken(frame.context, to, tokenId, value);
  } else {
    if (transferRefusal(host, frame.context, to, value) !== undefined) throw executionFailed('transfer failure');
    host.transfer(frame.context, to, value);
  }
}

/** The offset is cut to 32 bits, and memory growth is free. */
function writeOutput(frame: Frame, { kind, outputAt }: Message, output: Uint8Array): void {
  const { memory, execution } = frame;
  const paid = memory.size;
  const at = Number(BigInt.asIntN(32, outputAt));
  memory.writeAnywhere(at, output);
  const free = Math.max(0, Math.min(memory.size, MEMORY_LIMIT) - paid);
  const far = Math.max(0, Math.min(output.length, at + output.length - MEMORY_LIMIT));
  execution.spend(FREE_BYTE * free + FAR_BYTE * far, kind.name);
}
