/** A transaction of a network as a step of a scenario. */

import { functionOf } from '../../abi/items.js';
import type { decodeValues } from '../../abi/values.js';
import type { RecordedContracts } from '../../explanation/recorded/explain-receipt.js';
import { resultName } from '../../explanation/summary/summary.js';
import { hexToUtf8 } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { formatTrx } from '../../prose/amounts.js';
import type { TransferAssetContract } from '../../protocol/generated/asset-issue-contract.js';
import type {
  DelegateResourceContract,
  FreezeBalanceV2Contract,
  TransferContract,
  UnfreezeBalanceV2Contract,
} from '../../protocol/generated/balance-contract.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  type TransactionInfo,
} from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';

/** One key, the kind of the step. */
export type TrafficStep = Readonly<Record<string, object>>;

/** Names that a scenario uses for accounts and contracts; others stay addresses. */
export type NameOf = (address: Address) => string;

const RESOURCES = ['bandwidth', 'energy', 'tronPower'] as const;
const SELECTOR_DIGITS = 8;

/** As scenarios write amounts: `1_500.5 TRX`. */
export const scenarioAmount = (amount: bigint): string => formatTrx(amount).replaceAll(',', '_');

/** @returns undefined for a contract type that scenarios do not repeat */
export function trafficStep(
  transaction: SignedTransaction,
  info: TransactionInfo,
  nameOf: NameOf,
  contracts: RecordedContracts,
  decode: typeof decodeValues,
): TrafficStep | undefined {
  const kind = KINDS[transaction.contractType];
  if (kind === undefined || transaction.contract === undefined || transaction.owner === undefined) return undefined;
  const { raw, ret, ethereum } = transaction;
  const energy = info.receipt?.energy_usage_total ?? 0n;
  const [name, fields] = kind(transaction, { nameOf, contracts, decode });
  return {
    [name]: {
      from: nameOf(transaction.owner),
      ...fields,
      ...(raw.data !== '' && ethereum === undefined && { memoHex: raw.data }),
      was: {
        result: resultName(ret[0]?.contractRet ?? 0),
        ...(energy > 0n && { energy: Number(energy) }),
        fee: scenarioAmount(info.fee),
      },
    },
  };
}

interface Known {
  readonly nameOf: NameOf;
  readonly contracts: RecordedContracts;
  readonly decode: typeof decodeValues;
}

type Kind = (transaction: SignedTransaction, known: Known) => readonly [name: string, fields: object];

const contractIn = <Message>({ contract }: SignedTransaction): Message => contract as unknown as Message;

const KINDS: Readonly<Record<number, Kind>> = {
  [ContractType.TransferContract]: (transaction, { nameOf }) => {
    const { to_address, amount } = contractIn<TransferContract>(transaction);
    return ['transfer', { to: nameOf(to_address as Address), amount: scenarioAmount(amount) }];
  },
  [ContractType.TransferAssetContract]: (transaction, { nameOf }) => {
    const { to_address, amount, asset_name } = contractIn<TransferAssetContract>(transaction);
    return ['trc10', { to: nameOf(to_address as Address), token: hexToUtf8(asset_name), amount: String(amount) }];
  },
  [ContractType.TriggerSmartContract]: call,
  [ContractType.FreezeBalanceV2Contract]: (transaction) => {
    const { frozen_balance, resource } = contractIn<FreezeBalanceV2Contract>(transaction);
    return ['stake', { amount: scenarioAmount(frozen_balance), for: RESOURCES[resource] }];
  },
  [ContractType.UnfreezeBalanceV2Contract]: (transaction) => {
    const { unfreeze_balance, resource } = contractIn<UnfreezeBalanceV2Contract>(transaction);
    return ['unstake', { amount: scenarioAmount(unfreeze_balance), for: RESOURCES[resource] }];
  },
  [ContractType.DelegateResourceContract]: (transaction, { nameOf }) => {
    const { receiver_address, balance, resource } = contractIn<DelegateResourceContract>(transaction);
    return [
      'delegate',
      { to: nameOf(receiver_address as Address), amount: scenarioAmount(balance), for: RESOURCES[resource] },
    ];
  },
  [ContractType.UnDelegateResourceContract]: (transaction, { nameOf }) => {
    const { receiver_address, balance, resource } = contractIn<DelegateResourceContract>(transaction);
    return [
      'undelegate',
      { to: nameOf(receiver_address as Address), amount: scenarioAmount(balance), for: RESOURCES[resource] },
    ];
  },
};

/** With a method where its arguments can be written in a file; else the call data. */
function call(transaction: SignedTransaction, { nameOf, contracts, decode }: Known): readonly [string, object] {
  const { contract_address, data, call_value } = contractIn<TriggerSmartContract>(transaction);
  const contract = contract_address as Address;
  const item = functionOf(contracts.abiOf(contract), data);
  const values = item && decode(item.inputs, data.slice(SELECTOR_DIGITS));
  const isPlain = item?.inputs.every(({ type }) => !type.startsWith('tuple'));
  const { fee_limit } = transaction.raw;
  return [
    'call',
    {
      contract: nameOf(contract),
      ...(item !== undefined && values !== undefined && isPlain
        ? { method: item.signature, args: values }
        : { data: `0x${data}` }),
      ...(call_value > 0n && { value: scenarioAmount(call_value) }),
      feeLimit: scenarioAmount(fee_limit),
    },
  ];
}

/** The contract of a call. */
export function calledContract({ contractType, contract }: SignedTransaction): Address | undefined {
  if (contractType !== ContractType.TriggerSmartContract) return undefined;
  return (contract as unknown as TriggerSmartContract).contract_address as Address;
}
