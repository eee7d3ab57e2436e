/**
 * What the transactions of a block say of stakes, loans, votes, names, permissions, tokens, exchanges and settings is what
 * the state says after it, and nothing else has changed. Rules are written here as a client reads them in a document;
 * of the ledger this file reads rows and receipts.
 */

import type { Ledger } from '../../../../src/ledger/ledger.js';
import { hexToUtf8, utf8ToHex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Transaction_Result_contractResult as Outcome,
} from '../../../../src/protocol/generated/tron.js';
import { Violation } from '../run/violation.js';
import { orderFillsAreWrong, RULES, type Said, tradeIsWrong } from './effect-rules.js';
import { factsOf, factText, type Subjects } from './facts.js';
import type { ScannedTransaction } from './scan.js';

const NAME = 'an account has what its transactions say';

const CHANGING_VOTES: ReadonlySet<number> = new Set([
  ContractType.VoteWitnessContract,
  ContractType.UnfreezeBalanceContract,
  ContractType.UnfreezeBalanceV2Contract,
]);

/** @param people whose accounts are looked at, whoever is named */
export function effectsAgree(
  transactions: readonly ScannedTransaction[],
  people: readonly Address[],
  before: Ledger,
  after: Ledger,
): void {
  // A maintenance counts votes, ends proposals and changes brokerages.
  if (before.long('NEXT_MAINTENANCE_TIME') !== after.long('NEXT_MAINTENANCE_TIME')) return;
  const subjects = subjectsOf(transactions, people, before);
  const facts = factsOf(before, subjects);
  for (const [i, one] of transactions.entries()) {
    const owner = one.transaction.owner as Address;
    const votesAgain = transactions
      .slice(i + 1)
      .some(({ transaction }) => transaction.owner === owner && CHANGING_VOTES.has(transaction.contractType));
    const said = { facts, before, after, nowMs: before.headTimeMs, owner, votesAgain };
    const known = follow(one, { ...said, info: one.info });
    if (known === false) return;
    if (typeof known === 'string') throw new Violation(NAME, `${one.txId} of block ${one.block}: ${known}`);
  }
  const now = factsOf(after, subjects);
  for (const name of new Set([...facts.keys(), ...now.keys()])) {
    // Accounts that are new have what their creator gave them.
    const [address] = name.split(' ') as [string];
    if (address.startsWith('41') && address.length === 42 && !facts.has(`${address} is there`)) continue;
    const [expected, is] = [factText(facts.get(name)), factText(now.get(name))];
    if (expected === is) continue;
    const [{ block } = { block: 0 }] = transactions;
    const all = transactions.map(({ txId, transaction }) => `${txId} (type ${transaction.contractType})`).join();
    throw new Violation(NAME, `after block ${block}, ${name} has to be ${expected}, and is ${is}: ${all}`);
  }
}

/** @returns false: nobody knows here what it does; a text: what is wrong */
function follow({ transaction, info }: ScannedTransaction, said: Said): boolean | string {
  const outcome = info.receipt?.result ?? Outcome.DEFAULT;
  if (outcome !== Outcome.DEFAULT && outcome !== Outcome.SUCCESS) return true;
  const rule = RULES[transaction.contractType];
  if (rule === undefined || transaction.contract === undefined) return false;
  // Contracts stake, vote and end themselves, too.
  if (info.internal_transactions.some(({ note }) => !/^(call|create)$/.test(hexToUtf8(note)))) return false;
  const wrong = tradeIsWrong(transaction.contract as never, said) ?? orderFillsAreWrong(said);
  return wrong ?? rule(transaction.contract as never, said);
}

interface Named {
  readonly owner_address?: Address;
  readonly receiver_address?: Address;
  readonly to_address?: Address;
  readonly contract_address?: Address;
  readonly asset_name?: string;
  readonly exchange_id?: bigint;
  readonly proposal_id?: bigint;
  readonly order_id?: string;
}

function subjectsOf(transactions: readonly ScannedTransaction[], people: readonly Address[], before: Ledger): Subjects {
  const subjects: Subjects = {
    ...{ accounts: new Set(people), pairs: new Set(), contracts: new Set(), assets: new Set() },
    ...{ exchanges: new Set(), proposals: new Set(), orders: new Set() },
  };
  let [proposals, exchanges] = [before.long('LATEST_PROPOSAL_NUM'), before.long('LATEST_EXCHANGE_NUM')];
  for (const { transaction, info } of transactions) {
    const named = (transaction.contract ?? {}) as Named;
    const { owner_address: owner, receiver_address: receiver, to_address, contract_address } = named;
    for (const address of [owner, receiver, to_address]) if (address?.length === 42) subjects.accounts.add(address);
    if (owner !== undefined && receiver?.length === 42)
      for (const pair of [owner + receiver, receiver + owner]) subjects.pairs.add(pair);
    if (contract_address?.length === 42) subjects.contracts.add(contract_address);
    const own = owner && before.state.tables.accounts.get(owner)?.asset_issued_ID;
    for (const asset of [named.asset_name, own, utf8ToHex(info.assetIssueID)])
      if (asset !== undefined && asset !== '') subjects.assets.add(asset);
    if (named.exchange_id !== undefined && named.exchange_id > 0n) subjects.exchanges.add(named.exchange_id);
    if (named.proposal_id !== undefined && named.proposal_id > 0n) subjects.proposals.add(named.proposal_id);
    if (named.order_id !== undefined && named.order_id !== '') subjects.orders.add(named.order_id);
    if (transaction.contractType === ContractType.ProposalCreateContract) subjects.proposals.add(++proposals);
    if (transaction.contractType === ContractType.ExchangeCreateContract) subjects.exchanges.add(++exchanges);
  }
  return subjects;
}
