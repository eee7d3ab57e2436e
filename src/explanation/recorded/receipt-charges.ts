/**
 * The charges of a transaction from its receipt and the prices of its block. A receipt has sums; each charge here is the
 * part that has only one possible reason. What does not add up is reported, never guessed.
 */

import { chargedBytes } from '../../ledger/charging/bandwidth.js';
import type { ChargeReason, ChargeSource } from '../../ledger/charging/charges.js';
import type { ParameterProperty } from '../../parameters/definitions.js';
import type { Sun } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import {
  Transaction_Result_contractResult as ContractResult,
  Transaction_Contract_ContractType as ContractType,
  ResourceReceipt,
  type TransactionInfo,
} from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { ChargeReport } from '../model/explanation.js';
import type { Mismatch } from '../model/recorded-explanation.js';
import type { ParametersThen } from './parameter-history.js';

interface FixedFee {
  readonly reason: ChargeReason;
  readonly property: ParameterProperty;
}

const ACTIVATION: FixedFee = { reason: 'account-activation', property: 'CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT' };

/** Fixed fees by contract type. */
const FIXED_FEES: Readonly<Record<number, FixedFee>> = {
  [ContractType.AccountCreateContract]: ACTIVATION,
  [ContractType.AssetIssueContract]: { reason: 'asset-issue', property: 'ASSET_ISSUE_FEE' },
  [ContractType.WitnessCreateContract]: { reason: 'witness-creation', property: 'ACCOUNT_UPGRADE_COST' },
  [ContractType.AccountPermissionUpdateContract]: {
    reason: 'permission-update',
    property: 'UPDATE_ACCOUNT_PERMISSION_FEE',
  },
  [ContractType.ExchangeCreateContract]: { reason: 'exchange-creation', property: 'EXCHANGE_CREATE_FEE' },
  [ContractType.MarketSellAssetContract]: { reason: 'market-order', property: 'MARKET_SELL_FEE' },
  [ContractType.MarketCancelOrderContract]: { reason: 'market-order', property: 'MARKET_CANCEL_FEE' },
};

/** Transfers that activate their receiver if it does not exist. */
const MAY_ACTIVATE: ReadonlySet<number> = new Set([ContractType.TransferContract, ContractType.TransferAssetContract]);

export interface ReceiptCharges {
  readonly charges: readonly ChargeReport[];
  readonly mismatches: readonly Mismatch[];
  readonly bytes: bigint;
  readonly createsAccount: boolean;
  /** Energy that the caller bought. */
  readonly boughtEnergy: bigint;
}

/**
 * @param then the parameters of the block
 * @param deployer of the called contract, base58check; undefined: unknown
 */
export function receiptCharges(
  transaction: SignedTransaction,
  contractRet: number,
  info: TransactionInfo,
  then: ParametersThen,
  deployer: string | undefined,
): ReceiptCharges {
  const { contractType } = transaction;
  const receipt = info.receipt ?? ResourceReceipt.empty;
  const payer = toBase58(transaction.owner ?? '');
  const charges: ChargeReport[] = [];
  const mismatches: Mismatch[] = [];
  // The parameter may have changed since without a proposal; it decides only where the receipt cannot: nothing was paid.
  const isPooled =
    info.packingFee > 0n ||
    (receipt.net_fee + receipt.energy_fee === 0n && then.long('ALLOW_TRANSACTION_FEE_POOL') === 1n);
  const destination = (isPoolable: boolean): ChargeSource =>
    isPoolable && isPooled ? 'fee-pool' : then.long('ALLOW_BLACKHOLE_OPTIMIZATION') === 1n ? 'burned' : 'blackhole';
  let left = info.fee - receipt.net_fee - receipt.energy_fee;
  const fixed = (reason: ChargeReason, amount: Sun) => {
    left -= amount;
    if (amount > 0n) charges.push({ payer, resource: 'coin', source: destination(false), amount, reason });
  };
  const bought = (reason: 'bandwidth' | 'energy', amount: Sun, units: bigint, unitPriceSun: Sun, poolable: boolean) => {
    charges.push({ payer, resource: 'coin', source: destination(poolable), amount, reason, units, unitPriceSun });
    if (units * unitPriceSun !== amount) mismatches.push({ what: reason, amountSun: amount, units, unitPriceSun });
  };

  const bytes = BigInt(chargedBytes({ vmOn: then.long('ALLOW_CREATION_OF_CONTRACTS') === 1n }, transaction));
  const bytePriceSun = then.long('TRANSACTION_FEE');
  const isFlatFee = receipt.net_fee === then.long('CREATE_ACCOUNT_FEE') && receipt.net_fee !== bytes * bytePriceSun;
  const multiSignature = transaction.signatures.length > 1 ? then.long('MULTI_SIGN_FEE') : 0n;
  const memo = transaction.raw.data.length > 0 && transaction.ethereum === undefined ? then.long('MEMO_FEE') : 0n;

  if (receipt.net_usage > 0n)
    charges.push({
      payer,
      resource: 'bandwidth',
      source: 'free-or-staked',
      amount: receipt.net_usage,
      reason: 'bandwidth',
    });
  else if (receipt.net_fee > 0n && !isFlatFee) bought('bandwidth', receipt.net_fee, bytes, bytePriceSun, true);
  else if (receipt.net_fee > 0n)
    charges.push({
      payer,
      resource: 'coin',
      source: destination(false),
      amount: receipt.net_fee,
      reason: 'account-creation-bandwidth',
    });
  if (left >= multiSignature) fixed('multi-signature', multiSignature);
  if (left >= memo && memo > 0n) fixed('memo', memo);
  // No contract type has two fees of its own, so what is left has one possible reason.
  const own = FIXED_FEES[contractType] ?? (MAY_ACTIVATE.has(contractType) ? ACTIVATION : undefined);
  const activates =
    contractType === ContractType.AccountCreateContract || (MAY_ACTIVATE.has(contractType) && (isFlatFee || left > 0n));
  if (own !== undefined && left > 0n) {
    const differenceSun = left - then.long(own.property);
    if (differenceSun !== 0n && !then.isAssumed(own.property))
      mismatches.push({ what: 'fee', amountSun: differenceSun });
    fixed(own.reason, left);
  }

  const boughtEnergy = receipt.energy_usage_total - receipt.energy_usage - receipt.origin_energy_usage;
  if (receipt.energy_usage > 0n)
    charges.push({ payer, resource: 'energy', source: 'staked', amount: receipt.energy_usage, reason: 'energy' });
  if (receipt.origin_energy_usage > 0n)
    charges.push({
      payer: deployer ?? '',
      resource: 'energy',
      source: 'origin',
      amount: receipt.origin_energy_usage,
      reason: 'energy',
    });
  if (receipt.energy_fee > 0n)
    bought(
      'energy',
      receipt.energy_fee,
      boughtEnergy,
      then.long('ENERGY_FEE'),
      contractRet !== ContractResult.OUT_OF_TIME,
    );
  if (left !== 0n) mismatches.push({ what: 'fee', amountSun: left });
  return { charges, mismatches, bytes, createsAccount: activates, boughtEnergy };
}
