/** A step that sends a signed transaction. */

import { JavaException } from '../../errors/java-exception.js';
import { hexToBytes } from '../../primitives/hex.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import { StepError } from '../actions/step-error.js';
import { bytes } from '../format/fields.js';
import { type StepKind, step } from './step-kind.js';

export const rawSteps: readonly StepKind[] = [
  step({
    name: 'raw',
    about:
      'broadcasts a signed transaction unchanged, as bytes for broadcasthex; it is valid only on the chain of its reference block',
    example: undefined,
    fields: { transaction: bytes },
    shorthand: 'transaction',
    run: ({ transaction: hex }, run, part) => run.sendSigned(part, decodedTransaction(hex)),
  }),
];

/** @throws StepError */
export function decodedTransaction(hex: string): SignedTransaction {
  try {
    return SignedTransaction.decode(hexToBytes(hex));
  } catch (error) {
    if (error instanceof JavaException) throw new StepError(`the bytes are not a transaction: ${error.message}`);
    throw error;
  }
}
