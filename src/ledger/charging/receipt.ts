/**
 * TransactionInfo, derived from the charges and from what the contract left (ledger.md 2.9). Who paid how much of what is
 * read off the charges; the Energy used in all and the penalty in it are the machine's own figures.
 */

import type { Hex } from '../../primitives/hex.js';
import type { TxId } from '../../primitives/ids.js';
import {
  type ResourceReceipt as Receipt,
  ResourceReceipt,
  TransactionInfo,
  TransactionInfo_code,
} from '../../protocol/generated/tron.js';
import type { BlockPlace } from '../blocks/block-place.js';
import type { ContractResult } from '../contracts/contract.js';
import { type Charge, coinTotal } from './charges.js';
import type { EnergyBudget } from './energy.js';

/** What the virtual machine adds to a receipt; absent for system contracts. */
export interface VmOutcome {
  /** `Transaction.Result.contractResult`. */
  readonly contractResult: number;
  readonly energyUsageTotal: bigint;
  readonly energyPenaltyTotal: bigint;
  readonly contractAddress: string;
  readonly returnData: string;
  /** Set when the machine ended with an error or a revert. */
  readonly failure: string | undefined;
  readonly logs: TransactionInfo['log'];
  readonly internalTransactions: TransactionInfo['internal_transactions'];
  /** Data of calls to the address of `console.log`, in order; not a part of the receipt. */
  readonly consoleCalls: readonly Hex[];
  /** How much Energy might have been used, and by whom it would have been paid. */
  readonly budget: EnergyBudget;
  /** How long it ran, as `tvm/work.ts` counts; 0 where nobody counts. Not a part of the receipt. */
  readonly work: number;
}

function unitsOf(
  charges: readonly Charge[],
  resource: Charge['resource'],
  ...sources: readonly Charge['source'][]
): bigint {
  let total = 0n;
  for (const charge of charges) {
    if (charge.resource === resource && sources.includes(charge.source)) total += charge.amount;
  }
  return total;
}

export function receiptOf(charges: readonly Charge[], vm: VmOutcome | undefined): Receipt {
  return ResourceReceipt.create({
    energy_usage: unitsOf(charges, 'energy', 'staked'),
    energy_fee: coinTotal(charges, 'energy'),
    origin_energy_usage: unitsOf(charges, 'energy', 'origin'),
    energy_usage_total: vm?.energyUsageTotal ?? 0n,
    net_usage: unitsOf(charges, 'bandwidth', 'staked', 'free', 'issuer'),
    net_fee: coinTotal(charges, 'bandwidth', 'account-creation-bandwidth'),
    result: vm?.contractResult ?? 0,
    energy_penalty_total: vm?.energyPenaltyTotal ?? 0n,
  });
}

/** Coin that went into the producers' pool: reported only while ALLOW_TRANSACTION_FEE_POOL is on. */
function packingFee(charges: readonly Charge[]): bigint {
  return charges.reduce((sum, charge) => (charge.source === 'fee-pool' ? sum + charge.amount : sum), 0n);
}

export function transactionInfoOf(
  txId: TxId,
  place: BlockPlace,
  charges: readonly Charge[],
  result: ContractResult,
  vm: VmOutcome | undefined,
): TransactionInfo {
  const failed = vm?.failure !== undefined;
  return TransactionInfo.create({
    ...result,
    id: txId,
    fee: coinTotal(charges),
    blockNumber: BigInt(place.number),
    blockTimeStamp: place.timestampMs,
    contractResult: [vm?.returnData ?? ''],
    contract_address: vm?.contractAddress ?? '',
    receipt: receiptOf(charges, vm),
    log: vm?.logs ?? [],
    result: failed ? TransactionInfo_code.FAILED : TransactionInfo_code.SUCESS,
    resMessage: failed ? Buffer.from(vm?.failure ?? '', 'utf8').toString('hex') : '',
    internal_transactions: vm?.internalTransactions ?? [],
    packingFee: packingFee(charges),
  });
}
