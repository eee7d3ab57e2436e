/** Converts chain events into results: charges with the scenario's names. */

import type { FailureFacts } from '../../explanation/outcome/failure.js';
import { dropped } from '../../explanation/outcome/refusal.js';
import { resultName, typeName } from '../../explanation/summary/summary.js';
import type { AppliedBlock, DroppedTransaction } from '../../ledger/apply-block.js';
import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import type { Charge } from '../../ledger/charging/charges.js';
import type { Chain } from '../../node/chain/chain.js';
import { hexToUtf8 } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { isSmartContractType } from '../../protocol/contract-types.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { GroupExpectations, TransactionExpectations } from '../format/expect-fields.js';
import type { Path } from '../format/problems.js';
import type { StepPart } from '../format/scenario.js';
import type { Parties } from '../parties.js';
import type { DigestResult, GroupResult, OperationResult, Paid, TimeResult, TransactionResult, Was } from './result.js';
import type { RunTotals } from './totals.js';

export interface ResultPlace {
  readonly n: number;
  readonly step: string;
  readonly label?: string;
}

export interface Happened {
  readonly transaction: SignedTransaction;
  readonly to?: Address | undefined;
  readonly method?: string | undefined;
  /** Of the called contract, before the block. */
  readonly factor: bigint;
  /** Undefined if no block contains it. */
  readonly applied: AppliedTransaction | undefined;
  readonly reason: DroppedTransaction['reason'] | undefined;
  /** Of a failed contract. */
  readonly facts?: FailureFacts | undefined;
  readonly block: Pick<AppliedBlock, 'number' | 'timestampMs'>;
  readonly parties: Parties;
  readonly was?: Was | undefined;
  readonly check?: Check;
}

/** The expectation of a transaction, with the balance changes of its block. */
export interface Check {
  readonly expect: Partial<TransactionExpectations>;
  readonly part: StepPart;
  /** By `account TRX`, `account token`. */
  readonly changes: ReadonlyMap<string, bigint>;
}

/** A result whose failure is not decoded yet: the ABI decoder is loaded on first use. */
export type UnfinishedResult = TransactionResult & { readonly facts?: FailureFacts; readonly check?: Check };

export function transactionResult(place: ResultPlace, happened: Happened): UnfinishedResult {
  const { transaction, to, method, block, parties } = happened;
  const head = {
    ...place,
    kind: 'transaction' as const,
    txid: transaction.txId,
    timestampMs: Number(block.timestampMs),
    type: typeName(transaction.contractType),
    from: parties.nameOf((transaction.owner ?? '') as Address),
    ...(to !== undefined && { to: parties.nameOf(to) }),
    ...(method !== undefined && { method }),
    ...(happened.was && { was: happened.was }),
    ...(happened.check && { check: happened.check }),
  };
  const { applied } = happened;
  return applied === undefined
    ? { ...head, ...outside(happened.reason) }
    : { ...head, block: block.number, ...inside(applied, happened) };
}

/** Common part of all transactions that no block contains. */
const NOTHING = { feeSun: 0n, bandwidth: 0n, paid: [] } as const;

function outside(reason: DroppedTransaction['reason'] | undefined) {
  if (reason === undefined) return { outcome: 'DROPPED', ...NOTHING };
  return { outcome: typeof reason === 'string' ? 'DROPPED' : 'REFUSED', refusal: dropped(reason), ...NOTHING };
}

function inside(applied: AppliedTransaction, { facts, factor, parties }: Happened) {
  const { info, charges, contractRet, transaction } = applied;
  const isCall = isSmartContractType(transaction.contractType);
  const { receipt } = info;
  return {
    outcome: resultName(contractRet),
    feeSun: info.fee,
    bandwidth: bytesOf(charges),
    ...(isCall && {
      energy: {
        used: receipt?.energy_usage_total ?? 0n,
        penalty: receipt?.energy_penalty_total ?? 0n,
        factor: Number(factor),
      },
    }),
    paid: charges.map((charge) => paidOf(charge, parties)),
    ...(hasFailed(applied) && { failure: { message: hexToUtf8(info.resMessage) }, ...(facts && { facts }) }),
  };
}

export function hasFailed({ info }: AppliedTransaction): boolean {
  return info.resMessage !== '';
}

function bytesOf(charges: readonly Charge[]): bigint {
  let bytes = 0n;
  for (const { resource, reason, amount, units = 0n } of charges) {
    if (resource === 'bandwidth') bytes += amount;
    else if (reason === 'bandwidth') bytes += units;
  }
  return bytes;
}

function paidOf({ payer, resource, reason, source, amount, units }: Charge, parties: Parties): Paid {
  const isCoin = resource === 'coin';
  return {
    payer: parties.nameOf(payer),
    resource: isCoin ? resourceOf(reason) : resource,
    reason,
    source,
    units: isCoin ? (units ?? 0n) : amount,
    sun: isCoin ? amount : 0n,
  };
}

function resourceOf(reason: Charge['reason']): Paid['resource'] {
  if (reason === 'energy') return 'energy';
  return reason === 'bandwidth' || reason === 'account-creation-bandwidth' ? 'bandwidth' : 'fee';
}

type Head = Pick<Chain, 'headNumber' | 'headTimeMs'>;

export function timeResult(place: ResultPlace, head: Head, blocks: number, epochs: number): TimeResult {
  const { headNumber: block, headTimeMs } = head;
  return { ...place, kind: 'time', block, timestampMs: Number(headTimeMs), blocks, epochs };
}

export function operationResult(place: ResultPlace, head: Head, operation: string): OperationResult {
  const { headNumber: block, headTimeMs } = head;
  return { ...place, kind: 'operation', operation, block, timestampMs: Number(headTimeMs) };
}

/** The digest in a recording, the version of the rules, and the position in the file. */
export interface DigestCheck {
  readonly is: string;
  readonly rules: number;
  readonly path: Path;
}

export type UnfinishedDigest = DigestResult & { readonly digestCheck?: DigestCheck };

/** The totals of a group of steps, with its expectation and position. */
export interface GroupCheck {
  readonly expect: GroupExpectations;
  readonly path: Path;
}

export type UnfinishedGroup = GroupResult & { readonly groupCheck?: GroupCheck; readonly totals?: RunTotals };

export function groupResult(
  place: ResultPlace,
  totals: RunTotals,
  groupCheck: GroupCheck | undefined,
): UnfinishedGroup {
  const { transactions, failed, refused, feeSun, bandwidth, energy } = totals;
  const sums = { transactions, failed, refused, feeSun, bandwidth, energy };
  return { ...place, kind: 'group', ...sums, ...(groupCheck && { groupCheck, totals }) };
}
