/**
 * What an account has after a block is what it had before, and what the transactions of the block say about it: their
 * contracts, their receipts, and the calls that contracts made. The sums are of this file; of the ledger it reads rows and
 * receipts. Bills are in `bills.ts`.
 */

import type { Ledger } from '../../../../src/ledger/ledger.js';
import { operationsAfter } from '../../../../src/ledger/operations/operation.js';
import { hexToUtf8 } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import type {
  AssetIssueContract,
  ParticipateAssetIssueContract,
  TransferAssetContract,
} from '../../../../src/protocol/generated/asset-issue-contract.js';
import type { FreezeBalanceV2Contract, TransferContract } from '../../../../src/protocol/generated/balance-contract.js';
import type {
  ExchangeCreateContract,
  ExchangeTransactionContract,
} from '../../../../src/protocol/generated/exchange-contract.js';
import type { MarketSellAssetContract } from '../../../../src/protocol/generated/market-contract.js';
import type { CreateSmartContract, TriggerSmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Transaction_Result_contractResult as Outcome,
  type TransactionInfo,
} from '../../../../src/protocol/generated/tron.js';
import type { SignedTransaction } from '../../../../src/protocol/transaction.js';
import { numberKey } from '../../../../src/state/tables.js';
import { Violation } from '../run/violation.js';
import type { Host } from '../users/user.js';
import { billAgrees } from './bills.js';
import { effectsAgree } from './effects.js';
import { type ScannedTransaction, transactionsIn } from './scan.js';
import { usagesAgree } from './usages.js';

const BLOCKS_BACK = 150;
const BLOCKS_AT_ONCE = 10;
/** The network's name of TRX beside tokens. */
const COIN = '_';

export function statementsAgree(host: Host): void {
  const { world } = host;
  // Rows of a fork's past are its network's, which may not answer now.
  if (world.shape.isFork) return;
  const { chain } = world.node;
  const { ledger } = chain;
  const from = Math.max(ledger.headNumber - BLOCKS_BACK, chain.commits.stateFrom + 1);
  const blocks = new Map<number, ScannedTransaction[]>();
  for (const one of transactionsIn(ledger, from)) blocks.set(one.block, [...(blocks.get(one.block) ?? []), one]);
  // What developers do after a block belongs to its height.
  const numbers = [...blocks.keys()].filter((block) => operationsAfter(ledger, block) === 0);
  // What people do seldom is looked at as often as the rest.
  const kinds = new Map<string, number[]>();
  for (const block of numbers) {
    const kind = kindOf(blocks.get(block)?.[0]?.transaction);
    kinds.set(kind, [...(kinds.get(kind) ?? []), block]);
  }
  for (let left = Math.min(BLOCKS_AT_ONCE, numbers.length); left > 0; left--) {
    const block = world.choices.of(world.choices.of([...kinds.values()]));
    blockAgrees(host, block, blocks.get(block) as readonly ScannedTransaction[]);
  }
}

function kindOf(transaction: SignedTransaction | undefined): string {
  if (transaction === undefined) return 'none';
  const { contractType, signatures, ethereum } = transaction;
  return `${contractType} ${signatures.length > 1} ${ethereum !== undefined}`;
}

/** For those who have just sent something. */
export function newestBlockAgrees(host: Host): void {
  const { ledger } = host.world.node.chain;
  const { headNumber } = ledger;
  if (host.world.shape.isFork || operationsAfter(ledger, headNumber) > 0) return;
  blockAgrees(host, headNumber, [...transactionsIn(ledger, headNumber)]);
}

function blockAgrees({ world, people }: Host, block: number, transactions: readonly ScannedTransaction[]): void {
  const { chain } = world.node;
  const [before, after] = [chain.ledgerAt(block - 1), chain.ledgerAt(block)];
  amountsAgree(transactions, before, after);
  effectsAgree(transactions, people.addresses, before, after);
  const [only, another] = transactions;
  if (only === undefined || another !== undefined) return;
  billAgrees(only, before, after);
  usagesAgree(only, before, after);
}

/** Changes of amounts, by account and token. */
class Movements {
  readonly amounts = new Map<string, Map<string, bigint>>();
  /** Contracts that ended themselves: what reaches them later in the same transaction is gone with them. */
  readonly ended = new Set<string>();

  add(address: string, token: string, amount: bigint): void {
    const account = this.amounts.get(address) ?? new Map<string, bigint>();
    this.amounts.set(address, account.set(token, (account.get(token) ?? 0n) + amount));
  }

  move(from: string, to: string, token: string, amount: bigint): void {
    this.add(from, token, -amount);
    this.add(to, token, amount);
  }
}

function amountsAgree(transactions: readonly ScannedTransaction[], before: Ledger, after: Ledger): void {
  const movements = new Movements();
  for (const one of transactions) if (!note(one, before, after, movements)) return;
  // Fees of others go there.
  movements.amounts.delete(before.config.blackhole);
  for (const [address, changes] of movements.amounts) {
    const [was, is] = [before, after].map((ledger) => holdingsOf(ledger, address as Address));
    // A later transaction of the block may have made its account again.
    if (movements.ended.has(address) && (is === undefined || transactions.length > 1)) continue;
    for (const token of new Set([COIN, ...changes.keys(), ...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
      const [had, has] = [was?.get(token) ?? 0n, is?.get(token) ?? 0n];
      const change = changes.get(token) ?? 0n;
      if (had + change === has) continue;
      const [first] = transactions as readonly [ScannedTransaction];
      throw new Violation(
        'an account has what its transactions say',
        `${address} had ${had} of ${token} before block ${first.block}, which says ${change}, and has ${has}: ` +
          transactions.map(({ txId, transaction }) => `${txId} (type ${transaction.contractType})`).join(),
      );
    }
  }
}

/** Coin and tokens, with those in open orders and the frozen supply of an issuer. Undefined: there is no account. */
function holdingsOf({ state }: Ledger, address: Address): Map<string, bigint> | undefined {
  const { accounts, marketAccounts, marketOrders } = state.tables;
  const account = accounts.get(address);
  if (account === undefined) return undefined;
  const holdings = new Map([[COIN, account.balance], ...account.assetV2]);
  const add = (token: string, amount: bigint) => holdings.set(token, (holdings.get(token) ?? 0n) + amount);
  for (const id of marketAccounts.get(address)?.orders ?? []) {
    const order = marketOrders.get(id);
    if (order !== undefined) add(tokenOf(order.sell_token_id), order.sell_token_quantity_remain);
  }
  for (const { frozen_balance } of account.frozen_supply) add(tokenOf(account.asset_issued_ID), frozen_balance);
  return holdings;
}

/** @returns false: it moves amounts in a way that this file does not know */
function note({ transaction, info }: ScannedTransaction, before: Ledger, after: Ledger, movements: Movements): boolean {
  const owner = transaction.owner ?? '';
  movements.add(owner, COIN, -info.fee);
  const outcome = info.receipt?.result ?? Outcome.DEFAULT;
  if (outcome !== Outcome.DEFAULT && outcome !== Outcome.SUCCESS) return true;
  const known = NOTES[transaction.contractType];
  if (known === undefined) return false;
  return known(transaction.contract as never, info, owner, movements, before, after);
}

type Note<Message> = (
  contract: Message,
  info: TransactionInfo,
  owner: string,
  movements: Movements,
  before: Ledger,
  after: Ledger,
) => boolean;

/** Of types that change no amounts but by their fee. */
const nothing: Note<unknown> = () => true;

const tokenOf = (hex: string): string => hexToUtf8(hex);

type Call = Pick<TriggerSmartContract, 'call_value' | 'call_token_value' | 'token_id'>;

const called: Note<Call> = ({ call_value, call_token_value, token_id }, info, owner, movements, before, after) => {
  const contract = info.contract_address;
  movements.move(owner, contract, COIN, call_value);
  if (call_token_value > 0n) movements.move(owner, contract, String(token_id), call_token_value);
  for (const {
    note: kind,
    rejected,
    caller_address,
    transferTo_address,
    callValueInfo,
  } of info.internal_transactions) {
    if (rejected) continue;
    const what = hexToUtf8(kind);
    if (!/^(call|create|suicide)$/.test(what)) return false;
    if (what === 'suicide') {
      if (ownsMore(before, caller_address) || ownsMore(after, caller_address)) return false;
      movements.ended.add(caller_address);
      // Without an heir, a contract of an earlier transaction keeps what it has, where the network says so.
      if (caller_address === transferTo_address && after.on('ALLOW_TVM_SELFDESTRUCT_RESTRICTION')) continue;
    }
    for (const { callValue, tokenId } of callValueInfo)
      movements.move(caller_address, transferTo_address, tokenId === '' ? COIN : tokenId, callValue);
  }
  return true;
};

/** Votes, stakes and rewards are settled when a contract ends itself. */
function ownsMore({ state }: Ledger, address: string): boolean {
  const account = state.tables.accounts.get(address as Address);
  if (account === undefined) return false;
  const { votes, allowance, frozenV2, unfrozenV2 } = account;
  return votes.length > 0 || allowance > 0n || unfrozenV2.length > 0 || frozenV2.some(({ amount }) => amount > 0n);
}

/** What becomes free of a stake, in a receipt. */
const paidOut: Note<unknown> = (_, { withdraw_amount, unfreeze_amount, withdraw_expire_amount }, owner, movements) => {
  movements.add(owner, COIN, withdraw_amount + unfreeze_amount + withdraw_expire_amount);
  return true;
};

const staked: Note<Pick<FreezeBalanceV2Contract, 'frozen_balance'>> = ({ frozen_balance }, _, owner, movements) => {
  movements.add(owner, COIN, -frozen_balance);
  return true;
};

/** @param direction -1n: the owner gives both */
function bothSides(
  direction: bigint,
  otherOf: (info: TransactionInfo) => bigint,
): Note<Pick<ExchangeTransactionContract, 'exchange_id' | 'token_id' | 'quant'>> {
  return ({ exchange_id, token_id, quant }, info, owner, movements, before) => {
    const exchange = before.state.tables.exchanges.get(numberKey(exchange_id));
    if (exchange === undefined) return false;
    const own = tokenOf(token_id);
    const [first, second] = [exchange.first_token_id, exchange.second_token_id].map(tokenOf) as [string, string];
    movements.add(owner, own, direction * quant);
    movements.add(owner, own === first ? second : first, direction * otherOf(info));
    return true;
  };
}

const NOTES: Readonly<Record<number, Note<never>>> = {
  [ContractType.TransferContract]: ({ to_address, amount }: TransferContract, _, owner, movements) => {
    movements.move(owner, to_address, COIN, amount);
    return true;
  },
  [ContractType.TransferAssetContract]: (
    { asset_name, to_address, amount }: TransferAssetContract,
    _,
    owner,
    movements,
  ) => {
    movements.move(owner, to_address, tokenOf(asset_name), amount);
    return true;
  },
  [ContractType.ParticipateAssetIssueContract]: (
    contract: ParticipateAssetIssueContract,
    _,
    owner,
    movements,
    before,
  ) => {
    const { asset_name, to_address, amount } = contract;
    const asset = before.state.tables.assets.get(asset_name);
    if (asset === undefined) return false;
    movements.move(owner, to_address, COIN, amount);
    movements.move(to_address, owner, asset.id, (amount * BigInt(asset.num)) / BigInt(asset.trx_num));
    return true;
  },
  [ContractType.AssetIssueContract]: ({ total_supply }: AssetIssueContract, { assetIssueID }, owner, movements) => {
    movements.add(owner, assetIssueID, total_supply);
    return true;
  },
  [ContractType.CreateSmartContract]: (contract: CreateSmartContract, info, owner, movements, before, after) => {
    const { new_contract, call_token_value, token_id } = contract;
    const call = { call_value: new_contract?.call_value ?? 0n, call_token_value, token_id };
    return called(call, info, owner, movements, before, after);
  },
  [ContractType.TriggerSmartContract]: called,
  [ContractType.ExchangeCreateContract]: (contract: ExchangeCreateContract, _, owner, movements) => {
    const { first_token_id, first_token_balance, second_token_id, second_token_balance } = contract;
    movements.add(owner, tokenOf(first_token_id), -first_token_balance);
    movements.add(owner, tokenOf(second_token_id), -second_token_balance);
    return true;
  },
  [ContractType.ExchangeInjectContract]: bothSides(-1n, (info) => info.exchange_inject_another_amount),
  [ContractType.ExchangeWithdrawContract]: bothSides(1n, (info) => info.exchange_withdraw_another_amount),
  // What it gives is negative, what it receives is not.
  [ContractType.ExchangeTransactionContract]: bothSides(-1n, (info) => -info.exchange_received_amount),
  [ContractType.MarketSellAssetContract]: (contract: MarketSellAssetContract, info, owner, movements, _, after) => {
    const [sold, bought] = [contract.sell_token_id, contract.buy_token_id].map(tokenOf) as [string, string];
    for (const { makerOrderId, fillSellQuantity, fillBuyQuantity } of info.orderDetails) {
      const maker = after.state.tables.marketOrders.get(makerOrderId)?.owner_address;
      // Who buys from itself loses what its order receives (protocol/trade.md#market-order-book).
      if (maker === undefined || maker === owner) return false;
      movements.move(owner, maker, sold, fillSellQuantity);
      movements.move(maker, owner, bought, fillBuyQuantity);
    }
    return true;
  },
  [ContractType.MarketCancelOrderContract]: nothing,
  [ContractType.UnfreezeAssetContract]: nothing,
  [ContractType.FreezeBalanceContract]: staked,
  [ContractType.FreezeBalanceV2Contract]: staked,
  [ContractType.UnfreezeBalanceContract]: paidOut,
  [ContractType.UnfreezeBalanceV2Contract]: paidOut,
  [ContractType.WithdrawExpireUnfreezeContract]: paidOut,
  [ContractType.CancelAllUnfreezeV2Contract]: paidOut,
  [ContractType.WithdrawBalanceContract]: paidOut,
  [ContractType.AccountCreateContract]: nothing,
  [ContractType.AccountUpdateContract]: nothing,
  [ContractType.AccountPermissionUpdateContract]: nothing,
  [ContractType.SetAccountIdContract]: nothing,
  [ContractType.VoteWitnessContract]: nothing,
  [ContractType.WitnessCreateContract]: nothing,
  [ContractType.WitnessUpdateContract]: nothing,
  [ContractType.UpdateBrokerageContract]: nothing,
  [ContractType.UpdateAssetContract]: nothing,
  [ContractType.UpdateSettingContract]: nothing,
  [ContractType.UpdateEnergyLimitContract]: nothing,
  [ContractType.ClearABIContract]: nothing,
  [ContractType.ProposalCreateContract]: nothing,
  [ContractType.ProposalApproveContract]: nothing,
  [ContractType.ProposalDeleteContract]: nothing,
  [ContractType.DelegateResourceContract]: nothing,
  [ContractType.UnDelegateResourceContract]: nothing,
};
