/** What one transaction of an account cost, as far as its receipt separates it; and the same as one line of a file. */

import type { ParametersThen } from '../../explanation/recorded/parameter-history.js';
import { receiptCharges } from '../../explanation/recorded/receipt-charges.js';
import { resultName, typeName } from '../../explanation/summary/summary.js';
import { writeJson } from '../../primitives/amount-json.js';
import type { TxId } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import {
  Transaction_Result_contractResult as ContractResult,
  Transaction_Contract_ContractType as ContractType,
  ResourceReceipt,
  type TransactionInfo,
} from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';

/** A charge without its payer: of Energy from `origin` that is the deployer, of all others the account. */
export interface PaidCharge {
  readonly reason: string;
  readonly source: string;
  readonly resource: 'coin' | 'energy' | 'bandwidth';
  /** Sun, Energy or bytes. */
  readonly amount: bigint;
  /** Bought Energy or bytes. */
  readonly units?: bigint;
}

export interface PaidTransaction {
  readonly txid: TxId;
  readonly blockNumber: number;
  readonly timestampMs: number;
  readonly type: string;
  /** Of a call: the contract, and the first four bytes of the data. */
  readonly contract?: string;
  readonly selector?: string;
  /** base58check; of the calls of a contract. The transactions of an account are its own. */
  readonly caller?: string;
  readonly result: string;
  /** All fees of the receipt. */
  readonly feeSun: bigint;
  /** All Energy, whoever paid. */
  readonly energy: bigint;
  /** The part of `energy` that energy factors added; absent: the node has no receipt. */
  readonly penalty?: bigint;
  readonly charges: readonly PaidCharge[];
}

const SELECTOR_DIGITS = 8;

/** @param hasReceipt false: `info` is what the list of transactions has, which is no penalty */
export function paidTransaction(
  transaction: SignedTransaction,
  info: TransactionInfo,
  then: ParametersThen,
  hasReceipt: boolean,
): PaidTransaction {
  const contractRet = transaction.ret[0]?.contractRet ?? ContractResult.DEFAULT;
  const { charges } = receiptCharges(transaction, contractRet, info, then, undefined);
  const { energy_usage_total, energy_penalty_total } = info.receipt ?? ResourceReceipt.empty;
  const call =
    transaction.contractType === ContractType.TriggerSmartContract
      ? (transaction.contract as unknown as TriggerSmartContract)
      : undefined;
  return {
    txid: transaction.txId,
    blockNumber: Number(info.blockNumber),
    timestampMs: Number(info.blockTimeStamp),
    type: typeName(transaction.contractType),
    ...(call !== undefined && {
      contract: toBase58(call.contract_address),
      selector: call.data.slice(0, SELECTOR_DIGITS),
    }),
    result: resultOf(transaction),
    feeSun: info.fee,
    energy: energy_usage_total,
    ...(hasReceipt && { penalty: energy_penalty_total }),
    charges: charges.map(({ reason, source, resource, amount, units }) => ({
      reason,
      source,
      resource,
      amount,
      ...(units !== undefined && { units }),
    })),
  };
}

export function resultOf({ ret }: SignedTransaction): string {
  return resultName(ret[0]?.contractRet ?? ContractResult.DEFAULT);
}

export function hasFailed({ result }: Pick<PaidTransaction, 'result'>): boolean {
  return result !== 'SUCCESS' && result !== 'DEFAULT';
}

/** Without the line break. */
export function lineOf({ charges, ...paid }: PaidTransaction): string {
  return writeJson({
    ...paid,
    charges: charges.map(({ reason, source, resource, amount, units }) => [
      reason,
      source,
      resource,
      amount,
      ...(units === undefined ? [] : [units]),
    ]),
  });
}

type Line = Record<'feeSun' | 'energy' | 'penalty', number | string> &
  Omit<PaidTransaction, 'feeSun' | 'energy' | 'penalty' | 'charges'> & {
    readonly charges: readonly (readonly [
      string,
      string,
      PaidCharge['resource'],
      number | string,
      (number | string)?,
    ])[];
  };

/** @throws Error for a line that {@link lineOf} did not write */
export function paidTransactionIn(line: string): PaidTransaction {
  const read = JSON.parse(line) as Line;
  const { txid, blockNumber, timestampMs } = read;
  if (!/^[0-9a-f]{64}$/.test(txid) || !Number.isSafeInteger(blockNumber) || !Number.isSafeInteger(timestampMs))
    throw new Error('it is not a transaction');
  return {
    ...read,
    feeSun: BigInt(read.feeSun),
    energy: BigInt(read.energy),
    penalty: BigInt(read.penalty),
    charges: read.charges.map(([reason, source, resource, amount, units]) => ({
      reason,
      source,
      resource,
      amount: BigInt(amount),
      ...(units !== undefined && { units: BigInt(units) }),
    })),
  };
}
