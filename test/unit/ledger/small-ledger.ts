/**
 * A ledger with a handful of accounts that are known by number, and the way a contract takes through it: checked, then
 * executed, or refused with nothing changed.
 */

import { JavaException } from '../../../src/errors/java-exception.js';
import { OperationError } from '../../../src/errors/operation-error.js';
import type { ContractResult } from '../../../src/ledger/charging/execution.js';
import type { LedgerContract } from '../../../src/ledger/contracts/contract.js';
import type { Ledger } from '../../../src/ledger/ledger.js';
import type { Address } from '../../../src/primitives/ids.js';
import { ArithmeticOverflow } from '../../../src/primitives/java-math.js';
import type { Account } from '../../../src/protocol/generated/tron.js';
import type { Sent } from '../../../src/protocol/message-type.js';
import { EpochLedger } from './epoch-ledger.js';

export const COIN = 1_000_000n;

/** Account number `i`, any of 0..255. */
export function addressOf(i: number): Address {
  return `41${'00'.repeat(18)}aa${i.toString(16).padStart(2, '0')}` as Address;
}

/** A ledger whose accounts `0` to `accounts - 1` own 1,000 coins each, under mainnet's parameters. */
export function smallLedger(accounts: number, parameters: Readonly<Record<string, bigint>> = {}): EpochLedger {
  return new EpochLedger({
    accounts: Array.from({ length: accounts }, (_, i) => addressOf(i)),
    balanceSun: 1_000n * COIN,
    parameters,
    genesisTimestampMs: 1_700_000_000_000n,
  });
}

export function accountAt(ledger: Ledger, i: number): Account {
  const account = ledger.state.tables.accounts.get(addressOf(i));
  if (account === undefined) throw new Error(`account ${i} does not exist`);
  return account;
}

/** Moves the head's time, as blocks would. */
export function advance(ledger: Ledger, ms: bigint): void {
  ledger.addToLong('latest_block_header_timestamp', ms);
}

/** @throws JavaException, with nothing changed */
export function run<Message>(
  chain: EpochLedger,
  contract: LedgerContract<Message>,
  message: Sent<NoInfer<Message>>,
): ContractResult {
  const mark = chain.ledger.state.mark();
  try {
    return chain.run(contract, message);
  } catch (error) {
    chain.ledger.state.revert(mark);
    throw error;
  }
}

/** The text that `action` is refused with; undefined when it goes through. */
export function refusal(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof JavaException) return String(error.javaMessage);
    if (error instanceof ArithmeticOverflow || error instanceof OperationError) return error.message;
    throw error;
  }
  return undefined;
}
