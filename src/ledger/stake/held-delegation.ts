/** What keeps lent stake from being taken back: its lock, which java-tron's refusal does not tell. */

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
  /** The last moment at which the lock holds, in chain time. */
  readonly untilMs: number;
  /** So many blocks from the head on, without a gap, until it is free. */
  readonly blocks: number;
}

/**
 * What is locked of what a transaction wants to take back; undefined where it was refused for something else.
 *
 * @param refusal of the transaction: its check has read what is read here
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
