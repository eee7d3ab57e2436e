/**
 * What accounts gained and lost in a transaction, from its contract, its receipt and its events. Fees that are burned or go
 * to block producers have no receiver here.
 */

import { type TokenEvent, tokenEventOf } from '../../ledger/history/token-events.js';
import { hexToUtf8 } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { TransferAssetContract } from '../../protocol/generated/asset-issue-contract.js';
import type { TransferContract } from '../../protocol/generated/balance-contract.js';
import type { CreateSmartContract, TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  type InternalTransaction,
  type TransactionInfo,
} from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { RecordedBalanceChange } from '../model/recorded-explanation.js';
import type { ParametersThen } from './parameter-history.js';

const TRX = '';
/** Internal transactions by their note: who gets the value. A contract that destroys itself may also withdraw stakes. */
const TRANSFER = /^(call|create|suicide)$/;
const STAKES = /^freeze(BalanceV2)?For/;
const WITHDRAWS = /^(withdraw|unfreezeFor)/;
/** Contract types whose receipts do not have all that moves. */
const INCOMPLETE: ReadonlySet<number> = new Set([
  ContractType.ParticipateAssetIssueContract,
  ContractType.ExchangeCreateContract,
  ContractType.ExchangeInjectContract,
  ContractType.ExchangeWithdrawContract,
  ContractType.ExchangeTransactionContract,
  ContractType.MarketSellAssetContract,
  ContractType.MarketCancelOrderContract,
  ContractType.UnfreezeAssetContract,
]);

/** Whether {@link balanceChanges} has all that a transaction of this type moves. */
export const movesAreRecorded = (contractType: number): boolean => !INCOMPLETE.has(contractType);

/** The receiver of minted tokens and the sender of burned ones. */
const NOBODY = '410000000000000000000000000000000000000000';

export function tokenEvents({ log }: TransactionInfo): readonly TokenEvent[] {
  return log.flatMap((one) => {
    const event = tokenEventOf(one);
    return event?.type === 'Transfer' ? [event] : [];
  });
}

/**
 * @param succeeded a failed transaction moves nothing but its fee
 * @param then a contract that destroys itself in favour of itself loses its TRX, unless a parameter keeps older contracts
 */
export function balanceChanges(
  transaction: SignedTransaction,
  info: TransactionInfo,
  succeeded: boolean,
  then: ParametersThen,
): readonly RecordedBalanceChange[] {
  const owner = (transaction.owner ?? '') as Address;
  const changes = new Map<string, { readonly account: string; readonly token: string; change: bigint }>();
  const add = (account: string, token: string, change: bigint) => {
    if (change === 0n || account === '' || (account === NOBODY && token !== TRX)) return;
    const key = `${account} ${token}`;
    const known = changes.get(key);
    if (known === undefined) changes.set(key, { account, token, change });
    else known.change += change;
  };
  const move = (from: string, to: string, token: string, amount: bigint) => {
    add(from, token, -amount);
    add(to, token, amount);
  };
  add(owner, TRX, -info.fee);
  if (succeeded) {
    moveOfContract(transaction, info, move);
    const unstaked = transaction.contractType === ContractType.UnfreezeBalanceContract ? info.unfreeze_amount : 0n;
    add(owner, TRX, info.withdraw_amount + info.withdraw_expire_amount + unstaked);
    const created = new Set(
      info.internal_transactions.flatMap(({ note, transferTo_address }) =>
        hexToUtf8(note) === 'create' ? [transferTo_address] : [],
      ),
    );
    const isKept = (contract: string) =>
      then.long('ALLOW_TVM_SELFDESTRUCT_RESTRICTION') === 1n && !created.has(contract as never);
    for (const one of info.internal_transactions) moveInternally(one, move, isKept);
    for (const { token, from, to, value, standard } of tokenEvents(info))
      move(from, to, toBase58(token), standard === 'trc721' ? 1n : value);
  }
  return [...changes.values()]
    .filter(({ change }) => change !== 0n)
    .map(({ account, token, change }) => ({
      address: toBase58(account as Address),
      ...(token !== TRX && { token }),
      change,
    }));
}

type Move = (from: string, to: string, token: string, amount: bigint) => void;

function moveOfContract(transaction: SignedTransaction, info: TransactionInfo, move: Move) {
  const { contractType, contract } = transaction;
  const owner: string = transaction.owner ?? '';
  switch (contractType) {
    case ContractType.TransferContract: {
      const { to_address, amount } = contract as unknown as TransferContract;
      return move(owner, to_address, TRX, amount);
    }
    case ContractType.TransferAssetContract: {
      const { to_address, amount, asset_name } = contract as unknown as TransferAssetContract;
      return move(owner, to_address, hexToUtf8(asset_name), amount);
    }
    case ContractType.TriggerSmartContract: {
      const { contract_address, call_value, call_token_value, token_id } = contract as unknown as TriggerSmartContract;
      move(owner, contract_address, TRX, call_value);
      return move(owner, contract_address, String(token_id), call_token_value);
    }
    case ContractType.CreateSmartContract: {
      const { new_contract, call_token_value, token_id } = contract as unknown as CreateSmartContract;
      move(owner, info.contract_address, TRX, new_contract?.call_value ?? 0n);
      return move(owner, info.contract_address, String(token_id), call_token_value);
    }
    case ContractType.FreezeBalanceContract:
    case ContractType.FreezeBalanceV2Contract: {
      const { frozen_balance } = contract as unknown as { readonly frozen_balance: bigint };
      return move(owner, '', TRX, frozen_balance);
    }
  }
}

function moveInternally(
  { caller_address, transferTo_address, callValueInfo, note, rejected }: InternalTransaction,
  move: Move,
  isKept: (contract: string) => boolean,
) {
  if (rejected) return;
  const what = hexToUtf8(note);
  for (const { tokenId, callValue } of callValueInfo) {
    const toItself = what === 'suicide' && caller_address === transferTo_address;
    if (toItself) move(caller_address, isKept(caller_address) ? caller_address : '', tokenId, callValue);
    else if (TRANSFER.test(what)) move(caller_address, transferTo_address, tokenId, callValue);
    else if (STAKES.test(what)) move(caller_address, '', tokenId, callValue);
    else if (WITHDRAWS.test(what)) move('', caller_address, tokenId, callValue);
  }
}
