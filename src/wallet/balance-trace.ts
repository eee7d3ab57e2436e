/**
 * Balance changes of a block's transactions, step by step, as java-tron records them when it writes an account
 * (BalanceTraceStore, TransactionBalanceTrace). They are not stored: the block runs again on the state before it.
 * Steps of a system contract come from the journal. For a contract call java-tron records the fees before it, the
 * call's total changes in the order of a Java map, its bill, and the removed accounts.
 */

import { type AppliedTransaction, applyTransaction } from '../ledger/apply-transaction.js';
import type { Charge, ChargeReason } from '../ledger/charging/charges.js';
import type { Ledger } from '../ledger/ledger.js';
import { hexToBytes } from '../primitives/hex.js';
import type { Address, BlockId, Sun } from '../primitives/ids.js';
import { isSmartContractType } from '../protocol/contract-types.js';
import type { Account } from '../protocol/generated/tron.js';
import { javaArrayUtilsHash, javaMapOrderOfHashes } from '../protocol/json/java-map-order.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import type { JournalEntry } from '../state/state.js';

/** One change of one balance. */
export interface BalanceStep {
  readonly address: Address;
  readonly amountSun: Sun;
}

export interface TracedBlock {
  readonly id: BlockId;
  readonly number: number;
  readonly timestampMs: bigint;
  readonly producer: Address;
  readonly transactions: readonly SignedTransaction[];
}

/**
 * The steps of each transaction, in order.
 *
 * @param before the state before the block, which is modified: the transactions are applied to it
 */
export function* balanceSteps(before: Ledger, block: TracedBlock): Iterable<readonly BalanceStep[]> {
  const { number, timestampMs, producer, transactions } = block;
  const { state } = before;
  before.setLong('BLOCK_ENERGY_USAGE', 0n);
  for (const [index, transaction] of transactions.entries()) {
    const mark = state.mark();
    const place = { inBlock: true, number, timestampMs, producer };
    const applied = applyTransaction(before, place, transaction, index);
    const writes = writesSince(before, mark);
    const steps = isSmartContractType(transaction.contractType) ? stepsOfCall : stepsOfContract;
    yield steps(before, applied, writes);
  }
}

/** A written account, before and after; absent: it did not exist. */
interface Write {
  readonly address: Address;
  readonly from: Account | undefined;
  readonly to: Account | undefined;
}

function writesSince({ state }: Ledger, mark: number): Write[] {
  const { accounts } = state.tables;
  const entries = state.journal.since(mark).filter(({ table }) => table === (accounts as JournalEntry['table']));
  const next = new Map<string, unknown>();
  const writes: Write[] = [];
  for (const { key, previous } of entries.toReversed()) {
    const to = next.has(key) ? next.get(key) : accounts.get(key as Address);
    writes.push({ address: key as Address, from: previous as Account | undefined, to: to as Account | undefined });
    next.set(key, previous);
  }
  return writes.reverse();
}

function balanceOf(account: Account | undefined): Sun {
  return account?.balance ?? 0n;
}

function stepsOf(writes: readonly Write[]): BalanceStep[] {
  const steps = writes.map(({ address, from, to }) => ({ address, amountSun: balanceOf(to) - balanceOf(from) }));
  return steps.filter(({ amountSun }) => amountSun !== 0n);
}

/** Fees of any transaction, charged before the contract runs. */
const BEFORE: ReadonlySet<ChargeReason> = new Set([
  'bandwidth',
  'account-creation-bandwidth',
  'multi-signature',
  'memo',
]);

/** A system contract takes fee and amount from its owner in one step. */
function stepsOfContract(ledger: Ledger, { transaction, charges }: AppliedTransaction, writes: readonly Write[]) {
  const steps = stepsOf(writes);
  const before = charges.filter(({ reason }) => BEFORE.has(reason)).flatMap((charge) => stepsOfFee(ledger, charge));
  const fees = steps.splice(0, before.length);
  const own = steps.filter(({ address }) => address === transaction.owner);
  const first = own[0];
  if (first === undefined) return [...fees, ...steps];
  const amountSun = own.reduce((sum, step) => sum + step.amountSun, 0n);
  const others = steps.filter((step) => step === first || step.address !== transaction.owner);
  return [...fees, ...others.map((step) => (step === first ? { ...step, amountSun } : step))];
}

function stepsOfCall(ledger: Ledger, { charges }: AppliedTransaction, writes: readonly Write[]): BalanceStep[] {
  const fees = charges.filter(({ reason }) => BEFORE.has(reason)).flatMap((charge) => stepsOfFee(ledger, charge));
  const bill = charges.filter(({ reason }) => !BEFORE.has(reason)).flatMap((charge) => stepsOfFee(ledger, charge));
  const buried = writes.filter(({ to }) => to === undefined);
  const changes = new Map<Address, Sun>(writes.map(({ address }) => [address, 0n]));
  const add = ({ address, amountSun }: BalanceStep) => changes.set(address, (changes.get(address) ?? 0n) + amountSun);
  for (const step of stepsOf(writes.filter(({ to }) => to !== undefined))) add(step);
  for (const { address, amountSun } of [...fees, ...bill]) add({ address, amountSun: -amountSun });
  const touched = [...changes];
  const called = javaMapOrderOfHashes(touched.map(([address]) => javaArrayUtilsHash(hexToBytes(address))))
    .map((at) => touched[at] as [Address, Sun])
    .map(([address, amountSun]) => ({ address, amountSun }))
    .filter(({ amountSun }) => amountSun !== 0n);
  return [
    ...fees,
    ...called,
    ...bill,
    // Recorded also for an account without a balance.
    ...buried.map(({ address, from }) => ({ address, amountSun: -balanceOf(from) })),
  ];
}

function stepsOfFee(ledger: Ledger, { payer, resource, amount, source }: Charge): BalanceStep[] {
  if (resource !== 'coin' || amount === 0n) return [];
  const paid = { address: payer, amountSun: -amount };
  return source === 'blackhole' ? [paid, { address: ledger.config.blackhole, amountSun: amount }] : [paid];
}
