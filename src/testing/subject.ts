/** The subject of a matcher, and its outcome. */

import type { DeployedContract, Receipt, RevertReason } from '../contracts/deployed-contract.js';
import { CallFailedError, TransactionFailedError, TransactionRefusedError } from '../contracts/failures.js';
import { wrapped } from '../prose/explanation.js';
import { shown } from './same-value.js';

/** A receipt, a deployed contract (for its deployment), a promise of either, or a function that gives one. */
export type Subject = unknown;

export interface Outcome {
  /** Of a transaction that is in a block. */
  readonly receipt: Receipt | undefined;
  /** The reason of the failure; undefined on success. */
  readonly failure: RevertReason | undefined;
  /** `REVERT`, `OUT_OF_ENERGY`, or the code of a refusal. */
  readonly result: string;
  /** The first line of the error, if any. */
  readonly message: string;
  /** No block contains it. */
  readonly refused?: boolean;
}

/**
 * @throws errors of the subject that are no failures of a call or a transaction: mistakes in the test
 * @throws TypeError for an unusable subject
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

/** @throws TypeError with advice, if the subject is no transaction in a block */
export async function receiptOf(subject: Subject): Promise<Receipt> {
  const { receipt, message } = await outcomeOf(subject);
  if (receipt !== undefined) return receipt;
  if (message !== '') throw new TypeError(`no block contains the transaction: ${message}`);
  throw new TypeError(
    'this assertion is for transactions: pass the result of contract.write… or devnet.deploy, or devnet.receipt(txid)',
  );
}

function ofReceipt(receipt: Receipt): Outcome {
  const { failure, result } = receipt;
  return { receipt, failure, result, message: failure === undefined ? '' : (failure.text ?? result) };
}

/** The result of TronWeb's send methods: the outcome is not known yet. */
function isSent(value: unknown): boolean {
  if (typeof value === 'string') return /^(0x)?[\da-f]{64}$/i.test(value);
  return typeof value === 'object' && value !== null && ('txid' in value || 'txID' in value);
}

/** @throws TypeError for a value without an outcome, so that it does not count as success */
function requireOutcome(value: unknown): void {
  if (isReceipt(value) || isReceipt((value as Partial<DeployedContract> | null | undefined)?.deployment)) return;
  const given = isSent(value) ? 'the id of a sent transaction' : shown(value);
  throw new TypeError(
    `${given} has no outcome: pass the result of contract.write…, contract.read… or devnet.deploy, or devnet.receipt(txid)`,
  );
}

function isReceipt(value: unknown): value is Receipt {
  return typeof value === 'object' && value !== null && 'txid' in value && 'events' in value && 'explain' in value;
}

/** The explanation of the transaction below a message; empty for other subjects. */
export async function explanationBelow(receipt: Receipt | undefined): Promise<string> {
  if (receipt === undefined) return '';
  return `\n\n${wrapped((await receipt.explain()).text).join('\n')}\n`;
}
