/** A transaction that is not sent: as JSON, as hex, or as a call in Ethereum's form. */

import * as v from 'valibot';
import { JavaException } from '../errors/java-exception.js';
import { ParametersError } from '../errors/operation-error.js';
import { type Hex, hexToBytes, isHex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { Transaction, type Transaction as TransactionMessage } from '../protocol/generated/tron.js';
import { readObject } from '../protocol/json/lenient-reader.js';
import { packTransaction } from '../protocol/json/transaction-json.js';
import { NO_SIGNATURE } from '../protocol/signature.js';
import { SignedTransaction } from '../protocol/transaction.js';
import type { WalletContext } from '../wallet/context.js';
import { contractOfCall } from '../wallet/plain-call.js';
import { highestFeeLimitSun, unsignedTransaction } from '../wallet/transactions.js';
import { address, bytes, integer, sun } from './kinds.js';

const WORDS =
  'a transaction as JSON or hex, or a call: {"from": "T…", "to": "T…", "value": 1, "data": "0x…", "feeLimit": 150000000}';

const call = v.strictObject(
  {
    from: address,
    to: v.optional(address),
    value: v.optional(sun, 0),
    data: v.optional(bytes, ''),
    input: v.optional(bytes),
    feeLimit: v.optional(sun),
    tokenId: v.optional(integer, 0),
    tokenValue: v.optional(integer, 0),
  },
  WORDS,
);
interface Call {
  readonly from: Address;
  readonly to?: Address | undefined;
  readonly value: bigint;
  readonly data: Hex;
  readonly input?: Hex | undefined;
  readonly feeLimit?: bigint | undefined;
  readonly tokenId: bigint;
  readonly tokenValue: bigint;
}

/** JSON with `raw_data`, hex, or a call. */
export type GivenTransaction = string | { readonly raw_data: object } | Call;

const built = v.looseObject({ raw_data: v.looseObject({}) });

/** Text of hex, or a JSON object. */
export const transaction: v.GenericSchema<unknown, GivenTransaction> = v.pipe(
  v.unknown(),
  v.union([v.string(), built, call], WORDS),
  v.description(WORDS),
);

/** @throws ParametersError if it is no transaction */
export function transactionOf(context: WalletContext, given: GivenTransaction): SignedTransaction {
  const read = readTransaction(context, given);
  return read.signatures.length === 0 ? read.withSignatures([NO_SIGNATURE]) : read;
}

function readTransaction(context: WalletContext, given: GivenTransaction): SignedTransaction {
  if (typeof given === 'object' && 'from' in given) return SignedTransaction.of(calling(context, given));
  try {
    if (typeof given === 'object') return fromJson(given);
    const hex = given.replace(/^0x/i, '').toLowerCase();
    if (!isHex(hex) || hex === '') throw new ParametersError(`tx: expected ${WORDS}`);
    return SignedTransaction.of(Transaction.decode(hexToBytes(hex)));
  } catch (error) {
    if (error instanceof JavaException) throw new ParametersError(`tx: expected ${WORDS}`);
    throw error;
  }
}

function fromJson(given: object): SignedTransaction {
  const text = JSON.stringify(given, (_, member) => (typeof member === 'bigint' ? String(member) : member));
  const json = readObject(text);
  if (json === null) throw new ParametersError(`tx: expected ${WORDS}`);
  return packTransaction(json, 'visible' in given && given.visible === true);
}

function calling(context: WalletContext, given: Call): TransactionMessage {
  const { from, to, value, tokenId, tokenValue, feeLimit } = given;
  for (const [name, number] of Object.entries({ value, tokenId, tokenValue, feeLimit })) {
    if (number !== undefined && BigInt.asIntN(64, number) !== number)
      throw new ParametersError(`tx.${name}: expected a whole number of 64 bits, got ${number}`);
  }
  const call = { from, to, data: given.input ?? given.data, value, tokenId, tokenValue };
  const { type, message, runs } = contractOfCall(context, call);
  const options = runs ? { feeLimitSun: feeLimit ?? highestFeeLimitSun(context) } : {};
  return unsignedTransaction(context, type, message, options);
}
