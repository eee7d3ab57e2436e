/** What a matcher is given, and what became of it. */

import type { DeployedContract, Receipt, RevertReason } from '../contracts/deployed-contract.js';
import { CallFailedError, TransactionFailedError, TransactionRefusedError } from '../contracts/failures.js';
import { wrapped } from '../prose/explanation.js';
import { shown } from './same-value.js';

/** A receipt, a deployed contract (for its deployment), a promise of either, or a function that gives one. */
export type Subject = unknown;

export interface Outcome {
  /** Of a transaction that is in a block. */
  readonly receipt: Receipt | undefined;
  /** Why it failed; undefined: it did not. */
  readonly failure: RevertReason | undefined;
  /** `REVERT`, `OUT_OF_ENERGY`, a refusal's code, … */
  readonly result: string;
  /** The first line of the error, where there is one. */
  readonly message: string;
  /** No block took it. */
  readonly refused?: boolean;
}

/**
 * @throws whatever the subject throws that is no failure of a call or a transaction: a slip in the test
 * @throws TypeError for a subject that is none
 */
export async function outcomeOf(subject: Subject): Promise<Outcome> {
  let value: unknown;
  try {
    value = await (typeof subject === 'function' ? subject() : subject);
    if (value === subject || isSent(value)) requireOutcome(value);
  } catch (error) {
    const [message = ''] = String((error as Error).message).split('\n');
    if (error instanceof TransactionFailedError) return { ...ofReceipt(error.receipt), message };
    if (error instanceof CallFailedError) {
      return { receipt: undefined, failure: error.failure, result: error.result, message };
    }
    if (error instanceof TransactionRefusedError) {
      return { receipt: undefined, failure: { data: '', text: undefined }, result: error.code, message, refused: true };
    }
    throw error;
  }
  if (isReceipt(value)) return ofReceipt(value);
  const { deployment } = (value ?? {}) as Partial<DeployedContract>;
  if (isReceipt(deployment)) return ofReceipt(deployment);
  return { receipt: undefined, failure: undefined, result: 'SUCCESS', message: '' };
}

/** @throws TypeError that says what to hand in, when it is no transaction in a block */
export async function receiptOf(subject: Subject): Promise<Receipt> {
  const { receipt, message } = await outcomeOf(subject);
  if (receipt !== undefined) return receipt;
  if (message !== '') throw new TypeError(`there is no transaction in a block: ${message}`);
  throw new TypeError(
    'this is for transactions: hand in what contract.write… or devnet.deploy gives, or devnet.receipt(txid)',
  );
}

function ofReceipt(receipt: Receipt): Outcome {
  const { failure, result } = receipt;
  return { receipt, failure, result, message: failure === undefined ? '' : (failure.text ?? result) };
}

/** What TronWeb gives when it has sent something: nobody knows yet how that ended. */
function isSent(value: unknown): boolean {
  if (typeof value === 'string') return /^(0x)?[\da-f]{64}$/i.test(value);
  return typeof value === 'object' && value !== null && ('txid' in value || 'txID' in value);
}

/** @throws TypeError for what can neither have succeeded nor failed, so that it does not pass for a success */
function requireOutcome(value: unknown): void {
  if (isReceipt(value) || isReceipt((value as Partial<DeployedContract> | null | undefined)?.deployment)) return;
  const given = isSent(value) ? 'a transaction that was sent' : shown(value);
  throw new TypeError(
    `${given} tells nothing of an outcome: hand in what contract.write…, contract.read… or devnet.deploy gives, or devnet.receipt(txid)`,
  );
}

function isReceipt(value: unknown): value is Receipt {
  return typeof value === 'object' && value !== null && 'txid' in value && 'events' in value && 'explain' in value;
}

/** What the transaction did and cost, below a message; empty for what is no transaction. */
export async function explanationBelow(receipt: Receipt | undefined): Promise<string> {
  if (receipt === undefined) return '';
  return `\n\n${wrapped((await receipt.explain()).text).join('\n')}\n`;
}
