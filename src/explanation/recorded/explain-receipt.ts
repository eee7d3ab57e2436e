/** From what nodes keep of a transaction to its explanation: history only, nothing of the present state. */

import { eventOf, functionOf } from '../../abi/items.js';
import type { ContractNames } from '../../ledger/smart-contracts/names.js';
import { hexToUtf8 } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { CreateSmartContract, TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import {
  Transaction_Result_contractResult as ContractResult,
  Transaction_Contract_ContractType as ContractType,
  ResourceReceipt,
  type TransactionInfo,
} from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { Outcome } from '../model/explanation.js';
import type { NotRecorded, RecordedEnergy, RecordedEvent, RecordedExplanation } from '../model/recorded-explanation.js';
import { actionOf, contractRef } from '../outcome/action.js';
import { failureFacts, reasonOf } from '../outcome/failure.js';
import { loggedValues, namedValues } from '../outcome/named-values.js';
import { resultName, typeName } from '../summary/summary.js';
import { balanceChanges, movesAreRecorded, tokenEvents } from './balance-changes.js';
import type { ParametersThen } from './parameter-history.js';
import { type ReceiptCharges, receiptCharges } from './receipt-charges.js';

/** What a network's contracts are, as far as it was asked. */
export interface RecordedContracts extends ContractNames {
  /** Undefined: unknown, or it does not exist any more. */
  deployerOf(address: Address): Address | undefined;
  /** The contract that a proxy delegates to. */
  implementationOf(address: Address): Address | undefined;
}

export interface RecordedTransaction {
  readonly transaction: SignedTransaction;
  readonly info: TransactionInfo;
  readonly block: RecordedExplanation['block'];
  /** The parameters of its block. */
  readonly parameters: ParametersThen;
  readonly contracts: RecordedContracts;
}

const SELECTOR_DIGITS = 8;

/** @example await explainReceipt({ transaction, info, block, parameters: history.inBlockAfter(parentMs), contracts }) */
export async function explainReceipt(recorded: RecordedTransaction): Promise<RecordedExplanation> {
  const { transaction, info, block, parameters, contracts } = recorded;
  const { contractType } = transaction;
  const contractRet = transaction.ret[0]?.contractRet ?? ContractResult.DEFAULT;
  const called = calledContract(transaction);
  const deployer = called && contracts.deployerOf(called.contract_address as Address);
  const paid = receiptCharges(transaction, contractRet, info, parameters, deployer && toBase58(deployer));
  const outcome = await outcomeOf(recorded, contractRet);
  const { decodeValues } = await import('../../abi/values.js');
  const implementation = called && contracts.implementationOf(called.contract_address as Address);
  const item = called && functionOf(contracts.abiOf(called.contract_address as Address), called.data);
  const values = item && called && namedValues(item.inputs, called.data.slice(SELECTOR_DIGITS), decodeValues);
  const energy = energyOf(recorded, paid, contractRet, deployer);
  const memo = hexToUtf8(transaction.raw.data);
  return {
    source: 'receipt',
    txid: transaction.txId,
    block,
    type: typeName(contractType),
    owner: toBase58(transaction.owner ?? ''),
    action: actionOf(contracts, transaction),
    ...(values !== undefined && { arguments: values }),
    ...(implementation !== undefined && { implementation: contractRef(contracts, implementation) }),
    ...(memo !== '' && transaction.ethereum === undefined && { memo }),
    outcome,
    feeSun: info.fee,
    charges: paid.charges,
    bandwidth: {
      bytes: paid.bytes,
      createsAccount: paid.createsAccount,
      bytePriceSun: parameters.long('TRANSACTION_FEE'),
    },
    ...(energy !== undefined && { energy }),
    events: info.log.map((log) => eventOfLog(log, contracts, decodeValues)),
    tokenTransfers: tokenEvents(info).map(({ standard, token, from, to, value }) => ({
      standard,
      token: contractRef(contracts, token),
      from: toBase58(from),
      to: toBase58(to),
      value,
    })),
    internalTransactions: info.internal_transactions.map((one) => ({
      note: hexToUtf8(one.note),
      from: toBase58(one.caller_address),
      to: one.transferTo_address === '' ? '' : toBase58(one.transferTo_address),
      valueSun: one.callValueInfo.find(({ tokenId }) => tokenId === '')?.callValue ?? 0n,
      tokens: one.callValueInfo.flatMap(({ tokenId, callValue }) =>
        tokenId === '' ? [] : [{ id: tokenId, amount: callValue }],
      ),
      rejected: one.rejected,
    })),
    balanceChanges: balanceChanges(transaction, info, outcome.succeeded, parameters),
    mismatches: paid.mismatches,
    assumedParameters: [...parameters.assumed],
    notRecorded: notRecorded(contractType, paid, energy),
  };
}

function calledContract({ contractType, contract }: SignedTransaction): TriggerSmartContract | undefined {
  return contractType === ContractType.TriggerSmartContract ? (contract as unknown as TriggerSmartContract) : undefined;
}

async function outcomeOf({ transaction, info, contracts }: RecordedTransaction, contractRet: number): Promise<Outcome> {
  const succeeded = info.resMessage === '' && info.result === 0;
  const outcome = {
    succeeded,
    result: resultName(contractRet),
    ...(info.resMessage !== '' && { message: hexToUtf8(info.resMessage) }),
  };
  if (succeeded) return outcome;
  const call = calledContract(transaction);
  const facts = failureFacts(contracts, {
    call,
    ownAbi: call
      ? contracts.abiOf(call.contract_address as Address)
      : (transaction.contract as unknown as Partial<CreateSmartContract> | undefined)?.new_contract?.abi,
    data: info.contractResult[0] ?? '',
    reverted: contractRet === ContractResult.REVERT,
    others: info.internal_transactions.map(({ transferTo_address }) => transferTo_address as Address).reverse(),
  });
  return { ...outcome, reason: await reasonOf(facts) };
}

function energyOf(
  { transaction, info, parameters }: RecordedTransaction,
  { boughtEnergy }: ReceiptCharges,
  contractRet: number,
  deployer: Address | undefined,
): RecordedEnergy | undefined {
  const { contractType, owner = '', raw } = transaction;
  if (contractType !== ContractType.TriggerSmartContract && contractType !== ContractType.CreateSmartContract) {
    return undefined;
  }
  const receipt = info.receipt ?? ResourceReceipt.empty;
  const { energy_usage_total: total, energy_penalty_total: penalty, origin_energy_usage: origin } = receipt;
  const priceSun = parameters.long('ENERGY_FEE');
  const owed = total - origin;
  const feeLimitEnergy = priceSun > 0n ? raw.fee_limit / priceSun : 0n;
  return {
    total,
    penalty,
    priceSun,
    caller: {
      address: toBase58(owner),
      owed,
      staked: receipt.energy_usage,
      bought: boughtEnergy,
      feeSun: receipt.energy_fee,
    },
    ...(origin > 0n && { origin: { ...(deployer !== undefined && { address: toBase58(deployer) }), paid: origin } }),
    feeLimitSun: raw.fee_limit,
    feeLimitEnergy,
    ...(contractRet === ContractResult.OUT_OF_ENERGY && {
      ranOutBy: owed >= feeLimitEnergy ? ('feeLimit' as const) : ('stake-and-balance' as const),
    }),
  };
}

function eventOfLog(
  { address, topics, data }: TransactionInfo['log'][number],
  contracts: RecordedContracts,
  decode: Parameters<typeof loggedValues>[3],
): RecordedEvent {
  const contract = `41${address}` as Address;
  const item = eventOf(contracts.abiOf(contract), topics);
  const values = item && loggedValues(item.inputs, topics, data, decode);
  return {
    contract: contractRef(contracts, contract),
    ...(item !== undefined && values !== undefined && { event: item.name, arguments: values }),
    topics,
    data,
  };
}

function notRecorded(
  contractType: number,
  { charges }: ReceiptCharges,
  energy: RecordedEnergy | undefined,
): readonly NotRecorded[] {
  const isSplit = charges.some(({ source }) => source === 'free-or-staked');
  return [
    ...(movesAreRecorded(contractType)
      ? []
      : [
          {
            section: 'balanceChanges' as const,
            why: 'a receipt of this contract type does not have all amounts that moved',
          },
        ]),
    ...(isSplit
      ? [
          {
            section: 'bandwidthSource' as const,
            why: 'a receipt has one figure for free bandwidth, staked bandwidth and the bandwidth of a token issuer',
          },
        ]
      : []),
    ...(energy === undefined
      ? []
      : [
          { section: 'energyByContract' as const, why: 'a receipt has no calls and no energy factors' },
          { section: 'limits' as const, why: 'a receipt has no stakes and balances of that moment' },
        ]),
  ];
}
