/** Logs: LOG0 to LOG4, their price, address, topics and data. */

import { bytesToHex } from '../../primitives/hex.js';
import { memoryGrowth, rangeEnd } from '../energy-cost.js';
import { notEnoughOperationEnergy, outOfLongRange } from '../errors.js';
import type { Frame } from '../frame.js';
import { MAX_LONG, wordToHex } from '../words.js';
import { type Operation, operation } from './operation.js';

const LOG_BASE = 375;
const LOG_TOPIC = 375;
const LOG_BYTE = 8n;

/**
 * The price of a log: 375, plus 375 for each topic, 8 for each byte of data, and memory growth.
 *
 * The data's price is compared with the remaining Energy first, even before the memory limit.
 */
const logCost = (name: string, topics: number) => (frame: Frame) => {
  const length = frame.peek(1);
  const data = LOG_BYTE * length;
  if (data > MAX_LONG) throw outOfLongRange();
  if (data > frame.energyLeft) throw notEnoughOperationEnergy(name, data, frame.energyLeft);
  const growth = memoryGrowth(frame.memory, rangeEnd(frame.peek(0), length), name);
  return LOG_BASE + LOG_TOPIC * topics + Number(data) + growth;
};

/** Topics are popped in order; the log's address is the program's context, without 0x41. */
const log = (topicCount: number) => (frame: Frame) => {
  frame.refuseInStaticCall();
  const offset = frame.pop();
  const length = frame.pop();
  const topics: string[] = [];
  for (let i = 0; i < topicCount; i++) topics.push(wordToHex(frame.pop()));
  const data = bytesToHex(frame.memory.view(length === 0n ? 0 : Number(offset), Number(length)));
  const { substate, tracer } = frame.execution;
  const written = { address: frame.context.slice(2), topics, data };
  substate.logs.push(written);
  tracer?.log?.(frame, written);
};

export function logs(): Operation[] {
  return Array.from({ length: 5 }, (_, i) => operation(0xa0 + i, `LOG${i}`, i + 2, 0, logCost(`LOG${i}`, i), log(i)));
}
