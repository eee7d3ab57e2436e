/** A transaction of a network as a step of a scenario. */

import type { encodeValues } from '../../abi/encode-values.js';
import { functionOf } from '../../abi/items.js';
import type { decodeValues } from '../../abi/values.js';
import type { RecordedContracts } from '../../explanation/recorded/explain-receipt.js';
import { resultName } from '../../explanation/summary/summary.js';
import { type Hex, hexToUtf8 } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { formatTrx } from '../../prose/amounts.js';
import { fromBase58 } from '../../protocol/address.js';
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
import { NO_SIGNATURE, recoverAddress } from '../../protocol/signature.js';
import type { SignedTransaction } from '../../protocol/transaction.js';

/** One key, the kind of the step. */
export type TrafficStep = Readonly<Record<string, object>>;

/** Names that a scenario uses for accounts and contracts; others stay addresses. */
export type NameOf = (address: Address) => string;

const RESOURCES = ['bandwidth', 'energy', 'tronPower'] as const;
const SELECTOR_DIGITS = 8;
/** Locks count in slots. */
const SLOT_SECONDS = 3n;

/** As scenarios write amounts: `1_500.5 TRX`. */
export const scenarioAmount = (amount: bigint): string => formatTrx(amount).replaceAll(',', '_');

/** Loaded on first use. */
export interface AbiCodec {
  readonly decode: typeof decodeValues;
  readonly encode: typeof encodeValues;
}

/** @returns undefined for a contract type that scenarios do not repeat */
export function trafficStep(
  transaction: SignedTransaction,
  info: TransactionInfo,
  nameOf: NameOf,
  contracts: RecordedContracts,
  codec: AbiCodec,
): TrafficStep | undefined {
  const kind = KINDS[transaction.contractType];
  if (kind === undefined || transaction.contract === undefined || transaction.owner === undefined) return undefined;
  const { raw, ret, ethereum, permissionId, signatures } = transaction;
  const energy = info.receipt?.energy_usage_total ?? 0n;
  const [name, fields] = kind(transaction, { nameOf, contracts, codec });
  return {
    [name]: {
      from: nameOf(transaction.owner),
      ...fields,
      ...(raw.data !== '' && ethereum === undefined && { memoHex: raw.data }),
      ...(permissionId !== 0 && { permission: permissionId }),
      // Each further signature costs bytes and, if there are several, a fee.
      ...(signatures.length > 1 && { signers: severalSigners(transaction).map(nameOf) }),
      was: {
        result: resultName(ret[0]?.contractRet ?? 0),
        ...(energy > 0n && { energy: Number(energy) }),
        fee: scenarioAmount(info.fee),
      },
    },
  };
}

/** Empty for one signature. */
export function severalSigners({ txId, signatures, owner }: SignedTransaction): readonly Address[] {
  if (signatures.length < 2) return [];
  return signatures.map((signature) =>
    signature === NO_SIGNATURE ? (owner as Address) : recoverAddress(txId, signature),
  );
}

interface Known {
  readonly nameOf: NameOf;
  readonly contracts: RecordedContracts;
  readonly codec: AbiCodec;
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
    const { receiver_address, balance, resource, lock, lock_period } =
      contractIn<DelegateResourceContract>(transaction);
    return [
      'delegate',
      {
        to: nameOf(receiver_address as Address),
        amount: scenarioAmount(balance),
        for: RESOURCES[resource],
        ...(lock && { lock: `${lock_period * SLOT_SECONDS}s` }),
      },
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

/** With a method where its arguments are the same bytes again; else the call data. */
function call(transaction: SignedTransaction, { nameOf, contracts, codec }: Known): readonly [string, object] {
  const { contract_address, data, call_value, token_id, call_token_value } =
    contractIn<TriggerSmartContract>(transaction);
  const contract = contract_address as Address;
  const item = functionOf(contracts.abiOf(contract), data);
  const values = item && argumentsIn(data.slice(SELECTOR_DIGITS) as Hex, item.inputs, codec);
  const { fee_limit } = transaction.raw;
  return [
    'call',
    {
      contract: nameOf(contract),
      ...(item !== undefined && values !== undefined
        ? { method: item.signature, args: values }
        : { data: `0x${data}` }),
      ...(call_value > 0n && { value: scenarioAmount(call_value) }),
      ...(token_id > 0n && { token: String(token_id), tokenValue: String(call_token_value) }),
      feeLimit: scenarioAmount(fee_limit),
    },
  ];
}

/** Undefined if a file cannot have them: clients also send addresses with a 41 before them, or bytes behind the last value. */
function argumentsIn(
  data: Hex,
  inputs: NonNullable<ReturnType<typeof functionOf>>['inputs'],
  { decode, encode }: AbiCodec,
): readonly unknown[] | undefined {
  if (inputs.some(({ type }) => type.startsWith('tuple'))) return undefined;
  const values = decode(inputs, data);
  if (values === undefined) return undefined;
  try {
    return encode(inputs, values, fromBase58) === data ? values : undefined;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
