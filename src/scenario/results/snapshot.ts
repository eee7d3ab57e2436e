/**
 * The costs of a scenario in a file beside it (`X.scenario.snap.yaml`) that is reviewed like code: totals, each step,
 * payer and source. It has no ids and no times, so it changes only if a cost changes.
 */

import { parse, stringify } from 'yaml';
import { toJson } from '../../primitives/amount-json.js';
import { ownValue } from '../../primitives/outside-names.js';
import { formatUnits } from '../../prose/amounts.js';
import type { Difference } from './result.js';
import type { RunTotals } from './totals.js';

type Found = Pick<Difference, 'what' | 'expected' | 'actual'>;

/** `day.scenario.yaml` → `day.scenario.snap.yaml` */
export function snapshotName(file: string): string {
  return `${file.replace(/\.(ya?ml|json)$/, '')}.snap.yaml`;
}

export function snapshotText(totals: RunTotals): string {
  const head = '# What the scenario costs. Written by sunup run --update; amounts are sun, bytes and Energy.\n';
  return head + stringify(toJson(snapshotOf(totals)), { lineWidth: 120 });
}

function snapshotOf({ steps, payers, sources, failures: _, ...all }: RunTotals): object {
  return {
    totals: all,
    steps: Object.fromEntries(
      steps
        .filter(({ type }) => type !== 'time' && type !== 'operation')
        .map(({ step, label, count, failed, refused, ...own }) => [
          label === undefined ? step : `${step} ${label}`,
          own,
        ]),
    ),
    payers: Object.fromEntries(payers.map(({ payer, ...own }) => [payer, own])),
    sources: Object.fromEntries(
      sources.map(({ resource, reason, source, ...own }) => [
        [resource, ...(reason === resource ? [] : [reason]), source].join(' '),
        own,
      ]),
    ),
  };
}

/** Differences to a stored snapshot: totals, steps, payers and sources whose numbers changed. */
export function snapshotDifferences(stored: string, totals: RunTotals): readonly Found[] {
  let expected: unknown;
  try {
    expected = parse(stored);
  } catch (error) {
    return [{ what: 'the file', expected: 'what sunup run --update writes', actual: (error as Error).message.trim() }];
  }
  // Through text, so that both sides have been written and parsed.
  return [...differing('', expected, parse(snapshotText(totals)))];
}

function* differing(what: string, expected: unknown, actual: unknown): Iterable<Found> {
  if (!isObject(expected) || !isObject(actual)) {
    if (expected !== actual) yield { what, expected: shown(expected), actual: shown(actual) };
    return;
  }
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
  const isPart = (key: string) =>
    key !== 'outcomes' && (isObject(ownValue(expected, key)) || isObject(ownValue(actual, key)));
  const others = keys.filter((key) => !isPart(key) && shown(ownValue(expected, key)) !== shown(ownValue(actual, key)));
  if (others.length > 0) {
    const those = (of: typeof expected) => others.map((key) => `${key} ${shown(ownValue(of, key))}`).join(', ');
    yield { what, expected: those(expected), actual: those(actual) };
  }
  for (const key of keys.filter(isPart))
    yield* differing(what === '' ? key : `${what} / ${key}`, ownValue(expected, key), ownValue(actual, key));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Number.isSafeInteger(value)) return formatUnits(value as number);
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([key, one]) => `${key} ${shown(one)}`)
    .join(', ');
}
