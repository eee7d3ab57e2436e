/**
 * Receiver and value of a transaction in Ethereum's terms (protocol/json-rpc.md#transaction), for each contract type,
 * oddities included. Mirrors JsonRpcApiUtil.getTo and getTransactionAmount of java-tron.
 */

import type { Hex } from '../primitives/hex.js';
import { unpackContract } from '../protocol/contract-types.js';
import type { AccountCreateContract } from '../protocol/generated/account-contract.js';
import type {
  ParticipateAssetIssueContract,
  TransferAssetContract,
  UnfreezeAssetContract,
} from '../protocol/generated/asset-issue-contract.js';
import type {
  DelegateResourceContract,
  FreezeBalanceContract,
  TransferContract,
} from '../protocol/generated/balance-contract.js';
import type { ExchangeInjectContract } from '../protocol/generated/exchange-contract.js';
import type { ShieldedTransferContract } from '../protocol/generated/shield-contract.js';
import type { TriggerSmartContract } from '../protocol/generated/smart-contract.js';
import {
  Account,
  type Transaction_Contract,
  type TransactionInfo,
  Transaction_Contract_ContractType as Type,
} from '../protocol/generated/tron.js';
import type { VoteWitnessContract } from '../protocol/generated/witness-contract.js';
import { getAssetIssueByAccount } from './assets.js';
import type { WalletContext } from './context.js';

/** The account or contract that a contract is directed at; empty if its type has none. */
export function targetOf(contract: Transaction_Contract): Hex {
  const message: unknown = unpackContract(contract);
  if (message === undefined) return '';
  switch (contract.type) {
    case Type.AccountCreateContract:
      return (message as AccountCreateContract).account_address;
    case Type.TransferContract:
      return (message as TransferContract).to_address;
    case Type.TransferAssetContract:
      return (message as TransferAssetContract).to_address;
    case Type.ParticipateAssetIssueContract:
      return (message as ParticipateAssetIssueContract).to_address;
    case Type.VoteWitnessContract:
      return (message as VoteWitnessContract).votes[0]?.vote_address ?? '';
    case Type.FreezeBalanceContract:
    case Type.UnfreezeBalanceContract:
    case Type.DelegateResourceContract:
    case Type.UnDelegateResourceContract:
      return (message as DelegateResourceContract).receiver_address;
    case Type.TriggerSmartContract:
    case Type.UpdateSettingContract:
    case Type.UpdateEnergyLimitContract:
    case Type.ClearABIContract:
      return (message as TriggerSmartContract).contract_address;
    case Type.ShieldedTransferContract:
      return (message as ShieldedTransferContract).transparent_to_address;
    default:
      return '';
  }
}

const WITNESS_FEE_SUN = 9_999_000_000n;
const TOKEN_FEE_SUN = 1_024_000_000n;
const PERMISSION_FEE_SUN = 100_000_000n;

/**
 * The value, in sun, tokens, or votes. Fixed fees are java-tron's constants, whatever the chain's parameters.
 *
 * @param info the receipt, for types whose amount is known only afterwards; undefined while pending
 */
export function amountOf(
  context: WalletContext,
  contract: Transaction_Contract,
  info: TransactionInfo | undefined,
): bigint {
  switch (contract.type) {
    case Type.WitnessCreateContract:
      return WITNESS_FEE_SUN;
    case Type.AssetIssueContract:
    case Type.ExchangeCreateContract:
      return TOKEN_FEE_SUN;
    case Type.AccountPermissionUpdateContract:
      return PERMISSION_FEE_SUN;
    case Type.UnfreezeBalanceContract:
    case Type.UnfreezeBalanceV2Contract:
      return info?.unfreeze_amount ?? 0n;
    case Type.WithdrawBalanceContract:
      return info?.withdraw_amount ?? 0n;
    case Type.WithdrawExpireUnfreezeContract:
      return info?.withdraw_expire_amount ?? 0n;
    case Type.CancelAllUnfreezeV2Contract:
      return [...(info?.cancel_unfreezeV2_amount.values() ?? [])].reduce((sum, amount) => sum + amount, 0n);
  }
  const message: unknown = unpackContract(contract);
  if (message === undefined) return 0n;
  switch (contract.type) {
    case Type.TransferContract:
      return (message as TransferContract).amount;
    case Type.TransferAssetContract:
      return (message as TransferAssetContract).amount;
    case Type.VoteWitnessContract:
      return (message as VoteWitnessContract).votes.reduce((sum, { vote_count }) => sum + vote_count, 0n);
    case Type.FreezeBalanceContract:
      return (message as FreezeBalanceContract).frozen_balance;
    case Type.TriggerSmartContract:
      return (message as TriggerSmartContract).call_value;
    case Type.ExchangeInjectContract:
    case Type.ExchangeWithdrawContract:
    case Type.ExchangeTransactionContract:
      return (message as ExchangeInjectContract).quant;
    case Type.ShieldedTransferContract: {
      const { from_amount, to_amount } = message as ShieldedTransferContract;
      return from_amount > 0n ? from_amount : to_amount > 0n ? to_amount : 0n;
    }
    case Type.UnfreezeAssetContract:
      return issuedFrozen(context, (message as UnfreezeAssetContract).owner_address);
    default:
      return 0n;
  }
}

/** The issued amount, whatever was unfrozen. */
function issuedFrozen(context: WalletContext, owner: Hex): bigint {
  const { assetIssue } = getAssetIssueByAccount(context, Account.create({ address: owner }));
  if (assetIssue.length !== 1) return 0n;
  return assetIssue[0]!.frozen_supply.reduce((sum, { frozen_amount }) => sum + frozen_amount, 0n);
}
