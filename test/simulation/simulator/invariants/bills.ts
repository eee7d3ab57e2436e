/**
 * The receipt of a transaction that is alone in its block is a bill that adds up, and nobody pays coin who has bandwidth or
 * Energy. A usage only recovers: what was used before, and what is added, is the most that can be used now. So the formulas
 * of recovery are not needed here.
 */

import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { Address } from '../../../../src/primitives/ids.js';
import type { TriggerSmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import {
  type Account,
  Transaction_Contract_ContractType as ContractType,
  Transaction_Result_contractResult as Outcome,
} from '../../../../src/protocol/generated/tron.js';
import type { SignedTransaction } from '../../../../src/protocol/transaction.js';
import { Violation } from '../run/violation.js';
import type { ScannedTransaction } from './scan.js';

/** Room for a result, which is paid for although nobody sends it. */
const RESULT_BYTES = 64n;
const SUN_PER_TRX = 1_000_000n;
/** Each reading and each writing of a usage may round. */
const ROUNDED = 2n;

export function billAgrees(one: ScannedTransaction, before: Ledger, after: Ledger): void {
  const { transaction, info } = one;
  const { receipt } = info;
  const account = before.state.tables.accounts.get(transaction.owner ?? ('' as never));
  if (receipt === undefined || account === undefined) return;
  const wrong =
    bytesAreWrong(one, account, before, after) ??
    energyIsWrong(one, account, before) ??
    poolsPartIsWrong(one, before) ??
    deployersPartIsWrong(one, before);
  if (wrong !== undefined)
    throw new Violation(
      'an account has what its transactions say',
      `${one.txId} (type ${transaction.contractType}) of block ${one.block}: ${wrong}`,
    );
}

/** Bandwidth that a stake gives, or one less. */
function limitOf(stakeSun: bigint, total: bigint, weight: bigint): bigint {
  return weight <= 0n ? 0n : (stakeSun * total) / (SUN_PER_TRX * weight) - 1n;
}

const staked = ({ frozenV2 }: Account, resource: number): bigint =>
  frozenV2.filter(({ type }) => type === resource).reduce((sum, { amount }) => sum + amount, 0n);

const bytesOf = (transaction: SignedTransaction): bigint =>
  BigInt(transaction.withRet([]).encode().length) + RESULT_BYTES;

function bytesAreWrong(
  { transaction, info }: ScannedTransaction,
  account: Account,
  before: Ledger,
  after: Ledger,
): string | undefined {
  const { net_usage = 0n, net_fee = 0n } = info.receipt ?? {};
  // On the network, what Ethereum's form adds would not be sent.
  if (transaction.ethereum !== undefined) return undefined;
  const bytes = bytesOf(transaction);
  const fees = [before.long('TRANSACTION_FEE') * bytes, before.long('CREATE_ACCOUNT_FEE')];
  if (net_usage > 0n ? net_fee > 0n || net_usage !== bytes : net_fee !== 0n && !fees.includes(net_fee))
    return `of its ${bytes} bytes ${net_usage} are used, and ${net_fee} sun are paid`;
  const limit = limitOf(
    staked(account, 0) + account.acquired_delegated_frozenV2_balance_for_bandwidth,
    before.long('TOTAL_NET_LIMIT'),
    before.long('TOTAL_NET_WEIGHT'),
  );
  const isStaked = account.net_usage + bytes + ROUNDED <= limit;
  if (net_fee > 0n && isStaked)
    return `${net_fee} sun are paid for ${bytes} bytes, although of ${limit} staked bytes ${account.net_usage} were used`;
  return usageIsWrong(transaction.contractType, net_usage, isStaked, account, before, after);
}

/** Of types that move no resources. */
const PLAIN: ReadonlySet<number> = new Set([
  ContractType.TransferContract,
  ContractType.VoteWitnessContract,
  ContractType.AccountUpdateContract,
  ContractType.UpdateBrokerageContract,
]);

/** @param isStaked whether the stake has room: its bytes come before those of the day */
function usageIsWrong(
  type: number,
  used: bigint,
  isStaked: boolean,
  account: Account,
  before: Ledger,
  after: Ledger,
): string | undefined {
  const now = after.state.tables.accounts.get(account.address);
  if (!PLAIN.has(type) || now === undefined) return undefined;
  const slot = before.headSlot;
  const sources = [
    [account.net_usage, now.net_usage, now.latest_consume_time],
    [account.free_net_usage, now.free_net_usage, now.latest_consume_free_time],
  ] as const;
  if (used === 0n) {
    const raised = sources.find(([was, is]) => is > was);
    return raised && `it uses nothing, and the usage went from ${raised[0]} to ${raised[1]}`;
  }
  const fits = sources
    .slice(0, isStaked ? 1 : 2)
    .some(([was, is, at]) => at === slot && is + ROUNDED >= used && is <= was + used + ROUNDED);
  return fits ? undefined : `it uses ${used} bytes at slot ${slot}; usages before, after and their slots: ${sources}`;
}

const smallest = (amounts: readonly bigint[]): bigint => amounts.reduce((least, one) => (one < least ? one : least));

/** Energy that a stake gives, or one less. */
function energyLimitOf(account: Account, before: Ledger): bigint {
  const borrowed = account.account_resource?.acquired_delegated_frozenV2_balance_for_energy ?? 0n;
  const stakeSun = staked(account, 1) + borrowed;
  // Calls count whole TRX.
  const wholeSun = stakeSun - (stakeSun % SUN_PER_TRX);
  return limitOf(wholeSun, before.long('TOTAL_ENERGY_CURRENT_LIMIT'), before.long('TOTAL_ENERGY_WEIGHT'));
}

function energyIsWrong({ info }: ScannedTransaction, account: Account, before: Ledger): string | undefined {
  const { receipt } = info;
  if (receipt === undefined || receipt.energy_usage_total === 0n) return undefined;
  const { energy_usage, energy_fee, origin_energy_usage, energy_usage_total } = receipt;
  const price = before.long('ENERGY_FEE');
  if ((energy_usage_total - energy_usage - origin_energy_usage) * price !== energy_fee)
    return `of ${energy_usage_total} Energy ${energy_usage} and ${origin_energy_usage} are used, and ${energy_fee} sun are paid at ${price}`;
  const limit = energyLimitOf(account, before);
  const usedBefore = account.account_resource?.energy_usage ?? 0n;
  if (energy_fee > 0n && energy_usage + usedBefore + ROUNDED < limit)
    return `${energy_fee} sun are paid for Energy, although of ${limit} only ${usedBefore} and ${energy_usage} are used`;
  return undefined;
}

/** Into the producers' pool go fees for bytes, unless they are for an account, and for Energy, unless the time ran out. */
function poolsPartIsWrong({ transaction, info }: ScannedTransaction, before: Ledger): string | undefined {
  const { net_fee = 0n, energy_fee = 0n, result } = info.receipt ?? {};
  if (transaction.ethereum !== undefined) return undefined;
  const forAccount = before.long('CREATE_ACCOUNT_FEE');
  // Nobody can tell what it is for.
  if (forAccount === before.long('TRANSACTION_FEE') * bytesOf(transaction)) return undefined;
  const forBytes = net_fee === forAccount ? 0n : net_fee;
  const forEnergy = result === Outcome.OUT_OF_TIME ? 0n : energy_fee;
  const expected = before.on('ALLOW_TRANSACTION_FEE_POOL') ? forBytes + forEnergy : 0n;
  return info.packingFee === expected
    ? undefined
    : `${info.packingFee} sun go to the producers' pool, and should be ${expected} of ${net_fee} and ${energy_fee}`;
}

/** The deployer pays its part, as far as its limit and its Energy go. Of its Energy the least is known. */
function deployersPartIsWrong({ transaction, info }: ScannedTransaction, before: Ledger): string | undefined {
  const { receipt } = info;
  if (transaction.contractType !== ContractType.TriggerSmartContract || receipt === undefined) return undefined;
  const { contract_address: called } = transaction.contract as TriggerSmartContract;
  const { accounts, contracts } = before.state.tables;
  const contract = contracts.get(called as Address);
  const deployer = contract && accounts.get(contract.origin_address as Address);
  const { energy_usage_total: total, origin_energy_usage: part } = receipt;
  if (contract === undefined || deployer === undefined || deployer.address === transaction.owner || total === 0n)
    return part === 0n || deployer !== undefined ? undefined : `${part} Energy is used of a deployer that is not there`;
  const share = (total * (100n - contract.consume_user_resource_percent)) / 100n;
  const most = [share, contract.origin_energy_limit === 0n ? 10_000_000n : contract.origin_energy_limit];
  const left = energyLimitOf(deployer, before) - (deployer.account_resource?.energy_usage ?? 0n) - ROUNDED;
  const least = [...most, left > 0n ? left : 0n];
  if (part > smallest(most) || part < smallest(least))
    return `of ${total} Energy the deployer pays ${part}; its share is ${most[0]}, its limit ${most[1]}, and it has at least ${left}`;
  return undefined;
}
