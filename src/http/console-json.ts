/**
 * `console.log` for TronBox: internal transactions to the console's address have a `data` member
 * (protocol/devnet-methods.md#consolelog). java-tron has no such member; answers without console calls are equal to
 * java-tron's.
 */

import type { Hex } from '../primitives/hex.js';
import { InternalTransaction } from '../protocol/generated/tron.js';
import { compactMembers, compactObject } from '../protocol/json/message-printer.js';
import { isConsoleCall } from '../wallet/calls.js';

/** The array of internal transactions; `consoleCalls` are the data of the calls of the console, in their order. */
export function printWithConsole(
  internalTransactions: readonly InternalTransaction[],
  consoleCalls: readonly Hex[],
  visible: boolean,
): string {
  const data = consoleCalls.values();
  const printed = internalTransactions.map((internal) => {
    const members = compactMembers(InternalTransaction, internal, visible);
    return compactObject(isConsoleCall(internal) ? [...members, ['data', `"${data.next().value ?? ''}"`]] : members);
  });
  return `[${printed.join(',')}]`;
}
