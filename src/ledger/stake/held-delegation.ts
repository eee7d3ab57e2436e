/** The lock that prevents an undelegation; java-tron's refusal does not mention it. */

import type { JavaException } from '../../errors/java-exception.js';
import type { Sun } from '../../primitives/ids.js';
import type { UnDelegateResourceContract } from '../../protocol/generated/balance-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { Ledger } from '../ledger.js';
import { delegatedAmount, delegationKey, lockExpiryMs, recordAt } from './delegation-records.js';
import { isDelegable } from './stakes.js';

export interface HeldDelegation {
  readonly amountSun: Sun;
  /** The end of the lock, in chain time. */
  readonly untilMs: number;
  /** Number of blocks from the head, without a gap, until the lock has expired. */
  readonly blocks: number;
}

/**
 * The locked amount that a transaction wants to undelegate; undefined if it was refused for another reason.
 *
 * @param refusal of the transaction: its check has read the same rows
 */
export function heldDelegation(
  ledger: Ledger,
  { contractType, contract }: Pick<SignedTransaction, 'contractType' | 'contract'>,
  refusal: JavaException,
): HeldDelegation | undefined {
  if (contractType !== ContractType.UnDelegateResourceContract) return undefined;
  if (refusal.javaMessage?.includes('unlock_balance=') !== true) return undefined;
  const { owner_address, receiver_address, resource } = contract as Sent<UnDelegateResourceContract>;
  if (!isDelegable(resource)) return undefined;
  const locked = recordAt(ledger, delegationKey.locked(owner_address, receiver_address));
  if (locked === undefined) return undefined;
  const [amountSun, untilMs] = [delegatedAmount(locked, resource), lockExpiryMs(locked, resource)];
  const leftMs = untilMs - ledger.headTimeMs;
  if (amountSun === 0n || leftMs < 0n) return undefined;
  return { amountSun, untilMs: Number(untilMs), blocks: Number(leftMs / ledger.config.slotMs) + 1 };
}
