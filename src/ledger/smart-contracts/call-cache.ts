/**
 * Cache of constant calls on the same state: wallets and pages repeat calls of balances and prices between two blocks.
 * A result is kept until a row of the state changes. Owns the key of a call, and the memory limits. Each view of the
 * chain has its own cache.
 */

import type { Sun, TxId } from '../../primitives/ids.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import type { Sent } from '../../protocol/message-type.js';
import type { ContentVersion } from '../../state/journal.js';
import type { ExecutionResult } from '../../tvm/run.js';

const MAX_RESULTS = 128;
/** Length of keys in characters, and of results in bytes. Larger ones are rare and are not cached. */
const MAX_QUESTION = 16_384;
const MAX_ANSWER = 16_384;

/** The key of a call: everything that its result depends on in any case, except the state. */
export function callKeyOf(call: Sent<TriggerSmartContract>, feeLimitSun: Sun): string {
  // Only hex and decimal digits, so that the colons separate fields uniquely.
  const { owner_address, contract_address, data, call_value, token_id, call_token_value } = call;
  return `${owner_address}:${contract_address}:${data}:${call_value}:${token_id}:${call_token_value}:${feeLimitSun}`;
}

/** What some results depend on besides; undefined: this one does not. */
interface Dependence {
  /** The root transaction's id: in hashes and in created addresses. */
  readonly txId: TxId | undefined;
  /** The header that the code has read. */
  readonly block: string | undefined;
}

interface Answer extends Dependence {
  readonly result: ExecutionResult;
}

export class CallCache {
  #version: ContentVersion | undefined;
  readonly #answers = new Map<string, Answer>();

  /** The cached result for content `version`, if any. */
  recall(version: ContentVersion, question: string, { txId, block }: Dependence): ExecutionResult | undefined {
    if (version !== this.#version) return undefined;
    const answer = this.#answers.get(question);
    if (answer === undefined) return undefined;
    if (answer.txId !== undefined && answer.txId !== txId) return undefined;
    return answer.block === undefined || answer.block === block ? answer.result : undefined;
  }

  keep(version: ContentVersion, question: string, result: ExecutionResult, depends: Dependence): void {
    if (question.length > MAX_QUESTION || sizeOf(result) > MAX_ANSWER) return;
    if (version !== this.#version || this.#answers.size >= MAX_RESULTS) {
      this.#answers.clear();
      this.#version = version;
    }
    this.#answers.set(question, { result, ...depends });
  }
}

function sizeOf({ output, emittedLogs, internalTransactions, lostInternalTransactions }: ExecutionResult): number {
  let size = output.length;
  for (const { topics, data } of emittedLogs) size += 64 + 32 * topics.length + data.length / 2;
  for (const { data } of [...internalTransactions, ...lostInternalTransactions]) size += 256 + data.length;
  return size;
}
