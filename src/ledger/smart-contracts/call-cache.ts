/**
 * Calls that ask the same of the same state: wallets and pages read balances and prices again and again between two
 * blocks. What a call gave is kept as long as no row of the state has changed.
 *
 * Owns the question's identity and the bounds of memory. One of these belongs to one view of the chain.
 */

import type { Sun, TxId } from '../../primitives/ids.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import type { Sent } from '../../protocol/message-type.js';
import type { ContentVersion } from '../../state/journal.js';
import type { ExecutionResult } from '../../tvm/run.js';

const MAX_RESULTS = 128;
/** Of a question in characters, of an answer in bytes. Larger ones are rare and would make memory a question. */
const MAX_QUESTION = 16_384;
const MAX_ANSWER = 16_384;

/** The question of a call: all that its outcome depends on besides the state and the root transaction's id. */
export function callKeyOf(call: Sent<TriggerSmartContract>, feeLimitSun: Sun): string {
  // Hex and decimal digits only, so that no two calls come together at the colons.
  const { owner_address, contract_address, data, call_value, token_id, call_token_value } = call;
  return `${owner_address}:${contract_address}:${data}:${call_value}:${token_id}:${call_token_value}:${feeLimitSun}`;
}

interface Answer {
  readonly result: ExecutionResult;
  /** Set where the result shows the root transaction: as the root of hashes and of created addresses. */
  readonly txId: TxId | undefined;
}

export class CallCache {
  #version: ContentVersion | undefined;
  readonly #answers = new Map<string, Answer>();

  /** What the question gave on content `version`, if it is known. */
  recall(version: ContentVersion, question: string, txId: TxId): ExecutionResult | undefined {
    if (version !== this.#version) return undefined;
    const answer = this.#answers.get(question);
    if (answer === undefined) return undefined;
    return answer.txId === undefined || answer.txId === txId ? answer.result : undefined;
  }

  /** @param creates the call is a deployment, whose address follows from the root transaction's id */
  keep(version: ContentVersion, question: string, txId: TxId, creates: boolean, result: ExecutionResult): void {
    if (question.length > MAX_QUESTION || sizeOf(result) > MAX_ANSWER) return;
    if (version !== this.#version || this.#answers.size >= MAX_RESULTS) {
      this.#answers.clear();
      this.#version = version;
    }
    // Whatever derives something from the id counts the nonce up and leaves a record: calls, creations.
    const showsId = creates || result.internalTransactions.length > 0;
    this.#answers.set(question, { result, txId: showsId ? txId : undefined });
  }
}

function sizeOf({ output, emittedLogs, internalTransactions, lostInternalTransactions }: ExecutionResult): number {
  let size = output.length;
  for (const { topics, data } of emittedLogs) size += 64 + 32 * topics.length + data.length / 2;
  for (const { data } of [...internalTransactions, ...lostInternalTransactions]) size += 256 + data.length;
  return size;
}
