/** A call in Ethereum's form as the contract of a transaction; the contract type depends on the receiver. */

import { type Hex, utf8ToHex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import type { ContractMessage } from '../protocol/contract-types.js';
import { TransferAssetContract } from '../protocol/generated/asset-issue-contract.js';
import { TransferContract } from '../protocol/generated/balance-contract.js';
import { CreateSmartContract, SmartContract, TriggerSmartContract } from '../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../protocol/generated/tron.js';
import type { WalletContext } from './context.js';
import { getContract } from './contracts.js';

export interface PlainCall {
  readonly from: Address;
  /** Undefined: `data` is deployed. */
  readonly to: Address | undefined;
  readonly data: Hex;
  /** In sun. */
  readonly value: bigint;
  readonly tokenId: bigint;
  readonly tokenValue: bigint;
}

/** Defaults of a deployment: the caller pays, as in Ethereum; the rest is TronWeb's. */
export const CREATION_DEFAULTS = { consume_user_resource_percent: 100n, origin_energy_limit: 10_000_000n } as const;

export interface CallContract {
  readonly type: number;
  readonly message: ContractMessage;
  /** Whether the machine runs it, with a fee limit. */
  readonly runs: boolean;
}

export type CreationTerms = Partial<Omit<SmartContract, 'origin_address' | 'bytecode' | 'call_value'>>;

/**
 * A deployment, a call of an existing contract, a token transfer without TRX, or a TRX transfer.
 *
 * @param terms of a deployment, over {@link CREATION_DEFAULTS}
 */
export function contractOfCall(
  wallet: WalletContext,
  { from: owner_address, to, data, value, tokenId, tokenValue }: PlainCall,
  terms: CreationTerms = {},
): CallContract {
  const tokens = { token_id: tokenId, call_token_value: tokenValue };
  if (to === undefined) {
    const own = { origin_address: owner_address, bytecode: data, call_value: value };
    const new_contract = SmartContract.create({ ...CREATION_DEFAULTS, ...terms, ...own });
    const message = CreateSmartContract.create({ owner_address, new_contract, ...tokens });
    return { type: ContractType.CreateSmartContract, message, runs: true };
  }
  if (getContract(wallet, { value: to }) !== undefined) {
    const call = { owner_address, contract_address: to, data, call_value: value, ...tokens };
    return { type: ContractType.TriggerSmartContract, message: TriggerSmartContract.create(call), runs: true };
  }
  const transfer = { owner_address, to_address: to };
  if (tokenId > 0n && tokenValue > 0n && value === 0n) {
    const asset = { ...transfer, asset_name: utf8ToHex(tokenId.toString()), amount: tokenValue };
    return { type: ContractType.TransferAssetContract, message: TransferAssetContract.create(asset), runs: false };
  }
  const message = TransferContract.create({ ...transfer, amount: value });
  return { type: ContractType.TransferContract, message, runs: false };
}
