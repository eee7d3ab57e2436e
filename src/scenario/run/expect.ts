/** Compares a result with its expectation; each difference is text for people. */

import { formatTrx, formatUnits } from '../../prose/amounts.js';
import type { GroupExpectations, TransactionExpectations } from '../format/expect-fields.js';
import type { Difference, Paid, TransactionResult } from '../results/result.js';
import type { DigestCheck } from '../results/result-of.js';
import { RULES_VERSION } from '../results/rules-version.js';
import type { RunTotals } from '../results/totals.js';

type Found = Omit<Difference, 'line' | 'column'>;

const coin = (sun: bigint | number) => `${formatTrx(BigInt(sun))} (${formatUnits(BigInt(sun))} sun)`;
const units = (amount: bigint | number) => formatUnits(BigInt(amount));

/** A number that is something else. */
function* differing(
  what: string,
  expected: bigint | number | undefined,
  actual: bigint | number,
  show: (value: bigint | number) => string,
): Iterable<Found> {
  if (expected === undefined || BigInt(expected) === BigInt(actual)) return;
  yield { what, expected: show(expected), actual: show(actual) };
}

function* differingText(what: string, expected: string | undefined, actual: string): Iterable<Found> {
  if (expected !== undefined && expected !== actual) yield { what, expected, actual };
}

export function* transactionDifferences(
  expected: Partial<TransactionExpectations>,
  result: TransactionResult,
): Iterable<Found> {
  yield* differingText('result', expected.result, outcomeText(expected.result, result));
  yield* differing('fee', expected.fee, result.feeSun, coin);
  yield* differing('bandwidth', expected.bandwidth, result.bandwidth, units);
  yield* differing('energy', expected.energy, result.energy?.used ?? 0, units);
  yield* differing('energyPenalty', expected.energyPenalty, result.energy?.penalty ?? 0, units);
  yield* differing('energyFactor', expected.energyFactor, result.energy?.factor ?? 0, units);
  if (expected.paid !== undefined) yield* paidDifferences(expected.paid, result.paid);
  yield* differingText('code', expected.code, result.refusal?.code ?? 'none: a block contains it');
  const reason = reasonText(result);
  if (expected.reason !== undefined && !reason.includes(expected.reason))
    yield { what: 'reason', expected: expected.reason, actual: reason === '' ? 'none' : reason };
}

/** Adds the reason, if another outcome was expected. */
function outcomeText(expected: string | undefined, result: TransactionResult): string {
  if (expected === undefined || expected === result.outcome) return result.outcome;
  const reason = reasonText(result);
  return reason === '' ? result.outcome : `${result.outcome}: ${reason}`;
}

/** `Error("only the owner")`, `NotEnough(5, 7)`, java-tron's message, or that of a refusal. */
function reasonText({ failure, refusal }: TransactionResult): string {
  if (refusal !== undefined) return refusal.message;
  if (failure === undefined) return '';
  const { error, arguments: given = [], message = '', exception } = failure;
  if (error === undefined) return exception === undefined ? message : `${message} (${exception})`;
  return `${error}(${given.map(({ value }) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')})`;
}

type ExpectedPaid = NonNullable<TransactionExpectations['paid']>;

/** Each expected charge takes the first charge that fits; leftovers on either side are differences. */
function* paidDifferences(expected: ExpectedPaid, actual: readonly Paid[]): Iterable<Found> {
  const left = [...actual];
  const missing = expected.filter((one) => {
    const at = left.findIndex((paid) => fits(one, paid));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  for (const [at, one] of missing.entries()) {
    const near = left[at];
    yield {
      what: 'paid',
      expected: paidText(one),
      actual: near === undefined ? 'no such charge' : chargeText(near),
    };
  }
  for (const one of left.slice(missing.length))
    yield { what: 'paid', expected: 'no further charge', actual: chargeText(one) };
}

function fits(expected: ExpectedPaid[number], paid: Paid): boolean {
  return (
    (['payer', 'resource', 'reason', 'source'] as const).every(
      (name) => expected[name] === undefined || expected[name] === paid[name],
    ) &&
    (['units', 'sun'] as const).every((name) => expected[name] === undefined || BigInt(expected[name]) === paid[name])
  );
}

/** A zero says nothing of a charge that there is; of an expected one it is what is expected. */
function chargeText({ units, sun, ...charge }: Paid): string {
  return paidText({ ...charge, units: units || undefined, sun: sun || undefined });
}

function paidText({ payer, resource, reason, source, units: amount, sun }: ExpectedPaid[number]): string {
  const words = [payer, reason === resource ? resource : [resource, reason].filter(Boolean).join(' '), source];
  const amounts = [
    amount === undefined ? undefined : `${units(amount)} units`,
    sun === undefined ? undefined : coin(sun),
  ];
  return [...words, ...amounts].filter((word) => word !== undefined && word !== '').join(', ');
}

/** @param changes by account and by `TRX` or the name of a token */
export function* balanceDifferences(
  expected: NonNullable<TransactionExpectations['balanceChanges']>,
  changes: ReadonlyMap<string, bigint>,
): Iterable<Found> {
  for (const [account, wanted] of Object.entries(expected)) {
    const each = typeof wanted === 'bigint' ? { TRX: wanted } : wanted;
    for (const [token, amount] of Object.entries(each)) {
      const actual = changes.get(`${account} ${token}`) ?? 0n;
      const what = `balanceChanges.${account}${token === 'TRX' ? '' : `.${token}`}`;
      yield* differing(what, amount, actual, token === 'TRX' ? coin : units);
    }
  }
}

export function* groupDifferences(expected: GroupExpectations, totals: RunTotals): Iterable<Found> {
  for (const name of ['transactions', 'failed', 'refused', 'bandwidth', 'energy', 'energyPenalty'] as const)
    yield* differing(name, expected[name], totals[name], units);
  yield* differing('fee', expected.fee, totals.feeSun, coin);
  for (const [payer, sun] of Object.entries(expected.payers ?? {})) {
    const paid = totals.payers.find((one) => one.payer === payer || one.payer === `${payer}.*`);
    yield* differing(`payers.${payer}`, sun, paid?.sun ?? 0, coin);
  }
}

/** Block ids were compared one by one; they do not cover receipts. */
export function* digestDifferences({ is, rules }: DigestCheck, digest: string): Iterable<Found> {
  if (digest === is) return;
  const why =
    rules === RULES_VERSION
      ? 'the blocks are equal, but a receipt, a refusal or an operation differs: --json --results lists each'
      : `recorded under version ${rules} of the rules, this is version ${RULES_VERSION}: CHANGELOG.md lists the changed costs`;
  yield { what: 'digest', expected: is, actual: `${digest} (${why})` };
}
