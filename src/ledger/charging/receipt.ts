/**
 * TransactionInfo, derived from the charges and from the contract's result (protocol/pipeline.md#transactioninfo).
 * Payments come from the charges; total Energy and penalty come from the machine.
 */

import type { TxId } from '../../primitives/ids.js';
import {
  type ResourceReceipt as Receipt,
  ResourceReceipt,
  TransactionInfo,
  TransactionInfo_code,
} from '../../protocol/generated/tron.js';
import type { BlockPlace } from '../blocks/block-place.js';
import { type Charge, coinTotal } from './charges.js';
import type { ContractResult, VmOutcome } from './execution.js';

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

/** TRX that went into the producers' pool: reported only with ALLOW_TRANSACTION_FEE_POOL. */
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
