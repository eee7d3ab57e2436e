/** Totals of a block, from its charges and receipts (protocol/v1.md#get-v1blocksnumberstats). */

import { type Charge, decodeCharges } from '../../ledger/charging/charges.js';
import { tokenEventOf } from '../../ledger/history/token-events.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { WalletContext } from '../context.js';
import { transactionsOfBlock } from './transactions.js';

/** Amounts in sun, except counts of units. */
export interface FeeStats {
  readonly netUsage: bigint;
  readonly energyUsage: bigint;
  readonly otherFee: bigint;
  readonly srCandidateRegistrationFee: bigint;
  readonly accountActivationFee: bigint;
  readonly permissionUpdateFee: bigint;
  readonly multiSignatureFee: bigint;
  readonly memoFee: bigint;
  readonly trc10AssetIssueFee: bigint;
  readonly dexPairCreateFee: bigint;
  readonly dexOrderSellFee: bigint;
  readonly dexOrderCancelFee: bigint;
  readonly energyBurnFeeSunAmt: bigint;
  readonly bandwidthConsumedFromBurnCnt: bigint;
  readonly freeBandwidthUsageCnt: bigint;
  readonly bandwidthBurnFeeSunAmt: bigint;
  readonly energyConsumedFromOwnerBurnCnt: bigint;
  readonly freeEnergyUsageCnt: bigint;
}

export interface TransactionStats {
  readonly trxAnd10TransferCount: number;
  readonly trc20And721TransferCount: number;
  readonly trc1155TransferCount: number;
  readonly transferCount: number;
  readonly failTxCount: number;
  readonly internalTxCount: number;
  readonly containInternalTxCount: number;
  /** Number of the contract type → transactions. */
  readonly contractTypeDistribute: Readonly<Record<number, number>>;
}

const SUCCESS = 1;
const TRANSFERS: readonly number[] = [ContractType.TransferContract, ContractType.TransferAssetContract];
/** keccak256 of `TransferSingle(…)` and `TransferBatch(…)` of TRC-1155. */
const TRC1155_TOPICS: readonly string[] = [
  'c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  '4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
];

export function blockStats(
  context: WalletContext,
  number: number,
): { readonly fees: FeeStats; readonly transactions: TransactionStats } {
  const found = transactionsOfBlock(context, number);
  const charged = found.map(({ txId, transaction }) => ({
    type: transaction.contractType,
    charges: decodeCharges(context.ledger.state.tables.transactions.get(txId)?.charges ?? '[]'),
  }));
  const infos = found.map(({ info }) => info);
  const logs = infos.flatMap(({ log }) => log);
  const events = logs.flatMap((log) => tokenEventOf(log) ?? []);
  const trc20And721 = events.filter(({ type }) => type === 'Transfer').length;
  const trc1155 = logs.filter(({ topics }) => TRC1155_TOPICS.includes(topics[0] ?? '')).length;
  const plain = found.filter(({ transaction }) => TRANSFERS.includes(transaction.contractType)).length;
  const distribution: Record<number, number> = {};
  for (const { type } of charged) distribution[type] = (distribution[type] ?? 0) + 1;
  const internals = infos.map(({ internal_transactions }) => internal_transactions.length);
  return {
    fees: feeStats(charged),
    transactions: {
      trxAnd10TransferCount: plain,
      trc20And721TransferCount: trc20And721,
      trc1155TransferCount: trc1155,
      transferCount: plain + trc20And721 + trc1155,
      failTxCount: found.filter(({ transaction }) => (transaction.ret[0]?.contractRet ?? SUCCESS) !== SUCCESS).length,
      internalTxCount: internals.reduce((sum, count) => sum + count, 0),
      containInternalTxCount: internals.filter((count) => count > 0).length,
      contractTypeDistribute: distribution,
    },
  };
}

function feeStats(charged: readonly { readonly type: number; readonly charges: readonly Charge[] }[]): FeeStats {
  const all = charged.flatMap(({ type, charges }) => charges.map((charge) => ({ ...charge, type })));
  const sum = (
    wanted: (charge: (typeof all)[number]) => boolean,
    of: (charge: Charge) => bigint = ({ amount }) => amount,
  ) => all.filter(wanted).reduce((total, charge) => total + of(charge), 0n);
  const coin = (...reasons: readonly Charge['reason'][]) =>
    sum(({ resource, reason }) => resource === 'coin' && reasons.includes(reason));
  const units = (reason: Charge['reason']) =>
    sum(
      (charge) => charge.resource === 'coin' && charge.reason === reason,
      (charge) => charge.units ?? 0n,
    );
  const used = (resource: Charge['resource'], ...sources: readonly Charge['source'][]) =>
    sum((charge) => charge.resource === resource && sources.includes(charge.source));
  const energyBurn = coin('energy');
  const bandwidthBurn = coin('bandwidth', 'account-creation-bandwidth');
  return {
    netUsage: used('bandwidth', 'staked', 'free', 'issuer'),
    energyUsage: used('energy', 'staked', 'origin') + units('energy'),
    otherFee: sum(({ resource }) => resource === 'coin') - energyBurn - bandwidthBurn,
    srCandidateRegistrationFee: coin('witness-creation'),
    accountActivationFee: coin('account-activation'),
    permissionUpdateFee: coin('permission-update'),
    multiSignatureFee: coin('multi-signature'),
    memoFee: coin('memo'),
    trc10AssetIssueFee: coin('asset-issue'),
    dexPairCreateFee: coin('exchange-creation'),
    dexOrderSellFee: sum(
      ({ reason, type }) => reason === 'market-order' && type === ContractType.MarketSellAssetContract,
    ),
    dexOrderCancelFee: sum(
      ({ reason, type }) => reason === 'market-order' && type === ContractType.MarketCancelOrderContract,
    ),
    energyBurnFeeSunAmt: energyBurn,
    bandwidthConsumedFromBurnCnt: units('bandwidth'),
    freeBandwidthUsageCnt: used('bandwidth', 'free'),
    bandwidthBurnFeeSunAmt: bandwidthBurn,
    energyConsumedFromOwnerBurnCnt: units('energy'),
    freeEnergyUsageCnt: used('energy', 'staked', 'origin'),
  };
}
