/**
 * Amounts in the public types: what the library gives is `bigint` (CONTRIBUTING.md, rule 12), what it takes may be a number
 * too. `tsc` checks the types, the last test the report of the whole public API.
 */

import { readFileSync } from 'node:fs';
import { type Assertion, expect, expectTypeOf, it } from 'vitest';
import type * as fees from '../../src/fees.js';
import type {
  AccountAnswer,
  CallCost,
  CallTerms,
  FeeAccount,
  FeeLimitAdvice,
  FeeNetwork,
  FreeOfCharge,
  TransactionCost,
} from '../../src/fees.js';
import type {
  BlockReport,
  CallTreeInWords,
  DeployedContract,
  DevAccount,
  Devnet,
  DevnetControl,
  DevnetEvents,
  ExplanationInWords,
  Receipt,
  SourceLines,
  TransactionSummary,
  WholeNumber,
} from '../../src/index.js';
import type {} from '../../src/jest.js';
import type {
  Findings,
  Result,
  RunTotals,
  ScenarioRun,
  Sweep,
  VariantOutcome,
  WhatIfRun,
} from '../../src/run-scenario.js';
import type { assertChangesBalance, DevnetMatchers, matchers } from '../../src/testing.js';
import type {} from '../../src/vitest.js';

/** Names of members that are amounts of sun, and those that are amounts of Energy, bandwidth or tokens. */
type SunName = `${string}Sun` | 'sun' | 'balance' | 'fee' | 'totalFee' | 'totalBurned' | 'price';
type AmountName =
  | SunName
  | `${string}${'Energy' | 'Usage' | 'Units' | 'Weight' | 'Penalty' | 'Limit' | 'ADay' | 'Trx'}`
  | `network${string}`
  | ('energy' | 'penalty' | 'bandwidth' | 'units' | 'amount' | 'total' | 'own' | 'base' | 'used' | 'left' | 'limit')
  | ('precompiles' | 'deposit' | 'forfeited' | 'stipends' | 'staked' | 'bought' | 'owed' | 'paid' | 'agreed')
  | ('feeLimit' | 'headroom' | 'consumed' | 'burned' | 'fromStake' | 'threshold' | 'toThreshold' | 'proportion');

type IsAny<T> = 0 extends 1 & T ? true : false;

/** The names of all amounts that a type has as numbers, also within arrays, promises and results of functions. */
type NumbersIn<T, Names = AmountName, Name = never, Depth extends readonly unknown[] = []> =
  IsAny<T> extends true
    ? never
    : Depth['length'] extends 9
      ? never
      : T extends number
        ? Extract<Name, Names>
        : T extends string | bigint | boolean | symbol | null | undefined
          ? never
          : T extends (...given: never[]) => infer Given
            ? NumbersIn<Awaited<Given>, Names, Name, readonly [...Depth, 0]>
            : T extends readonly (infer One)[]
              ? NumbersIn<One, Names, Name, readonly [...Depth, 0]>
              : {
                  [Own in keyof T & string]: NumbersIn<
                    T[Own],
                    Names,
                    string extends Own ? Name : Own extends 'least' | 'most' | 'from' | 'to' ? Name | Own : Own,
                    readonly [...Depth, 0]
                  >;
                }[keyof T & string];

it('finds a number where an amount is', () => {
  expectTypeOf<NumbersIn<{ readonly paid: readonly { readonly feeSun: number }[] }>>().toEqualTypeOf<'feeSun'>();
  expectTypeOf<NumbersIn<{ readonly daySun: { readonly least: number } }>>().toEqualTypeOf<'daySun'>();
  expectTypeOf<NumbersIn<{ readonly left: Readonly<Record<string, number>> }>>().toEqualTypeOf<'left'>();
  expectTypeOf<NumbersIn<() => Promise<{ readonly energy?: number | string }>>>().toEqualTypeOf<'energy'>();
  expectTypeOf<NumbersIn<{ readonly feeSun: bigint; readonly block: number }>>().toEqualTypeOf<never>();
});

it('sunup: explanations, call trees, events and contracts', () => {
  expectTypeOf<ExplanationInWords['feeSun']>().toEqualTypeOf<bigint>();
  expectTypeOf<ExplanationInWords['block']['number']>().toEqualTypeOf<number>();
  expectTypeOf<NumbersIn<ExplanationInWords>>().toEqualTypeOf<never>();
  expectTypeOf<NumbersIn<CallTreeInWords>>().toEqualTypeOf<never>();
  expectTypeOf<NumbersIn<SourceLines>>().toEqualTypeOf<never>();
  expectTypeOf<NumbersIn<TransactionSummary>>().toEqualTypeOf<never>();
  expectTypeOf<NumbersIn<BlockReport>>().toEqualTypeOf<never>();
  expectTypeOf<NumbersIn<DevnetEvents>>().toEqualTypeOf<never>();
  expectTypeOf<Receipt['feeSun']>().toEqualTypeOf<bigint>();
  expectTypeOf<Receipt['balanceChange']>().returns.resolves.toEqualTypeOf<bigint>();
  expectTypeOf<NumbersIn<Receipt>>().toEqualTypeOf<never>();
  expectTypeOf<NumbersIn<DevAccount>>().toEqualTypeOf<never>();
});

it('sunup: what methods of a devnet give', () => {
  type Results = { readonly [Name in keyof DevnetControl]: Awaited<ReturnType<DevnetControl[Name]>> };
  // Answers of java-tron's endpoints are their JSON.
  type Own = Omit<Results, 'setAccount'>;
  expectTypeOf<NumbersIn<Own>>().toEqualTypeOf<never>();
  expectTypeOf<Own['setBalance']>().toEqualTypeOf<{ readonly balance: bigint }>();
  expectTypeOf<Own['setStake']['energy']>().toEqualTypeOf<bigint>();
  expectTypeOf<Own['setNetworkTotals']['totalEnergyWeight']>().toEqualTypeOf<bigint>();
  expectTypeOf<Own['getContractEnergy']['toThreshold']>().toEqualTypeOf<bigint>();
  expectTypeOf<Own['setChainParameters'][string]>().toEqualTypeOf<bigint>();
  expectTypeOf<Own['loadPreset']['changed'][string]['from']>().toEqualTypeOf<bigint>();
});

it('sunup: what methods of a devnet take', () => {
  expectTypeOf<WholeNumber>().toEqualTypeOf<number | bigint | string>();
  expectTypeOf<Devnet['setBalance']>().parameter(1).toEqualTypeOf<WholeNumber>();
  expectTypeOf<DeployedContract['connect']>().parameter(0).not.toBeAny();
  type Sent = NonNullable<Parameters<Devnet['deploy']>[1]>;
  expectTypeOf<Sent['feeLimit']>().toEqualTypeOf<bigint | number | undefined>();
  expectTypeOf<Sent['callValue']>().toEqualTypeOf<bigint | number | undefined>();
  expectTypeOf<Sent['originEnergyLimit']>().toEqualTypeOf<bigint | number | undefined>();
});

it('sunup/scenario', () => {
  expectTypeOf<ScenarioRun['totals']['feeSun']>().toEqualTypeOf<bigint>();
  expectTypeOf<NumbersIn<ScenarioRun>>().toEqualTypeOf<never>();
  expectTypeOf<NumbersIn<Result>>().toEqualTypeOf<never>();
  expectTypeOf<NumbersIn<RunTotals>>().toEqualTypeOf<never>();
  expectTypeOf<VariantOutcome['daySun']>().toEqualTypeOf<bigint>();
  expectTypeOf<NumbersIn<Findings>>().toEqualTypeOf<never>();
  expectTypeOf<NumbersIn<Sweep>>().toEqualTypeOf<never>();
  expectTypeOf<NumbersIn<WhatIfRun>>().toEqualTypeOf<never>();
});

it('sunup/testing, sunup/vitest, sunup/jest: changes of balances', () => {
  type Expected = bigint | number | ((change: bigint) => boolean);
  expectTypeOf<DevnetMatchers['toChangeBalance']>().parameter(1).toEqualTypeOf<Expected>();
  expectTypeOf<DevnetMatchers['toChangeTokenBalances']>().parameter(2).toEqualTypeOf<readonly Expected[]>();
  expectTypeOf<(typeof matchers)['toChangeBalance']>().parameter(2).toEqualTypeOf<Expected>();
  expectTypeOf<typeof assertChangesBalance>().parameter(2).toEqualTypeOf<Expected>();
  expectTypeOf<Assertion['toChangeBalance']>().parameter(1).toEqualTypeOf<Expected>();
  expectTypeOf<jest.Matchers<void>['toChangeBalance']>().parameter(1).toEqualTypeOf<Expected>();
});

it('sunup/fees: sun is bigint; Energy and bytes of one account, which its answers have as numbers, are numbers', () => {
  expectTypeOf<NumbersIn<TransactionCost, SunName>>().toEqualTypeOf<never>();
  expectTypeOf<NumbersIn<CallCost, SunName>>().toEqualTypeOf<never>();
  expectTypeOf<NumbersIn<FeeAccount, SunName>>().toEqualTypeOf<never>();
  expectTypeOf<NumbersIn<FeeNetwork, SunName>>().toEqualTypeOf<never>();
  expectTypeOf<NumbersIn<FeeLimitAdvice, SunName>>().toEqualTypeOf<never>();
  expectTypeOf<FreeOfCharge['energySun']>().toEqualTypeOf<bigint | undefined>();
  expectTypeOf<CallTerms['feeLimitSun']>().toEqualTypeOf<WholeNumber>();
  expectTypeOf<AccountAnswer['balance']>().toEqualTypeOf<WholeNumber | undefined>();
  expectTypeOf<typeof fees.callCost>().parameter(0).toEqualTypeOf<WholeNumber>();
});

it('no member of the public API that is named after sun is a number alone', () => {
  const report = readFileSync('etc/sunup.api.md', 'utf8');
  const members = [...report.matchAll(/^\s*(?:readonly )?(\w*[sS]un)\??: ([^;]+);$/gm)];
  expect(members.length).toBeGreaterThan(50);
  const given = members.filter(([, , type]) => !/\bSun\b|\bbigint\b|\bWhole(Number)?\b|Range<bigint>/.test(type!));
  expect(given.map(([line]) => line.trim())).toEqual([]);
});
