/** All contract types of the ledger, by number. To add one, add a file and a line here. */

import type { Execution } from '../charging/execution.js';
import type { Ledger } from '../ledger.js';
import { accountCreateContract } from './AccountCreateContract.js';
import { accountPermissionUpdateContract } from './AccountPermissionUpdateContract.js';
import { accountUpdateContract } from './AccountUpdateContract.js';
import { assetIssueContract } from './AssetIssueContract.js';
import { cancelAllUnfreezeV2Contract } from './CancelAllUnfreezeV2Contract.js';
import { clearABIContract } from './ClearABIContract.js';
import { createSmartContract } from './CreateSmartContract.js';
import type { LedgerContract, ValidationOrigin } from './contract.js';
import { delegateResourceContract } from './DelegateResourceContract.js';
import { exchangeCreateContract } from './ExchangeCreateContract.js';
import { exchangeInjectContract } from './ExchangeInjectContract.js';
import { exchangeTransactionContract } from './ExchangeTransactionContract.js';
import { exchangeWithdrawContract } from './ExchangeWithdrawContract.js';
import { freezeBalanceContract } from './FreezeBalanceContract.js';
import { freezeBalanceV2Contract } from './FreezeBalanceV2Contract.js';
import { marketCancelOrderContract } from './MarketCancelOrderContract.js';
import { marketSellAssetContract } from './MarketSellAssetContract.js';
import { participateAssetIssueContract } from './ParticipateAssetIssueContract.js';
import { proposalApproveContract } from './ProposalApproveContract.js';
import { proposalCreateContract } from './ProposalCreateContract.js';
import { proposalDeleteContract } from './ProposalDeleteContract.js';
import { setAccountIdContract } from './SetAccountIdContract.js';
import { shieldedTransferContract } from './ShieldedTransferContract.js';
import { transferAssetContract } from './TransferAssetContract.js';
import { transferContract } from './TransferContract.js';
import { triggerSmartContract } from './TriggerSmartContract.js';
import { unDelegateResourceContract } from './UnDelegateResourceContract.js';
import { unfreezeAssetContract } from './UnfreezeAssetContract.js';
import { unfreezeBalanceContract } from './UnfreezeBalanceContract.js';
import { unfreezeBalanceV2Contract } from './UnfreezeBalanceV2Contract.js';
import { updateAssetContract } from './UpdateAssetContract.js';
import { updateBrokerageContract } from './UpdateBrokerageContract.js';
import { updateEnergyLimitContract } from './UpdateEnergyLimitContract.js';
import { updateSettingContract } from './UpdateSettingContract.js';
import { voteWitnessContract } from './VoteWitnessContract.js';
import { withdrawBalanceContract } from './WithdrawBalanceContract.js';
import { withdrawExpireUnfreezeContract } from './WithdrawExpireUnfreezeContract.js';
import { witnessCreateContract } from './WitnessCreateContract.js';
import { witnessUpdateContract } from './WitnessUpdateContract.js';

/** Of any message: a contract that was found by its type has the message of that type. */
interface AnyContract {
  readonly type: number;
  validate(ledger: Ledger, contract: never, origin: ValidationOrigin): void;
  execute(ledger: Ledger, contract: never, execution: Execution): void;
}

const CONTRACTS: readonly AnyContract[] = [
  createSmartContract,
  triggerSmartContract,
  assetIssueContract,
  exchangeCreateContract,
  exchangeInjectContract,
  exchangeTransactionContract,
  exchangeWithdrawContract,
  marketCancelOrderContract,
  marketSellAssetContract,
  participateAssetIssueContract,
  transferAssetContract,
  unfreezeAssetContract,
  updateAssetContract,
  accountCreateContract,
  accountUpdateContract,
  freezeBalanceV2Contract,
  setAccountIdContract,
  shieldedTransferContract,
  transferContract,
  cancelAllUnfreezeV2Contract,
  unfreezeBalanceV2Contract,
  withdrawExpireUnfreezeContract,
  accountPermissionUpdateContract,
  proposalApproveContract,
  proposalCreateContract,
  proposalDeleteContract,
  updateBrokerageContract,
  voteWitnessContract,
  withdrawBalanceContract,
  witnessCreateContract,
  witnessUpdateContract,
  delegateResourceContract,
  unDelegateResourceContract,
  freezeBalanceContract,
  unfreezeBalanceContract,
  clearABIContract,
  updateEnergyLimitContract,
  updateSettingContract,
];

const byType = new Map(CONTRACTS.map((contract) => [contract.type, contract as LedgerContract<unknown>]));

export function ledgerContract(type: number): LedgerContract<unknown> | undefined {
  return byType.get(type);
}

/** Executable types, ascending; used by `verify --only` and by the table of docs/reference/compatibility.md. */
export function contractTypes(): readonly number[] {
  return [...byType.keys()].sort((a, b) => a - b);
}
