/** Prices that are not simply a chain parameter, and which fixed fee a contract has (fees-and-resources.md 5.1, 10). */

const DEFAULT_ENERGY_PRICE_SUN = 100n;

/** Sun per Energy in budgets and bills: ENERGY_FEE, or 100 while that is not positive. */
export function energyPriceSun(energyFee: bigint): bigint {
  return energyFee > 0n ? energyFee : DEFAULT_ENERGY_PRICE_SUN;
}

type FeeProperty =
  | 'CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT'
  | 'ACCOUNT_UPGRADE_COST'
  | 'ASSET_ISSUE_FEE'
  | 'EXCHANGE_CREATE_FEE'
  | 'UPDATE_ACCOUNT_PERMISSION_FEE'
  | 'MARKET_SELL_FEE'
  | 'MARKET_CANCEL_FEE';

const FIXED_FEES: Readonly<Record<string, FeeProperty>> = {
  AccountCreateContract: 'CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT',
  WitnessCreateContract: 'ACCOUNT_UPGRADE_COST',
  AssetIssueContract: 'ASSET_ISSUE_FEE',
  ExchangeCreateContract: 'EXCHANGE_CREATE_FEE',
  AccountPermissionUpdateContract: 'UPDATE_ACCOUNT_PERMISSION_FEE',
  MarketSellAssetContract: 'MARKET_SELL_FEE',
  MarketCancelOrderContract: 'MARKET_CANCEL_FEE',
};

/** Transfers pay for the account they create. */
const PAYS_FOR_ACTIVATION: ReadonlySet<string> = new Set(['TransferContract', 'TransferAssetContract']);

/**
 * The chain parameter that holds the fixed fee of a system contract, or undefined if it has none. The fee is in
 * `TransactionInfo.fee`, apart from bandwidth.
 *
 * @param contractType name in `Transaction.Contract.ContractType`
 * @param createsAccount whether the recipient of a transfer does not exist yet
 */
export function fixedFeeProperty(contractType: string, createsAccount = false): FeeProperty | undefined {
  if (PAYS_FOR_ACTIVATION.has(contractType)) {
    return createsAccount ? 'CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT' : undefined;
  }
  return FIXED_FEES[contractType];
}

/** Where coin that pays for bandwidth, Energy or a fixed fee goes. */
export type FeeDestination = 'burned' | 'blackhole' | 'fee-pool';

/**
 * @param poolable bandwidth by the byte, and Energy unless the call ran out of time; fixed fees never go to the pool
 * @param feePool ALLOW_TRANSACTION_FEE_POOL
 * @param blackholeOptimization ALLOW_BLACKHOLE_OPTIMIZATION
 */
export function feeDestination(poolable: boolean, feePool: boolean, blackholeOptimization: boolean): FeeDestination {
  if (poolable && feePool) return 'fee-pool';
  return blackholeOptimization ? 'burned' : 'blackhole';
}
