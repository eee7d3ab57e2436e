/** Why a transaction is not in the chain: a code for programs and a text for people. */

import { JavaException } from '../../errors/java-exception.js';
import { refusalOf } from '../../ledger/admission/refusal-answer.js';
import type { DroppedTransaction } from '../../ledger/apply-block.js';
import type { HeldDelegation } from '../../ledger/stake/held-delegation.js';
import { Return_response_code_type } from '../../protocol/generated/api.js';

export interface Refusal {
  /**
   * The code of the broadcast answer: `BANDWITH_ERROR`, `CONTRACT_VALIDATE_ERROR`, …; our own codes for dropped
   * transactions.
   */
  readonly code: string;
  /** The reason, in java-tron's words if it has any. */
  readonly message: string;
}

const NULL_POINTER = 'a null pointer in java-tron, for example when the called contract has no code';

/** Includes the detail that the broadcast answer hides for some refusals. */
export function refusal(exception: JavaException): Refusal {
  const { code: number, message } = refusalOf(exception);
  const code = Return_response_code_type.nameOf(number) ?? String(number);
  const detail = exception.javaMessage;
  if (detail === null) return { code, message: NULL_POINTER };
  return { code, message: message.includes(detail) ? message : `${message} ${detail}` };
}

/** The end of a lock, which java-tron's refusal omits. Empty if nothing is locked. */
export function heldText(held: HeldDelegation | undefined): string {
  if (held === undefined) return '';
  const { amountSun, untilMs, blocks } = held;
  const amount = `${Number(amountSun) / 1_000_000} TRX`;
  return `${amount} are locked until ${new Date(untilMs).toISOString()}, for ${blocks} more block${blocks === 1 ? '' : 's'}`;
}

const PLACES: Readonly<Record<Exclude<DroppedTransaction['reason'], JavaException>, Refusal>> = {
  'block-full': { code: 'BLOCK_FULL', message: 'the block had no room for it' },
  'permission-changed-in-block': {
    code: 'PERMISSION_CHANGED',
    message: 'another transaction of the block changed the permissions of its sender',
  },
  'pending-too-long': { code: 'PENDING_TIMEOUT', message: 'it was pending for more than 60 s of chain time' },
  'on-request': { code: 'REMOVED', message: 'a client removed it from the pending transactions' },
  'second-shielded-transfer': {
    code: 'SECOND_SHIELDED_TRANSFER',
    message: 'the block already had a shielded transfer; a block takes one',
  },
};

/** Why an accepted transaction will be in no block. */
export function dropped(reason: DroppedTransaction['reason']): Refusal {
  return reason instanceof JavaException ? refusal(reason) : PLACES[reason];
}
